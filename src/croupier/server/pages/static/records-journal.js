// The journal of the house: who opened, invited, moved money, approved.

import { get } from "/static/api.js";
import { grid, moment } from "/static/consoles.js";
import { dollars, h, put } from "/static/dom.js";
import { formOf, query } from "/static/filters.js";
import { said } from "/static/words-consoles.js";
import { words } from "/static/words.js";

const texts = said.records;

const FOR_PROGRAMS = new Set(["request", "seq"]);

/** What an entry of the journal says, with amounts and times as people write them. */
const entryText = (data) =>
  Object.entries(data)
    .filter(([name, value]) => value !== "" && value !== null && value !== false && !FOR_PROGRAMS.has(name))
    .map(([name, value]) => {
      if (name === "cents") return dollars(value);
      if (name === "role") return `${name}: ${(words.roles[value] ?? value).toLowerCase()}`;
      return `${name.replaceAll("_", " ")}: ${/_at$/.test(name) ? moment(value) : value}`;
    })
    .join(", ");

export function journalPanel(names) {
  const results = h("div", {});
  const kinds = h("datalist", { id: "journal-kinds" });
  const known = new Set();
  const show = async (values) => {
    const entries = await get(`/api/journal?${query({ ...values, last: 200 })}`);
    for (const { kind } of entries) known.add(kind.replaceAll("_", " "));
    put(kinds, [...known].sort().map((value) => h("option", { value })));
    put(
      results,
      grid(
        [
          [texts.number, (one) => String(one.number), "number"],
          [texts.when, (one) => moment(one.at), "when"],
          [texts.kind, (one) => one.kind.replaceAll("_", " ")],
          [texts.person, (one) => [one.by?.name, one.second?.name].filter(Boolean).join(" + ")],
          [said.table, (one) => one.table],
          [said.patron, (one) => one.patron],
          [texts.what, (one) => entryText(one.data)],
        ],
        [...entries].reverse(),
        { caption: texts.journal },
      ),
    );
  };
  const form = formOf(
    [
      { name: "kind", label: texts.kind, longest: 40, optional: true, list: kinds.id },
      {
        name: "table",
        label: said.table,
        type: "select",
        options: [["", texts.everyTable], ...names],
        optional: true,
      },
      { name: "actor", label: texts.person, longest: 40, optional: true },
      { name: "since", label: texts.since, type: "datetime-local", optional: true },
      { name: "until", label: texts.until, type: "datetime-local", optional: true },
    ],
    texts.find,
    (values) => show({ ...values, kind: values.kind.replaceAll(" ", "_") }),
  );
  queueMicrotask(() => show({}).catch((error) => put(results, h("p", { class: "fault", text: error.message }))));
  return h("div", { class: "stack" }, form, kinds, results);
}
