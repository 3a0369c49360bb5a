import assert from "node:assert/strict";
import { test } from "node:test";
import { strings } from "../../src/croupier/server/web/static/lib/strings.js";
import { nextHint } from "../../src/croupier/server/web/static/table/coach-marks.js";

const ANTE = { wager: "ante", title: "Ante" };
const state = (changes) => ({ isSeated: true, isBetting: true, isDeciding: false, isDealtIn: false, ...changes });

test("hints lead from the first wager to the deal and to the decision", () => {
  assert.deepEqual(nextHint(state({}), ANTE), {
    text: strings.table.hints.wager("Ante"),
    selector: '.mine .area[data-wager="ante"]',
  });
  assert.equal(nextHint(state({ isDealtIn: true }), ANTE)?.text, strings.table.hints.deal);
  assert.equal(nextHint(state({ isBetting: false, isDeciding: true }), ANTE)?.text, strings.table.hints.decide);
});

test("there is no hint for somebody who watches or waits", () => {
  assert.equal(nextHint(state({ isSeated: false }), ANTE), null);
  assert.equal(nextHint(state({ isBetting: false }), ANTE), null);
});
