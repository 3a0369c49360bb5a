// The drill of the settlement: wagers put in the order in which the dealer settles them, with outcome and payment.

import { dollars, h, parseDollars } from "/static/dom.js";
import { hand } from "/static/learn-hands.js";
import { paytable } from "/static/rules-panel.js";
import { sayRefused } from "/static/shell.js";
import { words } from "/static/words.js";

const said = words.learn;

/** The question and its form; answer(found) has it marked. */
export function settleDrill({ question, edition }, answer) {
  const rows = question.wagers.map((wager, number) => settleRow(wager, number, question));
  const bonus = h("input", { id: "bonus", inputmode: "decimal", value: "0" });
  const fault = h("p", { class: "fault", role: "alert" });
  const check = h("button", { class: "main", text: said.check });
  const form = h(
    "form",
    {},
    h(
      "ol",
      { class: "settle-rows" },
      rows.map((row) => row.element),
    ),
    h("div", { class: "field narrow-field" }, h("label", { for: "bonus", text: said.settleBonus }), bonus),
    fault,
    h("p", {}, check),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const wrong = [...rows.map((row) => row.paid), bonus].find((input) => parseDollars(input.value) === null);
    if (wrong) {
      fault.textContent = words.table.notAnAmount(wrong.value);
      return void wrong.focus();
    }
    fault.textContent = "";
    check.disabled = true;
    const ordered = [...rows].sort((a, b) => Number(a.order.value) - Number(b.order.value));
    const wagers = ordered.map((row) => ({
      seat: row.wager.seat,
      wager: row.wager.wager,
      outcome: row.outcome.value,
      paid_cents: parseDollars(row.paid.value),
    }));
    try {
      await answer({ wagers, bonus_cents: parseDollars(bonus.value) });
    } catch (error) {
      check.disabled = false;
      sayRefused(error);
    }
  });
  const name = (placed) =>
    placed.seat
      ? `${words.table.seat(placed.seat)}${question.folded.includes(placed.seat) ? ` (${words.table.folded})` : ""}${placed.place === "player" ? "" : `, ${words.table.place[placed.place]}`}`
      : words.table.place[placed.place];
  return [
    h("h2", { text: said.settleAsk }),
    h(
      "div",
      { class: "hands" },
      question.cards.map((placed) => hand(name(placed), placed.cards)),
    ),
    h(
      "details",
      {},
      h("summary", { text: said.paytables }),
      h(
        "div",
        { class: "paytables" },
        question.paytables.map((table) => paytable(table, edition)),
      ),
    ),
    form,
  ];
}

function settleRow(wager, number, question) {
  const id = `wager-${number}`;
  const order = h(
    "select",
    { id: `${id}-order` },
    question.wagers.map((_, place) => h("option", { value: place + 1, text: String(place + 1) })),
  );
  order.value = String(number + 1);
  const outcome = h(
    "select",
    { id: `${id}-outcome` },
    question.outcomes.map((one) => h("option", { value: one, text: said.outcome[one] })),
  );
  const paid = h("input", { id: `${id}-paid`, inputmode: "decimal", value: "0" });
  const field = (input, label) => h("div", {}, h("label", { for: input.id, text: label }), input);
  const element = h(
    "li",
    {},
    h(
      "span",
      {},
      h("strong", { text: wager.title }),
      ` ${dollars(wager.staked_cents)}`,
      h("br"),
      h("span", { class: "small soft", text: words.table.seat(wager.seat) }),
    ),
    field(order, said.settleOrder),
    field(outcome, said.settleOutcome),
    field(paid, said.settlePaid),
  );
  return { wager, order, outcome, paid, element };
}
