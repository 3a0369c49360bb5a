// The house journal: who opened, invited, moved money, approved.

import { get } from "../lib/api.js";
import { dataTable } from "../lib/console.js";
import { formatDateTime } from "../lib/dates.js";
import { h, render } from "../lib/dom.js";
import { dollars } from "../lib/money.js";
import { filterForm, queryString } from "../lib/filter-form.js";
import { consoleStrings } from "../lib/console-strings.js";
import { strings } from "../lib/strings.js";

const texts = consoleStrings.records;

const HIDDEN_FIELDS = new Set(["request", "seq"]);
const FIELD_TITLES = { asked_at: texts.requestedAt };

/** The title of a kind of entry, and the kind with a title. */
const kindTitle = (kind) => consoleStrings.requests.kinds[kind] ?? strings.upper(kind.replaceAll("_", " "));
const kindOf = (title) =>
  Object.entries(consoleStrings.requests.kinds).find(([, text]) => text.toLowerCase() === title.toLowerCase())?.[0] ??
  title.toLowerCase().replaceAll(" ", "_");

/** Formats a journal entry's details. */
const entryText = (data) =>
  Object.entries(data)
    .filter(([name, value]) => value !== "" && value !== null && value !== false && !HIDDEN_FIELDS.has(name))
    .map(([name, value]) => {
      if (name === "cents") return dollars(value);
      if (name === "role") return `${name}: ${(strings.roles[value] ?? value).toLowerCase()}`;
      return `${FIELD_TITLES[name] ?? name.replaceAll("_", " ")}: ${/_at$/.test(name) ? formatDateTime(value) : value}`;
    })
    .join(", ");

export function journalPanel(tableOptions) {
  const output = h("div", {});
  const kinds = h("datalist", { id: "journal-kinds" });
  const kindNames = new Set();
  const load = async (values) => {
    const entries = await get(`/api/journal?${queryString({ ...values, last: 200 })}`);
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
    (values) => load({ ...values, kind: kindOf(values.kind) }),
  );
  queueMicrotask(() => load({}).catch((error) => render(output, h("p", { class: "fault", text: error.message }))));
  return h("div", { class: "stack" }, form, kinds, output);
}
