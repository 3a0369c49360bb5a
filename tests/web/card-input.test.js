import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CardSequence, parseCard } from "../../src/croupier/server/web/static/dealer/card-input.js";
import { consoleStrings } from "../../src/croupier/server/web/static/lib/console-strings.js";

const texts = consoleStrings.dealer.reading;
const slots = [
  { place: "player", seat: 2, face_up: false },
  { place: "player", seat: 5, face_up: false },
  { place: "dealer", seat: 0, face_up: true },
];

test("a card is a rank and a suit, in any case, with ten in two ways", () => {
  const cards = { As: "As", as: "As", "10h": "Th", td: "Td", "7♣": "7c", "K♠": "Ks", "2♦": "2d", "Q♥": "Qh" };
  for (const [text, card] of Object.entries(cards)) assert.equal(parseCard(text), card, text);
  for (const text of ["", "1s", "11s", "Ax", "Asd", "A"]) assert.equal(parseCard(text), null, text);
});

describe("reading cards", () => {
  test("accepts complete cards and leaves the rest", () => {
    const sequence = new CardSequence(slots);
    assert.deepEqual(sequence.read("As 10h, k", false), { rest: "k", fault: "", isRefused: false });
    assert.deepEqual(sequence.cards, ["As", "Th"]);
    assert.equal(sequence.remaining, 1);
  });

  test("waits for the rest of a ten", () => {
    const sequence = new CardSequence(slots);
    for (const text of ["1", "10"])
      assert.deepEqual(sequence.read(text, false), { rest: text, fault: "", isRefused: false });
    assert.deepEqual(sequence.read("10c", false).rest, "");
    assert.deepEqual(sequence.cards, ["Tc"]);
  });

  test("refuses what is no card", () => {
    const sequence = new CardSequence(slots);
    assert.deepEqual(sequence.read("1x", false), { rest: "1x", fault: texts.notACard("1x"), isRefused: true });
    assert.equal(sequence.read("z", false).fault, texts.notACard("z"));
    assert.deepEqual(sequence.read("A", true), { rest: "A", fault: texts.notACard("A"), isRefused: true });
    assert.deepEqual(sequence.cards, []);
  });

  test("refuses a card that was read already, and says where it lies", () => {
    const sequence = new CardSequence(slots);
    sequence.read("AsKd", false);
    const { fault, isRefused } = sequence.read("kd", false);
    assert.equal(fault, texts.duplicate("king of diamonds", "Seat 5"));
    assert.equal(isRefused, true);
  });

  test("refuses more cards than the deal has", () => {
    const sequence = new CardSequence(slots);
    assert.equal(sequence.read("AsKdQh2c", false).fault, texts.enough(3));
    assert.deepEqual(sequence.cards, ["As", "Kd", "Qh"]);
  });

  test("replaces a card found face up by the next one", () => {
    const sequence = new CardSequence(slots);
    sequence.read("As", false);
    sequence.toggleFaceUp();
    assert.equal(sequence.remaining, 3);
    sequence.read("KdQh2c", false);
    assert.deepEqual(sequence.dealt, ["Kd", "Qh", "2c"]);
    assert.equal(sequence.read("As", false).fault, texts.duplicate("ace of spades", texts.foundFaceUp));
    assert.equal(sequence.read("2c", false).fault, texts.duplicate("two of clubs", "Dealer"));
  });

  test("takes back the mark of a card that was not face up after all", () => {
    const sequence = new CardSequence(slots);
    sequence.read("As", false);
    sequence.toggleFaceUp();
    sequence.toggleFaceUp();
    assert.deepEqual([sequence.dealt, sequence.remaining], [["As"], 2]);
  });

  test("removes the last card with its mark", () => {
    const sequence = new CardSequence(slots);
    sequence.read("As", false);
    sequence.toggleFaceUp();
    sequence.removeLast();
    sequence.read("As", false);
    assert.deepEqual([sequence.dealt, sequence.faceUp.size], [["As"], 0]);
  });
});
