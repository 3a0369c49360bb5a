// Rules, limits, paytables and the exact house edges of this very table.

import { limitsOf } from "/static/betting.js";
import { h, put } from "/static/dom.js";
import { clauseRef } from "/static/shell.js";
import { words } from "/static/words.js";

const said = words.table;

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
