// The record of a table replayed and checked, and the record itself to take away.

import { get } from "/static/api.js";
import { act, field, grid } from "/static/consoles.js";
import { h, put } from "/static/dom.js";
import { clauseRef } from "/static/shell.js";
import { said } from "/static/words-consoles.js";

const texts = said.records;

export function auditPanel(names, editions) {
  const results = h("div", { class: "stack" });
  const table = field({ name: "table", label: said.table, type: "select", options: names });
  const link = h("a", { class: "button", download: "", text: texts.download });
  const aim = () => {
    link.href = `/api/tables/${encodeURIComponent(table.input.value)}/record`;
    link.download = `${table.input.value}.jsonl`;
  };
  aim();
  table.input.addEventListener("change", aim);
  const form = h(
    "form",
    { class: "filters" },
    table.element,
    h("div", { class: "field row" }, h("button", { class: "main", text: texts.runAudit }), link),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    put(results, h("p", { role: "status", text: texts.auditing }));
    const name = table.input.value;
    const found = await act(() => get(`/api/tables/${encodeURIComponent(name)}/audit`));
    put(results, found ? audited(editions[name], found) : null);
  });
  return h("div", { class: "stack" }, h("p", { class: "soft", text: texts.auditIntro }), form, results);
}

function audited(edition, found) {
  const good = !found.problems.length;
  return [
    h(
      "p",
      {
        class: `verdict ${good ? "good" : "bad"}`,
        role: "status",
        text: good ? texts.clean(found.events, found.rounds) : texts.problems(found.problems.length),
      },
    ),
    found.problems.length ? grid(
      [
        [texts.number, (one) => String(one.seq), "number"],
        [texts.clause, (one) => clauseRef(edition, one.clause) ?? ""],
        [texts.what, (one) => one.message],
      ],
      found.problems,
      { caption: texts.findings },
    ) : null,
    grid(
      [[texts.check, (one) => one.check], [texts.findings, (one) => String(one.problems), "number"]],
      found.checked,
      { caption: texts.checked },
    ),
    found.notes.length ? h("ul", { class: "small soft" }, found.notes.map((note) => h("li", { text: note }))) : null,
  ];
}
