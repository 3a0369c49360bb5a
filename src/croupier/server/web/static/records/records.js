// Records: replay of any round of any table, event search, audit, journal, Rules Submissions.

import { get, messageOf } from "../lib/api.js";
import { field, requireRole, runAction } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { $, h, render, tabs } from "../lib/dom.js";
import { Replay } from "../lib/replay.js";
import { strings } from "../lib/strings.js";
import { submissionsPanel } from "../office/submissions.js";
import { auditPanel } from "./audit.js";
import { journalPanel } from "./journal.js";
import { searchPanel } from "./search.js";

const texts = consoleStrings.records;
const content = $("#content");
/** @type {string[]} */
const AUDIT_ROLES = ["surveillance", "regulator", "administrator"];
const ROUNDS_SHOWN = 10;

class RecordsConsole {
  /**
   * @param {Server.PersonResponse} person
   * @param {readonly Server.HistoricTableEntry[]} tables
   */
  constructor(person, tables) {
    /** @type {[string, string][]} */
    const tableOptions = tables.map((table) => [table.table, texts.tableLabel(table.table, table.status)]);
    const editions = Object.fromEntries(tables.map((table) => [table.table, table.edition]));
    this.newest = 0;
    this.replayPanel = h("div", { class: "stack" });
    this.recentRounds = h("div", {});
    this.filters = {
      table: field({ name: "table", label: consoleStrings.table, type: "select", options: tableOptions }),
      number: field({ name: "round", label: texts.round, type: "number", min: 1, optional: true }),
    };
    /** @type {[name: string, title: string, panel: HTMLElement][]} */
    const entries = [
      ["rounds", texts.rounds, this.#rounds()],
      ["search", texts.search, searchPanel(tableOptions, editions, (table, round) => this.open(table, round))],
      ["journal", texts.journal, journalPanel(tableOptions)],
      ["submissions", texts.submissions, submissionsPanel(person).element],
    ];
    if (AUDIT_ROLES.includes(person.role))
      entries.splice(2, 0, ["audit", texts.audit, auditPanel(tableOptions, editions)]);
    this.tabs = tabs(texts.title, entries);
    render(content, h("h1", { text: texts.title }), this.tabs.element);
    const parameters = new URLSearchParams(location.search);
    if (parameters.has("round")) this.open(parameters.get("table") ?? "", Number(parameters.get("round")));
  }

  #rounds() {
    const { table, number } = this.filters;
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
        const roundNumber = Number(number.read() ?? this.newest);
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
    const rounds = await get("/api/tables/{table}/rounds", { table, last: ROUNDS_SHOWN }).catch(messageOf);
    if (table !== this.filters.table.input.value) return null; // another table was chosen in the meantime
    if (typeof rounds === "string")
      return render(this.recentRounds, h("p", { class: "fault", role: "alert", text: rounds }));
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

  /**
   * @param {string} table
   * @param {number} round
   */
  open(table, round) {
    return runAction(() => this.#show(table, round));
  }

  /**
   * @param {string} table
   * @param {number} round
   */
  async #show(table, round) {
    const replay = await get("/api/tables/{table}/rounds/{number}/steps", { table, number: round });
    this.tabs.choose("rounds");
    this.filters.table.input.value = table;
    this.filters.number.input.value = String(round);
    this.#loadRecentRounds();
    render(this.replayPanel, new Replay(replay, (number) => this.open(table, number)).element);
  }
}

const person = await requireRole(texts.title, [...AUDIT_ROLES, "shift_manager"]);
if (person) {
  const tables = await runAction(() => get("/api/records/tables"));
  if (tables && tables !== true) new RecordsConsole(person, tables);
}
