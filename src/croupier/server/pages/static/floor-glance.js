// A table at a glance: phase, seats, the age of its cards, the stub count, what comes next.

import { facts, span } from "/static/consoles.js";
import { h } from "/static/dom.js";
import { said } from "/static/words-consoles.js";
import { words } from "/static/words.js";

const texts = said.floor;

/** Where the system deals, it does the dealer's steps. */
const whoIsNext = ({ mode, next_role: role }) =>
  (mode === "electronic" && role === "dealer" ? null : words.roles[role]) ?? texts.system;

/** The panel of one table; orders() opens what can be ordered there. */
export function glance(table, now, orders) {
  const deck = table.decks.find((one) => one.in_use);
  const tags = [
    table.closing ? ["warn", said.closing] : null,
    table.void ? ["bad", words.lobby.phase.void ?? texts.void] : null,
    table.clock?.over ? ["bad", texts.over] : null,
    table.out_of_order ? ["warn", texts.outOfOrder] : null,
    table.pending.length ? ["warn", texts.pending(table.pending.length)] : null,
  ].filter(Boolean);
  const aged = deck && deck.arrived_at ? span(now - deck.arrived_at) : "–";
  const due = table.decks.some((one) => one.change_due);
  return h(
    "li",
    { class: `panel glance${table.waits.length ? " asks" : ""}` },
    h(
      "div",
      { class: "row spread" },
      h("h3", { text: table.table }),
      h("span", { class: "tag", text: words.lobby.phase[table.phase] ?? table.phase }),
    ),
    h(
      "p",
      {
        class: "small soft",
        text: `${table.table.startsWith(table.game) ? "" : `${table.game} · `}${table.mode === "staffed" ? words.lobby.staffed : words.lobby.electronic}`,
      },
    ),
    tags.length ? h(
      "div",
      { class: "row" },
      tags.map(([kind, text]) => h("span", { class: `tag ${kind}`, text })),
    ) : null,
    facts([
      [texts.round, String(table.round)],
      [texts.seats, `${table.taken} / ${table.seats}`],
      [texts.deckAge, aged, due ? "bad" : ""],
      table.counts_stub ? [
        texts.stub,
        texts.stubRounds(table.rounds_since_stub_count, table.stub_count_every),
        table.rounds_since_stub_count >= table.stub_count_every ? "bad" : "",
      ] : null,
    ]),
    h(
      "p",
      { class: "small", text: table.next ? `${whoIsNext(table)}: ${table.next}` : "" },
    ),
    h(
      "div",
      { class: "row" },
      h(
        "button",
        {
          type: "button",
          text: texts.orders,
          "data-focus": table.table,
          "aria-haspopup": "dialog",
          onclick: orders,
        },
      ),
      h(
        "a",
        { class: "button plain", href: `/table?name=${encodeURIComponent(table.table)}`, text: words.lobby.watch },
      ),
    ),
  );
}
