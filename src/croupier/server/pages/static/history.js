// Past rounds of a table: what lay where, what was settled, and each round step by step.

import { dollars, h, put } from "/static/dom.js";
import { settledEntry } from "/static/panels.js";
import { words } from "/static/words.js";

const said = words.table;

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
