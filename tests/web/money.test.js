import assert from "node:assert/strict";
import { test } from "node:test";
import { dollars, parseDollars } from "../../src/croupier/server/web/static/lib/money.js";

test("amounts have cents only where there are some, or on request", () => {
  assert.equal(dollars(500), "$5");
  assert.equal(dollars(1250), "$12.50");
  assert.equal(dollars(1205), "$12.05");
  assert.equal(dollars(500, { exact: true }), "$5.00");
  assert.equal(dollars(123_456_789), "$1,234,567.89");
});

test("a loss has a minus sign, a win a plus sign on request, and nothing neither", () => {
  assert.equal(dollars(-300), "−$3");
  assert.equal(dollars(300, { sign: true }), "+$3");
  assert.equal(dollars(-300, { sign: true }), "−$3");
  assert.equal(dollars(0, { sign: true }), "$0");
});

test("fractions of a cent are rounded", () => {
  assert.equal(dollars(99.6), "$1");
  assert.equal(dollars(33.3, { exact: true }), "$0.33");
});

test("typed amounts become cents", () => {
  const amounts = { 15: 1500, "12.50": 1250, 12.5: 1250, " $ 1,234.05 ": 123_405, $7: 700, 0.01: 1, 0: 0 };
  for (const [text, cents] of Object.entries(amounts)) assert.equal(parseDollars(text), cents, text);
});

test("what is not an amount is refused", () => {
  for (const text of ["", " ", "ten", "-5", "1,23", "12.345", "1e3", "5 5", "1234567890", "$", "12.", ".5", "٣"])
    assert.equal(parseDollars(text), null, text);
});

test("every amount that is written can be read again", () => {
  for (const cents of [0, 1, 99, 100, 101, 99_999, 100_000, 12_345_678])
    assert.equal(parseDollars(dollars(cents)), cents);
});
