import assert from "node:assert/strict";
import { test } from "node:test";
import { CHIPS } from "../../src/croupier/server/web/static/lib/cards.js";
import { strings } from "../../src/croupier/server/web/static/lib/strings.js";
import { shortcutOf } from "../../src/croupier/server/web/static/table/shortcuts.js";

const press = (key, modifiers = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...modifiers });
const IDLE = { enabled: true, isTyping: false, isOnArea: false, isDeciding: false, isBetting: false, anteCents: 1000 };
const BETTING = { ...IDLE, isBetting: true };
const DECIDING = { ...IDLE, isDeciding: true };

test("while betting, digits choose chips and letters undo, clear, repeat and deal", () => {
  for (const [number, cents] of CHIPS.entries())
    assert.deepEqual(shortcutOf(press(String(number + 1)), BETTING), { kind: "chip", cents });
  assert.equal(shortcutOf(press(String(CHIPS.length + 1)), BETTING), null);
  assert.equal(shortcutOf(press("0"), BETTING), null);
  const kinds = ["u", "c", "r", "d", "D"].map((key) => shortcutOf(press(key), BETTING)?.kind);
  assert.deepEqual(kinds, ["undo", "clear", "repeat", "deal", "deal"]);
  assert.equal(shortcutOf(press("f"), BETTING), null);
});

test("at a decision, a digit is that many times the Ante, F folds and B asks for advice", () => {
  assert.deepEqual(shortcutOf(press("3"), DECIDING), { kind: "decide", cents: 3000 });
  assert.deepEqual(shortcutOf(press("f"), DECIDING), { kind: "fold" });
  assert.deepEqual(shortcutOf(press("B"), DECIDING), { kind: "advise" });
  assert.equal(shortcutOf(press("0"), DECIDING), null);
  assert.equal(shortcutOf(press("d"), DECIDING), null, "no key deals during a decision");
});

test("keys do nothing between rounds, with a modifier, while typing, or when they are turned off", () => {
  assert.equal(shortcutOf(press("d"), IDLE), null);
  for (const modifier of ["ctrlKey", "metaKey", "altKey"])
    assert.equal(shortcutOf(press("c", { [modifier]: true }), BETTING), null);
  assert.equal(shortcutOf(press("d"), { ...BETTING, isTyping: true }), null);
  assert.equal(shortcutOf(press("f"), { ...DECIDING, enabled: false }), null);
});

test("Delete takes chips from the focused area, even when single keys are turned off", () => {
  for (const key of ["Delete", "Backspace"])
    assert.deepEqual(shortcutOf(press(key), { ...BETTING, isOnArea: true, enabled: false }), { kind: "remove" });
  assert.equal(shortcutOf(press("Delete"), BETTING), null);
  assert.equal(shortcutOf(press("Delete"), { ...BETTING, isOnArea: true, isTyping: true }), null);
});

test("every letter in the list of shortcuts does something", () => {
  const letters = strings.table.keyList.map(([keys]) => keys).filter((keys) => /^[A-Z]$/.test(keys));
  assert.ok(letters.length >= 6);
  for (const letter of letters)
    assert.ok(shortcutOf(press(letter), BETTING) ?? shortcutOf(press(letter), DECIDING), letter);
});
