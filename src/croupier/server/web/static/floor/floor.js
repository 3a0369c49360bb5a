// The floor console: every table at a glance, the to-do list, and orders to tables.

import { TableClient, get, post } from "../lib/api.js";
import { runAction, formDialog, requireRole, poll } from "../lib/console.js";
import { correctPayment } from "./correction.js";
import { tableSummary } from "./table-summary.js";
import { $, dialog, h, render } from "../lib/dom.js";
import { ApprovalsPanel, requestMovement, requestKinds } from "../lib/approvals.js";
import { clauseRef } from "../lib/shell.js";
import { consoleStrings } from "../lib/console-strings.js";

const texts = consoleStrings.floor;
const REFRESH_MS = 2000;
const content = $("#content");

class FloorConsole {
  constructor(person) {
    this.person = person;
    this.drawn = "";
    this.todoList = h("ul", { class: "waits", "aria-live": "polite" });
    this.tables = h("ul", { class: "glances" });
    this.requests = new ApprovalsPanel(person, { changed: () => this.refresh() });
    render(
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
            h("h2", { id: "waits-title", text: texts.todo }),
            this.todoList,
          ),
          this.tables,
        ),
        h("div", { class: "stack" }, this.requests.element),
      ),
    );
  }

  async refresh() {
    const [{ now, tables }] = await Promise.all([get("/api/floor"), this.requests.refresh()]);
    const drawn = JSON.stringify(tables) + Math.floor(now / 60_000);
    if (drawn === this.drawn || document.querySelector("dialog[open]")) return;
    this.drawn = drawn;
    const sorted = [...tables].sort(
      (a, b) => b.waits.length - a.waits.length || (a.mode === "electronic") - (b.mode === "electronic"),
    );
    const focused = document.activeElement?.dataset?.focus;
    render(this.todoList, this.#todoItems(sorted));
    render(
      this.tables,
      sorted.map((table) => tableSummary(table, now, () => this.#orders(table))),
    );
    if (focused) this.tables.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  }

  #todoItems(tables) {
    const items = tables.flatMap((table) => {
      let absences = 0;
      const lines = table.waits.map((wait) =>
        this.#todoItem(table, wait, wait.command === "DecideOnAbsence" ? table.absent[absences++] : ""),
      );
      if (table.clock?.over && table.mode === "staffed")
        lines.push(
          this.#todoLine(
            table,
            texts.timeOver(table.clock.seat, table.clock.what),
            "",
            h("button", { type: "button", text: texts.decide, onclick: () => this.#decide(table) }),
          ),
        );
      return lines;
    });
    return items.length ? items : h("li", { class: "soft", text: texts.nothing });
  }

  #todoLine(table, text, clause, button) {
    return h(
      "li",
      {},
      h("div", {}, h("strong", { text: table.table }), h("p", {}, text, " ", clauseRef(table.edition, clause))),
      button,
    );
  }

  #todoItem(table, wait, patron) {
    const send = (values) => this.#send(table, wait.command, values);
    const handlers = {
      VerifyInspection: () => send({ deck: wait.deck }),
      ValidateWin: async () => {
        const reason = await this.#try(table, "ValidateWin", { seat: wait.seat });
        if (reason)
          await this.#openForm(
            table,
            texts.buttonTexts.ValidateWin,
            [{ name: "reason", label: consoleStrings.reason }],
            "ValidateWin",
            { seat: wait.seat },
            reason,
          );
      },
      ResolveChipCount: () =>
        this.#openForm(
          table,
          texts.buttonTexts.ResolveChipCount,
          [{ name: "reason", label: texts.resolved }],
          "ResolveChipCount",
        ),
      CompleteDocuments: () =>
        this.#openForm(
          table,
          texts.buttonTexts.CompleteDocuments,
          [{ name: "reference", label: texts.reference }],
          "CompleteDocuments",
          { seat: wait.seat },
        ),
      DecideOnAbsence: () =>
        this.#openForm(
          table,
          texts.absence(patron),
          [
            {
              name: "abandoned",
              label: texts.outcome,
              type: "select",
              options: [
                ["yes", texts.abandoned],
                ["no", texts.playedOut],
              ],
            },
            { name: "reason", label: consoleStrings.reason },
          ],
          "DecideOnAbsence",
          { patron },
          "",
          (entered) => ({ abandoned: entered.abandoned === "yes", reason: entered.reason }),
        ),
    };
    return this.#todoLine(
      table,
      wait.text,
      wait.clause,
      h("button", {
        type: "button",
        class: "main",
        text: texts.buttonTexts[wait.command] ?? consoleStrings.go,
        onclick: handlers[wait.command] ?? (() => send({})),
      }),
    );
  }

  /** Opens the orders that the floor can give a table. */
  #orders(table) {
    const staffed = table.mode === "staffed";
    const choices = [
      table.can_recut
        ? [
            texts.recut,
            () => this.#openForm(table, texts.recut, [{ name: "reason", label: consoleStrings.reason }], "OrderRecut"),
          ]
        : null,
      table.in_round
        ? null
        : [
            texts.shuffle,
            () =>
              this.#openForm(table, texts.shuffle, [{ name: "reason", label: consoleStrings.reason }], "OrderShuffle"),
          ],
      table.in_round ? [texts.decide, () => this.#decide(table)] : null,
      [texts.correct, () => correctPayment(table, () => this.refresh())],
      table.out_of_order ? [texts.restore, () => this.#send(table, "RestoreDevice", {})] : null,
      table.phase === "closed"
        ? null
        : [texts.close, () => this.#openForm(table, texts.close, [], "CloseTable", {}, texts.closeAsk)],
      table.phase === "closed" && this.person.role === "shift_manager"
        ? [texts.retire, () => this.#retire(table)]
        : null,
      ...(staffed
        ? requestKinds(this.person.role).map((kind) => [
            consoleStrings.requests.kinds[kind],
            () => requestMovement(kind, { table: table.table, after: () => this.refresh() }),
            consoleStrings.requests.descriptions[kind],
          ])
        : []),
    ].filter(Boolean);
    const box = dialog(
      texts.ordersOf(table.table),
      h(
        "div",
        { class: "taps" },
        choices.map(([text, action, explanation]) =>
          h(
            "button",
            { type: "button", onclick: () => (box.close(), action()) },
            h(
              "span",
              { class: "explained" },
              h("span", { text }),
              explanation ? h("span", { class: "small soft", text: explanation }) : null,
            ),
          ),
        ),
      ),
    );
  }

  /** Retires an empty table. */
  async #retire(table) {
    await formDialog(`${table.table}: ${texts.retire}`, [], {
      button: texts.retire,
      intro: texts.retireAsk,
      onSubmit: () => post(`/api/tables/${encodeURIComponent(table.table)}/retire`, {}),
    });
    await this.refresh().catch(() => {});
  }

  #decide(table) {
    return this.#openForm(
      table,
      texts.decide,
      [
        {
          name: "outcome",
          label: texts.outcome,
          type: "select",
          options: [
            ["continue", texts.continue],
            ["void", texts.roundVoid],
          ],
        },
        { name: "reason", label: consoleStrings.reason },
      ],
      "DecideOnTheFloor",
      {},
      texts.decideHint,
    );
  }

  async #send(table, command, values) {
    await runAction(() => this.#client(table).command(command, values), texts.done);
    await this.refresh().catch(() => {});
  }

  /** Sends a command; returns the reason if a rule refuses it. */
  async #try(table, command, values) {
    let reason = "";
    await runAction(async () => {
      try {
        await this.#client(table).command(command, values);
      } catch (error) {
        if (error.status !== 422) throw error;
        reason = error.message;
      }
    });
    await this.refresh().catch(() => {});
    return reason;
  }

  async #openForm(table, title, fields, command, fixed = {}, intro = "", read = (entered) => entered) {
    await formDialog(`${table.table}: ${title}`, fields, {
      button: texts.buttonTexts[command] ?? title,
      intro,
      onSubmit: (entered) =>
        this.#client(table).command(command, { ...fixed, ...read(entered) }, { stillValid: () => true }),
    });
    await this.refresh().catch(() => {});
  }

  #client(table) {
    const client = new TableClient(table.table);
    client.seq = table.seq;
    return client;
  }
}

const person = await requireRole(texts.title, ["floorperson", "shift_manager"]);
if (person) {
  const floor = new FloorConsole(person);
  poll(() => floor.refresh(), REFRESH_MS);
}
