// The forms of the dealer's steps: input fields, additional buttons, and the command that a step sends.

import { messageOf, RequestError } from "../lib/api.js";
import { field, formDialog } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { h } from "../lib/dom.js";
import { dollars } from "../lib/money.js";
import { strings } from "../lib/strings.js";
import { parseCard } from "./card-input.js";
import { decisionAmounts, shuffleWays } from "./procedure.js";

const texts = consoleStrings.dealer.steps;
/** @typedef {import("./dealer.js").DealerConsole} DealerConsole */
/**
 * `send` throws an error with a sentence if a field is not filled in.
 * @typedef {object} StepForm
 * @property {() => Promise<unknown>} send
 * @property {string} [button] what the main button says, if that depends on the table
 * @property {HTMLElement[]} [fields]
 * @property {[text: string, action: () => unknown][]} [others]
 */

/** @type {Record<string, (prompt: Server.NextStep, page: DealerConsole, procedure: Server.StaffProcedure) => StepForm>} */
const STEP_FORMS = {
  ReceiveCards: ({ deck }, page, { preshuffled }) => ({
    button: preshuffled ? texts.receivedPreshuffled : texts.buttons.ReceiveCards,
    send: () => page.send("ReceiveCards", { decks: [deck], preshuffled }),
    others: preshuffled ? [[texts.receivedOrdinary, () => page.send("ReceiveCards", { decks: [deck] })]] : [],
  }),
  InspectCards: ({ deck }, page) => ({
    send: () => page.send("InspectCards", { deck }),
    others: [[texts.defect, () => reportDefect(page, deck)]],
  }),
  SpreadCards: ({ deck }, page) => ({ send: () => page.send("SpreadCards", { deck }) }),
  WashCards: ({ deck }, page) => ({ send: () => page.send("WashCards", { deck }) }),
  Shuffle: shuffleForm,
  SpreadIdleCards: (_, page) => ({ send: () => page.send("SpreadIdleCards", { face_up: false }) }),
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
  Deal: (_, page, procedure) => ({
    send: () => page.send("Deal", page.faceUp.length ? { face_up: page.faceUp } : {}),
    others: procedure.card_source === "plain_shoe" ? [[texts.faceUpFound, () => dealFaceUp(page)]] : [],
  }),
  CountStub: (_, page) => {
    const stub = field({ name: "stub", label: texts.stub, type: "number", min: 0, max: 52 });
    return { fields: [stub.element], send: () => countStub(page, Number(stub.read())) };
  },
  RackStub: (_, page) => ({
    send: () => page.send("RackStub", {}),
    others: [[texts.countAnyway, () => countAnyway(page)]],
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
 * Deals from a plain shoe with cards found face up: one is replaced, a second one voids the round.
 * @param {DealerConsole} page
 */
const dealFaceUp = (page) =>
  page.openCommandForm(
    texts.faceUpFound,
    [
      { name: "cards", label: texts.faceUpCards, maxLength: 20 },
      { name: "dealt", label: texts.dealtBefore, type: "number", min: 0, optional: true },
    ],
    "Deal",
    (entered) => ({
      face_up: String(entered.cards)
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map((text) => parseCard(text) ?? text),
      ...(entered.dealt ? { cards_dealt: Number(entered.dealt) } : {}),
    }),
  );

/**
 * The form of the dealer's next step.
 * @param {Server.NextStep} prompt
 * @param {DealerConsole} page
 * @param {Server.StaffProcedure} procedure
 */
export const stepForm = (prompt, page, procedure) => STEP_FORMS[prompt.command](prompt, page, procedure);

/**
 * @param {DealerConsole} page
 * @param {number} deck
 */
const reportDefect = (page, deck) =>
  page.openCommandForm(
    texts.defect,
    [{ name: "defect", label: texts.whatIsWrong, maxLength: 200 }],
    "InspectCards",
    (entered) => ({ deck, defect: String(entered.defect) }),
    { button: texts.removeDeck, intro: texts.defectHint },
  );

/**
 * The dealer says how the deck was shuffled and what the device counted.
 * @param {Server.NextStep} prompt
 * @param {DealerConsole} page
 * @param {Server.StaffProcedure} procedure
 * @returns {StepForm}
 */
function shuffleForm({ deck, shuffle }, page, { deck_cards: deckCards }) {
  const { byDevice, isCounted, canChooseHand } = shuffleWays(shuffle);
  const count = isCounted ? field({ name: "count", label: texts.count, type: "number", min: 0, max: 104 }) : null;
  const send = async () => {
    const counted = count ? Number(count.read()) : null;
    if (counted === null || counted === deckCards)
      return page.send("Shuffle", { deck, by_device: byDevice, count: counted });
    return page.openCommandForm(
      texts.wrongCount(counted),
      [],
      "Shuffle",
      () => ({ deck, by_device: true, count: counted }),
      { button: texts.removeDeck, intro: texts.wrongCountHint(deckCards) },
    );
  };
  return {
    button: byDevice ? texts.shuffledByDevice : texts.shuffledByHand,
    fields: count ? [count.element] : [],
    send,
    others: canChooseHand ? [[texts.shuffledByHand, () => page.send("Shuffle", { deck, by_device: false })]] : [],
  };
}

/**
 * Buttons to spread the cards while seated players do not wager.
 * @param {DealerConsole} page
 * @param {Server.StaffProcedure["idle_spreads"]} spreads
 */
export const idleButtons = (page, spreads) =>
  spreads.length
    ? h(
        "div",
        { class: "row" },
        spreads.map((spread) =>
          h("button", {
            type: "button",
            text: texts.spreads[spread],
            onclick: () => page.send("SpreadIdleCards", { face_up: spread === "face_up" }),
          }),
        ),
      )
    : null;

/**
 * Sends a count of the stub; if it is wrong, every hand on the layout is counted as well.
 * @param {DealerConsole} page
 * @param {number} stub
 */
function countStub(page, stub) {
  return page.send("CountStub", { stub }, { handleError: (error) => openHandCount(page, stub, error) });
}

/** @param {DealerConsole} page */
async function countAnyway(page) {
  const fields = /** @type {FieldSpec[]} */ ([{ name: "stub", label: texts.stub, type: "number" }]);
  const entered = await formDialog(texts.countAnyway, fields, { button: texts.buttons.CountStub });
  if (entered) await countStub(page, Number(entered.stub));
}

/**
 * Asks for the count of every hand if the server needs it; returns whether it does.
 * @param {DealerConsole} page
 * @param {number} stub
 * @param {unknown} error
 */
function openHandCount(page, stub, error) {
  const hands = page.view.procedure?.hands_to_count;
  if (!hands || !(error instanceof RequestError) || error.code !== "recount") return false;
  page.openCommandForm(
    texts.countHands,
    [
      { name: "stub", label: texts.stub, type: "number", value: stub, min: 0, max: 52 },
      ...hands.map(
        ({ title, expected }, number) =>
          /** @type {FieldSpec} */ ({
            name: `hand ${number}`,
            label: texts.handCount(strings.upper(title), expected),
            type: "number",
            min: 0,
            max: 52,
          }),
      ),
    ],
    "CountStub",
    (entered) => ({
      stub: Number(entered.stub),
      hands: hands.map(({ place, seat }, number) => ({ place, seat, cards: Number(entered[`hand ${number}`]) })),
    }),
    {
      isGrid: true,
      button: texts.buttons.CountStub,
      intro: error.clause ? `${error.message} (${error.clause})` : error.message,
    },
  );
  return true;
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
