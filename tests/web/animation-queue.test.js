import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  AnimationQueue,
  applyEvent,
  EVENT_DURATIONS_MS,
  feltFromView,
} from "../../src/croupier/server/web/static/table/animation-queue.js";
import { event, settled, view } from "./samples.js";

const cardsOf = (felt) => Object.fromEntries(felt.cards);

/** A queue whose waits end when the test says so. */
function animate(first, { isInstant = () => false } = {}) {
  const drawn = [];
  const waits = [];
  const queue = new AnimationQueue(first, (felt, { done }) => drawn.push({ felt, done }), {
    isInstant,
    wait: (ms) => new Promise((resolve) => waits.push({ ms, resolve })),
  });
  /** Ends the current wait and lets the queue go on. */
  const pass = async () => {
    waits.at(-1).resolve();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, drawn, waits, pass };
}

describe("the felt of a view", () => {
  test("has the cards and wagers of the round", () => {
    const felt = feltFromView(
      view({
        cards: [{ place: "player", seat: 2, cards: ["As", "Kd"] }],
        wagers: [{ seat: 2, wager: "ante", title: "Ante", amount_cents: 500 }],
        folded: [1],
      }),
    );
    assert.deepEqual(cardsOf(felt), { "player 2": ["As", "Kd"] });
    assert.deepEqual(felt.wagers, { 2: { ante: 500 } });
    assert.deepEqual([...felt.folded], [1]);
    assert.equal(felt.isPastRound, false);
  });

  test("is the last round between rounds, with its net", () => {
    const last = {
      round: 2,
      void: "",
      cards: [{ place: "dealer", seat: 0, cards: ["2c"] }],
      your_seats: [2],
      your_net_cents: -1000,
      settled: [settled(2, "ante")],
    };
    const felt = feltFromView(view({ last }));
    assert.equal(felt.isPastRound, true);
    assert.deepEqual([felt.round, felt.net], [2, -1000]);
    assert.deepEqual(cardsOf(felt), { "dealer 0": ["2c"] });
    const placed = view({ last, wagers: [{ seat: 2, wager: "ante", title: "Ante", amount_cents: 500 }] });
    assert.equal(feltFromView(placed).isPastRound, false);
  });
});

describe("an event", () => {
  const empty = feltFromView(view());

  test("deals a card to its place, face down if it is hidden; discards stay off the felt", () => {
    let felt = applyEvent(empty, event("CardDealt", { place: "player", seat: 2, card: "As" }), view());
    felt = applyEvent(felt, event("CardDealt", { place: "player", seat: 2, card: null }), view());
    felt = applyEvent(felt, event("CardDealt", { place: "discard", card: "2c" }), view());
    assert.deepEqual(cardsOf(felt), { "player 2": ["As", null] });
    assert.deepEqual(cardsOf(empty), {}, "the felt before is untouched");
  });

  test("turns up the first cards of a hand and leaves the others face down", () => {
    const dealt = { ...empty, cards: new Map([["dealer 0", [null, null, null]]]) };
    const felt = applyEvent(dealt, event("CardsRevealed", { place: "dealer", cards: ["As", "Kd"] }), view());
    assert.deepEqual(cardsOf(felt), { "dealer 0": ["As", "Kd", null] });
    const turned = applyEvent(felt, event("HandTurnedUp", { seat: 2, cards: ["2c"] }), view());
    assert.deepEqual(turned.cards.get("player 2"), ["2c"]);
  });

  test("of a complete deal turns up the patron's own cards and nobody else's", () => {
    const dealt = {
      ...empty,
      cards: new Map([
        ["player 1", [null, null]],
        ["player 2", [null, null]],
        ["dealer 0", [null]],
      ]),
    };
    const cards = [
      { place: "player", seat: 1, cards: ["2c", "3c"] },
      { place: "player", seat: 2, cards: ["As", "Kd"] },
      { place: "dealer", seat: 0, cards: ["4c"] },
    ];
    for (const name of ["StubRacked", "StubCounted"]) {
      const felt = applyEvent(dealt, event(name), view({ cards }));
      assert.deepEqual(cardsOf(felt), { "player 1": [null, null], "player 2": ["As", "Kd"], "dealer 0": [null] });
    }
    assert.equal(applyEvent(dealt, event("StubRacked"), view({ cards, round: 4 })), dealt, "of another round");
    assert.ok(EVENT_DURATIONS_MS.StubRacked, "the cards turn before the decision is asked for");
  });

  test("replaces one card and leaves the others", () => {
    const dealt = { ...empty, cards: new Map([["player 2", ["As", "Kd"]]]) };
    const replaced = (number, card) =>
      applyEvent(dealt, event("CardReplaced", { place: "player", seat: 2, number, card }), view()).cards.get(
        "player 2",
      );
    assert.deepEqual(replaced(2, "2c"), ["As", "2c"]);
    assert.deepEqual(replaced(1, null), [null, "Kd"]);
  });

  test("places, makes, changes and removes wagers", () => {
    let felt = applyEvent(empty, event("WagerPlaced", { seat: 2, wager: "ante", amount: 500 }), view());
    felt = applyEvent(felt, event("WagerMade", { seat: 2, wager: "raise", amount: 1000 }), view());
    assert.deepEqual(felt.wagers, { 2: { ante: 500, raise: 1000 } });
    felt = applyEvent(felt, event("WagerPulledBack", { seat: 2, wager: "raise" }), view());
    felt = applyEvent(felt, event("WagerPlaced", { seat: 2, wager: "ante", amount: 0 }), view());
    assert.deepEqual(felt.wagers, { 2: {} });
  });

  test("of a new round racks the cards of the last one", () => {
    const past = { ...empty, isPastRound: true, net: 500, settled: [settled(2, "ante")], folded: new Set([1]) };
    const felt = applyEvent(
      { ...past, cards: new Map([["dealer 0", ["2c"]]]) },
      event("BetsClosed", { round: 4 }),
      view(),
    );
    assert.deepEqual([felt.round, felt.net, felt.settled, felt.folded.size, felt.cards.size], [4, null, [], 0, 0]);
  });

  test("settles the wagers in the order of the view, of the round that the event is about", () => {
    const first = settled(2, "ante");
    const second = settled(2, "prime");
    let felt = applyEvent(empty, event("WagerSettled"), view({ settled: [first, second] }));
    felt = applyEvent(felt, event("WagerSettled"), view({ settled: [first, second] }));
    assert.deepEqual(felt.settled, [first, second]);
    const empties = { cards: [], void: "", your_seats: [], your_net_cents: null, hands: [], results: [] };
    const last = { ...empties, round: 3, settled: [second] };
    assert.deepEqual(applyEvent(empty, event("WagerSettled", { round: 3 }), view({ last })).settled, [second]);
  });

  test("names a hand only when all the cards that play lie face up", () => {
    const hands = [
      { place: "dealer", seat: 0, name: "pair of aces", playing: ["As", "Ad"] },
      { place: "player", seat: 2, name: "pair of kings", playing: ["Ks", "Kd"] },
    ];
    const dealt = {
      ...empty,
      cards: new Map([
        ["dealer 0", ["As", null]],
        ["player 2", ["Ks", "Kd"]],
      ]),
    };
    const names = (felt) => felt.hands.map(({ name }) => name);
    const looked = applyEvent(dealt, event("StubRacked"), view({ hands }));
    assert.deepEqual(names(looked), ["pair of kings"], "the view is ahead of the felt");
    const revealed = applyEvent(
      looked,
      event("CardsRevealed", { place: "dealer", cards: ["As", "Ad"] }),
      view({ hands }),
    );
    assert.deepEqual(names(revealed), ["pair of aces", "pair of kings"]);
  });

  test("says why a seat won or lost when its first wager is settled", () => {
    const results = [
      { seat: 1, text: "Seat 1 folded." },
      { seat: 2, text: "You win." },
    ];
    const felt = applyEvent(empty, event("WagerSettled"), view({ settled: [settled(2, "ante")], results }));
    assert.deepEqual(felt.results, [results[1]]);
  });

  test("folds a seat and voids a round", () => {
    assert.deepEqual([...applyEvent(empty, event("Folded", { seat: 3 }), view()).folded], [3]);
    assert.equal(applyEvent(empty, event("RoundVoided", { cause: "misdealt" }), view()).void, "misdealt");
  });
});

describe("the queue", () => {
  const message = (events, changes = {}) => ({ events, missed: false, view: view({ seq: 20, ...changes }) });
  const deal = (card) => event("CardDealt", { place: "player", seat: 2, card });

  test("shows the first message at once", () => {
    const { queue, drawn, waits } = animate(view());
    queue.receive(message([deal("As")]));
    assert.deepEqual(
      drawn.map(({ done }) => done),
      [true],
    );
    assert.equal(waits.length, 0);
  });

  test("shows events one after the other, each for its duration, then the newest view", async () => {
    const { queue, drawn, waits, pass } = animate(view());
    queue.receive({ view: view(), events: [], missed: true });
    queue.receive(message([deal("As"), event("MetersFed"), event("Folded", { seat: 2 })], { phase: "deciding" }));
    assert.equal(queue.busy, true);
    assert.equal(queue.view.phase, "betting");
    assert.equal(queue.latest.phase, "deciding");
    await pass();
    await pass();
    assert.deepEqual(
      waits.map(({ ms }) => ms),
      [EVENT_DURATIONS_MS.CardDealt, EVENT_DURATIONS_MS.Folded],
    );
    assert.deepEqual(
      drawn.map(({ done }) => done),
      [true, false, false, true],
    );
    assert.deepEqual(cardsOf(drawn[1].felt), { "player 2": ["As"] });
    assert.equal(queue.busy, false);
    assert.equal(queue.view.phase, "deciding");
  });

  test("appends messages that arrive meanwhile", async () => {
    const { queue, drawn, pass } = animate(view());
    queue.receive({ view: view(), events: [], missed: true });
    queue.receive(message([deal("As")]));
    queue.receive(message([deal("Kd")], { round: 9 }));
    await pass();
    assert.deepEqual(cardsOf(drawn.at(-1).felt), { "player 2": ["As", "Kd"] });
    await pass();
    assert.equal(drawn.at(-1).felt.round, 9);
  });

  test("jumps to the newest view after missed events, and if nobody wants or sees animations", () => {
    const { queue, drawn } = animate(view());
    queue.receive({ view: view(), events: [], missed: true });
    queue.receive({ ...message([deal("As")]), missed: true });
    assert.deepEqual(
      drawn.map(({ done }) => done),
      [true, true],
    );
    const instant = animate(view(), { isInstant: () => true });
    instant.queue.receive({ view: view(), events: [], missed: true });
    instant.queue.receive(message([deal("As")]));
    assert.deepEqual(
      instant.drawn.map(({ done }) => done),
      [true, true],
    );
  });
});
