// The gaming day: inventory, drop, win and hold by table, handle and win by wager, and the movements that make it.

import { get } from "/static/api.js";
import { act, field, grid, keepLooking, moment } from "/static/consoles.js";
import { dollars, h, put } from "/static/dom.js";
import { Requests, askForMoney, kindsFor } from "/static/requests.js";
import { said } from "/static/words-consoles.js";

const texts = said.day;
const percent = (value) => (value === null ? "–" : `${value.toFixed(2).replace("-", "−")} %`);
const money = (cents) => (cents === null ? "–" : dollars(cents));

export function dayPanel(person) {
  const results = h("div", { class: "stack" });
  const requests = new Requests(person, { changed: load });
  const day = field({ name: "day", label: texts.day, type: "date", optional: true, hint: texts.dayHint });
  day.input.addEventListener("change", load);

  async function load() {
    const at = day.input.value ? new Date(`${day.input.value}T12:00`).getTime() : 0;
    try {
      const found = await get(`/api/days${at ? `?at=${at}` : ""}`);
      put(results, drawn(found));
    } catch (error) {
      put(results, h("p", { class: "fault", text: error.message }));
    }
  }

  async function ask(kind) {
    const tables = await act(() => get("/api/tables"));
    if (tables) await askForMoney(kind, { tables: tables.map((one) => one.table), after: () => requests.refresh() });
  }

  const asks = kindsFor(person.role);
  const element = h(
    "div",
    { class: "stack" },
    h("div", { class: "filters" }, day.element),
    asks.length ? h(
      "div",
      { class: "row" },
      asks.map((kind) => h("button", { type: "button", text: said.requests.kinds[kind], onclick: () => ask(kind) })),
    ) : null,
    requests.element,
    results,
  );
  let looking = false;
  element.addEventListener("shown", () => {
    load();
    if (!looking) keepLooking(() => requests.refresh(), 4000);
    looking = true;
  });
  return element;
}

function drawn(found) {
  return [
    h("p", { class: "soft", text: texts.from(moment(found.start), moment(found.end)) }),
    grid(
      [
        [said.table, (one) => one.table],
        [texts.opening, (one) => money(one.opening_cents), "number"],
        [texts.fills, (one) => money(one.fills_cents), "number"],
        [texts.credits, (one) => money(one.credits_cents), "number"],
        [texts.closing, (one) => money(one.closing_cents), "number"],
        [texts.expected, (one) => money(one.expected_closing_cents), "number"],
        [
          texts.variance,
          (one) => h("span", { class: one.variance_cents ? "bad" : "", text: money(one.variance_cents) }),
          "number",
        ],
        [texts.drop, (one) => money(one.drop_cents), "number"],
        [texts.sold, (one) => money(one.chips_sold_cents), "number"],
        [texts.win, (one) => money(one.win_cents), "number"],
        [texts.hold, (one) => percent(one.hold_percent), "number"],
      ],
      found.tables,
      { caption: texts.tables },
    ),
    grid(
      [
        [texts.game, (one) => one.game_title],
        [texts.wager, (one) => one.title],
        [texts.paytable, (one) => one.paytable],
        [texts.entries, (one) => one.entries.toLocaleString("en-US"), "number"],
        [texts.handle, (one) => money(one.handle_cents), "number"],
        [texts.win, (one) => money(one.win_cents), "number"],
        [texts.held, (one) => percent(one.held_percent), "number"],
      ],
      found.wagers,
      { caption: texts.wagers, empty: texts.noWager },
    ),
  ];
}
