// Actual hold against the house edge with its 95 % range, and meters with their books.

import { get, messageOf } from "../lib/api.js";
import { meterRequestKind, requestMeterChange } from "../lib/approvals.js";
import { dataTable, field, readDateTime } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { h, render, svg } from "../lib/dom.js";
import { dollars } from "../lib/money.js";
import { strings } from "../lib/strings.js";

const texts = consoleStrings.holds;
const CHART_WIDTH = 640;
/** @param {number | null} value */
const percent = (value) => (value === null ? "–" : `${value.toFixed(2).replace("-", "−")} %`);

export function holdsPanel() {
  const output = h("div", { class: "stack" });
  const since = field({ name: "since", label: consoleStrings.records.since, type: "datetime-local", optional: true });
  const until = field({ name: "until", label: consoleStrings.records.until, type: "datetime-local", optional: true });
  const form = h(
    "form",
    { class: "filters" },
    since.element,
    until.element,
    h("div", { class: "field" }, h("button", { class: "main", text: texts.show })),
  );
  /** @param {Event | undefined} event */
  async function load(event) {
    event?.preventDefault();
    render(output, h("p", { class: "soft", role: "status", text: consoleStrings.submissions.computing }));
    try {
      const rows = await get("/api/holds", {
        since: readDateTime(since.input.value) ?? undefined,
        until: readDateTime(until.input.value) ?? undefined,
      });
      render(output, holdResults(rows));
    } catch (error) {
      render(output, h("p", { class: "fault", text: messageOf(error) }));
    }
  }
  form.addEventListener("submit", load);
  const element = h("div", { class: "stack" }, h("p", { class: "soft", text: texts.intro }), form, output);
  let loaded = false;
  element.addEventListener("shown", () => {
    if (!loaded) load(undefined);
    loaded = true;
  });
  return element;
}

/** @param {readonly Server.HoldRow[]} rows */
function holdResults(rows) {
  if (!rows.length) return h("p", { class: "soft", text: texts.none });
  const outside = rows.filter((row) => row.outside).length;
  return [
    h("p", {
      class: `verdict ${outside ? "bad" : "good"}`,
      role: "status",
      text: texts.summary(outside, rows.filter((row) => !row.on_a_meter).length),
    }),
    h(
      "ul",
      { class: "holds" },
      rows.map((row) =>
        h(
          "li",
          { class: "panel" },
          h(
            "div",
            { class: "row spread" },
            h(
              "div",
              {},
              h("h3", { text: `${row.title}` }),
              h("p", {
                class: "small soft",
                text: [
                  strings.currency[row.currency],
                  `${row.game}, ${row.jurisdiction}`,
                  ...row.paytables.map((paytable) => paytableTitle(paytable, row)),
                ].join(" · "),
              }),
            ),
            row.on_a_meter
              ? h("span", { class: "tag", text: texts.onAMeter })
              : h("span", {
                  class: `tag ${row.outside ? "bad" : "good"}`,
                  text: row.outside ? texts.outside : texts.inside,
                }),
          ),
          holdChart(row),
        ),
      ),
    ),
    dataTable(
      [
        [texts.currency, (row) => strings.currency[row.currency]],
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
          (row) => (row.on_a_meter ? "–" : `${percent(row.low_percent)} to ${percent(row.high_percent)}`),
          "number",
        ],
      ],
      rows,
      { caption: texts.figures },
    ),
  ];
}

/**
 * The title of a paytable such as "aces_bonus A"; the letter is enough if it is the wager's own.
 * @param {string} paytable
 * @param {Server.HoldRow} row
 */
function paytableTitle(paytable, row) {
  const [name, letter = ""] = paytable.split(" ");
  if (name === row.wager && letter) return consoleStrings.editor.letter(letter);
  return strings.table.paytable(name.split("_").map(strings.upper).join(" "), letter);
}

/**
 * A bar for the 95 % range, a line for the house edge, a point for the actual hold; every chart has its own scale.
 * @param {Server.HoldRow} row
 */
function holdChart(row) {
  const { low_percent: low, high_percent: high } = row;
  if (low === null || high === null) return null;
  const halfWidth = Math.max((high - low) / 2, 1e-9);
  const scale = Math.min(Math.max(1.5, (Math.abs(row.actual_percent - row.theoretical_percent) / halfWidth) * 1.1), 4);
  /** @param {number} value */
  const x = (value) =>
    CHART_WIDTH / 2 +
    (Math.max(Math.min((value - row.theoretical_percent) / halfWidth, scale), -scale) / scale) * (CHART_WIDTH / 2 - 70);
  /**
   * @param {number} value
   * @param {number} y
   */
  const text = (value, y, kind = "", anchor = "middle") =>
    svg("text", { x: x(value), y, class: kind, "text-anchor": anchor }, percent(value));
  const offChart = Math.abs(row.actual_percent - row.theoretical_percent) / halfWidth > scale;
  return svg(
    "svg",
    {
      viewBox: `0 0 ${CHART_WIDTH} 92`,
      class: "hold-chart",
      role: "img",
      "aria-label": texts.chartLabel(
        row.title,
        percent(row.actual_percent),
        percent(row.theoretical_percent),
        percent(low),
        percent(high),
      ),
    },
    svg("line", { x1: 8, x2: CHART_WIDTH - 8, y1: 46, y2: 46, class: "axis" }),
    svg("rect", {
      x: x(low),
      y: 36,
      width: x(high) - x(low),
      height: 20,
      rx: 4,
      class: "interval",
    }),
    svg("line", { x1: x(row.theoretical_percent), x2: x(row.theoretical_percent), y1: 32, y2: 60, class: "edge" }),
    row.outside
      ? svg("path", { d: `M${x(row.actual_percent)} 36 l10 10 l-10 10 l-10 -10 z`, class: "actual outside" })
      : svg("circle", { cx: x(row.actual_percent), cy: 46, r: 8, class: "actual" }),
    text(low, 80),
    text(row.theoretical_percent, 80, "strong"),
    text(high, 80),
    svg(
      "text",
      { x: x(row.actual_percent), y: 20, class: "strong", "text-anchor": "middle" },
      `${offChart ? "→ " : ""}${texts.actual} ${percent(row.actual_percent)}`,
    ),
  );
}

/** @type {(keyof Server.BookedAmounts)[]} */
const BOOKS = ["seeded", "contributed", "moved", "adjusted", "won", "amount", "overflow", "waiting"];

/**
 * @param {Server.NewApprovalRequest["kind"]} kind
 * @param {() => void} after
 * @returns {Column<Server.MeterRow>}
 */
const changeColumn = (kind, after) => [
  texts.change,
  (meter) =>
    h("button", {
      type: "button",
      "aria-label": `${consoleStrings.requests.kinds[kind]}: ${meter.title}`,
      text: kind === "meter_setup" ? texts.setUp : texts.correct,
      onclick: () => requestMeterChange(kind, meter, after),
    }),
];

/** @param {Server.PersonResponse} person */
export function metersPanel(person) {
  const kind = meterRequestKind(person.role);
  const output = h("div", { class: "stack" });
  const element = h("div", { class: "stack" }, h("p", { class: "soft", text: texts.metersIntro }), output);
  async function load() {
    try {
      const meters = await get("/api/meters");
      const disagreeing = meters.filter((meter) => !meter.agrees).length;
      render(
        output,
        meters.length
          ? h("p", {
              class: `verdict ${disagreeing ? "bad" : "good"}`,
              role: "status",
              text: disagreeing ? texts.disagree(disagreeing) : texts.agree(meters.length),
            })
          : null,
        dataTable(
          [
            [consoleStrings.table, (meter) => meter.table],
            [texts.meter, (meter) => strings.upper(meter.title)],
            [texts.shows, (meter) => dollars(meter.display_cents, { exact: true }), "number"],
            ...BOOKS.map(
              /** @returns {Column<Server.MeterRow>} */ (name) => [
                texts.books[name],
                (meter) => meter.books[name],
                "number",
              ],
            ),
            [texts.hits, (meter) => String(meter.hits), "number"],
            [texts.pending, (meter) => String(meter.pending), "number"],
            [
              texts.reconciled,
              (meter) =>
                h("span", { class: `tag ${meter.agrees ? "good" : "bad"}`, text: meter.agrees ? texts.yes : texts.no }),
            ],
            ...(kind ? [changeColumn(kind, load)] : []),
          ],
          meters,
          { empty: texts.noMeter, caption: texts.metersTitle },
        ),
      );
    } catch (error) {
      render(output, h("p", { class: "fault", text: messageOf(error) }));
    }
  }
  element.addEventListener("shown", load);
  return element;
}
