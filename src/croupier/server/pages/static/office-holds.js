// Theoretical against actual hold with its 95 % interval, drawn; and meters with their books.

import { get } from "/static/api.js";
import { field, grid, momentOf } from "/static/consoles.js";
import { dollars, h, put, svg } from "/static/dom.js";
import { askForMeter, meterKindFor } from "/static/requests.js";
import { said } from "/static/words-consoles.js";

const texts = said.holds;
const WIDE = 640;
const percent = (value) => (value === null ? "–" : `${value.toFixed(2).replace("-", "−")} %`);

export function holdsPanel() {
  const results = h("div", { class: "stack" });
  const since = field({ name: "since", label: said.records.since, type: "datetime-local", optional: true });
  const until = field({ name: "until", label: said.records.until, type: "datetime-local", optional: true });
  const form = h(
    "form",
    { class: "filters" },
    since.element,
    until.element,
    h("div", { class: "field" }, h("button", { class: "main", text: said.records.find })),
  );
  async function load(event) {
    event?.preventDefault();
    put(results, h("p", { class: "soft", role: "status", text: said.submissions.computing }));
    const asked = new URLSearchParams();
    if (momentOf(since.input)) asked.set("since", momentOf(since.input));
    if (momentOf(until.input)) asked.set("until", momentOf(until.input));
    try {
      const rows = await get(`/api/holds?${asked}`);
      put(results, shown(rows));
    } catch (error) {
      put(results, h("p", { class: "fault", text: error.message }));
    }
  }
  form.addEventListener("submit", load);
  const element = h("div", { class: "stack" }, h("p", { class: "soft", text: texts.intro }), form, results);
  let loaded = false;
  element.addEventListener("shown", () => loaded || ((loaded = true), load()));
  return element;
}

function shown(rows) {
  if (!rows.length) return h("p", { class: "soft", text: texts.none });
  const outside = rows.filter((row) => row.outside).length;
  return [
    h(
      "p",
      {
        class: `verdict ${outside ? "bad" : "good"}`,
        role: "status",
        text: texts.summary(outside, rows.filter((row) => !row.on_a_meter).length),
      },
    ),
    h(
      "ul",
      { class: "holds" },
      rows.map(
        (row) => h(
          "li",
          { class: "panel" },
          h(
            "div",
            { class: "row spread" },
            h(
              "div",
              {},
              h("h3", { text: `${row.title}` }),
              h(
                "p",
                {
                  class: "small soft",
                  text: [
                    `${row.game}, ${row.jurisdiction}`,
                    ...row.paytables.map((one) => one.replaceAll("_", " ")),
                  ].join(" · "),
                },
              ),
            ),
            row.on_a_meter ? h("span", { class: "tag", text: texts.onAMeter }) : h(
              "span",
              { class: `tag ${row.outside ? "bad" : "good"}`, text: row.outside ? texts.outside : texts.inside },
            ),
          ),
          row.on_a_meter ? null : chart(row),
        ),
      ),
    ),
    grid(
      [
        [texts.game, (row) => `${row.game}, ${row.jurisdiction}`],
        [texts.wager, (row) => row.title],
        [texts.bets, (row) => row.entries.toLocaleString("en-US"), "number"],
        [texts.handle, (row) => dollars(row.handle_cents), "number"],
        [texts.win, (row) => dollars(row.win_cents), "number"],
        [texts.actual, (row) => percent(row.actual_percent), "number"],
        [
          texts.theoretical,
          (row) => h("span", { title: row.house_edge, text: percent(row.theoretical_percent) }),
          "number",
        ],
        [
          texts.interval,
          (row) => (row.on_a_meter ? "–" : `${percent(row.low_percent)} … ${percent(row.high_percent)}`),
          "number",
        ],
      ],
      rows,
      { caption: texts.figures },
    ),
  ];
}

/** The interval as a bar, the house edge as a line in its middle, what was held as a point; each bet to its own scale. */
function chart(row) {
  const half = Math.max((row.high_percent - row.low_percent) / 2, 1e-9);
  const reach = Math.min(Math.max(1.5, (Math.abs(row.actual_percent - row.theoretical_percent) / half) * 1.1), 4);
  const x = (value) => WIDE / 2 + (
    Math.max(Math.min((value - row.theoretical_percent) / half, reach), -reach) / reach
  ) * (WIDE / 2 - 70);
  const text = (value, y, kind = "", anchor = "middle") => svg(
    "text",
    { x: x(value), y, class: kind, "text-anchor": anchor },
    percent(value),
  );
  const beyond = Math.abs(row.actual_percent - row.theoretical_percent) / half > reach;
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDE} 92`,
      class: "hold-chart",
      role: "img",
      "aria-label": texts.described(
        row.title,
        percent(row.actual_percent),
        percent(row.theoretical_percent),
        percent(row.low_percent),
        percent(row.high_percent),
      ),
    },
    svg("line", { x1: 8, x2: WIDE - 8, y1: 46, y2: 46, class: "axis" }),
    svg(
      "rect",
      {
        x: x(row.low_percent),
        y: 36,
        width: x(row.high_percent) - x(row.low_percent),
        height: 20,
        rx: 4,
        class: "interval",
      },
    ),
    svg("line", { x1: x(row.theoretical_percent), x2: x(row.theoretical_percent), y1: 32, y2: 60, class: "edge" }),
    row.outside
      ? svg("path", { d: `M${x(row.actual_percent)} 36 l10 10 l-10 10 l-10 -10 z`, class: "actual outside" })
      : svg("circle", { cx: x(row.actual_percent), cy: 46, r: 8, class: "actual" }),
    text(row.low_percent, 80),
    text(row.theoretical_percent, 80, "strong"),
    text(row.high_percent, 80),
    svg(
      "text",
      { x: x(row.actual_percent), y: 20, class: "strong", "text-anchor": "middle" },
      `${beyond ? "→ " : ""}${texts.actual} ${percent(row.actual_percent)}`,
    ),
  );
}

export function metersPanel(person) {
  const kind = meterKindFor(person.role);
  const results = h("div", { class: "stack" });
  const element = h("div", { class: "stack" }, h("p", { class: "soft", text: texts.metersIntro }), results);
  async function load() {
    try {
      const meters = await get("/api/meters");
      const wrong = meters.filter((one) => !one.agrees).length;
      put(
        results,
        meters.length ? h(
          "p",
          {
            class: `verdict ${wrong ? "bad" : "good"}`,
            role: "status",
            text: wrong ? texts.disagree(wrong) : texts.agree(meters.length),
          },
        ) : null,
        grid(
          [
            [said.table, (one) => one.table],
            [texts.meter, (one) => one.title],
            [texts.shows, (one) => dollars(one.display_cents, { exact: true }), "number"],
            ...[
              "seeded",
              "contributed",
              "moved",
              "adjusted",
              "won",
              "amount",
              "overflow",
              "waiting",
            ].map((name) => [texts.books[name], (one) => one.books[name], "number"]),
            [texts.hits, (one) => String(one.hits), "number"],
            [texts.pending, (one) => String(one.pending), "number"],
            [
              texts.reconciled,
              (one) => h(
                "span",
                { class: `tag ${one.agrees ? "good" : "bad"}`, text: one.agrees ? texts.yes : texts.no },
              ),
            ],
            kind ? [
              texts.change,
              (one) => h(
                "button",
                {
                  type: "button",
                  "aria-label": `${said.requests.kinds[kind]}: ${one.title}`,
                  text: kind === "meter_setup" ? texts.setUp : texts.correct,
                  onclick: () => askForMeter(kind, one, load),
                },
              ),
            ] : null,
          ].filter(Boolean),
          meters,
          { empty: texts.noMeter, caption: texts.metersTitle },
        ),
      );
    } catch (error) {
      put(results, h("p", { class: "fault", text: error.message }));
    }
  }
  element.addEventListener("shown", load);
  return element;
}
