// Beside the felt: settlement wager by wager, and what happened.

import { dollars, h } from "/static/dom.js";
import { clauseRef } from "/static/shell.js";
import { words } from "/static/words.js";

const said = words.table;
const withoutClause = (text, clause) => text.replace(clause ? ` (${clause})` : / \([^()]*(?:\([^()]*\))*[^()]*\)$/, "");

/** The settlement of a round, own seats first. */
export function settlement(felt, view, edition) {
  const own = new Set(view.you.seats);
  if (!felt.settled.length) return h("p", { class: "soft", text: felt.void ? said.void(felt.void) : said.resultsNone });
  const seats = [...new Set(felt.settled.map((entry) => entry.seat))].sort((a, b) => own.has(b) - own.has(a) || b - a);
  return [
    h("h3", { text: felt.void ? `${said.netTitle(felt.round)}: ${said.void(felt.void)}` : said.netTitle(felt.round) }),
    felt.net === null
      ? null
      : h("p", { class: `net ${felt.net > 0 ? "good" : felt.net < 0 ? "bad" : ""}`, text: said.net(felt.net) }),
    seats.map((seat) => seatSettled(seat, felt, own, edition)),
  ];
}

function seatSettled(seat, felt, own, edition) {
  const entries = felt.settled.filter((entry) => entry.seat === seat);
  const name = own.has(seat) ? said.you : entries[0].patron;
  return h(
    "section",
    { class: "seat-settled" },
    h("h3", { class: "small", text: `${said.seat(seat)}${name ? `, ${name}` : ""}` }),
    h(
      "ul",
      { class: "entries" },
      entries.map((entry) => settledEntry(entry, edition)),
    ),
  );
}

export function settledEntry(entry, edition) {
  const net = (entry.returned_cents ?? 0) + entry.paid_cents - entry.staked_cents;
  const kind = { win: "good", lose: "bad", forfeit: "bad" }[entry.outcome] ?? "";
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
        h("span", { class: `tag ${kind}`, text: said.outcome[entry.outcome] }),
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

/** What happened, newest first. */
export class Log {
  constructor(edition) {
    this.edition = edition;
    this.list = h("ol", { class: "log" });
    this.element = h("div", {}, h("p", { class: "soft", text: said.logNone }), this.list);
  }

  add(events) {
    for (const event of events) {
      if (!event.text) continue;
      this.element.firstChild.hidden = true;
      this.list.prepend(
        h("li", {}, withoutClause(event.text, event.clause), " ", clauseRef(this.edition, event.clause)),
      );
    }
    while (this.list.childElementCount > 150) this.list.lastChild.remove();
  }
}
