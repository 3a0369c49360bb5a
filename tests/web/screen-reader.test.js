import assert from "node:assert/strict";
import { test } from "node:test";
import { strings } from "../../src/croupier/server/web/static/lib/strings.js";
import { announcements } from "../../src/croupier/server/web/static/table/screen-reader.js";
import { event, prompt, view } from "./samples.js";

const texts = strings.table;
const mine = new Set([2]);
const announce = (events, changes = {}) => announcements({ events, view: view(changes) }, mine);

test("a patron hears their own cards in one sentence, and no hidden or foreign ones", () => {
  const dealt = [
    event("CardDealt", { place: "player", seat: 1, card: null }),
    event("CardDealt", { place: "player", seat: 2, card: "As" }),
    event("CardDealt", { place: "dealer", card: null }),
    event("CardDealt", { place: "player", seat: 2, card: "Td" }),
  ];
  assert.deepEqual(announce(dealt), ["Your cards: ace of spades and ten of diamonds."]);
});

test("a patron hears their cards once the deal is complete, not while they are dealt face down", () => {
  const dealt = [event("CardDealt", { place: "player", seat: 2, card: null })];
  assert.deepEqual(announce(dealt), []);
  const cards = [
    { place: "player", seat: 1, cards: [null] },
    { place: "player", seat: 2, cards: ["As", "Td"] },
  ];
  assert.deepEqual(announce([...dealt, event("StubRacked")], { cards }), [
    "Your cards: ace of spades and ten of diamonds.",
  ]);
  assert.deepEqual(announce([event("StubCounted", { right: false })], { cards: [cards[0]] }), []);
});

test("the dealer's open card is announced", () => {
  const dealt = [
    event("CardDealt", { place: "dealer", card: "2c" }),
    event("CardDealt", { place: "dealer", card: null }),
  ];
  assert.deepEqual(announce(dealt), ["The dealer shows two of clubs."]);
});

test("revealed cards are announced for the house and the patron's own seats", () => {
  const revealed = [
    event("CardsRevealed", { place: "board", cards: ["2c", "3d"] }),
    event("CardsRevealed", { place: "fourth", seat: 2, cards: ["4h"] }),
    event("CardsRevealed", { place: "fourth", seat: 1, cards: ["5s"] }),
  ];
  assert.deepEqual(announce(revealed), [
    "Community cards: two of clubs and three of diamonds.",
    "Fourth card: four of hearts.",
  ]);
});

test("each of the patron's wagers is announced, then the total of the round", () => {
  const events = [
    event("WagerSettled", { seat: 2, text: "Ante wins." }),
    event("WagerSettled", { seat: 1, text: "Somebody else loses." }),
    event("RoundCompleted", { round: 3 }),
  ];
  const last = { round: 3, your_net_cents: 1500 };
  assert.deepEqual(announce(events, { last }), ["Ante wins.", "You win $15."]);
  assert.deepEqual(announce(events, { last: { ...last, your_net_cents: null } }), ["Ante wins."]);
  assert.deepEqual(announce(events, { last: { ...last, round: 2 } }), ["Ante wins."]);
});

test("a void round is announced with its cause", () => {
  assert.deepEqual(announce([event("RoundVoided", { cause: "shoe_jam" })]), [texts.void("shoe_jam")]);
});

test("the patron's turn is announced once something has happened, and nobody else's", () => {
  const decide = prompt("patron", "Decide", { seat: 2, text: "Seat 2: raise or fold" });
  const deciding = { phase: "deciding", prompts: [decide] };
  const racked = event("StubRacked");
  assert.deepEqual(announce([racked], { ...deciding, waiting: [2] }), ["Seat 2: raise or fold"]);
  assert.deepEqual(announce([racked], { ...deciding, waiting: [1, 2] }), []);
  assert.deepEqual(announce([], { ...deciding, waiting: [2] }), []);
});
