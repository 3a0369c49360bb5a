// Animates events on the felt in order, each for its duration, then shows the latest view.

import { prefersReducedMotion, delay } from "/static/lib/dom.js";

const EVENT_DURATIONS_MS = {
  CardDealt: 130,
  BetsClosed: 250,
  CardsRevealed: 520,
  HandTurnedUp: 260,
  WagerMade: 160,
  Folded: 220,
  WagerSettled: 320,
  RoundVoided: 600,
};

const cardKey = (place, seat) => `${place} ${seat}`;

/** The felt of a view; between rounds, the felt as the last round was settled. */
export function feltFromView(view) {
  const previous = !view.cards.length && !view.wagers.length && view.last ? view.last : null;
  const wagers = {};
  for (const { seat, wager, amount_cents } of view.wagers) (wagers[seat] ??= {})[wager] = amount_cents;
  const cards = new Map((previous ?? view).cards.map((placed) => [cardKey(placed.place, placed.seat), placed.cards]));
  return {
    isPastRound: Boolean(previous),
    round: previous?.round ?? view.round,
    cards,
    wagers,
    settled: (previous ?? view).settled,
    folded: new Set(view.folded),
    waiting: view.waiting,
    void: (previous ?? view).void,
    net: previous?.your_net_cents ?? null,
  };
}

export class AnimationQueue {
  #queue = [];
  #running = false;

  /** Calls draw(felt, {event, done}) on every change. */
  constructor(draw) {
    this.draw = draw;
    this.felt = null;
    this.view = null;
  }

  get busy() {
    return this.#running;
  }

  /** Receives a message from the server. */
  receive(message) {
    this.latest = message.view;
    const instant = !this.felt || message.missed || prefersReducedMotion() || document.visibilityState !== "visible";
    if (instant && !this.#running) return this.#showLatest();
    this.#queue.push(...message.events.map((event) => ({ event, view: message.view })));
    if (!this.#running) this.#run();
  }

  #showLatest() {
    this.view = this.latest;
    this.felt = feltFromView(this.view);
    this.draw(this.felt, { done: true });
  }

  async #run() {
    this.#running = true;
    while (this.#queue.length) {
      const { event, view } = this.#queue.shift();
      const durationMs = EVENT_DURATIONS_MS[event.event] ?? 0;
      this.#apply(event, view);
      if (!durationMs) continue;
      this.draw(this.felt, { event, done: false });
      if (!prefersReducedMotion() && document.visibilityState === "visible") await delay(durationMs);
    }
    this.#running = false;
    this.#showLatest();
  }

  #apply(event, view) {
    const felt = this.felt;
    const { seat = 0, place } = event;
    switch (event.event) {
      case "WagerPlaced":
        this.#clearPreviousRound();
        (this.felt.wagers[seat] ??= {})[event.wager] = event.amount;
        if (!event.amount) delete this.felt.wagers[seat][event.wager];
        break;
      case "BetsClosed":
        this.#clearPreviousRound();
        this.felt.round = event.round;
        break;
      case "CardDealt":
        if (place !== "discard")
          felt.cards.set(cardKey(place, seat), [...(felt.cards.get(cardKey(place, seat)) ?? []), event.card]);
        break;
      case "CardsRevealed":
        this.#turnUp(cardKey(place, seat), event.cards);
        break;
      case "HandTurnedUp":
        this.#turnUp(cardKey("player", seat), event.cards);
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

  /** Racks the previous round's cards. */
  #clearPreviousRound() {
    if (!this.felt.isPastRound) return;
    this.felt = {
      ...this.felt,
      isPastRound: false,
      cards: new Map(),
      settled: [],
      folded: new Set(),
      wagers: {},
      waiting: [],
      void: "",
      net: null,
    };
  }

  #turnUp(key, cards) {
    const current = this.felt.cards.get(key) ?? [];
    this.felt.cards.set(key, [...cards, ...current.slice(cards.length)]);
  }
}
