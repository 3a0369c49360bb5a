// Search through the events of one table or all, with CSV download.

import { get } from "../lib/api.js";
import { dataTable, eventText } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { formatDateTime } from "../lib/dates.js";
import { h, render } from "../lib/dom.js";
import { filterForm } from "../lib/filter-form.js";
import { eventsAsCsv } from "./csv.js";

const texts = consoleStrings.records;
const MAX_EVENTS = 500;

/**
 * The panel; open(table, round) opens a round's replay.
 * @param {readonly (readonly [string, string])[]} names
 * @param {Record<string, string>} editions
 * @param {(table: string, round: number) => unknown} open
 */
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

/**
 * @param {Record<string, FieldValue>} values
 * @returns {Promise<{ events: Server.TablesEvent[]; more: boolean }>}
 */
async function searchEvents(values) {
  const table = String(values.table ?? "");
  const criteria = {
    since: numberOrNone(values.since),
    until: numberOrNone(values.until),
    seat: numberOrNone(values.seat),
    round: numberOrNone(values.round),
    at_least_cents: numberOrNone(values.at_least_cents),
    kind: values.kind ? String(values.kind).split(" ") : undefined,
    actor: String(values.actor ?? ""),
    limit: MAX_EVENTS,
  };
  if (!table) return get("/api/records/events", criteria);
  const { events } = await get("/api/tables/{table}/events", { ...criteria, table, newest: true });
  return { events: events.map((event) => ({ ...event, table })), more: events.length === MAX_EVENTS };
}

/** @param {FieldValue} value */
const numberOrNone = (value) => (value === null ? undefined : Number(value));

/**
 * @param {readonly Server.TablesEvent[]} events
 * @param {Record<string, string>} editions
 * @param {(table: string, round: number) => unknown} open
 */
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

/**
 * A link that downloads the events as CSV.
 * @param {readonly Server.TablesEvent[]} events
 */
function csvLink(events) {
  const file = new Blob([eventsAsCsv(events)], { type: "text/csv" });
  return h("a", { class: "button", href: URL.createObjectURL(file), download: "events.csv", text: texts.saveEvents });
}
