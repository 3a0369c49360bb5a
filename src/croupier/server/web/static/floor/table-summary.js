// Summary of one table: phase, seats, deck age, stub count, next step.

import { tablePage } from "../lib/addresses.js";
import { factList } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { formatDuration } from "../lib/dates.js";
import { h } from "../lib/dom.js";
import { strings } from "../lib/strings.js";

const texts = consoleStrings.floor;

/**
 * At an electronic table the system performs the dealer's steps.
 * @param {Pick<Server.FloorTable, "mode" | "next_role">} options
 */
const nextActor = ({ mode, next_role: role }) =>
  mode === "electronic" && role === "dealer" ? texts.system : (strings.roles[role] ?? texts.system);

/**
 * The panel of one table; orders() opens its orders.
 * @param {Server.FloorTable} table
 * @param {number} now
 * @param {() => unknown} orders
 */
export function tableSummary(table, now, orders) {
  const deck = table.decks.find(({ in_use }) => in_use);
  const tags = [
    table.closing ? { kind: "warn", text: consoleStrings.closing } : null,
    table.void ? { kind: "bad", text: texts.void } : null,
    table.clock?.over ? { kind: "bad", text: texts.over } : null,
    table.out_of_order ? { kind: "warn", text: texts.outOfOrder } : null,
    table.pending.length ? { kind: "warn", text: texts.pending(table.pending.length) } : null,
  ].filter((tag) => tag !== null);
  const deckAge = deck?.arrived_at ? formatDuration(now - deck.arrived_at) : "–";
  const changeDue = table.decks.some((deck) => deck.change_due);
  return h(
    "li",
    { class: `panel glance${table.waits.length ? " asks" : ""}` },
    h(
      "div",
      { class: "row spread" },
      h("h3", { text: table.table }),
      h("span", { class: "tag", text: strings.lobby.phase[table.phase] ?? table.phase }),
    ),
    h("p", {
      class: "small soft",
      text: `${table.table.startsWith(table.game) ? "" : `${table.game} · `}${table.mode === "staffed" ? strings.lobby.staffed : strings.lobby.electronic} · ${strings.currency[table.currency]}`,
    }),
    tags.length
      ? h(
          "div",
          { class: "row" },
          tags.map(({ kind, text }) => h("span", { class: `tag ${kind}`, text })),
        )
      : null,
    factList([
      [texts.round, String(table.round)],
      [texts.seats, `${table.taken} / ${table.seats}`],
      [texts.deckAge, deckAge, changeDue ? "bad" : ""],
      table.counts_stub
        ? [
            texts.stub,
            texts.stubRounds(table.rounds_since_stub_count, table.stub_count_every),
            table.rounds_since_stub_count >= table.stub_count_every ? "bad" : "",
          ]
        : null,
    ]),
    h("p", { class: "small", text: table.next ? `${nextActor(table)}: ${table.next}` : "" }),
    h(
      "div",
      { class: "row" },
      h("button", {
        type: "button",
        text: texts.orders,
        "data-focus": table.table,
        "aria-haspopup": "dialog",
        onclick: orders,
      }),
      h("a", {
        class: "button plain",
        href: tablePage(table.table),
        text: strings.lobby.watch,
      }),
    ),
  );
}
