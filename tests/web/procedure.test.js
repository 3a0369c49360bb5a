import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  canWager,
  decisionAmounts,
  nextStep,
  otherSteps,
  paymentTotals,
  placesOnLayout,
  reportableDevices,
  shuffleWays,
  stepKey,
} from "../../src/croupier/server/web/static/dealer/procedure.js";
import { consoleStrings } from "../../src/croupier/server/web/static/lib/console-strings.js";
import { procedure, prompt, settled, view } from "./samples.js";

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
      spreads: [],
    });
    assert.equal(nextStep(view({ prompts, seats: seated })).kind, "act");
  });

  test("is the decision of a patron", () => {
    const decide = prompt("patron", "Decide", { seat: 1, choices: CHOICES });
    assert.deepEqual(nextStep(view({ prompts: [decide], phase: "deciding" })), {
      kind: "decide",
      prompt: decide,
      note: "",
    });
  });

  test("is the decision of a patron while the other deck goes into the shuffler", () => {
    const decide = prompt("patron", "Decide", { seat: 1, choices: CHOICES });
    const shuffle = prompt("dealer", "Shuffle", { deck: 2 });
    const table = view({
      prompts: [decide, shuffle],
      phase: "deciding",
      decks: [
        { deck: 1, in_use: true },
        { deck: 2, in_use: false },
      ],
    });
    assert.equal(nextStep(table).prompt, decide);
    assert.deepEqual(otherSteps(table), [shuffle]);
    const alone = { ...table, prompts: [shuffle] };
    assert.equal(nextStep(alone).prompt, shuffle, "once nothing else is left to do");
    assert.deepEqual(otherSteps(alone), []);
    const overdue = [prompt("dealer", "ReceiveCards", { deck: 1 }), prompt("dealer", "Shuffle", { deck: 1 })];
    assert.deepEqual(otherSteps({ ...table, prompts: overdue }), [], "the deck in use is shuffled in its turn");
  });

  test("offers to spread the cards only as the server allows", () => {
    const waiting = (spreads) =>
      nextStep(view({ prompts: [prompt("patron", "PlaceWager")], procedure: procedure({ idle_spreads: spreads }) }));
    assert.deepEqual(waiting(["face_down"]).spreads, ["face_down"]);
    assert.deepEqual(waiting([]).spreads, []);
  });

  test("is to wait for the floor, for wagers or for players", () => {
    const floor = prompt("floorperson", "VerifyInspection", { text: "Verify the deck" });
    assert.equal(nextStep(view({ prompts: [floor] })).text, texts.floor("Verify the deck"));
    assert.equal(nextStep(view({ prompts: [prompt("patron", "PlaceWager")], seats: seated })).text, texts.wagers);
    assert.equal(nextStep(view({ prompts: [prompt("patron", "Sit")] })).text, texts.seats);
    assert.equal(nextStep(view({ phase: "closed" })).text, texts.nothing);
  });
});

test("patrons may wager while the server says so, whatever the phase", () => {
  assert.equal(canWager(view({ phase: "cutting", prompts: [prompt("patron", "PlaceWager")] })), true);
  assert.equal(canWager(view({ phase: "cutting", prompts: [prompt("dealer", "Cut")] })), false);
});

test("a shuffle is by the device where there is one, by hand if that is possible too, and counted if the device counts", () => {
  const ways = (by_device, by_hand, counted) => shuffleWays({ by_device, by_hand, counted });
  assert.deepEqual(ways(true, true, true), { byDevice: true, isCounted: true, canChooseHand: true });
  assert.deepEqual(ways(true, false, false), { byDevice: true, isCounted: false, canChooseHand: false });
  assert.deepEqual(ways(false, true, true), { byDevice: false, isCounted: false, canChooseHand: false });
  assert.deepEqual(shuffleWays(undefined), { byDevice: false, isCounted: false, canChooseHand: false });
});

test("a device is reported once, and only if the table has it", () => {
  assert.deepEqual(reportableDevices(procedure()), ["shuffler", "shoe"]);
  assert.deepEqual(reportableDevices(procedure({ reported_devices: ["shuffler"] })), ["shoe"]);
  assert.deepEqual(reportableDevices(procedure({ devices: [] })), []);
});

test("a wrong number of cards is found anywhere but among the discards", () => {
  const hands = ["player", "dealer", "discard"].map((place) => ({ place, seat: 0, title: place, expected: 1 }));
  assert.deepEqual(
    placesOnLayout(procedure({ hands_to_count: hands })).map(({ place }) => place),
    ["player", "dealer"],
  );
});

test("every step of a dealer has a button of its own", () => {
  for (const command of [
    "ReceiveCards",
    "InspectCards",
    "SpreadCards",
    "WashCards",
    "Shuffle",
    "SpreadIdleCards",
    "CountStub",
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
  const meanwhile = stepKey(step({}), view(), 0, [prompt("dealer", "Shuffle", { deck: 2 })]);
  assert.notEqual(meanwhile, key(), "another deck is to be shuffled as well");
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
