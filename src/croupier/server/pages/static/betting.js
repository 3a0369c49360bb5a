// Chips that lie on the felt but are not placed yet: what is wanted, step by step, and what has to be sent for it.

import { dollars } from "/static/dom.js";
import { words } from "/static/words.js";

const said = words.table;

export class Draft {
  #steps = [];
  #wanted = {};

  /** Whether anything lies there that the server does not know. */
  get touched() {
    return Object.keys(this.#wanted).length > 0;
  }

  get undoable() {
    return this.#steps.length > 0;
  }

  amount(seat, wager, placed) {
    return this.#wanted[`${seat} ${wager}`] ?? placed[seat]?.[wager] ?? 0;
  }

  set(seat, wager, cents) {
    this.#steps.push({ ...this.#wanted });
    this.#wanted[`${seat} ${wager}`] = cents;
  }

  undo() {
    this.#wanted = this.#steps.pop() ?? {};
  }

  /** All chips of some seats are wanted back. */
  clear(seats, placed) {
    this.#steps.push({ ...this.#wanted });
    this.#wanted = {};
    for (const seat of seats) for (const wager of Object.keys(placed[seat] ?? {})) this.#wanted[`${seat} ${wager}`] = 0;
  }

  /** The same wagers as in a round before. */
  repeat(wagers) {
    this.#steps.push({ ...this.#wanted });
    this.#wanted = { ...this.#wanted, ...wagers };
  }

  forget() {
    this.#steps = [];
    this.#wanted = {};
  }

  /** What the server must be told, in an order that the rules allow: what depends on another wager after it. */
  changes(seats, placed, rules) {
    const order = rules.wagers.map((wager) => wager.wager);
    const found = [];
    for (const seat of seats) {
      for (const wager of order) {
        const before = placed[seat]?.[wager] ?? 0;
        const after = this.amount(seat, wager, placed);
        if (before !== after) found.push({ seat, wager, amount: after, before });
      }
    }
    const less = found.filter((change) => change.amount === 0).reverse();
    return [...less, ...found.filter((change) => change.amount > 0)];
  }

  /** All that lies at some seats, by seat and wager, for the next time. */
  all(seats, placed, rules) {
    const found = {};
    for (const seat of seats) {
      for (const { wager } of rules.wagers) {
        const cents = this.amount(seat, wager, placed);
        if (cents) found[`${seat} ${wager}`] = cents;
      }
    }
    return found;
  }

  /** How much more than now leaves the chips when this is placed. */
  cost(seats, placed, rules) {
    return this.changes(seats, placed, rules).reduce((sum, change) => sum + change.amount - change.before, 0);
  }
}

/** A chip goes onto an area: the new amount there, or a sentence why not. */
export function added(wager, now, chip, left) {
  if (wager.made_in_play) return { refused: said.inPlay(wager.title) };
  if (wager.fixed_cents) {
    const amount = now ? 0 : wager.fixed_cents;
    return amount > left ? { refused: said.tooLittle(left) } : { amount };
  }
  if (chip > left) return { refused: said.tooLittle(left) };
  if (now + chip > wager.maximum_cents) return { refused: said.atMost(wager.title, wager.maximum_cents) };
  return { amount: now + chip };
}

export const limitsOf = (wager) =>
  wager.fixed_cents ? dollars(wager.fixed_cents) : wager.minimum_cents ? said.limits(wager.minimum_cents, wager.maximum_cents) : "";
