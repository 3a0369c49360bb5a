// Settlement of a round wager by wager, and the event log.

import { h } from "../lib/dom.js";
import { dollars } from "../lib/money.js";
import { clauseRef } from "../lib/shell.js";
import { strings } from "../lib/strings.js";

const texts = strings.table;
/** @type {Record<string, string>} */
const OUTCOME_KINDS = { win: "good", lose: "bad", forfeit: "bad" };
/**
 * @param {string} text
 * @param {string} clause
 */
const withoutClause = (text, clause) => text.replace(clause ? ` (${clause})` : / \([^()]*(?:\([^()]*\))*[^()]*\)$/, "");

/**
 * A round's settlement, the patron's seats first.
 * @param {import("./animation-queue.js").FeltState} felt
 * @param {Server.TableView} view
 * @param {string} edition
 */
export function settlementPanel(felt, view, edition) {
  const mySeats = new Set(view.you.seats);
  if (!felt.settled.length)
    return h("p", { class: "soft", text: felt.void ? texts.void(felt.void) : texts.resultsNone });
  const seats = [...new Set(felt.settled.map((entry) => entry.seat))].sort(
    (a, b) => Number(mySeats.has(b)) - Number(mySeats.has(a)) || b - a,
  );
  return [
    h("h3", {
      text: felt.void ? `${texts.netTitle(felt.round)}: ${texts.void(felt.void)}` : texts.netTitle(felt.round),
    }),
    felt.results.filter(({ seat }) => mySeats.has(seat)).map(({ text }) => h("p", { class: "verdict-text", text })),
    felt.net === null
      ? null
      : h("p", { class: `net ${felt.net > 0 ? "good" : felt.net < 0 ? "bad" : ""}`, text: texts.net(felt.net) }),
    seats.map((seat) => seatSettlement(seat, felt, mySeats, edition)),
  ];
}

/**
 * @param {number} seat
 * @param {import("./animation-queue.js").FeltState} felt
 * @param {ReadonlySet<number>} mySeats
 * @param {string} edition
 */
function seatSettlement(seat, felt, mySeats, edition) {
  const entries = felt.settled.filter((entry) => entry.seat === seat);
  const name = mySeats.has(seat) ? texts.you : entries[0].patron;
  return h(
    "section",
    { class: "seat-settled" },
    h("h3", { class: "small", text: `${texts.seat(seat)}${name ? ` · ${name}` : ""}` }),
    h(
      "ul",
      { class: "entries" },
      entries.map((entry) => settlementEntry(entry, edition)),
    ),
  );
}

/**
 * @param {Omit<Server.DrillEntry, "wager" | "seat">} entry
 * @param {string} edition
 */
export function settlementEntry(entry, edition) {
  const net = entry.returned_cents + entry.paid_cents - entry.staked_cents;
  const kind = OUTCOME_KINDS[entry.outcome] ?? "";
  return h(
    "li",
    { class: "entry" },
    h(
      "div",
      { class: "row spread" },
      h("strong", { text: entry.title }),
      h(
        "span",
        { class: "row" },
        h("span", { class: `tag ${kind}`, text: texts.outcome[entry.outcome] }),
        h("strong", { class: "number", text: dollars(net, { sign: true }) }),
      ),
    ),
    h(
      "p",
      { class: "small soft why" },
      entry.why ? withoutClause(entry.why, entry.clause) : "",
      " ",
      clauseRef(edition, entry.clause),
    ),
  );
}

/** The event log, newest first. */
export class EventLog {
  /** @param {string} edition */
  constructor(edition) {
    this.edition = edition;
    this.list = h("ol", { class: "log" });
    this.none = h("p", { class: "soft", text: texts.logNone });
    this.element = h("div", {}, this.none, this.list);
  }

  /** @param {readonly Server.TableEvent[]} events */
  add(events) {
    for (const event of events) {
      if (!event.text) continue;
      this.none.hidden = true;
      this.list.prepend(
        h("li", {}, withoutClause(event.text, event.clause), " ", clauseRef(this.edition, event.clause)),
      );
    }
    while (this.list.childElementCount > 150) this.list.lastChild?.remove();
  }
}
