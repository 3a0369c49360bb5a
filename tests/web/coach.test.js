import assert from "node:assert/strict";
import { test } from "node:test";
import { chartPoints, judge, withVerdict } from "../../src/croupier/server/web/static/table/coach.js";

const choice = (name, amount, cost) => ({
  choice: name,
  amount_cents: amount,
  cost: `${cost}/1`,
  cost_float: cost,
  cost_cents_float: cost * 500,
});
const ADVICE = {
  best: "play 3",
  choices: [choice("fold", null, 2), choice("play 1", 500, 1), choice("play 3", 1500, 0)],
};

test("a decision is judged by the exact cost of its choice", () => {
  assert.equal(judge(ADVICE, 1500)?.isBest, true);
  assert.deepEqual([judge(ADVICE, 500)?.isBest, judge(ADVICE, 500)?.chosen.cost], [false, "1/1"]);
  assert.equal(judge(ADVICE, null)?.chosen.choice, "fold");
  assert.equal(judge(ADVICE, 700), null, "an amount in between was not computed");
});

test("a choice as good as the best is no mistake", () => {
  const advice = { ...ADVICE, choices: [...ADVICE.choices, choice("play 2", 1000, 0)] };
  assert.equal(judge(advice, 1000)?.isBest, true);
});

test("the tally adds up what mistakes cost", () => {
  const verdicts = [1500, 500, null].map((amount) => judge(ADVICE, amount));
  const tally = verdicts.reduce(withVerdict, { decisions: 0, mistakes: 0, costCents: 0 });
  assert.deepEqual(tally, { decisions: 3, mistakes: 2, costCents: 1500 });
});

test("the chart runs from zero through the sums of the rounds, highest at the top", () => {
  const size = { width: 100, height: 60 };
  const { points, zero, total } = chartPoints([500, -1000, 700], size);
  assert.equal(total, 200);
  assert.deepEqual(
    points.map(([x]) => x),
    [0, 33.3, 66.7, 100],
  );
  assert.deepEqual([points[1][1], points[2][1], points[0][1]], [0, 60, zero]);
  assert.deepEqual(chartPoints([], size).points, [[0, 0]]);
});
