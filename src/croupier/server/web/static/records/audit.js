// The audit of a table's record, and the record to download.

import { get } from "../lib/api.js";
import { dataTable, field, runAction } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { h, render } from "../lib/dom.js";
import { clauseRef } from "../lib/shell.js";

const texts = consoleStrings.records;

/**
 * @param {readonly (readonly [string, string])[]} names
 * @param {Record<string, string>} editions
 */
export function auditPanel(names, editions) {
  const output = h("div", { class: "stack" });
  const table = field({ name: "table", label: consoleStrings.table, type: "select", options: names });
  const link = h("a", { class: "button", download: "", text: texts.download });
  const updateLink = () => {
    link.href = `/api/tables/${encodeURIComponent(table.input.value)}/record`;
    link.download = `${table.input.value}.jsonl`;
  };
  updateLink();
  table.input.addEventListener("change", updateLink);
  const form = h(
    "form",
    { class: "filters" },
    table.element,
    h("div", { class: "field row" }, h("button", { class: "main", text: texts.runAudit }), link),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    render(output, h("p", { role: "status", text: texts.auditing }));
    const name = table.input.value;
    const report = await runAction(() => get("/api/tables/{table}/audit", { table: name }));
    render(output, report && report !== true ? auditResults(editions[name], report) : null);
  });
  return h("div", { class: "stack" }, h("p", { class: "soft", text: texts.auditIntro }), form, output);
}

/**
 * @param {string} edition
 * @param {Server.AuditReport} report
 */
function auditResults(edition, report) {
  const clean = !report.problems.length;
  return [
    h("p", {
      class: `verdict ${clean ? "good" : "bad"}`,
      role: "status",
      text: clean ? texts.clean(report.events, report.rounds) : texts.problems(report.problems.length),
    }),
    report.problems.length
      ? dataTable(
          [
            [texts.number, (row) => String(row.seq), "number"],
            [texts.clause, (row) => clauseRef(edition, row.clause) ?? ""],
            [texts.details, (row) => row.message],
          ],
          report.problems,
          { caption: texts.findings },
        )
      : null,
    report.corrections.length
      ? dataTable(
          [
            [texts.number, (row) => String(row.seq), "number"],
            [texts.clause, (row) => clauseRef(edition, row.clause) ?? ""],
            [texts.details, (row) => row.message],
          ],
          report.corrections,
          { caption: texts.corrections },
        )
      : null,
    dataTable(
      [
        [texts.check, (row) => row.check],
        [texts.findings, (row) => String(row.problems), "number"],
      ],
      report.checked,
      { caption: texts.checked },
    ),
    report.notes.length
      ? h(
          "ul",
          { class: "small soft" },
          report.notes.map((note) => h("li", { text: note })),
        )
      : null,
  ];
}
