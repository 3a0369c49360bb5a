// Records: any round replayed, events searched, the audit of a table, the journal of the house, submissions to approve.

import { get } from "/static/api.js";
import { act, enter, field, grid, moment, momentOf, told } from "/static/consoles.js";
import { $, dollars, h, put, tabs } from "/static/dom.js";
import { Replay } from "/static/replay.js";
import { clauseRef } from "/static/shell.js";
import { submissionsPanel } from "/static/submissions.js";
import { said } from "/static/words-consoles.js";
import { words } from "/static/words.js";

const texts = said.records;
const content = $("#content");
const READS = ["surveillance", "regulator", "administrator"];

/** A form whose fields are read together: [element, values()]. */
function formOf(wanted, button, go) {
  const made = wanted.map(field);
  const fault = h("p", { class: "fault", role: "alert" });
  const form = h(
    "form",
    { class: "filters", novalidate: true },
    made.map((one) => one.element),
    h("div", { class: "field" }, h("button", { class: "main", text: button })),
    fault,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fault.textContent = "";
    try {
      const values = Object.fromEntries(
        made.map((one) => [one.name, one.input.type === "datetime-local" ? momentOf(one.input) : one.read()]),
      );
      await go(values);
    } catch (error) {
      fault.textContent = error.message;
    }
  });
  return form;
}

const query = (values) => {
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value) found.append(name, value);
  return found.toString();
};

/** What an entry of the journal says, with amounts and times as people write them. */
const entryText = (data) =>
  Object.entries(data)
    .filter(([, value]) => value !== "" && value !== null)
    .map(([name, value]) => {
      if (name === "cents") return dollars(value);
      return `${name.replaceAll("_", " ")}: ${/_at$/.test(name) ? moment(value) : value}`;
    })
    .join(", ");

class Records {
  constructor(person, tables) {
    this.person = person;
    this.tables = tables;
    this.names = tables.map((one) => [one.table, one.table]);
    this.editions = Object.fromEntries(tables.map((one) => [one.table, one.edition]));
    const reads = READS.includes(person.role);
    const entries = [
      ["rounds", texts.rounds, this.#rounds()],
      ["search", texts.search, this.#search()],
      reads ? ["audit", texts.audit, this.#audit()] : null,
      ["journal", texts.journal, this.#journal()],
      ["submissions", texts.submissions, submissionsPanel(person).element],
    ].filter(Boolean);
    this.tabs = tabs(texts.title, entries);
    put(content, h("h1", { text: texts.title }), this.tabs.element);
    const asked = new URLSearchParams(location.search);
    if (asked.has("round")) this.open(asked.get("table"), Number(asked.get("round")));
  }

  #rounds() {
    this.shown = h("div", { class: "stack" });
    this.past = h("div", {});
    const table = field({ name: "table", label: said.table, type: "select", options: this.names });
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
      const wanted = number.input.value.trim() ? Number(number.input.value) : (this.tables.find(
        (one) => one.table === table.input.value,
      )?.round ?? 0);
      this.open(table.input.value, wanted);
    });
    table.input.addEventListener("change", () => this.#last());
    queueMicrotask(() => this.#last());
    return h("div", { class: "stack" }, form, this.past, this.shown);
  }

  /** The last rounds of the table, one tap away. */
  async #last() {
    const table = this.pick.table.input.value;
    if (!table) return;
    const rounds = await get(`/api/tables/${encodeURIComponent(table)}/rounds?last=10`).catch(() => []);
    put(
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
      ) : h("p", { class: "soft", text: words.table.historyNone }),
    );
  }

  async open(table, round) {
    const found = await act(() => get(`/api/tables/${encodeURIComponent(table)}/rounds/${round}/steps`));
    if (!found) return;
    this.tabs.choose("rounds");
    this.pick.table.input.value = table;
    this.pick.number.input.value = round;
    this.#last();
    put(this.shown, new Replay(found).element);
  }

  #search() {
    const results = h("div", {});
    const form = formOf(
      [
        {
          name: "table",
          label: said.table,
          type: "select",
          options: [["", texts.everyTable], ...this.names],
          optional: true,
        },
        { name: "since", label: texts.since, type: "datetime-local", optional: true },
        { name: "until", label: texts.until, type: "datetime-local", optional: true },
        { name: "seat", label: texts.seat, type: "number", least: 1, optional: true },
        { name: "at_least_cents", label: texts.atLeast, type: "dollars", optional: true },
        {
          name: "kind",
          label: texts.kind,
          type: "select",
          options: [["", texts.anyKind], ...texts.kinds],
          optional: true,
        },
        { name: "actor", label: texts.person, longest: 40, optional: true },
        { name: "round", label: texts.round, type: "number", least: 1, optional: true },
      ],
      texts.find,
      async ({ table, ...values }) => {
        const wanted = table ? [table] : this.names.map(([name]) => name);
        const kinds = values.kind ? values.kind.split(" ") : [];
        const asked = query({ ...values, kind: "" }) + kinds.map((kind) => `&kind=${kind}`).join("");
        const found = await Promise.all(
          wanted.map(
            (name) => get(`/api/tables/${encodeURIComponent(name)}/events?${asked}`).then(
              (answer) => answer.events.map((event) => ({ ...event, table: name })),
            ),
          ),
        );
        const events = found.flat().sort((a, b) => b.at - a.at || b.seq - a.seq);
        put(
          results,
          h("p", { class: "small soft", role: "status", text: texts.found(events.length) }),
          this.#events(events.slice(0, 500)),
        );
      },
    );
    return h("div", { class: "stack" }, form, results);
  }

  #events = (events) =>
    grid(
      [
        [texts.when, (one) => moment(one.at)],
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
              onclick: () => this.open(one.table, one.round),
            },
          ) : ""),
          "number",
        ],
        [texts.what, (one) => told(one, this.editions[one.table])],
        [texts.person, (one) => one.by?.name ?? ""],
        [texts.number, (one) => String(one.seq), "number"],
      ],
      events,
      { empty: texts.noEvent, caption: texts.search },
    );

  #audit() {
    const results = h("div", { class: "stack" });
    const table = field({ name: "table", label: said.table, type: "select", options: this.names });
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
      put(results, found ? this.#audited(name, found) : null);
    });
    return h("div", { class: "stack" }, h("p", { class: "soft", text: texts.auditIntro }), form, results);
  }

  #audited(table, found) {
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
          [texts.clause, (one) => clauseRef(this.editions[table], one.clause) ?? ""],
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

  #journal() {
    const results = h("div", {});
    const show = async (values) => {
      const entries = await get(`/api/journal?${query({ ...values, last: 200 })}`);
      put(
        results,
        grid(
          [
            [texts.number, (one) => String(one.number), "number"],
            [texts.when, (one) => moment(one.at)],
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
        { name: "kind", label: texts.kind, longest: 40, optional: true },
        {
          name: "table",
          label: said.table,
          type: "select",
          options: [["", texts.everyTable], ...this.names],
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
    return h("div", { class: "stack" }, form, results);
  }
}

const person = await enter(texts.title, [...READS, "shift_manager"]);
if (person) {
  const tables = await act(() => get("/api/tables"));
  if (tables) new Records(person, tables === true ? [] : tables);
}
