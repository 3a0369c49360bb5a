// The felt as the dealer has it before him: cards of the house, the seats, and what to pay or take at each.

import { askFor } from "/static/consoles.js";
import { dollars, h, put } from "/static/dom.js";
import { hand, houseCards } from "/static/placed.js";
import { askForMoney } from "/static/requests.js";
import { clauseRef } from "/static/shell.js";
import { said } from "/static/words-consoles.js";
import { words } from "/static/words.js";

const texts = said.dealer;

// The table as the dealer sees it has cards or nothing; either way they lie as he sees them.
const asSeen = (placed) => ({ ...placed, cards: placed.cards.map((card) => ({ card, up: true })) });

export function feltPanel(page) {
  const { view } = page;
  const free = view.seats.filter((seat) => !seat.patron);
  return [
    houseCards(view.cards.map(asSeen)),
    h("ul", { class: "seats" }, view.seats.filter((seat) => seat.patron).map((seat) => seatCard(page, seat))),
    free.length ? h(
      "div",
      { class: "row free-seats" },
      h("span", { class: "small", text: texts.sit }),
      free.map(
        ({ seat }) => h(
          "button",
          { type: "button", "aria-label": texts.sitAt(seat), text: String(seat), onclick: () => sit(page, seat) },
        ),
      ),
    ) : null,
  ];
}

function seatCard(page, { seat, patron, absent }) {
  const { view } = page;
  const cards = view.cards.filter((placed) => placed.seat === seat && placed.cards.length);
  const wagers = view.wagers.filter((one) => one.seat === seat);
  const chips = view.procedure.chips.find((one) => one.patron === patron)?.amount_cents ?? 0;
  const tags = [
    view.waiting[0] === seat ? ["warn", words.table.waitingMark] : null,
    view.folded.includes(seat) ? ["", words.table.folded] : null,
    absent ? ["bad", words.table.absent] : null,
  ].filter(Boolean);
  return h(
    "li",
    { class: `seat${view.waiting[0] === seat ? " turn" : ""}` },
    h(
      "div",
      { class: "row spread" },
      h("h3", { text: `${seat} · ${patron}` }),
      h("span", { class: "number", text: dollars(chips) }),
    ),
    tags.length ? h(
      "div",
      { class: "row" },
      tags.map(([kind, text]) => h("span", { class: `tag ${kind}`, text })),
    ) : null,
    cards.map((placed) => hand(asSeen(placed))),
    wagers.length ? h(
      "ul",
      { class: "wagers small" },
      wagers.map(
        (one) => h(
          "li",
          {},
          h("span", { text: one.title }),
          h("span", { class: "number", text: dollars(one.amount_cents) }),
        ),
      ),
    ) : null,
    h(
      "div",
      { class: "row" },
      canWager(view) ? h("button", { type: "button", text: texts.wager, onclick: () => wager(page, seat) }) : null,
      h("button", { type: "button", class: "plain", text: texts.chips, onclick: () => money(page, patron) }),
      h(
        "button",
        { type: "button", class: "plain", text: texts.leaves, onclick: () => page.send("Leave", { patron }) },
      ),
    ),
  );
}

// Wagers may lie before the shuffle is over; they close with the announcement.
const canWager = (view) => ["betting", "shuffling", "cutting", "loading"].includes(view.phase);

async function sit(page, seat) {
  await askFor(
    texts.sitAt(seat),
    [{ name: "patron", label: said.patron, longest: 40 }],
    { button: texts.sit, go: ({ patron }) => page.table.command("Sit", { patron, seats: [seat] }) },
  );
}

const limits = (one) => words.table.limits(one.minimum_cents, one.maximum_cents);

async function wager(page, seat) {
  const open = page.rules.wagers.filter((one) => !one.made_in_play && !one.placed_with);
  const placed = Object.fromEntries(
    page.view.wagers.filter((one) => one.seat === seat).map((one) => [one.wager, one.amount_cents]),
  );
  await askFor(
    texts.wagersOf(seat),
    open.map(
      (one) => ({
        name: one.wager,
        label: `${one.title} (${one.fixed_cents ? dollars(one.fixed_cents) : limits(one)})`,
        type: "dollars",
        value: placed[one.wager],
        optional: true,
      }),
    ),
    {
      button: texts.place,
      go: async (found) => {
        for (const one of open) {
          const amount = found[one.wager];
          if (amount !== null && amount !== (placed[one.wager] ?? null)) {
            await page.table.command(
              "PlaceWager",
              { seat, wager: one.wager, amount },
              { still: (view) => view.phase === page.view.phase },
            );
            placed[one.wager] = amount;
          }
        }
      },
    },
  );
}

async function money(page, patron) {
  const kind = await new Promise((resolve) => {
    askFor(
      texts.chipsOf(patron),
      [
        {
          name: "kind",
          label: texts.what,
          type: "select",
          options: [["buy_in", said.requests.kinds.buy_in], ["cash_out", said.requests.kinds.cash_out]],
        },
      ],
      { button: said.next },
    ).then((found) => resolve(found?.kind));
  });
  if (kind) await askForMoney(kind, { table: page.table.name, patron, after: () => page.requests.refresh() });
}

/** What to pay and take, seat by seat, the last one settled first. */
export function settledNow(page) {
  const { view } = page;
  const felt = view.settled.length ? view : view.last;
  const panel = (page.pay ??= h(
    "section",
    { class: "panel pay", "aria-live": "polite", "aria-label": texts.payTitle },
  ));
  if (!panel.isConnected) page.irregular.element.after(panel);
  const entries = felt?.settled ?? [];
  panel.hidden = !entries.length || (!view.settled.length && view.wagers.length > 0);
  if (panel.hidden) return;
  const seats = [...new Set(entries.map((entry) => entry.seat))].reverse();
  put(
    panel,
    h("p", { class: "small soft", text: texts.payRound(felt.round) }),
    seats.map((seat, number) => paid(page, seat, entries.filter((entry) => entry.seat === seat), number === 0)),
  );
}

function paid(page, seat, entries, last) {
  const pay = entries.reduce((sum, entry) => sum + entry.paid_cents, 0);
  const take = entries.reduce((sum, entry) => sum + Math.max(entry.staked_cents - entry.returned_cents, 0), 0);
  return h(
    "details",
    { open: last, class: last ? "last" : "" },
    h(
      "summary",
      {},
      h("strong", { text: `${words.table.seat(seat)}, ${entries[0].patron}` }),
      " ",
      pay ? h("span", { class: "tag good", text: texts.pay(pay) }) : null,
      " ",
      take ? h("span", { class: "tag", text: texts.take(take) }) : null,
    ),
    h("ul", { class: "entries" }, entries.map((entry) => line(entry, page.edition))),
  );
}

function line(entry, edition) {
  const kind = { win: "good", lose: "bad", forfeit: "bad" }[entry.outcome] ?? "";
  const net = entry.paid_cents ? texts.pay(entry.paid_cents) : entry.returned_cents >= entry.staked_cents ? texts.stays : texts.take(
    entry.staked_cents - entry.returned_cents,
  );
  const why = entry.clause ? entry.why.replace(` (${entry.clause})`, "") : entry.why;
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
        h("span", { class: `tag ${kind}`, text: words.table.outcome[entry.outcome] }),
      ),
      h("strong", { class: "number", text: net }),
    ),
    h("p", { class: "small soft" }, why, " ", clauseRef(edition, entry.clause)),
  );
}
