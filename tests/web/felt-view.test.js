import assert from "node:assert/strict";
import { test } from "node:test";
import { CHIPS, chipsIn, faceOf, housePlaces } from "../../src/croupier/server/web/static/lib/cards.js";
import { strings } from "../../src/croupier/server/web/static/lib/strings.js";
import { feltFromView } from "../../src/croupier/server/web/static/table/animation-queue.js";
import {
  areaTitle,
  extraCards,
  litCards,
  resultBadge,
  resultsAt,
  seatMark,
  shortNames,
} from "../../src/croupier/server/web/static/table/felt-view.js";
import { settled, view } from "./samples.js";

test("a card shows its rank, with ten written out, and its color", () => {
  assert.deepEqual(faceOf("Th"), { rank: "10", suit: "h", color: "red" });
  assert.deepEqual(faceOf("As"), { rank: "A", suit: "s", color: "black" });
  assert.deepEqual([faceOf("2c").color, faceOf("2d").color], ["black", "red"]);
});

test("a card has a name for screen readers, and a hidden one does not give itself away", () => {
  assert.equal(strings.card("Th"), "ten of hearts");
  assert.equal(strings.card("2c"), "two of clubs");
  assert.equal(strings.card(null), strings.card(""));
});

test("a stack has as few chips as possible and adds up to its amount", () => {
  assert.deepEqual(chipsIn(3100), [25, 5, 1]);
  assert.deepEqual(chipsIn(0), []);
  assert.deepEqual(chipsIn(150), [1, 0], "the odd rest has a chip without a value");
  for (const cents of [...CHIPS, 99_900, 63_600])
    assert.equal(chipsIn(cents).reduce((sum, chip) => sum + chip, 0) * 100, cents);
});

test("house cards are those at no seat", () => {
  const places = [
    { place: "dealer", seat: 0, cards: ["As"] },
    { place: "player", seat: 1, cards: ["Kd"] },
    { place: "bonus", seat: 0, cards: [] },
  ];
  assert.deepEqual(
    housePlaces(places).map(({ place }) => place),
    ["dealer"],
  );
});

test("other seats have initials for wagers, and a letter more where two are alike", () => {
  const names = shortNames([
    { wager: "ante", title: "Ante" },
    { wager: "aces", title: "Aces Bonus" },
    { wager: "all_six", title: "All-Six Bonus" },
    { wager: "player", title: "Five Card Bonus Player" },
    { wager: "dealer", title: "Five Card Bonus Dealer" },
  ]);
  assert.deepEqual([...names.values()].slice(0, 3), ["A", "AB", "ASB"]);
  assert.equal(new Set(names.values()).size, names.size);
});

test("a seat is marked as folded, deciding or left, in that order", () => {
  const felt = { ...feltFromView(view()), folded: new Set([1]), waiting: [2, 3] };
  const seats = [1, 2, 3, 4].map((seat) => ({ seat, patron: "", absent: seat === 4 }));
  const marks = [1, 2, 3, 4].map((seat) => seatMark(felt, seats, seat));
  assert.deepEqual(marks, [strings.table.folded, strings.table.waitingMark, "", strings.table.absent]);
});

test("cards beside a hand belong to the seat, and not to seat 12 where seat 2 is meant", () => {
  const cards = new Map([
    ["player 2", ["As"]],
    ["fourth 2", ["Kd"]],
    ["fourth 12", ["Qc"]],
  ]);
  assert.deepEqual(extraCards({ ...feltFromView(view()), cards }, 2), ["Kd"]);
});

test("a patron sees their own last results until they put down chips, and never those of the seat's previous patron", () => {
  const felt = { ...feltFromView(view()), isPastRound: true, settled: [settled(2, "ante"), settled(3, "ante")] };
  const mine = { isMine: true, name: "Pat", hasChips: false };
  assert.equal(resultsAt(felt, 2, mine).length, 1);
  assert.equal(resultsAt(felt, 2, { ...mine, hasChips: true }).length, 0);
  assert.equal(resultsAt(felt, 2, { ...mine, name: "Pia" }).length, 0);
  assert.equal(resultsAt(felt, 2, { isMine: false, name: "Pia", hasChips: true }).length, 1);
});

test("a result is the net with bonuses, or the outcome if nothing moved", () => {
  const won = settled(2, "ante", { outcome: "win", returned_cents: 1000, paid_cents: 1000 });
  assert.deepEqual(resultBadge(won, [settled(2, "win_bonus", { paid_cents: 500 })]), { text: "+$15", kind: "good" });
  assert.deepEqual(resultBadge(settled(2, "ante"), []), { text: "−$10", kind: "bad" });
  const push = settled(2, "ante", { outcome: "push", returned_cents: 1000 });
  assert.deepEqual(resultBadge(push, []), { text: strings.table.outcome.push, kind: "even" });
});

test("the end of a long title stands apart", () => {
  assert.deepEqual(areaTitle("Bonus on the dealer's hand"), { title: "Bonus", detail: "dealer's hand" });
  assert.deepEqual(areaTitle("Ante"), { title: "Ante", detail: "" });
});

test("cards are lit once a result is known: in the middle those of the dealer and of one's own hand", () => {
  const hands = [
    { place: "dealer", seat: 0, name: "pair of aces", playing: ["As", "Ad"] },
    { place: "player", seat: 1, name: "pair of twos", playing: ["2s", "2d", "Kh"] },
    { place: "player", seat: 2, name: "pair of kings", playing: ["Ks", "Kd", "Qh"] },
  ];
  const felt = { ...feltFromView(view()), hands };
  assert.equal(litCards(felt, [2]).shared, null);
  const { shared, seats } = litCards({ ...felt, results: [{ seat: 2, text: "The dealer wins." }] }, [2]);
  assert.deepEqual([...(shared ?? [])], ["As", "Ad", "Ks", "Kd", "Qh"]);
  assert.deepEqual([...(seats.get(1) ?? [])], ["2s", "2d", "Kh"]);
});
