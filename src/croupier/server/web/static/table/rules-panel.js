// Rules, limits, paytables and exact house edges of this table.

import { h, render } from "../lib/dom.js";
import { clauseRef } from "../lib/shell.js";
import { strings } from "../lib/strings.js";
import { formatLimits } from "./bets.js";

const texts = strings.table;

/**
 * Rules, limits, odds and paytables; showEdges(edges) adds the house edges.
 * @param {Server.ServedTableRules} rules
 */
export function rulesPanel(rules) {
  const titles = Object.fromEntries(rules.wagers.map((wager) => [wager.wager, wager.title]));
  /** @type {Map<string, HTMLElement>} */
  const cells = new Map();
  const note = h("p", { class: "small soft", role: "status", text: texts.edgesWait });
  const rows = rules.wagers.map((wager) => {
    const edge = h("td", { class: "number" });
    cells.set(wager.wager, edge);
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, wager.title, " ", clauseRef(rules.edition, wager.clause)),
      h("td", { text: describeWager(wager, titles) }),
      edge,
    );
  });
  const element = h(
    "div",
    { class: "stack" },
    h("p", { class: "small soft", text: texts.edition(rules) }),
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
            [texts.wager, texts.limitsTitle].map((text) => h("th", { scope: "col", text })),
            h("th", { scope: "col", class: "number", text: texts.edge }),
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
          h("h3", { text: texts.inscriptions }),
          rules.layout.inscriptions.map((inscription) =>
            h("p", { class: "small" }, inscription.text, " ", clauseRef(rules.edition, inscription.clause)),
          ),
        )
      : null,
    rules.paytables.map((table) => paytable(table, rules.edition)),
    h(
      "details",
      {},
      h("summary", { text: texts.elections }),
      h(
        "dl",
        { class: "facts small" },
        Object.entries(rules.elections).map(([name, choice]) => [
          h("dt", { text: strings.upper(name.replaceAll("_", " ")) }),
          h("dd", { text: choice.replaceAll("_", " ") }),
        ]),
      ),
    ),
  );
  /** @param {readonly Server.TableEdge[]} houseEdges */
  function showEdges(houseEdges) {
    note.textContent = houseEdges.length ? texts.edgeNote : texts.edgesNone;
    for (const edge of houseEdges) {
      const cell = cells.get(edge.wager);
      if (cell)
        render(
          cell,
          h("span", { title: texts.edgeExact(edge.house_edge), text: `${edge.house_edge_percent.toFixed(4)} %` }),
        );
    }
  }
  return { element, showEdges };
}

/**
 * @param {Server.WagerRules} wager
 * @param {Record<string, string>} titles
 */
function describeWager(wager, titles) {
  if (wager.made_in_play)
    return texts.inRound(
      wager.between ? texts.between(wager.between[0], wager.between[1]) : texts.multiples(wager.multiples),
    );
  if (wager.placed_with) return texts.placedWith(wager.title, titles[wager.placed_with] ?? wager.placed_with);
  const parts = [formatLimits(wager)];
  if (wager.electronic) parts.push(texts.electronic);
  const needs = wager.needs.map((name) => titles[name] ?? name);
  if (needs.length) parts.push(texts.needs(needs));
  if (wager.needs_any.length) parts.push(texts.needsAny(wager.needs_any.map((name) => titles[name] ?? name)));
  return parts.filter(Boolean).join("; ");
}

/**
 * @param {Server.PaytableRules} table
 * @param {string} edition
 */
export function paytable(table, edition) {
  return h(
    "table",
    { class: "small paytable" },
    h("caption", {}, texts.paytable(table.title, table.letter), " ", clauseRef(edition, table.clause)),
    h(
      "thead",
      { class: "visually-hidden" },
      h("tr", {}, h("th", { scope: "col", text: texts.handTitle }), h("th", { scope: "col", text: texts.pays })),
    ),
    h(
      "tbody",
      {},
      table.rows.map((row) =>
        h(
          "tr",
          {},
          h("th", { scope: "row", text: strings.upper(row.title) }),
          h("td", { class: "number", text: row.pays }),
        ),
      ),
    ),
  );
}
