// The house journal: who opened, invited, moved money, approved.

import { get, messageOf } from "../lib/api.js";
import { dataTable } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { formatDateTime } from "../lib/dates.js";
import { h, render } from "../lib/dom.js";
import { filterForm } from "../lib/filter-form.js";
import { dollars } from "../lib/money.js";
import { strings } from "../lib/strings.js";

const texts = consoleStrings.records;

const HIDDEN_FIELDS = new Set(["request", "seq"]);
/** @type {Record<string, string>} */
const FIELD_TITLES = { asked_at: texts.requestedAt };

/**
 * The title of a kind of entry, and the kind with a title.
 * @param {string} kind
 */
const kindTitle = (kind) => consoleStrings.requests.kinds[kind] ?? strings.upper(kind.replaceAll("_", " "));
/** @param {string} title */
const kindOf = (title) =>
  Object.entries(consoleStrings.requests.kinds).find(([, text]) => text.toLowerCase() === title.toLowerCase())?.[0] ??
  title.toLowerCase().replaceAll(" ", "_");

/**
 * Formats a journal entry's details.
 * @param {Record<string, unknown>} data
 */
const entryText = (data) =>
  Object.entries(data)
    .filter(([name, value]) => value !== "" && value !== null && value !== false && !HIDDEN_FIELDS.has(name))
    .map(([name, value]) => {
      if (name === "cents") return dollars(Number(value));
      const text = typeof value === "object" ? JSON.stringify(value) : String(value);
      if (name === "role") return `${name}: ${(strings.roles[text] ?? text).toLowerCase()}`;
      const title = FIELD_TITLES[name] ?? name.replaceAll("_", " ");
      return `${title}: ${/_at$/.test(name) ? formatDateTime(Number(value)) : text}`;
    })
    .join(", ");

/** @param {readonly (readonly [string, string])[]} tableOptions */
export function journalPanel(tableOptions) {
  const output = h("div", {});
  const kinds = h("datalist", { id: "journal-kinds" });
  /** @type {Set<string>} */
  const kindNames = new Set();
  /** @param {Server.Gets["/api/journal"]["parameters"]} values */
  const load = async (values) => {
    const entries = await get("/api/journal", { ...values, last: 200 });
    for (const { kind } of entries) kindNames.add(kindTitle(kind));
    render(
      kinds,
      [...kindNames].sort().map((value) => h("option", { value })),
    );
    render(
      output,
      dataTable(
        [
          [texts.number, (entry) => String(entry.number), "number"],
          [texts.when, (entry) => formatDateTime(entry.at), "when"],
          [texts.kind, (entry) => kindTitle(entry.kind)],
          [texts.person, (entry) => [entry.by?.name, entry.second?.name].filter(Boolean).join(" + ")],
          [consoleStrings.table, (entry) => entry.table],
          [consoleStrings.patron, (entry) => entry.patron],
          [texts.details, (entry) => entryText(entry.data)],
        ],
        [...entries].reverse(),
        { caption: texts.journal },
      ),
    );
  };
  const form = filterForm(
    [
      { name: "kind", label: texts.kind, maxLength: 40, optional: true, list: kinds.id },
      {
        name: "table",
        label: consoleStrings.table,
        type: "select",
        options: [["", texts.everyTable], ...tableOptions],
        optional: true,
      },
      { name: "actor", label: texts.person, maxLength: 40, optional: true },
      { name: "since", label: texts.since, type: "datetime-local", optional: true },
      { name: "until", label: texts.until, type: "datetime-local", optional: true },
    ],
    texts.find,
    (values) =>
      load({
        kind: values.kind ? [kindOf(String(values.kind))] : undefined,
        table: String(values.table ?? ""),
        actor: String(values.actor ?? ""),
        since: values.since === null ? undefined : Number(values.since),
        until: values.until === null ? undefined : Number(values.until),
      }),
  );
  queueMicrotask(() => load({}).catch((error) => render(output, h("p", { class: "fault", text: messageOf(error) }))));
  return h("div", { class: "stack" }, form, kinds, output);
}
