// The forms of the dealer's steps: input fields, additional buttons, and the command that a step sends.

import { messageOf, RequestError } from "../lib/api.js";
import { field } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { h } from "../lib/dom.js";
import { dollars } from "../lib/money.js";
import { strings } from "../lib/strings.js";
import { decisionAmounts } from "./procedure.js";

const texts = consoleStrings.dealer.steps;
/** @typedef {import("./dealer.js").DealerConsole} DealerConsole */
/**
 * `send` throws an error with a sentence if a field is not filled in.
 * @typedef {object} StepForm
 * @property {() => Promise<unknown>} send
 * @property {HTMLElement[]} [fields]
 * @property {[text: string, action: () => unknown][]} [others]
 */

/** @type {Record<string, (prompt: Server.NextStep, page: DealerConsole, procedure: Server.StaffProcedure) => StepForm>} */
const STEP_FORMS = {
  ReceiveCards: ({ deck }, page) => ({ send: () => page.send("ReceiveCards", { decks: [deck] }) }),
  InspectCards: ({ deck }, page) => ({ send: () => page.send("InspectCards", { deck }) }),
  SpreadCards: ({ deck }, page) => ({ send: () => page.send("SpreadCards", { deck }) }),
  WashCards: ({ deck }, page) => ({ send: () => page.send("WashCards", { deck }) }),
  Shuffle: ({ deck }, page) => ({ send: () => page.send("Shuffle", { deck }) }),
  Cut: (_, page, procedure) => {
    const depth = field({
      name: "depth",
      label: texts.depth(procedure.cut_depth),
      type: "number",
      value: Math.floor(procedure.deck_cards / 2),
      min: procedure.cut_depth,
      max: procedure.deck_cards - 1,
    });
    return { fields: [depth.element], send: () => page.send("Cut", { depth: Number(depth.read()) }) };
  },
  LoadCards: (_, page) => ({ send: () => page.send("LoadCards", {}) }),
  AnnounceNoMoreBets: (_, page) => ({ send: () => page.send("AnnounceNoMoreBets", {}) }),
  CountProgressiveChips: (_, page) => {
    const counted = field({ name: "counted", label: texts.counted, type: "dollars" });
    return {
      fields: [counted.element],
      send: () => page.send("CountProgressiveChips", { counted: Number(counted.read()) }),
    };
  },
  Deal: (_, page) => ({ send: () => page.send("Deal", page.faceUp.length ? { face_up: page.faceUp } : {}) }),
  CountStub: (_, page) => countStub(page),
  RackStub: (_, page) => ({
    send: () => page.send("RackStub", {}),
    others: [
      [
        texts.countAnyway,
        () =>
          page.openCommandForm(
            texts.countAnyway,
            [{ name: "stub", label: texts.stub, type: "number" }],
            "CountStub",
            (entered) => ({ stub: Number(entered.stub) }),
          ),
      ],
    ],
  }),
  CollectForfeits: (_, page) => ({ send: () => page.send("CollectForfeits", {}) }),
  RevealCards: (_, page) => ({ send: () => page.send("RevealCards", {}) }),
  SettleSeat: ({ seat }, page) => ({ send: () => page.send("SettleSeat", { seat }) }),
  VerifyWin: ({ seat }, page) => ({
    send: () => page.send("VerifyWin", { seat, lit: true }),
    others: [[texts.notLit, () => page.send("VerifyWin", { seat, lit: false })]],
  }),
  RackCards: (_, page) => ({ send: () => page.send("RackCards", {}) }),
};

/**
 * The form of the dealer's next step.
 * @param {Server.NextStep} prompt
 * @param {DealerConsole} page
 * @param {Server.StaffProcedure} procedure
 */
export const stepForm = (prompt, page, procedure) => STEP_FORMS[prompt.command](prompt, page, procedure);

/**
 * A wrong stub count is confirmed by counting the whole deck before it has consequences.
 * @param {DealerConsole} page
 * @returns {StepForm}
 */
function countStub(page) {
  const stub = field({ name: "stub", label: texts.stub, type: "number", min: 0, max: 52 });
  const total = field({ name: "total", label: texts.total, type: "number", min: 0, max: 104, optional: true });
  total.element.hidden = true;
  const reason = h("p", { class: "fault", role: "alert" });
  /** @param {unknown} error */
  const handleError = (error) => {
    if (!(error instanceof RequestError) || error.code !== "recount" || !total.element.hidden) return false;
    reason.textContent = `${error.message} (${error.clause})`;
    total.element.hidden = false;
    total.input.focus();
    return true;
  };
  return {
    fields: [stub.element, total.element, reason],
    send: () => {
      const counted = { stub: Number(stub.read()) };
      const all = total.read();
      return page.send("CountStub", all === null ? counted : { ...counted, total: Number(all) }, { handleError });
    },
  };
}

/**
 * Buttons for a decision that the patron announces to the dealer.
 * @param {import("./procedure.js").DecisionPrompt} prompt
 * @param {DealerConsole} page
 */
export function decisionForm({ seat, choices }, page) {
  /** @param {number | null} amount */
  const send = (amount) => page.send("Decide", { seat, amount });
  const buttons = decisionAmounts(choices).map((cents) =>
    h("button", {
      type: "button",
      class: "big",
      text: `${choices.title} ${dollars(cents)}`,
      onclick: () => send(cents),
    }),
  );
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
    choices.least_cents === null || choices.most_cents === null
      ? null
      : rangeForm(choices.title, choices.least_cents, choices.most_cents, send),
  );
}

/**
 * @param {string} title
 * @param {number} least
 * @param {number} most
 * @param {(cents: number) => unknown} send
 */
function rangeForm(title, least, most, send) {
  const amount = field({ name: "amount", label: texts.amount(least, most), type: "dollars" });
  const fault = h("p", { class: "fault", role: "alert" });
  const form = h(
    "form",
    { class: "inline", novalidate: true },
    amount.element,
    h("button", { class: "big", text: title }),
    fault,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      send(Number(amount.read()));
    } catch (error) {
      fault.textContent = messageOf(error);
    }
  });
  return form;
}
