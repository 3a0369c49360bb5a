// What is on the felt, moment by moment: events are shown in their order, each with its time; then the view holds.

import { calm, wait } from "/static/dom.js";

const TIMES = {
  CardDealt: 130,
  BetsClosed: 250,
  CardsRevealed: 520,
  HandTurnedUp: 260,
  WagerMade: 160,
  Folded: 220,
  WagerSettled: 320,
  RoundVoided: 600,
};

const key = (place, seat) => `${place} ${seat}`;

/** The felt as a view has it; after a round, and until the next one begins, as it was when that round was settled. */
export function feltOf(view) {
  const past = !view.cards.length && !view.wagers.length && view.last ? view.last : null;
  const wagers = {};
  for (const { seat, wager, amount_cents } of view.wagers) (wagers[seat] ??= {})[wager] = amount_cents;
  const cards = new Map((past ?? view).cards.map((placed) => [key(placed.place, placed.seat), placed.cards]));
  return {
    past: Boolean(past),
    round: past?.round ?? view.round,
    cards,
    wagers,
    settled: (past ?? view).settled,
    folded: new Set(view.folded),
    waiting: view.waiting,
    void: (past ?? view).void,
    net: past?.your_net_cents ?? null,
  };
}

export class Showing {
  #queue = [];
  #running = false;

  /** draw(felt, {event, done}) is called for every change. */
  constructor(draw) {
    this.draw = draw;
    this.felt = null;
    this.view = null;
  }

  get busy() {
    return this.#running;
  }

  /** Takes a message of the server in. */
  take(message) {
    this.latest = message.view;
    const quick = !this.felt || message.missed || calm() || document.visibilityState !== "visible";
    if (quick && !this.#running) return this.#hold();
    this.#queue.push(...message.events.map((event) => ({ event, view: message.view })));
    if (!this.#running) this.#run();
  }

  #hold() {
    this.view = this.latest;
    this.felt = feltOf(this.view);
    this.draw(this.felt, { done: true });
  }

  async #run() {
    this.#running = true;
    while (this.#queue.length) {
      const { event, view } = this.#queue.shift();
      const time = TIMES[event.event] ?? 0;
      this.#apply(event, view);
      if (!time) continue;
      this.draw(this.felt, { event, done: false });
      if (!calm() && document.visibilityState === "visible") await wait(time);
    }
    this.#running = false;
    this.#hold();
  }

  #apply(event, view) {
    const felt = this.felt;
    const { seat = 0, place } = event;
    switch (event.event) {
      case "WagerPlaced":
        this.#begin();
        (this.felt.wagers[seat] ??= {})[event.wager] = event.amount;
        if (!event.amount) delete this.felt.wagers[seat][event.wager];
        break;
      case "BetsClosed":
        this.#begin();
        this.felt.round = event.round;
        break;
      case "CardDealt":
        if (place !== "discard")
          felt.cards.set(key(place, seat), [...(felt.cards.get(key(place, seat)) ?? []), event.card]);
        break;
      case "CardsRevealed":
        this.#turn(key(place, seat), event.cards);
        break;
      case "HandTurnedUp":
        this.#turn(key("player", seat), event.cards);
        break;
      case "WagerMade":
        (felt.wagers[seat] ??= {})[event.wager] = event.amount;
        break;
      case "WagerPulledBack":
        delete felt.wagers[seat]?.[event.wager];
        break;
      case "Folded":
        felt.folded.add(seat);
        break;
      case "WagerSettled": {
        const entries = view.last && view.last.round === event.round ? view.last.settled : view.settled;
        const entry = entries[felt.settled.length];
        if (entry) felt.settled = [...felt.settled, entry];
        break;
      }
      case "RoundVoided":
        felt.void = event.cause;
        break;
      default:
    }
  }

  /** The cards of the round before are racked. */
  #begin() {
    if (!this.felt.past) return;
    this.felt = {
      ...this.felt,
      past: false,
      cards: new Map(),
      settled: [],
      folded: new Set(),
      wagers: {},
      waiting: [],
      void: "",
      net: null,
    };
  }

  #turn(where, cards) {
    const now = this.felt.cards.get(where) ?? [];
    this.felt.cards.set(where, [...cards, ...now.slice(cards.length)]);
  }
}
