import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { strings } from "../../src/croupier/server/web/static/lib/strings.js";
import { addChip, formatLimits, isAllowed, WagerDraft } from "../../src/croupier/server/web/static/table/bets.js";
import { wagerRules } from "./samples.js";

const texts = strings.table;
const rules = { wagers: [wagerRules("ante"), wagerRules("prime", { needs: ["ante"] }), wagerRules("bonus")] };

describe("a chip on an area", () => {
  test("adds up to the maximum, and no further", () => {
    const ante = wagerRules("ante", { maximum_cents: 1000 });
    assert.deepEqual(addChip(ante, 500, 500, 5000), { amount: 1000 });
    assert.deepEqual(addChip(ante, 501, 500, 5000), { refused: texts.atMost("Ante", 1000) });
  });

  test("is refused below the minimum, when it is placed and not when the cards are dealt", () => {
    const ante = wagerRules("ante", { minimum_cents: 500 });
    assert.deepEqual(addChip(ante, 0, 100, 5000), { refused: texts.atLeast("Ante", 500) });
    assert.deepEqual(addChip(ante, 500, 100, 5000), { amount: 600 });
  });

  test("cannot be worth more than the chips left", () => {
    assert.deepEqual(addChip(wagerRules("ante"), 0, 500, 500), { amount: 500 });
    assert.deepEqual(addChip(wagerRules("ante"), 0, 500, 499), { refused: texts.tooLittle(499) });
  });

  test("sets a wager of a fixed amount, and takes it back", () => {
    const progressive = wagerRules("progressive", { fixed_cents: 100 });
    assert.deepEqual(addChip(progressive, 0, 2500, 5000), { amount: 100 });
    assert.deepEqual(addChip(progressive, 100, 2500, 5000), { amount: 0 });
    assert.deepEqual(addChip(progressive, 0, 2500, 99), { refused: texts.tooLittle(99) });
  });

  test("is refused on wagers that are made later or with another one", () => {
    assert.deepEqual(addChip(wagerRules("raise", { made_in_play: true }), 0, 500, 5000), {
      refused: texts.inPlay("Raise"),
    });
    assert.deepEqual(addChip(wagerRules("bet", { placed_with: "ante", placed_with_title: "Ante" }), 0, 500, 5000), {
      refused: texts.placedWith("Bet", "Ante"),
    });
  });

  test("has no upper limit where the table has none", () => {
    assert.deepEqual(addChip(wagerRules("ante", { maximum_cents: null }), 10 ** 9, 500, 5000), {
      amount: 10 ** 9 + 500,
    });
  });
});

describe("the server accepts", () => {
  test("amounts within the limits, both included, and none", () => {
    const ante = wagerRules("ante");
    for (const [cents, allowed] of [
      [499, false],
      [500, true],
      [10_000, true],
      [10_001, false],
      [0, true],
    ])
      assert.equal(isAllowed(ante, cents, {}), allowed, String(cents));
  });

  test("a wager only with all wagers that it needs, and one of those of which it needs any", () => {
    const wager = wagerRules("bonus", { needs: ["ante"], needs_any: ["prime", "all_six"] });
    assert.equal(isAllowed(wager, 500, { ante: 500 }), false);
    assert.equal(isAllowed(wager, 500, { prime: 500 }), false);
    assert.equal(isAllowed(wager, 500, { ante: 500, all_six: 500 }), true);
  });

  test("only the fixed amount of a wager that has one", () => {
    const wager = wagerRules("progressive", { fixed_cents: 100 });
    assert.equal(isAllowed(wager, 100, {}), true);
    assert.equal(isAllowed(wager, 500, {}), false);
  });
});

test("limits are shown where they limit anything", () => {
  assert.equal(formatLimits(wagerRules("ante")), "$5 to $100");
  assert.equal(formatLimits(wagerRules("ante", { fixed_cents: 100 })), "$1");
  assert.equal(formatLimits(wagerRules("ante", { maximum_cents: 1_000_000_000 })), "");
  assert.equal(formatLimits(wagerRules("raise", { minimum_cents: null, maximum_cents: null })), "");
});

describe("the draft of wagers", () => {
  test("sends new wagers in the order of the rules, and removes them in reverse", () => {
    const draft = new WagerDraft();
    draft.set({ "2 prime": 500 }, {});
    draft.set({ "2 ante": 1000 }, {});
    assert.deepEqual(
      draft.changes([2], {}, rules).map(({ wager, amount, before }) => [wager, amount, before]),
      [
        ["ante", 1000, 0],
        ["prime", 500, 0],
      ],
    );
    const placed = { 2: { ante: 1000, prime: 500 } };
    draft.clear([2], placed, rules);
    assert.deepEqual(
      draft.changes([2], placed, rules).map(({ wager, amount }) => [wager, amount]),
      [
        ["prime", 0],
        ["ante", 0],
      ],
    );
  });

  test("undoes one step at a time, also after placing", () => {
    const draft = new WagerDraft();
    draft.set({ "2 ante": 500 }, {});
    draft.set({ "2 ante": 1000 }, {});
    assert.equal(draft.undoable, true);
    draft.undo();
    assert.equal(draft.amount(2, "ante", {}), 500);
    draft.undo();
    assert.equal(draft.amount(2, "ante", {}), 0);
    assert.equal(draft.undoable, false);
  });

  test("costs what is new, less what is taken back", () => {
    const draft = new WagerDraft();
    const placed = { 2: { ante: 1000 } };
    draft.set({ "2 ante": 2500, "2 bonus": 500 }, placed);
    assert.equal(draft.cost([2], placed, rules), 2000);
    draft.set({ "2 ante": 0 }, placed);
    assert.equal(draft.cost([2], placed, rules), -500);
  });

  test("forgets what the server has by now, and only that", () => {
    const draft = new WagerDraft();
    draft.set({ "2 ante": 1000, "2 bonus": 500 }, {});
    const placed = { 2: { ante: 1000 } };
    draft.prune(placed);
    assert.deepEqual(
      draft.changes([2], placed, rules).map(({ wager }) => wager),
      ["bonus"],
    );
    assert.equal(draft.hasChanges(placed), true);
    draft.prune({ 2: { ante: 1000, bonus: 500 } });
    assert.equal(draft.hasChanges({ 2: { ante: 1000, bonus: 500 } }), false);
  });

  test("keeps the seats of a patron apart", () => {
    const draft = new WagerDraft();
    draft.set({ "2 ante": 500, "3 ante": 1000 }, {});
    assert.deepEqual(draft.amounts([2, 3], {}, rules), { "2 ante": 500, "3 ante": 1000 });
    assert.deepEqual(draft.amounts([3], {}, rules), { "3 ante": 1000 });
  });
});
