// Records: any round of any table replayed, events searched, the audit, the journal, submissions to approve.

import { get } from "/static/api.js";
import { act, enter, field } from "/static/consoles.js";
import { $, h, put, tabs } from "/static/dom.js";
import { auditPanel } from "/static/records-audit.js";
import { journalPanel } from "/static/records-journal.js";
import { searchPanel } from "/static/records-search.js";
import { Replay } from "/static/replay.js";
import { submissionsPanel } from "/static/submissions.js";
import { said } from "/static/words-consoles.js";
import { words } from "/static/words.js";

const texts = said.records;
const content = $("#content");
const READS = ["surveillance", "regulator", "administrator"];
const SHOWN = 10;

class Records {
  constructor(person, tables) {
    const names = tables.map((one) => [one.table, texts.named(one.table, one.status)]);
    const editions = Object.fromEntries(tables.map((one) => [one.table, one.edition]));
    const entries = [
      ["rounds", texts.rounds, this.#rounds(names)],
      ["search", texts.search, searchPanel(names, editions, (table, round) => this.open(table, round))],
      READS.includes(person.role) ? ["audit", texts.audit, auditPanel(names, editions)] : null,
      ["journal", texts.journal, journalPanel(names)],
      ["submissions", texts.submissions, submissionsPanel(person).element],
    ].filter(Boolean);
    this.tabs = tabs(texts.title, entries);
    put(content, h("h1", { text: texts.title }), this.tabs.element);
    const asked = new URLSearchParams(location.search);
    if (asked.has("round")) this.open(asked.get("table"), Number(asked.get("round")));
  }

  #rounds(names) {
    this.shown = h("div", { class: "stack" });
    this.past = h("div", {});
    const table = field({ name: "table", label: said.table, type: "select", options: names });
    const number = field({ name: "round", label: texts.round, type: "number", least: 1, optional: true });
    this.pick = { table, number };
    const form = h(
      "form",
      { class: "filters", novalidate: true },
      table.element,
      number.element,
      h("div", { class: "field" }, h("button", { class: "main", text: texts.replay })),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      act(async () => {
        const wanted = number.read() ?? this.newest;
        if (wanted) await this.#show(table.input.value, wanted);
      });
    });
    table.input.addEventListener("change", () => {
      number.input.value = "";
      put(this.shown);
      this.#last();
    });
    queueMicrotask(() => this.#last());
    return h("div", { class: "stack" }, form, this.past, this.shown);
  }

  /** The last rounds of the table, one tap away. */
  async #last() {
    const table = this.pick.table.input.value;
    if (!table) return put(this.past, h("p", { class: "soft", text: texts.noTable }));
    const path = `/api/tables/${encodeURIComponent(table)}/rounds?last=${SHOWN}`;
    const rounds = await get(path).catch((error) => error);
    if (table !== this.pick.table.input.value) return null; // another one was chosen meanwhile
    if (rounds instanceof Error) return put(this.past, h("p", { class: "fault", role: "alert", text: rounds.message }));
    this.newest = rounds[0]?.round ?? 0;
    return put(
      this.past,
      rounds.length ? h(
        "div",
        { class: "row" },
        rounds.map(
          (round) => h(
            "button",
            {
              type: "button",
              class: round.void ? "void" : "",
              text: `${texts.short(round.round)}${round.void ? ` (${words.table.historyVoid})` : ""}`,
              onclick: () => this.open(table, round.round),
            },
          ),
        ),
        this.newest > SHOWN ? h("span", { class: "small soft", text: texts.olderByNumber }) : null,
      ) : h("p", { class: "soft", text: words.table.historyNone }),
    );
  }

  open(table, round) {
    return act(() => this.#show(table, round));
  }

  async #show(table, round) {
    const found = await get(`/api/tables/${encodeURIComponent(table)}/rounds/${round}/steps`);
    this.tabs.choose("rounds");
    this.pick.table.input.value = table;
    this.pick.number.input.value = round;
    this.#last();
    put(this.shown, new Replay(found, (other) => this.open(table, other)).element);
  }
}

const person = await enter(texts.title, [...READS, "shift_manager"]);
if (person) {
  const tables = await act(() => get("/api/records/tables"));
  if (tables) new Records(person, tables);
}
