// The floor console: every table at a glance, what waits for the floor with one tap to do it, and orders to tables.

import { Table, get, post } from "/static/api.js";
import { act, askFor, enter, keepLooking } from "/static/consoles.js";
import { correctPayment } from "/static/floor-correct.js";
import { glance } from "/static/floor-glance.js";
import { $, dialog, h, put } from "/static/dom.js";
import { Requests, askForMoney, kindsFor } from "/static/requests.js";
import { clauseRef } from "/static/shell.js";
import { said } from "/static/words-consoles.js";

const texts = said.floor;
const EVERY = 2000;
const content = $("#content");

class Floor {
  constructor(person) {
    this.person = person;
    this.text = "";
    this.waits = h("ul", { class: "waits", "aria-live": "polite" });
    this.tables = h("ul", { class: "glances" });
    this.requests = new Requests(person, { changed: () => this.refresh() });
    put(
      content,
      h("h1", { text: texts.title }),
      h(
        "div",
        { class: "columns" },
        h(
          "div",
          { class: "stack" },
          h(
            "section",
            { class: "panel", "aria-labelledby": "waits-title" },
            h("h2", { id: "waits-title", text: texts.waits }),
            this.waits,
          ),
          this.tables,
        ),
        h("div", { class: "stack" }, this.requests.element),
      ),
    );
  }

  async refresh() {
    const [{ now, tables }] = await Promise.all([get("/api/floor"), this.requests.refresh()]);
    const text = JSON.stringify(tables) + Math.floor(now / 60_000);
    if (text === this.text || document.querySelector("dialog[open]")) return;
    this.text = text;
    const order = [...tables].sort(
      (a, b) => b.waits.length - a.waits.length || (a.mode === "electronic") - (b.mode === "electronic"),
    );
    const focused = document.activeElement?.dataset?.focus;
    put(this.waits, this.#waiting(order));
    put(this.tables, order.map((table) => glance(table, now, () => this.#orders(table))));
    if (focused) this.tables.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  }

  #waiting(tables) {
    const found = tables.flatMap((table) => {
      let absences = 0;
      const lines = table.waits.map(
        (wait) => this.#wait(table, wait, wait.command === "DecideOnAbsence" ? table.absent[absences++] : ""),
      );
      if (table.clock?.over && table.mode === "staffed") lines.push(
        this.#line(
          table,
          texts.timeOver(table.clock.seat, table.clock.what),
          "",
          h("button", { type: "button", text: texts.decide, onclick: () => this.#decide(table) }),
        ),
      );
      return lines;
    });
    return found.length ? found : h("li", { class: "soft", text: texts.nothing });
  }

  #line(table, text, clause, button) {
    return h(
      "li",
      {},
      h("div", {}, h("strong", { text: table.table }), h("p", {}, text, " ", clauseRef(table.edition, clause))),
      button,
    );
  }

  #wait(table, wait, patron) {
    const send = (values) => this.#send(table, wait.command, values);
    const ways = {
      VerifyInspection: () => send({ deck: wait.deck }),
      ValidateWin: async () => {
        const refused = await this.#try(table, "ValidateWin", { seat: wait.seat });
        if (refused) await this.#ask(
          table,
          texts.does.ValidateWin,
          [{ name: "reason", label: said.reason }],
          "ValidateWin",
          { seat: wait.seat },
          refused,
        );
      },
      ResolveChipCount: () => this.#ask(
        table,
        texts.does.ResolveChipCount,
        [{ name: "reason", label: texts.resolved }],
        "ResolveChipCount",
      ),
      CompleteDocuments: () => this.#ask(
        table,
        texts.does.CompleteDocuments,
        [{ name: "reference", label: texts.reference }],
        "CompleteDocuments",
        { seat: wait.seat },
      ),
      DecideOnAbsence: () =>
        this.#ask(
          table,
          texts.absence(patron),
          [
            {
              name: "abandoned",
              label: texts.outcome,
              type: "select",
              options: [["yes", texts.abandoned], ["no", texts.playedOut]],
            },
            { name: "reason", label: said.reason },
          ],
          "DecideOnAbsence",
          { patron },
          "",
          (found) => ({ abandoned: found.abandoned === "yes", reason: found.reason }),
        ),
    };
    return this.#line(
      table,
      wait.text,
      wait.clause,
      h(
        "button",
        {
          type: "button",
          class: "main",
          text: texts.does[wait.command] ?? said.go,
          onclick: ways[wait.command] ?? (() => send({})),
        },
      ),
    );
  }

  /** Everything that the floor may order at a table. */
  #orders(table) {
    const staffed = table.mode === "staffed";
    const choices = [
      table.can_recut ? [
        texts.recut,
        () => this.#ask(table, texts.recut, [{ name: "reason", label: said.reason }], "OrderRecut"),
      ] : null,
      table.in_round ? null : [
        texts.shuffle,
        () => this.#ask(table, texts.shuffle, [{ name: "reason", label: said.reason }], "OrderShuffle"),
      ],
      table.in_round ? [texts.decide, () => this.#decide(table)] : null,
      [texts.correct, () => correctPayment(table, () => this.refresh())],
      table.out_of_order ? [texts.restore, () => this.#send(table, "RestoreDevice", {})] : null,
      table.phase === "closed" ? null : [
        texts.close,
        () => this.#ask(table, texts.close, [], "CloseTable", {}, texts.closeAsk),
      ],
      table.phase === "closed" && this.person.role === "shift_manager" ? [texts.retire, () => this.#retire(table)] : null,
      ...(
        staffed ? kindsFor(this.person.role).map(
          (kind) => [
            said.requests.kinds[kind],
            () => askForMoney(kind, { table: table.table, after: () => this.refresh() }),
            said.requests.means[kind],
          ],
        ) : []
      ),
    ].filter(Boolean);
    const box = dialog(
      texts.ordersOf(table.table),
      h(
        "div",
        { class: "taps" },
        choices.map(
          ([text, work, means]) => h(
            "button",
            { type: "button", onclick: () => (box.close(), work()) },
            h(
              "span",
              { class: "explained" },
              h("span", { text }),
              means ? h("span", { class: "small soft", text: means }) : null,
            ),
          ),
        ),
      ),
    );
  }

  /** Closes an empty table for good. */
  async #retire(table) {
    await askFor(
      `${table.table}: ${texts.retire}`,
      [],
      {
        button: texts.retire,
        intro: texts.retireAsk,
        go: () => post(`/api/tables/${encodeURIComponent(table.table)}/retire`, {}),
      },
    );
    await this.refresh().catch(() => {});
  }

  #decide(table) {
    return this.#ask(
      table,
      texts.decide,
      [
        {
          name: "outcome",
          label: texts.outcome,
          type: "select",
          options: [["continue", texts.continue], ["void", texts.voids]],
        },
        { name: "reason", label: said.reason },
      ],
      "DecideOnTheFloor",
      {},
      texts.decideHint,
    );
  }

  async #send(table, command, values) {
    await act(() => this.#at(table).command(command, values), texts.done);
    await this.refresh().catch(() => {});
  }

  /** Tries a command; gives the sentence where a rule refuses it. */
  async #try(table, command, values) {
    let refused = "";
    await act(async () => {
      try {
        await this.#at(table).command(command, values);
      } catch (error) {
        if (error.status !== 422) throw error;
        refused = error.message;
      }
    });
    await this.refresh().catch(() => {});
    return refused;
  }

  async #ask(table, title, fields, command, fixed = {}, intro = "", read = (found) => found) {
    await askFor(
      `${table.table}: ${title}`,
      fields,
      {
        button: title,
        intro,
        go: (found) => this.#at(table).command(command, { ...fixed, ...read(found) }, { still: () => true }),
      },
    );
    await this.refresh().catch(() => {});
  }

  #at(table) {
    const made = new Table(table.table);
    made.seq = table.seq;
    return made;
  }
}

const person = await enter(texts.title, ["floorperson", "shift_manager"]);
if (person) {
  const floor = new Floor(person);
  keepLooking(() => floor.refresh(), EVERY);
}
