// Search through the events of one table or all, with CSV download.

import { get } from "../lib/api.js";
import { dataTable, eventText } from "../lib/console.js";
import { formatDateTime } from "../lib/dates.js";
import { h, render } from "../lib/dom.js";
import { filterForm, queryString } from "../lib/filter-form.js";
import { consoleStrings } from "../lib/console-strings.js";

const texts = consoleStrings.records;
const MAX_EVENTS = 500;

/** The panel; open(table, round) opens a round's replay. */
export function searchPanel(names, editions, open) {
  const results = h("div", { class: "stack" });
  const form = filterForm(
    [
      {
        name: "table",
        label: consoleStrings.table,
        type: "select",
        options: [["", texts.everyTable], ...names],
        optional: true,
      },
      { name: "since", label: texts.since, type: "datetime-local", optional: true },
      { name: "until", label: texts.until, type: "datetime-local", optional: true },
      { name: "seat", label: texts.seat, type: "number", min: 1, optional: true },
      { name: "at_least_cents", label: texts.atLeast, type: "dollars", optional: true },
      {
        name: "kind",
        label: texts.kind,
        type: "select",
        options: [["", texts.anyKind], ...texts.kinds],
        optional: true,
      },
      { name: "actor", label: texts.person, maxLength: 40, optional: true },
      { name: "round", label: texts.round, type: "number", min: 1, optional: true },
    ],
    texts.find,
    async (values) => {
      const { events, more } = await searchEvents(values);
      render(
        results,
        h("p", {
          class: "small soft",
          role: "status",
          text: more ? texts.newest(MAX_EVENTS) : texts.eventCount(events.length),
        }),
        events.length ? h("p", {}, csvLink(events)) : null,
        eventsGrid(events, editions, open),
      );
    },
  );
  return h("div", { class: "stack" }, h("p", { class: "soft", text: texts.searchIntro }), form, results);
}

async function searchEvents({ table, kind, ...values }) {
  const kinds = kind ? kind.split(" ") : [];
  const parameters = queryString({ ...values, limit: MAX_EVENTS }) + kinds.map((name) => `&kind=${name}`).join("");
  if (!table) return get(`/api/records/events?${parameters}`);
  const { events } = await get(`/api/tables/${encodeURIComponent(table)}/events?newest=true&${parameters}`);
  return { events: events.map((event) => ({ ...event, table })), more: events.length === MAX_EVENTS };
}

const eventsGrid = (events, editions, open) =>
  dataTable(
    [
      [texts.when, (event) => formatDateTime(event.at), "when"],
      [consoleStrings.table, (event) => event.table],
      [
        texts.round,
        (event) =>
          event.round
            ? h("button", {
                type: "button",
                class: "plain link",
                text: String(event.round),
                "aria-label": texts.replayOf(event.table, event.round),
                onclick: () => open(event.table, event.round),
              })
            : "",
        "number",
      ],
      [texts.details, (event) => eventText(event, editions[event.table])],
      [texts.person, (event) => event.by?.name ?? ""],
      [texts.number, (event) => String(event.seq), "number"],
    ],
    events,
    { empty: texts.noEvent, caption: texts.events },
  );

const COLUMNS = [
  ["at", (event) => new Date(event.at).toISOString()],
  ["table", (event) => event.table],
  ["round", (event) => event.round || ""],
  ["seq", (event) => event.seq],
  ["event", (event) => event.event],
  ["by", (event) => event.by?.name ?? ""],
  ["clause", (event) => event.clause ?? ""],
  ["text", (event) => event.text],
];

// A spreadsheet must not read text as a formula.
const cell = (value) =>
  `"${String(value)
    .replace(/^(?=[=+\-@\t])/, "'")
    .replaceAll('"', '""')}"`;

/** A link that downloads the events as CSV. */
function csvLink(events) {
  const lines = [COLUMNS.map(([name]) => name), ...events.map((event) => COLUMNS.map(([, read]) => cell(read(event))))];
  const file = new Blob([lines.map((line) => `${line.join(",")}\r\n`).join("")], { type: "text/csv" });
  return h("a", { class: "button", href: URL.createObjectURL(file), download: "events.csv", text: texts.saveEvents });
}
