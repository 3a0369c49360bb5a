// The gaming day: inventory, drop, win and hold by table; handle and win by wager; movements of money.

import { get, messageOf } from "../lib/api.js";
import { ApprovalsPanel, requestKinds, requestMovement } from "../lib/approvals.js";
import { dataTable, field, poll, runAction } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { formatDateTime } from "../lib/dates.js";
import { h, render } from "../lib/dom.js";
import { dollars } from "../lib/money.js";
import { strings } from "../lib/strings.js";

const texts = consoleStrings.day;
/** @param {number | null} value */
const percent = (value) => (value === null ? "–" : `${value.toFixed(2).replace("-", "−")} %`);
/** @param {number | null} cents */
const money = (cents) => (cents === null ? "–" : dollars(cents));

/** @param {Server.PersonResponse} person */
export function gamingDayPanel(person) {
  const output = h("div", { class: "stack" });
  const requests = new ApprovalsPanel(person, { changed: load });
  const day = field({ name: "day", label: texts.day, type: "date", optional: true, hint: texts.dayHint });
  day.input.addEventListener("change", load);

  async function load() {
    const noon = day.input.value ? new Date(`${day.input.value}T12:00`).getTime() : undefined;
    try {
      const report = await get("/api/days", { at: noon });
      render(output, dayTables(report));
    } catch (error) {
      render(output, h("p", { class: "fault", text: messageOf(error) }));
    }
  }

  /** @param {Server.NewApprovalRequest["kind"]} kind */
  async function requestForm(kind) {
    const tables = await runAction(() => get("/api/tables"));
    if (tables && tables !== true)
      await requestMovement(kind, { tables: tables.map(({ table }) => table), after: () => requests.refresh() });
  }

  const kinds = requestKinds(person.role);
  const element = h(
    "div",
    { class: "stack" },
    h("div", { class: "filters" }, day.element),
    kinds.length
      ? h(
          "div",
          { class: "row" },
          kinds.map((kind) =>
            h("button", {
              type: "button",
              text: consoleStrings.requests.kinds[kind],
              onclick: () => requestForm(kind),
            }),
          ),
        )
      : null,
    requests.element,
    output,
  );
  let polling = false;
  element.addEventListener("shown", () => {
    load();
    if (!polling) poll(() => requests.refresh(), 4000);
    polling = true;
  });
  return element;
}

/**
 * The figures of a day, each currency by itself: play money and real money are never added up.
 * @param {Server.DayReport} report
 */
function dayTables(report) {
  const currencies = /** @type {const} */ (["real", "play"]);
  return [
    h(
      "p",
      { class: "soft row" },
      h("span", { class: "when", text: texts.from(formatDateTime(report.start)) }),
      h("span", { class: "when", text: texts.to(formatDateTime(report.end)) }),
    ),
    currencies.flatMap((currency) => currencyTables(report, currency)),
  ];
}

/**
 * @param {Server.DayReport} report
 * @param {Server.TableDayRow["currency"]} currency
 */
function currencyTables(report, currency) {
  const tables = report.tables.filter((row) => row.currency === currency);
  const wagers = report.wagers.filter((row) => row.currency === currency);
  if (!tables.length && currency !== "real") return [];
  return [
    h("h3", { text: strings.currency[currency] }),
    dataTable(
      [
        [consoleStrings.table, (row) => row.table],
        [texts.opening, (row) => money(row.opening_cents), "number"],
        [texts.fills, (row) => money(row.fills_cents), "number"],
        [texts.credits, (row) => money(row.credits_cents), "number"],
        [texts.closing, (row) => money(row.closing_cents), "number"],
        [texts.expected, (row) => money(row.expected_closing_cents), "number"],
        [
          texts.variance,
          (row) => h("span", { class: row.variance_cents ? "bad" : "", text: money(row.variance_cents) }),
          "number",
        ],
        [texts.drop, (row) => money(row.drop_cents), "number"],
        [texts.sold, (row) => money(row.chips_sold_cents), "number"],
        [texts.win, (row) => money(row.win_cents), "number"],
        [texts.hold, (row) => percent(row.hold_percent), "number"],
      ],
      tables,
      { caption: `${texts.tables}: ${strings.currency[currency]}` },
    ),
    dataTable(
      [
        [texts.game, (row) => row.game_title],
        [texts.wager, (row) => row.title],
        [texts.paytable, (row) => row.paytable],
        [texts.entries, (row) => row.entries.toLocaleString("en-US"), "number"],
        [texts.handle, (row) => money(row.handle_cents), "number"],
        [texts.win, (row) => money(row.win_cents), "number"],
        [texts.held, (row) => percent(row.held_percent), "number"],
      ],
      wagers,
      { caption: `${texts.wagers}: ${strings.currency[currency]}`, empty: texts.noWager },
    ),
  ];
}
