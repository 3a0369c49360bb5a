// Chips that lie on the felt but are not placed yet: what is wanted, step by step, and what has to be sent for it.

import { dollars } from "/static/dom.js";
import { words } from "/static/words.js";

const said = words.table;

function at(placed, where) {
  const [seat, wager] = where.split(" ");
  return placed[seat]?.[wager] ?? 0;
}

export class Draft {
  #steps = [];
  #wanted = {};

  get undoable() {
    return this.#steps.length > 0;
  }

  /** Whether anything lies there that the server does not know. */
  touched(placed) {
    return Object.entries(this.#wanted).some(([where, cents]) => cents !== at(placed, where));
  }

  amount(seat, wager, placed) {
    return this.#amount(`${seat} ${wager}`, placed);
  }

  #amount(where, placed) {
    return this.#wanted[where] ?? at(placed, where);
  }

  /** Other amounts on some areas, by seat and wager; one step to undo. */
  set(amounts, placed) {
    this.#steps.push(Object.fromEntries(Object.keys(amounts).map((where) => [where, this.#amount(where, placed)])));
    this.#wanted = { ...this.#wanted, ...amounts };
  }

  undo() {
    this.#wanted = { ...this.#wanted, ...this.#steps.pop() };
  }

  /** All chips of some seats are wanted back. */
  clear(seats, placed, rules) {
    this.set(Object.fromEntries(Object.keys(this.all(seats, placed, rules)).map((where) => [where, 0])), placed);
  }

  /** What the server knows by now need not be remembered here. */
  prune(placed) {
    for (const [where, cents] of Object.entries(this.#wanted))
      if (cents === at(placed, where)) delete this.#wanted[where];
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
  if (wager.placed_with) return { refused: said.placedWith(wager.title, wager.placed_with_title) };
  if (wager.fixed_cents) {
    const amount = now ? 0 : wager.fixed_cents;
    return amount > left ? { refused: said.tooLittle(left) } : { amount };
  }
  if (chip > left) return { refused: said.tooLittle(left) };
  if (now + chip > wager.maximum_cents) return { refused: said.atMost(wager.title, wager.maximum_cents) };
  return { amount: now + chip };
}

/** Whether a change would be taken now: within its limits, and with the wagers that it needs. */
export function allowed(wager, amount, others) {
  if (!amount) return true;
  const within = wager.fixed_cents
    ? amount === wager.fixed_cents
    : amount >= wager.minimum_cents && amount <= wager.maximum_cents;
  return (
    within &&
    wager.needs.every((name) => others[name]) &&
    (!wager.needs_any.length || wager.needs_any.some((name) => others[name]))
  );
}

/** The limits of a wager in words; what is as good as no limit is none. */
export function limitsOf(wager) {
  if (wager.fixed_cents) return dollars(wager.fixed_cents);
  return wager.minimum_cents && wager.maximum_cents < 1_000_000_000
    ? said.limits(wager.minimum_cents, wager.maximum_cents)
    : "";
}
