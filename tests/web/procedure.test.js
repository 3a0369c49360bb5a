import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  decisionAmounts,
  nextStep,
  paymentTotals,
  stepKey,
} from "../../src/croupier/server/web/static/dealer/procedure.js";
import { consoleStrings } from "../../src/croupier/server/web/static/lib/console-strings.js";
import { prompt, settled, view } from "./samples.js";

const texts = consoleStrings.dealer.steps;
const seated = [{ seat: 1, patron: "Pat", absent: false }];
const CHOICES = {
  wager: "raise",
  title: "Raise",
  amounts_cents: [1000],
  least_cents: null,
  most_cents: null,
  declined: "fold",
};

describe("the dealer's next step", () => {
  test("is the dealer's prompt with the text of its button", () => {
    const shuffle = prompt("dealer", "Shuffle");
    const step = nextStep(view({ prompts: [prompt("patron", "PlaceWager"), shuffle] }));
    assert.deepEqual(step, { kind: "act", prompt: shuffle, note: "", button: texts.buttons.Shuffle });
  });

  test("mentions what the floor has to do meanwhile, except an optional recut", () => {
    const prompts = [prompt("dealer", "Deal"), prompt("floorperson", "VerifyInspection", { text: "Verify the deck" })];
    assert.equal(nextStep(view({ prompts })).note, texts.floor("Verify the deck"));
    const recut = [prompt("dealer", "Deal"), prompt("floorperson", "OrderRecut")];
    assert.equal(nextStep(view({ prompts: recut })).note, "");
  });

  test("is to wait for a player before the cards are washed", () => {
    const prompts = [prompt("dealer", "WashCards")];
    assert.deepEqual(nextStep(view({ prompts, phase: "opening" })), {
      kind: "wait",
      text: "WashCards now",
      clause: "682a.9(a)",
    });
    assert.equal(nextStep(view({ prompts, seats: seated })).kind, "act");
  });

  test("is the decision of a patron", () => {
    const decide = prompt("patron", "Decide", { seat: 1, choices: CHOICES });
    assert.deepEqual(nextStep(view({ prompts: [decide], phase: "deciding" })), { kind: "decide", prompt: decide });
  });

  test("is to wait for the floor, for wagers or for players", () => {
    const floor = prompt("floorperson", "VerifyInspection", { text: "Verify the deck" });
    assert.equal(nextStep(view({ prompts: [floor] })).text, texts.floor("Verify the deck"));
    assert.equal(nextStep(view({ prompts: [prompt("patron", "PlaceWager")], seats: seated })).text, texts.wagers);
    assert.equal(nextStep(view({ prompts: [prompt("patron", "Sit")] })).text, texts.seats);
    assert.equal(nextStep(view({ phase: "closed" })).text, texts.nothing);
  });
});

test("every step of a dealer has a button of its own", () => {
  for (const command of [
    "ReceiveCards",
    "InspectCards",
    "SpreadCards",
    "WashCards",
    "Shuffle",
    "Cut",
    "LoadCards",
    "Deal",
  ])
    assert.ok(texts.buttons[command], command);
});

describe("the buttons of a decision", () => {
  const amounts = (changes) => decisionAmounts({ ...CHOICES, ...changes });
  test("are the amounts offered", () => assert.deepEqual(amounts({ amounts_cents: [500, 1000] }), [500, 1000]));
  test("are the whole multiples of a range from 1x to 3x", () => {
    assert.deepEqual(amounts({ amounts_cents: [], least_cents: 500, most_cents: 1500 }), [500, 1000, 1500]);
  });
  test("are none for a range of other amounts, or of many", () => {
    assert.deepEqual(amounts({ amounts_cents: [], least_cents: 500, most_cents: 1250 }), []);
    assert.deepEqual(amounts({ amounts_cents: [], least_cents: 500, most_cents: 2500 }), []);
  });
});

test("a step stays the same while its text, seat, deck and cards read do", () => {
  const step = (changes) => nextStep(view({ prompts: [prompt("dealer", "SettleSeat", { seat: 1, ...changes })] }));
  const key = (changes = {}, read = 0, now = {}) => stepKey(step(changes), view(now), read);
  assert.equal(key(), key());
  const others = [key({ seat: 2 }), key({ deck: 2 }), key({ text: "Settle" }), key({}, 1), key({}, 0, { round: 4 })];
  assert.equal(new Set([key(), ...others]).size, 6);
});

test("a seat is paid its winnings and loses what is not returned", () => {
  const entries = [
    settled(2, "ante", { returned_cents: 1000, paid_cents: 1500 }),
    settled(2, "prime", { staked_cents: 500 }),
    settled(2, "win_bonus", { staked_cents: 0, paid_cents: 250 }),
    settled(2, "raise", { returned_cents: 1000 }),
  ];
  assert.deepEqual(paymentTotals(entries), { pay: 1750, take: 500 });
});
