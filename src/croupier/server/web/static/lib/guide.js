// How a game is played, in a dialog: its aim, its course in pictures, the order of hands, and the wagers.

import { formatLimits } from "../table/bets.js";
import { get } from "./api.js";
import { dialog, h } from "./dom.js";
import { notifyRefusal } from "./shell.js";
import { strings } from "./strings.js";

const texts = strings.guide;

/**
 * Opens the guide of a table's game.
 * @param {string} table
 */
export async function openGuide(table) {
  try {
    const [guide, rules] = await Promise.all([
      get("/api/tables/{table}/guide", { table }),
      get("/api/tables/{table}/rules", { table, edges: false }),
    ]);
    const { element, cells } = guideElement(guide, rules);
    const opened = dialog(texts.title(rules.game), element);
    opened.element.classList.add("guide-dialog");
    const { house_edges: edges } = await get("/api/tables/{table}/rules", { table }).catch(() => ({ house_edges: [] }));
    for (const [wager, cell] of cells) {
      const edge = edges.find((edge) => edge.wager === wager);
      cell.textContent = edge ? `${edge.house_edge_percent.toFixed(2)} %` : "–";
    }
  } catch (error) {
    notifyRefusal(error);
  }
}

/**
 * @param {Server.GameGuide} guide
 * @param {Server.ServedTableRules} rules
 */
function guideElement(guide, rules) {
  /** @type {Map<string, HTMLElement>} */
  const cells = new Map();
  const element = h(
    "div",
    { class: "guide stack" },
    h("p", { class: "guide-aim", text: guide.aim }),
    h(
      "ol",
      { class: "guide-steps" },
      guide.steps.map((step, number) =>
        h("li", {}, picture(step), h("h3", { text: `${number + 1}. ${step.title}` }), h("p", { text: step.text })),
      ),
    ),
    h("section", {}, h("h3", { text: texts.ranking }), ranking(guide.ranking)),
    h("section", {}, h("h3", { text: texts.wagers }), wagerTable(guide, rules, cells)),
  );
  return { element, cells };
}

/**
 * A piece of felt with the cards of a step, or the chips of its wagers.
 * @param {Server.GuideStepView} step
 */
function picture(step) {
  return h(
    "div",
    { class: "guide-picture", "aria-hidden": "true" },
    step.cards.length
      ? step.cards.map(({ place, cards, playing }) =>
          h(
            "div",
            { class: "guide-cards" },
            h("span", { text: place === "player" ? strings.table.you : strings.table.place[place] }),
            h(
              "div",
              {},
              cards.map((card) =>
                h("playing-card", {
                  card,
                  class: !playing.length ? "" : card && playing.includes(card) ? "lit" : "dimmed",
                }),
              ),
            ),
          ),
        )
      : h(
          "div",
          { class: "guide-chips" },
          step.wagers.map((title) => h("span", { class: "guide-area" }, title, h("chip-stack", { cents: 500 }))),
        ),
  );
}

/** @param {readonly Server.RankedExampleView[]} ranked */
function ranking(ranked) {
  return h(
    "ol",
    { class: "guide-ranking" },
    ranked.map(({ title, example, example_name: name }) =>
      h(
        "li",
        {},
        h("strong", { text: strings.upper(title) }),
        h(
          "span",
          { class: "guide-example" },
          example.map((card) => h("playing-card", { card })),
        ),
        name === title ? null : h("span", { class: "small soft", text: name }),
      ),
    ),
  );
}

/**
 * @param {Server.GameGuide} guide
 * @param {Server.ServedTableRules} rules
 * @param {Map<string, HTMLElement>} cells
 */
function wagerTable(guide, rules, cells) {
  return h(
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
          [strings.table.wager, texts.about, strings.table.limitsTitle].map((text) => h("th", { scope: "col", text })),
          h("th", { scope: "col", class: "number", text: strings.table.edge }),
        ),
      ),
      h(
        "tbody",
        {},
        rules.wagers.map((wager) => {
          const edge = h("td", { class: "number", text: "…" });
          cells.set(wager.wager, edge);
          const about = guide.wagers.find((other) => other.wager === wager.wager)?.text ?? "";
          return h(
            "tr",
            {},
            h("th", { scope: "row", text: wager.title }),
            h("td", { text: strings.upper(about) }),
            h("td", { text: limits(wager) }),
            edge,
          );
        }),
      ),
    ),
    h("p", { class: "small soft", text: strings.table.edgeNote }),
  );
}

/** @param {Server.WagerRules} wager */
function limits(wager) {
  if (wager.between) return strings.table.between(wager.between[0], wager.between[1]);
  return wager.made_in_play ? strings.table.multiples(wager.multiples) : formatLimits(wager);
}

/**
 * A button that opens the guide of a table.
 * @param {string} table
 */
export function guideButton(table, props = {}) {
  /** @type {HTMLButtonElement} */
  const button = h("button", {
    type: "button",
    class: "plain",
    text: texts.open,
    ...props,
    onclick: async () => {
      button.disabled = true;
      await openGuide(table);
      button.disabled = false;
    },
  });
  return button;
}
