// Records: replay of any round of any table, event search, audit, journal, Rules Submissions.

import { get } from "../lib/api.js";
import { runAction, requireRole, field } from "../lib/console.js";
import { $, h, render, tabs } from "../lib/dom.js";
import { auditPanel } from "./audit.js";
import { journalPanel } from "./journal.js";
import { searchPanel } from "./search.js";
import { Replay } from "../lib/replay.js";
import { submissionsPanel } from "../office/submissions.js";
import { consoleStrings } from "../lib/console-strings.js";
import { strings } from "../lib/strings.js";

const texts = consoleStrings.records;
const content = $("#content");
const AUDIT_ROLES = ["surveillance", "regulator", "administrator"];
const ROUNDS_SHOWN = 10;

class RecordsConsole {
  constructor(person, tables) {
    const tableOptions = tables.map((table) => [table.table, texts.tableLabel(table.table, table.status)]);
    const editions = Object.fromEntries(tables.map((table) => [table.table, table.edition]));
    const entries = [
      ["rounds", texts.rounds, this.#rounds(tableOptions)],
      ["search", texts.search, searchPanel(tableOptions, editions, (table, round) => this.open(table, round))],
      AUDIT_ROLES.includes(person.role) ? ["audit", texts.audit, auditPanel(tableOptions, editions)] : null,
      ["journal", texts.journal, journalPanel(tableOptions)],
      ["submissions", texts.submissions, submissionsPanel(person).element],
    ].filter(Boolean);
    this.tabs = tabs(texts.title, entries);
    render(content, h("h1", { text: texts.title }), this.tabs.element);
    const parameters = new URLSearchParams(location.search);
    if (parameters.has("round")) this.open(parameters.get("table"), Number(parameters.get("round")));
  }

  #rounds(tableOptions) {
    this.replayPanel = h("div", { class: "stack" });
    this.recentRounds = h("div", {});
    const table = field({ name: "table", label: consoleStrings.table, type: "select", options: tableOptions });
    const number = field({ name: "round", label: texts.round, type: "number", min: 1, optional: true });
    this.filters = { table, number };
    const form = h(
      "form",
      { class: "filters", novalidate: true },
      table.element,
      number.element,
      h("div", { class: "field" }, h("button", { class: "main", text: texts.replay })),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      runAction(async () => {
        const roundNumber = number.read() ?? this.newest;
        if (roundNumber) await this.#show(table.input.value, roundNumber);
      });
    });
    table.input.addEventListener("change", () => {
      number.input.value = "";
      render(this.replayPanel);
      this.#loadRecentRounds();
    });
    queueMicrotask(() => this.#loadRecentRounds());
    return h("div", { class: "stack" }, form, this.recentRounds, this.replayPanel);
  }

  /** Loads buttons for the table's recent rounds. */
  async #loadRecentRounds() {
    const table = this.filters.table.input.value;
    if (!table) return render(this.recentRounds, h("p", { class: "soft", text: texts.noTable }));
    const path = `/api/tables/${encodeURIComponent(table)}/rounds?last=${ROUNDS_SHOWN}`;
    const rounds = await get(path).catch((error) => error);
    if (table !== this.filters.table.input.value) return null; // another table was chosen in the meantime
    if (rounds instanceof Error)
      return render(this.recentRounds, h("p", { class: "fault", role: "alert", text: rounds.message }));
    this.newest = rounds[0]?.round ?? 0;
    return render(
      this.recentRounds,
      rounds.length
        ? h(
            "div",
            { class: "row" },
            rounds.map((round) =>
              h("button", {
                type: "button",
                class: round.void ? "void" : "",
                text: `${texts.short(round.round)}${round.void ? ` (${strings.table.historyVoid})` : ""}`,
                onclick: () => this.open(table, round.round),
              }),
            ),
            this.newest > ROUNDS_SHOWN ? h("span", { class: "small soft", text: texts.olderByNumber }) : null,
          )
        : h("p", { class: "soft", text: strings.table.historyNone }),
    );
  }

  open(table, round) {
    return runAction(() => this.#show(table, round));
  }

  async #show(table, round) {
    const replay = await get(`/api/tables/${encodeURIComponent(table)}/rounds/${round}/steps`);
    this.tabs.choose("rounds");
    this.filters.table.input.value = table;
    this.filters.number.input.value = round;
    this.#loadRecentRounds();
    render(this.replayPanel, new Replay(replay, (number) => this.open(table, number)).element);
  }
}

const person = await requireRole(texts.title, [...AUDIT_ROLES, "shift_manager"]);
if (person) {
  const tables = await runAction(() => get("/api/records/tables"));
  if (tables) new RecordsConsole(person, tables);
}
