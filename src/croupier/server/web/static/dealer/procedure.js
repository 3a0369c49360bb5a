// The dealing procedure as the dealer sees it: whose turn it is, and what the next step needs.

import { consoleStrings } from "../lib/console-strings.js";

const texts = consoleStrings.dealer.steps;

/** @typedef {Server.NextStep & { choices: Server.DecisionChoices }} DecisionPrompt */
/**
 * The next step: the dealer acts, a patron decides, or the dealer waits.
 * @typedef {{ kind: "act"; prompt: Server.NextStep; note: string; button: string }
 *   | { kind: "decide"; prompt: DecisionPrompt }
 *   | { kind: "wait"; text: string; clause: string }} DealerStep
 */

/** Patrons may wager until "no more bets", even while the cards are shuffled. */
export const WAGER_PHASES = ["betting", "shuffling", "cutting", "loading"];

/**
 * @param {Pick<Server.TableView, "prompts" | "seats" | "phase">} view
 * @returns {DealerStep}
 */
export function nextStep({ prompts, seats, phase }) {
  const dealerPrompt = prompts.find((prompt) => prompt.role === "dealer");
  const floorPrompt = prompts.find((prompt) => prompt.role === "floorperson" && prompt.command !== "OrderRecut");
  const isSeated = seats.some((seat) => seat.patron);
  // The cards are washed once a player is seated.
  if (dealerPrompt && (dealerPrompt.command !== "WashCards" || isSeated)) {
    return {
      kind: "act",
      prompt: dealerPrompt,
      note: floorPrompt ? texts.floor(floorPrompt.text) : "",
      button: texts.buttons[dealerPrompt.command] ?? consoleStrings.go,
    };
  }
  const decision = prompts.find(isDecision);
  if (decision) return { kind: "decide", prompt: decision };
  if (floorPrompt) return { kind: "wait", text: texts.floor(floorPrompt.text), clause: floorPrompt.clause };
  const first = dealerPrompt ?? prompts[0];
  const clause = first?.clause ?? "";
  if (!dealerPrompt && phase === "betting")
    return { kind: "wait", text: isSeated ? texts.wagers : texts.seats, clause };
  return { kind: "wait", text: first?.text ?? texts.nothing, clause };
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
 */
export function stepKey(step, { round, phase }, cardsRead) {
  const prompt = step.kind === "wait" ? null : step.prompt;
  const text = step.kind === "wait" ? step.text : step.prompt.text;
  const note = step.kind === "act" ? step.note : "";
  return JSON.stringify([step.kind, prompt?.command, prompt?.seat, prompt?.deck, round, phase, text, note, cardsRead]);
}

/**
 * The total to pay and to take at a seat.
 * @param {readonly Pick<Server.SettledWager, "staked_cents" | "returned_cents" | "paid_cents">[]} entries
 */
export const paymentTotals = (entries) => ({
  pay: entries.reduce((sum, entry) => sum + entry.paid_cents, 0),
  take: entries.reduce((sum, entry) => sum + Math.max(entry.staked_cents - entry.returned_cents, 0), 0),
});
