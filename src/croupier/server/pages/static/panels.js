// Beside the felt: settlement wager by wager, rules and odds, past rounds step by step, and what happened.

import { dollars, h, put } from "/static/dom.js";
import { limitsOf } from "/static/betting.js";
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

/** Rules, limits, odds and paytables; edges come later. */
export function rulesPanel(rules) {
  const titles = Object.fromEntries(rules.wagers.map((wager) => [wager.wager, wager.title]));
  const cells = new Map();
  const note = h("p", { class: "small soft", role: "status", text: said.edgesWait });
  const rows = rules.wagers.map((wager) => {
    const edge = h("td", { class: "number" });
    cells.set(wager.wager, edge);
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, wager.title, " ", clauseRef(rules.edition, wager.clause)),
      h("td", { text: described(wager, titles) }),
      edge,
    );
  });
  const element = h(
    "div",
    { class: "stack" },
    h("p", { class: "small soft", text: said.edition(rules) }),
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        { class: "small" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            [said.wager, said.limitsTitle].map((text) => h("th", { scope: "col", text })),
            h("th", { scope: "col", class: "number", text: said.edge }),
          ),
        ),
        h("tbody", {}, rows),
      ),
    ),
    note,
    rules.layout.inscriptions.length
      ? h(
          "section",
          {},
          h("h3", { text: said.inscriptions }),
          rules.layout.inscriptions.map((one) =>
            h("p", { class: "small" }, one.text, " ", clauseRef(rules.edition, one.clause)),
          ),
        )
      : null,
    rules.paytables.map((table) => paytable(table, rules.edition)),
    h(
      "details",
      {},
      h("summary", { text: said.elections }),
      h(
        "dl",
        { class: "facts small" },
        Object.entries(rules.elections).map(([name, choice]) => [
          h("dt", { text: words.upper(name.replaceAll("_", " ")) }),
          h("dd", { text: choice.replaceAll("_", " ") }),
        ]),
      ),
    ),
  );
  function edges(found) {
    note.textContent = found.length ? said.edgeNote : said.edgesNone;
    for (const edge of found) {
      const cell = cells.get(edge.wager);
      if (cell)
        put(
          cell,
          h("span", { title: said.edgeExact(edge.house_edge), text: `${edge.house_edge_percent.toFixed(4)} %` }),
        );
    }
  }
  return { element, edges };
}

function described(wager, titles) {
  if (wager.made_in_play)
    return said.inRound(wager.between ? said.between(...wager.between) : said.multiples(wager.multiples));
  if (wager.placed_with) return said.placedWith(wager.title, titles[wager.placed_with] ?? wager.placed_with);
  const parts = [limitsOf(wager)];
  if (wager.electronic) parts.push(said.electronic);
  const needs = wager.needs.map((name) => titles[name] ?? name);
  if (needs.length) parts.push(said.needs(needs));
  if (wager.needs_any.length) parts.push(said.needsAny(wager.needs_any.map((name) => titles[name] ?? name)));
  return parts.filter(Boolean).join("; ");
}

export function paytable(table, edition) {
  return h(
    "table",
    { class: "small paytable" },
    h("caption", {}, said.paytable(table.title, table.letter), " ", clauseRef(edition, table.clause)),
    h(
      "thead",
      { class: "visually-hidden" },
      h("tr", {}, h("th", { scope: "col", text: said.handTitle }), h("th", { scope: "col", text: said.pays })),
    ),
    h(
      "tbody",
      {},
      table.rows.map((row) =>
        h(
          "tr",
          {},
          h("th", { scope: "row", text: words.upper(row.title) }),
          h("td", { class: "number", text: row.pays }),
        ),
      ),
    ),
  );
}

/** The last rounds; each opens step by step. recall(number) gives its lines. */
export function historyPanel(rounds, recall, edition) {
  if (!rounds.length) return h("p", { class: "soft", text: said.historyNone });
  return h(
    "ul",
    { class: "rounds" },
    rounds.map((round) => {
      const body = h("div", { class: "stack" });
      const details = h(
        "details",
        {},
        h(
          "summary",
          {},
          said.roundTitle(round.round),
          " ",
          round.void ? h("span", { class: "tag warn", text: said.historyVoid }) : null,
          round.your_net_cents === null
            ? null
            : h("span", {
                class: `tag ${round.your_net_cents > 0 ? "good" : round.your_net_cents < 0 ? "bad" : ""}`,
                text: dollars(round.your_net_cents, { sign: true }),
              }),
        ),
        body,
      );
      details.addEventListener(
        "toggle",
        () => details.open && !body.childElementCount && past(body, round, recall, edition),
      );
      return h("li", {}, details);
    }),
  );
}

function past(body, round, recall, edition) {
  const hands = round.cards.filter((placed) => placed.cards.length);
  put(
    body,
    h(
      "div",
      { class: "past-hands" },
      hands.map((placed) =>
        h(
          "div",
          { class: "past-hand" },
          h("span", { class: "small soft", text: placed.seat ? said.seat(placed.seat) : said.place[placed.place] }),
          h(
            "div",
            { class: "cards" },
            placed.cards.map((card) => h("playing-card", { card: card || null })),
          ),
        ),
      ),
    ),
    h(
      "ul",
      { class: "entries" },
      round.settled.map((entry) =>
        settledEntry({ ...entry, title: `${said.seat(entry.seat)}: ${entry.title}` }, edition),
      ),
    ),
    round.your_seats.length
      ? h("button", {
          type: "button",
          text: said.historySteps,
          onclick: (event) => steps(event.currentTarget, round.round, recall),
        })
      : null,
  );
}

async function steps(button, number, recall) {
  button.disabled = true;
  const lines = await recall(number);
  if (!lines) return void (button.disabled = false);
  const items = lines.map((line) =>
    h("li", {
      hidden: true,
      class: /^\s{10}/.test(line) ? "aside" : "",
      text: line.trim().replace(/^(\d+)\s+([\d:]+)\s+/, "$1 · $2 · "),
    }),
  );
  const count = h("span", { class: "small soft", role: "status" });
  const list = h("ol", { class: "steps" }, items);
  let shown = 0;
  function show(to) {
    shown = Math.min(Math.max(to, 1), items.length);
    items.forEach((item, at) => {
      item.hidden = at >= shown;
      item.classList.toggle("now", at === shown - 1);
    });
    count.textContent = said.historyStep(shown, items.length);
    items[shown - 1].scrollIntoView({ block: "nearest" });
  }
  button.replaceWith(
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", text: said.historyPrevious, onclick: () => show(shown - 1) }),
      h("button", { type: "button", text: said.historyNext, onclick: () => show(shown + 1) }),
      h("button", { type: "button", class: "plain", text: said.historyAll, onclick: () => show(items.length) }),
      count,
    ),
    list,
  );
  show(1);
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
