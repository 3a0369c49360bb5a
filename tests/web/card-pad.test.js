import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { faultOf, moveOnPad, PAD_ROWS, readKey } from "../../src/croupier/server/web/static/dealer/card-pad.js";

/** The cards that a row of keys enters, and the rank that is left over. */
function type(keys) {
  let rank = "";
  const cards = [];
  for (const key of keys) {
    const action = readKey(rank, key);
    if (action.kind === "card") cards.push(action.card);
    rank = action.kind === "rank" ? action.rank : action.kind === "none" ? rank : "";
  }
  return { cards, rank };
}

test("the pad has every card once, a row of thirteen for each suit", () => {
  assert.deepEqual(
    PAD_ROWS.map(({ suit }) => suit),
    ["s", "h", "d", "c"],
  );
  const cards = PAD_ROWS.flatMap(({ suit, cards: row }) => {
    assert.equal(row.length, 13);
    assert.ok(row.every((card) => card[1] === suit));
    return row;
  });
  assert.equal(new Set(cards).size, 52);
});

describe("typing a card", () => {
  test("takes a rank and then a suit, in any case, with ten in two ways", () => {
    assert.deepEqual(type(["K", "s", "a", "H", "1", "0", "d", "t", "C", "2", "c"]), {
      cards: ["Ks", "Ah", "Td", "Tc", "2c"],
      rank: "",
    });
  });

  test("keeps the last rank until a suit follows", () => {
    assert.deepEqual(type(["K"]), { cards: [], rank: "K" });
    assert.deepEqual(type(["K", "Q", "s"]), { cards: ["Qs"], rank: "" });
    assert.deepEqual(type(["1", "s"]), { cards: [], rank: "1" });
    assert.deepEqual(type(["K", "x", "s"]), { cards: ["Ks"], rank: "" });
  });

  test("does nothing with a suit alone, and with other keys", () => {
    for (const key of ["s", "x", "0", "Enter", "Tab", " "]) assert.deepEqual(readKey("", key), { kind: "none" }, key);
  });

  test("Backspace clears the rank first, and then takes the last card back", () => {
    assert.deepEqual(readKey("K", "Backspace"), { kind: "clear" });
    assert.deepEqual(readKey("", "Backspace"), { kind: "back" });
    assert.deepEqual(readKey("K", "Escape"), { kind: "clear" });
    assert.deepEqual(readKey("", "Escape"), { kind: "none" });
  });
});

describe("the arrow keys", () => {
  test("move by rank and suit and around the edges", () => {
    const all = () => true;
    assert.equal(moveOnPad("As", "ArrowRight", all), "Ks");
    assert.equal(moveOnPad("As", "ArrowLeft", all), "2s");
    assert.equal(moveOnPad("As", "ArrowDown", all), "Ah");
    assert.equal(moveOnPad("As", "ArrowUp", all), "Ac");
    assert.equal(moveOnPad("As", "Enter", all), "As");
  });

  test("skip cards that are out, and stay if nothing is left", () => {
    assert.equal(
      moveOnPad("As", "ArrowRight", (card) => card === "Js"),
      "Js",
    );
    assert.equal(
      moveOnPad("As", "ArrowRight", () => false),
      "As",
    );
  });
});

describe("a chosen card", () => {
  const entry = { numbers: [3, 4], out: ["Ks"] };

  test("is refused if it is out, entered or not yet confirmed", () => {
    assert.equal(faultOf(entry, [], "Ks"), "out");
    assert.equal(faultOf(entry, ["Qs"], "Qs"), "out");
    assert.equal(faultOf(entry, [], "Qs"), "");
  });

  test("is refused if no position is left", () => {
    assert.equal(faultOf(entry, ["Qs"], "Js"), "");
    assert.equal(faultOf(entry, ["Qs", "Js"], "Ts"), "full");
  });
});
