// The dealer's view of the felt: house cards, seats, and what to pay or take at each seat.

import { requestMovement } from "../lib/approvals.js";
import { hand, houseCards } from "../lib/card-view.js";
import { formDialog } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { h, render } from "../lib/dom.js";
import { dollars } from "../lib/money.js";
import { clauseRef } from "../lib/shell.js";
import { strings } from "../lib/strings.js";
import { canWager, paymentTotals } from "./procedure.js";

const texts = consoleStrings.dealer;
/** @type {Record<string, string>} */
const OUTCOME_KINDS = { win: "good", lose: "bad", forfeit: "bad" };
/**
 * @typedef {import("./dealer.js").DealerConsole} DealerConsole
 * @param {Server.CardsView} placed
 */

// The server sends the dealer only the cards they may see, so none are faded.
const withFaces = (placed) => ({ ...placed, cards: placed.cards.map((card) => ({ card, up: true })) });

/** @param {DealerConsole} page */
export function feltPanel(page) {
  const { view } = page;
  const free = view.seats.filter((seat) => !seat.patron);
  return [
    houseCards(view.cards.map(withFaces)),
    h(
      "ul",
      { class: "seats" },
      view.seats.filter((seat) => seat.patron).map((seat) => seatCard(page, seat)),
    ),
    free.length
      ? h(
          "div",
          { class: "row free-seats" },
          h("span", { class: "small", text: texts.sit }),
          free.map(({ seat }) =>
            h("button", {
              type: "button",
              "aria-label": texts.sitAt(seat),
              text: String(seat),
              onclick: () => seatPatron(page, seat),
            }),
          ),
        )
      : null,
  ];
}

/**
 * @param {DealerConsole} page
 * @param {Server.SeatView} options
 */
function seatCard(page, { seat, patron, absent }) {
  const { view } = page;
  const cards = view.cards.filter((placed) => placed.seat === seat && placed.cards.length);
  const wagers = view.wagers.filter((wager) => wager.seat === seat);
  const chips = view.procedure?.chips.find((stack) => stack.patron === patron)?.amount_cents ?? 0;
  const tags = [
    view.waiting[0] === seat ? { kind: "warn", text: strings.table.waitingMark } : null,
    view.folded.includes(seat) ? { kind: "", text: strings.table.folded } : null,
    absent ? { kind: "bad", text: strings.table.absent } : null,
  ].filter((tag) => tag !== null);
  return h(
    "li",
    { class: `seat${view.waiting[0] === seat ? " turn" : ""}` },
    h(
      "div",
      { class: "row spread" },
      h("h3", { text: `${seat} · ${patron}` }),
      h("span", { class: "number", text: dollars(chips) }),
    ),
    tags.length
      ? h(
          "div",
          { class: "row" },
          tags.map(({ kind, text }) => h("span", { class: `tag ${kind}`, text })),
        )
      : null,
    cards.map((placed) => hand(withFaces(placed))),
    wagers.length
      ? h(
          "ul",
          { class: "wagers small" },
          wagers.map((wager) =>
            h(
              "li",
              {},
              h("span", { text: wager.title }),
              h("span", { class: "number", text: dollars(wager.amount_cents) }),
            ),
          ),
        )
      : null,
    h(
      "div",
      { class: "row" },
      canWager(view)
        ? h("button", { type: "button", text: texts.wager, onclick: () => placeWagers(page, seat) })
        : null,
      h("button", { type: "button", class: "plain", text: texts.chips, onclick: () => requestChips(page, patron) }),
      h("button", {
        type: "button",
        class: "plain",
        text: texts.leave,
        onclick: () => page.send("Leave", { patron }),
      }),
    ),
  );
}

/**
 * @param {DealerConsole} page
 * @param {number} seat
 */
async function seatPatron(page, seat) {
  await formDialog(texts.sitAt(seat), [{ name: "patron", label: consoleStrings.patron, maxLength: 40 }], {
    button: texts.seatPatron,
    onSubmit: ({ patron }) => page.table.command("Sit", { patron: String(patron), seats: [seat] }),
  });
}

/** @param {Server.WagerRules} wager */
const limits = (wager) => strings.table.limits(wager.minimum_cents ?? 0, wager.maximum_cents ?? 0);

/**
 * @param {DealerConsole} page
 * @param {number} seat
 */
async function placeWagers(page, seat) {
  const { round } = page.view;
  const offered = page.rules.wagers.filter((wager) => !wager.made_in_play && !wager.placed_with);
  const placed = Object.fromEntries(
    page.view.wagers.filter((wager) => wager.seat === seat).map((wager) => [wager.wager, wager.amount_cents]),
  );
  await formDialog(
    texts.wagersOf(seat),
    offered.map((wager) => ({
      name: wager.wager,
      label: `${wager.title} (${wager.fixed_cents ? dollars(wager.fixed_cents) : limits(wager)})`,
      type: "dollars",
      value: placed[wager.wager],
      optional: true,
    })),
    {
      button: texts.place,
      onSubmit: async (entered) => {
        for (const wager of offered) {
          const amount = entered[wager.wager];
          if (typeof amount === "number" && amount !== (placed[wager.wager] ?? null)) {
            await page.table.command(
              "PlaceWager",
              { seat, wager: wager.wager, amount },
              { stillValid: (view) => view.round === round && canWager(view) },
            );
            placed[wager.wager] = amount;
          }
        }
      },
    },
  );
}

/**
 * @param {DealerConsole} page
 * @param {string} patron
 */
async function requestChips(page, patron) {
  const entered = await formDialog(
    texts.chipsOf(patron),
    [
      {
        name: "kind",
        label: texts.kind,
        type: "select",
        options: [
          ["buy_in", consoleStrings.requests.kinds.buy_in],
          ["cash_out", consoleStrings.requests.kinds.cash_out],
        ],
      },
    ],
    { button: consoleStrings.next },
  );
  if (entered)
    await requestMovement(entered.kind === "buy_in" ? "buy_in" : "cash_out", {
      table: page.table.name,
      patron,
      after: () => page.requests.refresh(),
    });
}

/**
 * Draws what to pay and take, seat by seat, most recently settled first.
 * @param {DealerConsole} page
 */
export function drawSettlement(page) {
  const { view } = page;
  const felt = view.settled.length ? view : view.last;
  const panel = page.pay;
  const entries = felt?.settled ?? [];
  panel.hidden = !entries.length || (!view.settled.length && view.wagers.length > 0);
  if (!felt || panel.hidden) return;
  const seats = [...new Set(entries.map((entry) => entry.seat))].reverse();
  render(
    panel,
    h("p", { class: "small soft", text: texts.payRound(felt.round) }),
    seats.map((seat, number) =>
      seatPayments(
        page,
        seat,
        entries.filter((entry) => entry.seat === seat),
        number === 0,
      ),
    ),
  );
}

/**
 * @param {DealerConsole} page
 * @param {number} seat
 * @param {readonly Server.SettledWager[]} entries
 * @param {boolean} newest
 */
function seatPayments(page, seat, entries, newest) {
  const { pay, take } = paymentTotals(entries);
  return h(
    "details",
    { open: newest, class: newest ? "last" : "" },
    h(
      "summary",
      {},
      h("strong", { text: `${strings.table.seat(seat)}, ${entries[0].patron}` }),
      " ",
      pay ? h("span", { class: "tag good", text: texts.pay(pay) }) : null,
      " ",
      take ? h("span", { class: "tag", text: texts.take(take) }) : null,
    ),
    h(
      "ul",
      { class: "entries" },
      entries.map((entry) => paymentLine(entry, page.edition)),
    ),
  );
}

/**
 * @param {Server.SettledWager} entry
 * @param {string} edition
 */
function paymentLine(entry, edition) {
  const kind = OUTCOME_KINDS[entry.outcome] ?? "";
  const net = entry.paid_cents
    ? texts.pay(entry.paid_cents)
    : entry.returned_cents >= entry.staked_cents
      ? texts.leaveIt
      : texts.take(entry.staked_cents - entry.returned_cents);
  const reason = entry.clause ? entry.why.replace(` (${entry.clause})`, "") : entry.why;
  return h(
    "li",
    { class: "entry" },
    h(
      "div",
      { class: "row spread" },
      h(
        "span",
        {},
        h("strong", { text: entry.title }),
        " ",
        h("span", { class: `tag ${kind}`, text: strings.table.outcome[entry.outcome] }),
      ),
      h("strong", { class: "number", text: net }),
    ),
    h("p", { class: "small soft" }, reason, " ", clauseRef(edition, entry.clause)),
  );
}
