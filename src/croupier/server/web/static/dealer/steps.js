// The dealer's steps: button text, input fields and command of each.

import { field } from "/static/lib/console.js";
import { dollars, h } from "/static/lib/dom.js";
import { consoleStrings } from "/static/lib/console-strings.js";
import { strings } from "/static/lib/strings.js";

const texts = consoleStrings.dealer.steps;

const STEP_FORMS = {
  ReceiveCards: (prompt) => ({ values: () => ({ decks: [prompt.deck] }) }),
  InspectCards: (prompt) => ({ values: () => ({ deck: prompt.deck }) }),
  SpreadCards: (prompt) => ({ values: () => ({ deck: prompt.deck }) }),
  WashCards: (prompt) => ({ values: () => ({ deck: prompt.deck }) }),
  Shuffle: (prompt) => ({ values: () => ({ deck: prompt.deck }) }),
  Cut: (prompt, { procedure }) => {
    const depth = field({
      name: "depth",
      label: texts.depth(procedure.cut_depth),
      type: "number",
      value: Math.floor(procedure.deck_cards / 2),
      min: procedure.cut_depth,
      max: procedure.deck_cards - 1,
    });
    return { fields: [depth], values: () => ({ depth: depth.read() }) };
  },
  CountProgressiveChips: () => {
    const counted = field({ name: "counted", label: texts.counted, type: "dollars" });
    return { fields: [counted], values: () => ({ counted: counted.read() }) };
  },
  CountStub: () => countStub(),
  RackStub: (prompt, view, page) => ({
    others: [
      [
        texts.countAnyway,
        () =>
          page.openCommandForm(texts.countAnyway, [{ name: "stub", label: texts.stub, type: "number" }], "CountStub"),
      ],
    ],
  }),
  Deal: (prompt, view, page) => ({ values: () => (page.faceUp.length ? { face_up: page.faceUp } : {}) }),
  SettleSeat: (prompt) => ({ values: () => ({ seat: prompt.seat }) }),
  VerifyWin: (prompt, view, page) => ({
    values: () => ({ seat: prompt.seat, lit: true }),
    others: [[texts.notLit, () => page.send("VerifyWin", { seat: prompt.seat, lit: false })]],
  }),
};

function countStub() {
  const stub = field({ name: "stub", label: texts.stub, type: "number", min: 0, max: 52 });
  const total = field({ name: "total", label: texts.total, type: "number", min: 0, max: 104, optional: true });
  total.element.hidden = true;
  const reason = h("p", { class: "fault", role: "alert" });
  return {
    fields: [stub, total, { element: reason }],
    values: () => ({ stub: stub.read(), ...(total.read() === null ? {} : { total: total.read() }) }),
    // A wrong stub count is confirmed by counting the whole deck before it has consequences.
    handleError: (error) => {
      if (error.code !== "recount" || !total.element.hidden) return false;
      reason.textContent = `${error.message} (${error.clause})`;
      total.element.hidden = false;
      total.input.focus();
      return true;
    },
  };
}

/** The dealer's next step: {text, clause, command, button, fields, values}; no command if somebody else acts. */
export function nextStep(view, page) {
  const dealerPrompt = view.prompts.find((prompt) => prompt.role === "dealer");
  const floorPrompt = view.prompts.find((prompt) => prompt.role === "floorperson" && prompt.command !== "OrderRecut");
  const seated = view.seats.some((seat) => seat.patron);
  if (dealerPrompt && (dealerPrompt.command !== "WashCards" || seated)) {
    const form = STEP_FORMS[dealerPrompt.command]?.(dealerPrompt, view, page) ?? {};
    const note = floorPrompt ? texts.floor(floorPrompt.text) : "";
    return {
      ...dealerPrompt,
      note,
      button: texts.buttons[dealerPrompt.command] ?? consoleStrings.go,
      values: () => ({}),
      ...form,
    };
  }
  const decide = view.prompts.find((prompt) => prompt.command === "Decide");
  if (decide) return { text: decide.text, clause: decide.clause, seat: decide.seat, body: decisionForm(decide, page) };
  if (floorPrompt) return { text: texts.floor(floorPrompt.text), clause: floorPrompt.clause };
  // The cards are washed once a player is seated.
  if (dealerPrompt) return { text: dealerPrompt.text, clause: dealerPrompt.clause };
  const first = view.prompts[0];
  if (view.phase === "betting") return { text: seated ? texts.wagers : texts.seats, clause: first?.clause };
  return { text: first?.text ?? texts.nothing, clause: first?.clause };
}

/** Buttons for a decision that the patron announces to the dealer. */
function decisionForm(prompt, page) {
  const { seat, choices } = prompt;
  const send = (amount) => page.send("Decide", { seat, amount });
  const { least_cents: least, most_cents: most } = choices;
  // Whole multiples of the minimum get a button each.
  const multiples =
    least && most % least === 0 && most / least <= 4
      ? Array.from({ length: most / least }, (_, times) => least * (times + 1))
      : [];
  const buttons = [...choices.amounts_cents, ...multiples].map((cents) =>
    h("button", {
      type: "button",
      class: "big",
      text: `${choices.title} ${dollars(cents)}`,
      onclick: () => send(cents),
    }),
  );
  let range = null;
  if (least !== null) {
    const amount = field({ name: "amount", label: texts.amount(least, most), type: "dollars" });
    const fault = h("p", { class: "fault", role: "alert" });
    range = h(
      "form",
      { class: "inline", novalidate: true },
      amount.element,
      h("button", { class: "big", text: choices.title }),
      fault,
    );
    range.addEventListener("submit", (event) => {
      event.preventDefault();
      try {
        send(amount.read());
      } catch (error) {
        fault.textContent = error.message;
      }
    });
  }
  return h(
    "div",
    { class: "decide" },
    h("p", { class: "small soft", text: texts.announcedDecision }),
    h(
      "div",
      { class: "row" },
      buttons,
      h("button", {
        type: "button",
        class: "big",
        text: choices.declined === "pull_back" ? strings.table.pull : consoleStrings.dealer.fold,
        onclick: () => send(null),
      }),
    ),
    range,
  );
}
