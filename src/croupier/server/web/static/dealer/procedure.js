// The dealing procedure as the dealer sees it: whose turn it is, and what the next step needs.

import { consoleStrings } from "../lib/console-strings.js";

const texts = consoleStrings.dealer.steps;

/** @typedef {Server.NextStep & { choices: Server.DecisionChoices }} DecisionPrompt */
/**
 * The next step: the dealer acts, a patron decides, or the dealer waits. Another deck may be shuffled meanwhile.
 * @typedef {{ kind: "act"; prompt: Server.NextStep; note: string; button: string }
 *   | { kind: "decide"; prompt: DecisionPrompt; note: string }
 *   | { kind: "wait"; text: string; clause: string; spreads: Server.StaffProcedure["idle_spreads"] }} DealerStep
 */

/**
 * Whether the patrons may wager: until "no more bets", even while the cards are shuffled.
 * @param {Pick<Server.TableView, "prompts">} view
 */
export const canWager = ({ prompts }) => prompts.some((prompt) => prompt.command === "PlaceWager");

/**
 * @param {Pick<Server.TableView, "prompts" | "seats" | "phase" | "decks" | "procedure">} view
 * @returns {DealerStep}
 */
export function nextStep(view) {
  const { prompts, seats, phase } = view;
  const floorPrompt = prompts.find((prompt) => prompt.role === "floorperson" && prompt.command !== "OrderRecut");
  const note = floorPrompt ? texts.floor(floorPrompt.text) : "";
  const isSeated = seats.some((seat) => seat.patron);
  const first = prompts.find((prompt) => prompt.role === "dealer" || isDecision(prompt));
  if (first && isDecision(first)) return { kind: "decide", prompt: first, note };
  // The cards are washed once a player is seated.
  if (first && (first.command !== "WashCards" || isSeated))
    return { kind: "act", prompt: first, note, button: texts.buttons[first.command] ?? consoleStrings.go };
  const spreads = view.procedure?.idle_spreads ?? [];
  if (floorPrompt) return { kind: "wait", text: note, clause: floorPrompt.clause, spreads };
  const topPrompt = first ?? prompts[0];
  const clause = topPrompt?.clause ?? "";
  if (!first && phase === "betting")
    return { kind: "wait", text: isSeated ? texts.wagers : texts.seats, clause, spreads };
  return { kind: "wait", text: topPrompt?.text ?? texts.nothing, clause, spreads };
}

/**
 * What the dealer also does while a deck is in play: shuffles the other one.
 * @param {Pick<Server.TableView, "prompts" | "seats" | "phase" | "decks" | "procedure">} view
 */
export function otherSteps(view) {
  const step = nextStep(view);
  const main = step.kind === "wait" ? null : step.prompt;
  /** @param {number} number */
  const isInUse = (number) => view.decks.some(({ deck, in_use }) => deck === number && in_use);
  return view.prompts.filter(
    (prompt) => prompt !== main && prompt.command === "Shuffle" && prompt.role === "dealer" && !isInUse(prompt.deck),
  );
}

/**
 * @param {Server.NextStep} prompt
 * @returns {prompt is DecisionPrompt}
 */
const isDecision = (prompt) => prompt.command === "Decide" && prompt.choices !== undefined;

/**
 * The amounts that get a button each: those offered, and whole multiples of the minimum of a range.
 * @param {Pick<Server.DecisionChoices, "amounts_cents" | "least_cents" | "most_cents">} choices
 */
export function decisionAmounts({ amounts_cents: amounts, least_cents: least, most_cents: most }) {
  if (!least || !most || most % least !== 0 || most / least > 4) return amounts;
  return [...amounts, ...Array.from({ length: most / least }, (_, times) => least * (times + 1))];
}

/**
 * What identifies a step: the console keeps what is being typed while it stays the same.
 * @param {DealerStep} step
 * @param {Pick<Server.TableView, "round" | "phase">} view
 * @param {number} cardsRead
 * @param {readonly Server.NextStep[]} others
 */
export function stepKey(step, { round, phase }, cardsRead, others = []) {
  const { command, seat, deck, shuffle, text } = step.kind === "wait" ? waiting(step) : step.prompt;
  const note = step.kind === "wait" ? step.spreads : step.note;
  const decks = others.map((prompt) => prompt.deck);
  return JSON.stringify([step.kind, command, seat, deck, shuffle, round, phase, text, note, cardsRead, decks]);
}

/**
 * @param {{ text: string }} step
 * @returns {Partial<Server.NextStep>}
 */
const waiting = ({ text }) => ({ text });

/**
 * The places of the layout in which a wrong number of cards can be found; `where` is the server's name for one.
 * @param {Pick<Server.StaffProcedure, "hands_to_count">} procedure
 */
export const placesOnLayout = ({ hands_to_count }) => hands_to_count.filter(({ place }) => place !== "discard");

/**
 * The devices that can be reported: those of the table, except what was reported already.
 * @param {Pick<Server.StaffProcedure, "devices" | "reported_devices">} procedure
 */
export const reportableDevices = ({ devices, reported_devices: reported }) =>
  devices.filter((device) => !reported.includes(device));

/**
 * How a deck is shuffled: by the device where there is one, and whether by hand would do as well.
 * @param {Server.ShuffleChoices} [choices]
 */
export function shuffleWays({ by_device: byDevice, by_hand: byHand, counted } = HAND_ONLY) {
  return { byDevice, isCounted: byDevice && counted, canChooseHand: byDevice && byHand };
}

const HAND_ONLY = { by_device: false, by_hand: true, counted: false };

/**
 * The total to pay and to take at a seat.
 * @param {readonly Pick<Server.SettledWager, "staked_cents" | "returned_cents" | "paid_cents">[]} entries
 */
export const paymentTotals = (entries) => ({
  pay: entries.reduce((sum, entry) => sum + entry.paid_cents, 0),
  take: entries.reduce((sum, entry) => sum + Math.max(entry.staked_cents - entry.returned_cents, 0), 0),
});
