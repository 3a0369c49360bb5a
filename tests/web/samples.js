// Views, events and rules as the server sends them; a test states only what it is about.

const EMPTY_VIEW = {
  table: "Window",
  seq: 10,
  edition: "pa-682a",
  phase: "betting",
  round: 3,
  closing: false,
  seats: [1, 2, 3].map((seat) => ({ seat, patron: "", absent: false })),
  you: { name: "Pat", role: "patron", seats: [2], chips_cents: 50_000, game_account_cents: 0, owed_cents: 0 },
  wagers: [],
  cards: [],
  waiting: [],
  folded: [],
  void: "",
  settled: [],
  hands: [],
  results: [],
  last: null,
  prompts: [],
  meters: [],
  clock: null,
  decks: [{ deck: 1, step: "loaded", arrived_at: 0, in_use: true }],
  procedure: null,
};

export const view = (changes = {}) => ({ ...EMPTY_VIEW, ...changes });

export const procedure = (changes = {}) => ({
  method: "automated_shoe",
  shuffler: "counting",
  devices: ["shuffler", "shoe"],
  reported_devices: [],
  substitutes: [],
  idle_spreads: [],
  floor_rules: [],
  hands_to_count: [],
  reads_cards: false,
  ...changes,
});

let seq = 100;
export const event = (name, fields = {}) => ({
  seq: ++seq,
  round: 3,
  event: name,
  text: `${name}.`,
  clause: "",
  at: 0,
  by: { name: "", role: "system" },
  seat: 0,
  ...fields,
});

export const prompt = (role, command, changes = {}) => ({
  role,
  command,
  text: `${command} now`,
  clause: "682a.9(a)",
  seat: 0,
  deck: 1,
  ...changes,
});

export const settled = (seat, wager, changes = {}) => ({
  seat,
  patron: "Pat",
  wager,
  title: wager,
  staked_cents: 1000,
  outcome: "lose",
  returned_cents: 0,
  paid_cents: 0,
  hand: "",
  row: "",
  pays: "",
  clause: "682a.12(a)",
  why: "",
  ...changes,
});

export const wagerRules = (wager, changes = {}) => ({
  wager,
  title: wager.charAt(0).toUpperCase() + wager.slice(1),
  clause: "",
  required: false,
  made_in_play: false,
  placed_with: "",
  placed_with_title: "",
  electronic: false,
  on_a_meter: false,
  minimum_cents: 500,
  maximum_cents: 10_000,
  fixed_cents: null,
  needs: [],
  needs_any: [],
  multiples: [],
  between: null,
  odds: null,
  ...changes,
});
