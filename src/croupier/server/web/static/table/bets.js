// Chips on the felt that are not placed yet: the draft with undo, and the changes to send.

import { dollars } from "../lib/money.js";
import { strings } from "../lib/strings.js";

const texts = strings.table;
/** @typedef {import("./animation-queue.js").PlacedAmounts} PlacedAmounts */
/** @typedef {Record<string, number>} DraftAmounts cents by "seat wager" */

/**
 * Whether wagers may be placed and taken back; the cards may be cut again after “no more bets”, so the phase alone
 * does not tell.
 * @param {Pick<Server.TableView, "prompts">} view
 */
export const isBetting = ({ prompts }) => prompts.some((prompt) => prompt.command === "PlaceWager");

/**
 * @param {PlacedAmounts} placed
 * @param {string} key
 */
function placedAmount(placed, key) {
  const [seat, wager] = key.split(" ");
  return placed[Number(seat)]?.[wager] ?? 0;
}

export class WagerDraft {
  /** @type {DraftAmounts[]} */
  #steps = [];
  /** @type {DraftAmounts} */
  #amounts = {};

  get undoable() {
    return this.#steps.length > 0;
  }

  /**
   * Whether the draft differs from the wagers placed at the server.
   * @param {PlacedAmounts} placed
   */
  hasChanges(placed) {
    return Object.entries(this.#amounts).some(([key, cents]) => cents !== placedAmount(placed, key));
  }

  /**
   * @param {number} seat
   * @param {string} wager
   * @param {PlacedAmounts} placed
   */
  amount(seat, wager, placed) {
    return this.#amount(`${seat} ${wager}`, placed);
  }

  /**
   * @param {string} key
   * @param {PlacedAmounts} placed
   */
  #amount(key, placed) {
    return this.#amounts[key] ?? placedAmount(placed, key);
  }

  /**
   * Sets amounts by seat and wager, as one step to undo.
   * @param {DraftAmounts} amounts
   * @param {PlacedAmounts} placed
   */
  set(amounts, placed) {
    this.#steps.push(Object.fromEntries(Object.keys(amounts).map((key) => [key, this.#amount(key, placed)])));
    this.#amounts = { ...this.#amounts, ...amounts };
  }

  undo() {
    this.#amounts = { ...this.#amounts, ...this.#steps.pop() };
  }

  /**
   * Takes back all chips of some seats.
   * @param {readonly number[]} seats
   * @param {PlacedAmounts} placed
   * @param {Pick<Server.ServedTableRules, "wagers">} rules
   */
  clear(seats, placed, rules) {
    this.set(Object.fromEntries(Object.keys(this.amounts(seats, placed, rules)).map((key) => [key, 0])), placed);
  }

  /**
   * Drops amounts that the server has by now.
   * @param {PlacedAmounts} placed
   */
  prune(placed) {
    for (const [key, cents] of Object.entries(this.#amounts))
      if (cents === placedAmount(placed, key)) delete this.#amounts[key];
  }

  reset() {
    this.#steps = [];
    this.#amounts = {};
  }

  /**
   * The changes to send, ordered so that the rules allow each: a wager follows the wagers it depends on.
   * @param {readonly number[]} seats
   * @param {PlacedAmounts} placed
   * @param {Pick<Server.ServedTableRules, "wagers">} rules
   */
  changes(seats, placed, rules) {
    const order = rules.wagers.map((wager) => wager.wager);
    const changes = [];
    for (const seat of seats) {
      for (const wager of order) {
        const before = placed[seat]?.[wager] ?? 0;
        const after = this.amount(seat, wager, placed);
        if (before !== after) changes.push({ seat, wager, amount: after, before });
      }
    }
    const removals = changes.filter((change) => change.amount === 0).reverse();
    return [...removals, ...changes.filter((change) => change.amount > 0)];
  }

  /**
   * All amounts at some seats, by seat and wager.
   * @param {readonly number[]} seats
   * @param {PlacedAmounts} placed
   * @param {Pick<Server.ServedTableRules, "wagers">} rules
   */
  amounts(seats, placed, rules) {
    /** @type {DraftAmounts} */
    const amounts = {};
    for (const seat of seats) {
      for (const { wager } of rules.wagers) {
        const cents = this.amount(seat, wager, placed);
        if (cents) amounts[`${seat} ${wager}`] = cents;
      }
    }
    return amounts;
  }

  /**
   * The chips that these changes cost.
   * @param {readonly number[]} seats
   * @param {PlacedAmounts} placed
   * @param {Pick<Server.ServedTableRules, "wagers">} rules
   */
  cost(seats, placed, rules) {
    return this.changes(seats, placed, rules).reduce((sum, change) => sum + change.amount - change.before, 0);
  }
}

/**
 * Adds a chip to an area: {amount}, or {refused} with the reason.
 * @param {Server.WagerRules} wager
 * @param {number} now what lies there already
 * @param {number} chip
 * @param {number} left the patron's remaining chips
 * @returns {{ amount: number; refused?: undefined } | { refused: string; amount?: undefined }}
 */
export function addChip(wager, now, chip, left) {
  if (wager.made_in_play) return { refused: texts.inPlay(wager.title) };
  if (wager.placed_with) return { refused: texts.placedWith(wager.title, wager.placed_with_title) };
  if (wager.fixed_cents) {
    const amount = now ? 0 : wager.fixed_cents;
    return amount > left ? { refused: texts.tooLittle(left) } : { amount };
  }
  if (chip > left) return { refused: texts.tooLittle(left) };
  if (wager.minimum_cents !== null && now + chip < wager.minimum_cents)
    return { refused: texts.atLeast(wager.title, wager.minimum_cents) };
  if (wager.maximum_cents !== null && now + chip > wager.maximum_cents)
    return { refused: texts.atMost(wager.title, wager.maximum_cents) };
  return { amount: now + chip };
}

/**
 * Whether the server would accept an amount now: within limits, and with the wagers it needs.
 * @param {Server.WagerRules} wager
 * @param {number} amount
 * @param {Record<string, number>} otherWagers
 */
export function isAllowed(wager, amount, otherWagers) {
  if (!amount) return true;
  const withinLimits = wager.fixed_cents
    ? amount === wager.fixed_cents
    : amount >= (wager.minimum_cents ?? 0) && amount <= (wager.maximum_cents ?? Number.POSITIVE_INFINITY);
  return (
    withinLimits &&
    wager.needs.every((name) => otherWagers[name]) &&
    (!wager.needs_any.length || wager.needs_any.some((name) => otherWagers[name]))
  );
}

/**
 * A wager's limits as text; empty if there is no real limit.
 * `format` writes the two limits.
 * @param {Pick<Server.WagerRules, "fixed_cents" | "minimum_cents" | "maximum_cents">} wager
 */
export function formatLimits(wager, format = texts.limits) {
  if (wager.fixed_cents) return dollars(wager.fixed_cents);
  return wager.minimum_cents && wager.maximum_cents && wager.maximum_cents < 1_000_000_000
    ? format(wager.minimum_cents, wager.maximum_cents)
    : "";
}
