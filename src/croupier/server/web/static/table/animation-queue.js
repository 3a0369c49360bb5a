// Animates events on the felt in order, each for its duration, then shows the latest view.

/** @typedef {Record<number, Record<string, number>>} PlacedAmounts cents by seat and wager */
/**
 * What lies on the felt.
 * @typedef {object} FeltState
 * @property {boolean} isPastRound
 * @property {number} round
 * @property {Map<string, (string | null)[]>} cards by place and seat; null is a face-down card
 * @property {PlacedAmounts} wagers
 * @property {Server.SettledWager[]} settled
 * @property {Set<number>} folded
 * @property {number[]} waiting
 * @property {string} void
 * @property {number | null} net
 * @property {Server.HandView[]} hands
 * @property {Server.SeatResult[]} results
 */
/** @typedef {{ view: Server.TableView; events: Server.TableEvent[]; missed: boolean }} TableMessage */

/** @type {Partial<Record<Server.TableEvent["event"], number>>} */
export const EVENT_DURATIONS_MS = {
  CardDealt: 130,
  BetsClosed: 250,
  StubRacked: 260,
  StubCounted: 260,
  CardReplaced: 300,
  CardsRevealed: 520,
  HandTurnedUp: 260,
  WagerMade: 160,
  Folded: 220,
  WagerSettled: 320,
  RoundVoided: 600,
};

/**
 * @param {string} place
 * @param {number} seat
 */
const cardKey = (place, seat) => `${place} ${seat}`;

/**
 * The wagers of a view, by seat and wager.
 * @param {Pick<Server.TableView, "wagers">} view
 */
export function placedWagers({ wagers }) {
  /** @type {PlacedAmounts} */
  const placed = {};
  for (const { seat, wager, amount_cents } of wagers) {
    placed[seat] ??= {};
    placed[seat][wager] = amount_cents;
  }
  return placed;
}

/**
 * The felt of a view; between rounds, the felt as the last round was settled.
 * @param {Server.TableView} view
 * @returns {FeltState}
 */
export function feltFromView(view) {
  const previous = !view.cards.length && !view.wagers.length && view.last ? view.last : null;
  return {
    isPastRound: Boolean(previous),
    round: previous?.round ?? view.round,
    cards: new Map((previous ?? view).cards.map((placed) => [cardKey(placed.place, placed.seat), placed.cards])),
    wagers: placedWagers(view),
    settled: (previous ?? view).settled,
    folded: new Set(view.folded),
    waiting: view.waiting,
    void: (previous ?? view).void,
    net: previous?.your_net_cents ?? null,
    hands: (previous ?? view).hands,
    results: (previous ?? view).results,
  };
}

/**
 * The felt without the previous round's cards and results.
 * @param {FeltState} felt
 * @returns {FeltState}
 */
const racked = (felt) =>
  felt.isPastRound
    ? {
        ...felt,
        isPastRound: false,
        cards: new Map(),
        settled: [],
        folded: new Set(),
        wagers: {},
        waiting: [],
        void: "",
        net: null,
        hands: [],
        results: [],
      }
    : felt;

/**
 * @param {FeltState} felt
 * @param {number} seat
 * @param {string} wager
 * @param {number} cents
 * @returns {FeltState}
 */
function withWager(felt, seat, wager, cents) {
  const { [wager]: _, ...others } = felt.wagers[seat] ?? {};
  return { ...felt, wagers: { ...felt.wagers, [seat]: cents ? { ...others, [wager]: cents } : others } };
}

/**
 * @param {FeltState} felt
 * @param {string} key
 * @param {(string | null)[]} cards
 * @returns {FeltState}
 */
const withCards = (felt, key, cards) => ({ ...felt, cards: new Map([...felt.cards, [key, cards]]) });

/**
 * Turns up the first cards of a hand.
 * @param {FeltState} felt
 * @param {string} key
 * @param {(string | null)[]} cards
 */
const turnUp = (felt, key, cards) =>
  withCards(felt, key, [...cards, ...(felt.cards.get(key) ?? []).slice(cards.length)]);

/**
 * Patrons look at their cards once the deal is complete; the view has their faces.
 * @param {FeltState} felt
 * @param {Pick<Server.TableEvent, "round">} event
 * @param {Pick<Server.TableView, "round" | "cards" | "you">} view
 */
function turnUpOwnHands(felt, event, view) {
  if (view.round !== event.round) return felt;
  return view.cards
    .filter(({ place, seat }) => place === "player" && view.you.seats.includes(seat))
    .reduce((state, { place, seat, cards }) => turnUp(state, cardKey(place, seat), cards), felt);
}

/**
 * @param {FeltState} felt
 * @param {string} key
 * @param {number} index
 * @param {string | null} card
 */
const replaceCard = (felt, key, index, card) =>
  withCards(
    felt,
    key,
    (felt.cards.get(key) ?? []).map((old, number) => (number === index ? card : old)),
  );

/**
 * What the view says about the round of an event: the live round, or the last one.
 * @param {Pick<Server.TableEvent, "round">} event
 * @param {Server.TableView} view
 */
const roundOf = (event, view) => (view.last && view.last.round === event.round ? view.last : view);

/**
 * The felt with the names of the hands whose cards lie face up by now.
 * @param {FeltState} felt
 * @param {Pick<Server.TableEvent, "round">} event
 * @param {Server.TableView} view
 * @returns {FeltState}
 */
function withHands(felt, event, view) {
  if (roundOf(event, view).round !== event.round) return felt;
  const faceUp = new Set([...felt.cards.values()].flat());
  const hands = roundOf(event, view).hands.filter((hand) => hand.playing.every((card) => faceUp.has(card)));
  return { ...felt, hands };
}

/**
 * The felt after an event; `view` is the view that came with it.
 * @param {FeltState} felt
 * @param {Server.TableEvent} event
 * @param {Server.TableView} view
 * @returns {FeltState}
 */
export function applyEvent(felt, event, view) {
  switch (event.event) {
    case "WagerPlaced":
      return withWager(racked(felt), event.seat, event.wager, event.amount);
    case "BetsClosed":
      return { ...racked(felt), round: event.round };
    case "CardDealt": {
      if (event.place === "discard") return felt;
      const key = cardKey(event.place, event.seat);
      return withCards(felt, key, [...(felt.cards.get(key) ?? []), event.card]);
    }
    case "StubRacked":
    case "StubCounted":
      return withHands(turnUpOwnHands(felt, event, view), event, view);
    case "CardReplaced":
      return withHands(replaceCard(felt, cardKey(event.place, event.seat), event.number - 1, event.card), event, view);
    case "CardsRevealed":
      return withHands(turnUp(felt, cardKey(event.place, event.seat), event.cards), event, view);
    case "HandTurnedUp":
      return withHands(turnUp(felt, cardKey("player", event.seat), event.cards), event, view);
    case "WagerMade":
      return withWager(felt, event.seat, event.wager, event.amount);
    case "WagerPulledBack":
      return withWager(felt, event.seat, event.wager, 0);
    case "Folded":
      return { ...felt, folded: new Set([...felt.folded, event.seat]) };
    case "WagerSettled": {
      const round = roundOf(event, view);
      const entry = round.settled[felt.settled.length];
      if (!entry) return felt;
      const settled = [...felt.settled, entry];
      const results = round.results.filter(({ seat }) => settled.some((entry) => entry.seat === seat));
      return { ...felt, settled, results };
    }
    case "RoundVoided":
      return { ...felt, void: event.cause };
    default:
      return felt;
  }
}

/** Shows messages one after the other. */
export class AnimationQueue {
  /** @type {{ event: Server.TableEvent; view: Server.TableView }[]} */
  #queue = [];
  #running = false;
  /** @type {FeltState} */
  #felt;
  #isShown = false;

  /**
   * Calls draw(felt, {done}) on every change. isInstant() says whether to skip animations, wait(ms) lets time pass.
   * @param {Server.TableView} view
   * @param {(felt: FeltState, when: { done: boolean }) => void} draw
   * @param {{ isInstant: () => boolean; wait: (milliseconds: number) => Promise<void> }} timing
   */
  constructor(view, draw, { isInstant, wait }) {
    this.draw = draw;
    this.isInstant = isInstant;
    this.wait = wait;
    /** The view that is drawn. */
    this.view = view;
    /** The newest view, which may not be drawn yet. */
    this.latest = view;
    this.#felt = feltFromView(view);
  }

  get busy() {
    return this.#running;
  }

  /** The felt as it is drawn. */
  get felt() {
    return this.#felt;
  }

  /**
   * Receives a message from the server.
   * @param {TableMessage} message
   */
  receive(message) {
    this.latest = message.view;
    const instant = !this.#isShown || message.missed || this.isInstant();
    if (instant && !this.#running) return this.#showLatest();
    this.#queue.push(...message.events.map((event) => ({ event, view: message.view })));
    if (!this.#running) this.#run();
  }

  #showLatest() {
    this.#isShown = true;
    this.view = this.latest;
    this.#felt = feltFromView(this.view);
    this.draw(this.#felt, { done: true });
  }

  async #run() {
    this.#running = true;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      this.#felt = applyEvent(this.#felt, next.event, next.view);
      const durationMs = EVENT_DURATIONS_MS[next.event.event];
      if (!durationMs) continue;
      this.draw(this.#felt, { done: false });
      if (!this.isInstant()) await this.wait(durationMs);
    }
    this.#running = false;
    this.#showLatest();
  }
}
