// The steps of the procedure as the dealer does them: words on the button, what has to be said, the command.

import { field } from "/static/consoles.js";
import { dollars, h } from "/static/dom.js";
import { said } from "/static/words-consoles.js";
import { words } from "/static/words.js";

const steps = said.dealer.steps;

const FORMS = {
  ReceiveCards: (prompt) => ({ values: () => ({ decks: [prompt.deck] }) }),
  InspectCards: (prompt) => ({ values: () => ({ deck: prompt.deck }) }),
  SpreadCards: (prompt) => ({ values: () => ({ deck: prompt.deck }) }),
  WashCards: (prompt) => ({ values: () => ({ deck: prompt.deck }) }),
  Shuffle: (prompt) => ({ values: () => ({ deck: prompt.deck }) }),
  Cut: (prompt, { procedure }) => {
    const depth = field(
      {
        name: "depth",
        label: steps.depth(procedure.cut_depth),
        type: "number",
        value: Math.floor(procedure.deck_cards / 2),
        least: procedure.cut_depth,
        most: procedure.deck_cards - 1,
      },
    );
    return { fields: [depth], values: () => ({ depth: depth.read() }) };
  },
  CountProgressiveChips: () => {
    const counted = field({ name: "counted", label: steps.counted, type: "dollars" });
    return { fields: [counted], values: () => ({ counted: counted.read() }) };
  },
  CountStub: () => countStub(),
  RackStub: (prompt, view, page) => ({
    others: [
      [
        steps.countAnyway,
        () => page.ask(steps.countAnyway, [{ name: "stub", label: steps.stub, type: "number" }], "CountStub"),
      ],
    ],
  }),
  Deal: (prompt, view, page) => ({ values: () => (page.faceUp.length ? { face_up: page.faceUp } : {}) }),
  SettleSeat: (prompt) => ({ values: () => ({ seat: prompt.seat }) }),
  VerifyWin: (prompt, view, page) => ({
    values: () => ({ seat: prompt.seat, lit: true }),
    others: [[steps.notLit, () => page.send("VerifyWin", { seat: prompt.seat, lit: false })]],
  }),
};

function countStub() {
  const stub = field({ name: "stub", label: steps.stub, type: "number", least: 0, most: 52 });
  const total = field({ name: "total", label: steps.total, type: "number", least: 0, most: 104, optional: true });
  total.element.hidden = true;
  const why = h("p", { class: "fault", role: "alert" });
  return {
    fields: [stub, total, { element: why }],
    values: () => ({ stub: stub.read(), ...(total.read() === null ? {} : { total: total.read() }) }),
    // A wrong stub is counted again with everything else before anything follows from it.
    blame: (error) => {
      if (!/total/.test(error.message) || !total.element.hidden) return false;
      why.textContent = `${error.message} (${error.clause})`;
      total.element.hidden = false;
      total.input.focus();
      return true;
    },
  };
}

/** What the dealer does now: {text, clause, command, button, fields, values}; no command where others act. */
export function stepFor(view, page) {
  const own = view.prompts.find((prompt) => prompt.role === "dealer");
  const floor = view.prompts.find((prompt) => prompt.role === "floorperson" && prompt.command !== "OrderRecut");
  const seated = view.seats.some((seat) => seat.patron);
  if (own && (own.command !== "WashCards" || seated)) {
    const form = FORMS[own.command]?.(own, view, page) ?? {};
    const note = floor ? steps.floor(floor.text) : "";
    return { ...own, note, button: steps.buttons[own.command] ?? said.go, values: () => ({}), ...form };
  }
  const decide = view.prompts.find((prompt) => prompt.command === "Decide");
  if (decide) return { text: decide.text, clause: decide.clause, seat: decide.seat, body: decision(decide, page) };
  if (floor) return { text: steps.floor(floor.text), clause: floor.clause };
  if (own) return { text: own.text, clause: own.clause }; // washing waits for the first player
  const first = view.prompts[0];
  if (view.phase === "betting") return { text: seated ? steps.wagers : steps.seats, clause: first?.clause };
  return { text: first?.text ?? steps.nothing, clause: first?.clause };
}

/** What the patron says, where he says it to the dealer and not to a device. */
function decision(prompt, page) {
  const { seat, choices } = prompt;
  const send = (amount) => page.send("Decide", { seat, amount });
  const { least_cents: least, most_cents: most } = choices;
  // Of a range the whole multiples of its least are one tap away.
  const whole = least && most % least === 0 && most / least <= 4 ? Array.from(
    { length: most / least },
    (_, times) => least * (times + 1),
  ) : [];
  const buttons = [...choices.amounts_cents, ...whole].map(
    (cents) => h(
      "button",
      { type: "button", class: "big", text: `${choices.title} ${dollars(cents)}`, onclick: () => send(cents) },
    ),
  );
  let range = null;
  if (least !== null) {
    const amount = field({ name: "amount", label: steps.amount(least, most), type: "dollars" });
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
    h("p", { class: "small soft", text: steps.saysToDealer }),
    h(
      "div",
      { class: "row" },
      buttons,
      h("button", {
        type: "button",
        class: "big",
        text: choices.declined === "pull_back" ? words.table.pull : said.dealer.fold,
        onclick: () => send(null),
      }),
    ),
    range,
  );
}
