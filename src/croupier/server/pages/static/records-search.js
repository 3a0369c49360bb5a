// A search through the events of one table or of all, and what was found to take away.

import { get } from "/static/api.js";
import { grid, moment, told } from "/static/consoles.js";
import { h, put } from "/static/dom.js";
import { formOf, query } from "/static/filters.js";
import { said } from "/static/words-consoles.js";

const texts = said.records;
const MOST = 500;

/** The panel; open(table, round) shows a round that was found. */
export function searchPanel(names, editions, open) {
  const results = h("div", { class: "stack" });
  const form = formOf(
    [
      {
        name: "table",
        label: said.table,
        type: "select",
        options: [["", texts.everyTable], ...names],
        optional: true,
      },
      { name: "since", label: texts.since, type: "datetime-local", optional: true },
      { name: "until", label: texts.until, type: "datetime-local", optional: true },
      { name: "seat", label: texts.seat, type: "number", least: 1, optional: true },
      { name: "at_least_cents", label: texts.atLeast, type: "dollars", optional: true },
      { name: "kind", label: texts.kind, type: "select", options: [["", texts.anyKind], ...texts.kinds], optional: true },
      { name: "actor", label: texts.person, longest: 40, optional: true },
      { name: "round", label: texts.round, type: "number", least: 1, optional: true },
    ],
    texts.find,
    async (values) => {
      const { events, more } = await find(values);
      put(
        results,
        h("p", { class: "small soft", role: "status", text: more ? texts.newest(MOST) : texts.found(events.length) }),
        events.length ? h("p", {}, takeAway(events)) : null,
        eventsGrid(events, editions, open),
      );
    },
  );
  return h("div", { class: "stack" }, h("p", { class: "soft", text: texts.searchIntro }), form, results);
}

async function find({ table, kind, ...values }) {
  const kinds = kind ? kind.split(" ") : [];
  const asked = query({ ...values, limit: MOST }) + kinds.map((one) => `&kind=${one}`).join("");
  if (!table) return get(`/api/records/events?${asked}`);
  const { events } = await get(`/api/tables/${encodeURIComponent(table)}/events?newest=true&${asked}`);
  return { events: events.map((event) => ({ ...event, table })), more: events.length === MOST };
}

const eventsGrid = (events, editions, open) =>
  grid(
    [
      [texts.when, (one) => moment(one.at), "when"],
      [said.table, (one) => one.table],
      [
        texts.round,
        (one) => (one.round ? h(
          "button",
          {
            type: "button",
            class: "plain link",
            text: String(one.round),
            "aria-label": texts.replayOf(one.table, one.round),
            onclick: () => open(one.table, one.round),
          },
        ) : ""),
        "number",
      ],
      [texts.what, (one) => told(one, editions[one.table])],
      [texts.person, (one) => one.by?.name ?? ""],
      [texts.number, (one) => String(one.seq), "number"],
    ],
    events,
    { empty: texts.noEvent, caption: texts.events },
  );

const COLUMNS = [
  ["at", (one) => new Date(one.at).toISOString()],
  ["table", (one) => one.table],
  ["round", (one) => one.round || ""],
  ["seq", (one) => one.seq],
  ["event", (one) => one.event],
  ["by", (one) => one.by?.name ?? ""],
  ["clause", (one) => one.clause ?? ""],
  ["text", (one) => one.text],
];

// A program that opens the file must not take a text for a formula.
const cell = (value) => `"${String(value).replace(/^(?=[=+\-@\t])/, "'").replaceAll('"', '""')}"`;

/** A link that saves the events as CSV. */
function takeAway(events) {
  const lines = [COLUMNS.map(([name]) => name), ...events.map((one) => COLUMNS.map(([, read]) => cell(read(one))))];
  const file = new Blob([lines.map((line) => `${line.join(",")}\r\n`).join("")], { type: "text/csv" });
  return h("a", { class: "button", href: URL.createObjectURL(file), download: "events.csv", text: texts.saveEvents });
}
