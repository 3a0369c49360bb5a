// The settlement drill: put the wagers in settlement order, with outcome and payment.

import { h } from "../lib/dom.js";
import { dollars, parseDollars } from "../lib/money.js";
import { notifyRefusal } from "../lib/shell.js";
import { strings } from "../lib/strings.js";
import { paytable } from "../table/rules-panel.js";
import { labeledHand } from "./hands.js";

const texts = strings.learn;

/**
 * The question and its form; answer(values) has it marked.
 * @param {Server.SettlementDrill} options
 * @param {(answer: { wagers: object[]; bonus_cents: number | null }) => Promise<unknown>} answer
 */
export function settleDrill({ question, edition }, answer) {
  const rows = question.wagers.map((wager, number) => settleRow(wager, number, question));
  const bonus = h("input", { id: "bonus", inputmode: "decimal", value: "0" });
  const fault = h("p", { class: "fault", role: "alert" });
  const check = h("button", { class: "main", text: texts.check });
  const form = h(
    "form",
    {},
    h(
      "ol",
      { class: "settle-rows" },
      rows.map((row) => row.element),
    ),
    h("div", { class: "field narrow-field" }, h("label", { for: "bonus", text: texts.settleBonus }), bonus),
    fault,
    h("p", {}, check),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const invalid = [...rows.map((row) => row.paid), bonus].find((input) => parseDollars(input.value) === null);
    if (invalid) {
      fault.textContent = strings.table.notAnAmount(invalid.value);
      return void invalid.focus();
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
      notifyRefusal(error);
    }
  });
  /** @param {Server.DrillHand} placedCards */
  const name = (placedCards) =>
    placedCards.seat
      ? `${strings.table.seat(placedCards.seat)}${question.folded.includes(placedCards.seat) ? ` (${strings.table.folded})` : ""}${placedCards.place === "player" ? "" : `, ${strings.table.place[placedCards.place]}`}`
      : strings.table.place[placedCards.place];
  return [
    h("h2", { text: texts.settleAsk }),
    h(
      "div",
      { class: "hands" },
      question.cards.map((placedCards) => labeledHand(name(placedCards), placedCards.cards)),
    ),
    h(
      "details",
      {},
      h("summary", { text: texts.paytables }),
      h(
        "div",
        { class: "paytables" },
        question.paytables.map((table) => paytable(table, edition)),
      ),
    ),
    form,
  ];
}

/**
 * @param {Server.DrillWager} wager
 * @param {number} number
 * @param {Server.SettlementQuestion} question
 */
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
    question.outcomes.map((outcome) => h("option", { value: outcome, text: texts.outcome[outcome] })),
  );
  const paid = h("input", { id: `${id}-paid`, inputmode: "decimal", value: "0" });
  /**
   * @param {HTMLElement} input
   * @param {string} label
   */
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
      h("span", { class: "small soft", text: strings.table.seat(wager.seat) }),
    ),
    field(order, texts.settleOrder),
    field(outcome, texts.settleOutcome),
    field(paid, texts.settlePaid),
  );
  return { wager, order, outcome, paid, element };
}
