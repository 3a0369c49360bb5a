// Past rounds of a table: cards, settlement, and a step-by-step account.

import { h, render } from "../lib/dom.js";
import { dollars } from "../lib/money.js";
import { strings } from "../lib/strings.js";
import { settlementEntry } from "./settlement-panel.js";

const texts = strings.table;

/**
 * The last rounds; loadLines(number) fetches the steps of one.
 * @param {readonly Server.PastRound[]} rounds
 * @param {(round: number) => Promise<string[] | null>} loadLines
 * @param {string} edition
 */
export function historyPanel(rounds, loadLines, edition) {
  if (!rounds.length) return h("p", { class: "soft", text: texts.historyNone });
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
          texts.roundTitle(round.round),
          " ",
          round.void ? h("span", { class: "tag warn", text: texts.historyVoid }) : null,
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
        () => details.open && !body.childElementCount && drawRound(body, round, loadLines, edition),
      );
      return h("li", {}, details);
    }),
  );
}

/**
 * @param {HTMLElement} body
 * @param {Server.PastRound} round
 * @param {(round: number) => Promise<string[] | null>} loadLines
 * @param {string} edition
 */
function drawRound(body, round, loadLines, edition) {
  /** @type {HTMLButtonElement} */
  const stepsButton = h("button", {
    type: "button",
    text: texts.historySteps,
    onclick: () => drawSteps(stepsButton, round.round, loadLines),
  });
  const hands = round.cards.filter((placed) => placed.cards.length);
  render(
    body,
    h(
      "div",
      { class: "past-hands" },
      hands.map((placed) =>
        h(
          "div",
          { class: "past-hand" },
          h("span", { class: "small soft", text: placed.seat ? texts.seat(placed.seat) : texts.place[placed.place] }),
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
        settlementEntry({ ...entry, title: `${texts.seat(entry.seat)}: ${entry.title}` }, edition),
      ),
    ),
    round.your_seats.length ? stepsButton : null,
  );
}

/**
 * @param {HTMLButtonElement} button
 * @param {number} number
 * @param {(round: number) => Promise<string[] | null>} loadLines
 */
async function drawSteps(button, number, loadLines) {
  button.disabled = true;
  const lines = await loadLines(number);
  if (!lines) {
    button.disabled = false;
    return;
  }
  const items = lines.map((line) =>
    h("li", {
      hidden: true,
      class: /^\s{10}/.test(line) ? "aside" : "",
      text: line.trim().replace(/^(\d+)\s+([\d:]+)\s+/, "$1 · $2 · "),
    }),
  );
  const count = h("span", { class: "small soft", role: "status" });
  const list = h("ol", { class: "steps" }, items);
  let visibleCount = 0;
  /** @param {number} to */
  function show(to) {
    visibleCount = Math.min(Math.max(to, 1), items.length);
    items.forEach((item, at) => {
      item.hidden = at >= visibleCount;
      item.classList.toggle("now", at === visibleCount - 1);
    });
    count.textContent = texts.historyStep(visibleCount, items.length);
    items[visibleCount - 1].scrollIntoView({ block: "nearest" });
  }
  button.replaceWith(
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", text: texts.historyPrevious, onclick: () => show(visibleCount - 1) }),
      h("button", { type: "button", text: texts.historyNext, onclick: () => show(visibleCount + 1) }),
      h("button", { type: "button", class: "plain", text: texts.historyAll, onclick: () => show(items.length) }),
      count,
    ),
    list,
  );
  show(1);
}
