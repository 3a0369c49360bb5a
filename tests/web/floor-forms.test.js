import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  decisionFields,
  readDecision,
  readReplacement,
  readSubstitute,
  replacementFields,
  substituteFields,
} from "../../src/croupier/server/web/static/floor/forms.js";
import { consoleStrings } from "../../src/croupier/server/web/static/lib/console-strings.js";
import { procedure, view } from "./samples.js";

const RULES = [
  { rule: "settle_in_turn", clause: "682a.11(d)" },
  { rule: "face_up_card", clause: "682a.13(a)" },
];
const field = (fields, name) => fields.find((one) => one.name === name);
const optionsOf = (fields, name) => Object.fromEntries(field(fields, name).options);

describe("a device out of order", () => {
  const offered = procedure({
    substitutes: [
      { device: "shoe", method: "hand", shuffler: "counting" },
      { device: "shuffler", method: "automated_shoe", shuffler: "automated" },
      { device: "shuffler", method: "manual_shoe", shuffler: "none" },
    ],
  });

  test("is replaced by what the server offers for it, covered or with a sign", () => {
    const fields = substituteFields("shuffler", offered);
    assert.deepEqual(optionsOf(fields, "substitute"), {
      1: "automated shoe, automated shuffler",
      2: "manual shoe, shuffled by hand",
    });
    assert.deepEqual(Object.keys(optionsOf(fields, "marked")), ["covered", "sign"]);
    assert.deepEqual(Object.values(optionsOf(substituteFields("shoe", offered), "substitute")), [
      "from the hand, counting shuffler",
    ]);
  });

  test("is sent with the method and shuffler of the choice", () => {
    assert.deepEqual(readSubstitute("shuffler", offered, { marked: "sign", substitute: "2" }), {
      device: "shuffler",
      marked: "sign",
      method: "manual_shoe",
      shuffler: "none",
    });
  });
});

test("a decision names what it concerns, with the clause", () => {
  const fields = decisionFields(procedure({ floor_rules: RULES }));
  assert.deepEqual(optionsOf(fields, "concerns"), {
    settle_in_turn: "the settlement (682a.11(d))",
    face_up_card: "a card found face up (682a.13(a))",
  });
  assert.deepEqual(Object.keys(optionsOf(fields, "outcome")), ["continue", "void"]);
  const entered = { outcome: "void", concerns: "settle_in_turn", reason: "a test" };
  assert.deepEqual(readDecision(entered), entered);
});

test("every rule that a decision may concern has words of its own", () => {
  const rules = ["settle_in_turn", "wrong_number_of_cards", "exposed_card", "card_drawn_in_error", "face_up_card"];
  assert.deepEqual(Object.keys(consoleStrings.floor.rules), rules);
});

describe("a replaced card", () => {
  const table = view({
    cards: [
      { place: "player", seat: 2, cards: [null, null] },
      { place: "dealer", seat: 0, cards: [null, "Kd"] },
    ],
  });
  const layout = {
    floor_rules: RULES,
    hands_to_count: [
      { place: "player", seat: 2, title: "seat 2", expected: 2 },
      { place: "dealer", seat: 0, title: "dealer", expected: 2 },
      { place: "discard", seat: 0, title: "discard", expected: 1 },
    ],
  };

  test("is one of those on the layout; those face down have no name", () => {
    assert.deepEqual(optionsOf(replacementFields(table, procedure(layout)), "replaced"), {
      "player 2 1": "Seat 2, card 1",
      "player 2 2": "Seat 2, card 2",
      "dealer 0 1": "Dealer, card 1",
      "dealer 0 2": "Dealer, card 2: king of diamonds",
    });
  });

  test("gives way to the next one, which is typed only where physical cards are read", () => {
    assert.equal(field(replacementFields(table, procedure(layout)), "card"), undefined);
    assert.ok(field(replacementFields(table, procedure({ ...layout, card_source: "reading_shoe" })), "card"));
    const entered = { replaced: "player 2 1", concerns: "face_up_card", reason: "a test" };
    const values = { place: "player", seat: 2, number: 1, outcome: "replace" };
    const { replaced: _, ...rest } = { ...entered, ...values };
    assert.deepEqual(readReplacement(entered), rest);
    assert.deepEqual(readReplacement({ ...entered, card: "10h" }), { ...rest, card: "Th" });
    assert.throws(() => readReplacement({ ...entered, card: "1x" }), {
      message: consoleStrings.dealer.reading.notACard("1x"),
    });
  });
});
