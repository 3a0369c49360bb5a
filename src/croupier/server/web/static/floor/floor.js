// The floor console: every table at a glance, the to-do list, and orders to tables.

import { get, post, RequestError, TableClient } from "../lib/api.js";
import { ApprovalsPanel, requestKinds, requestMovement } from "../lib/approvals.js";
import { formDialog, poll, requireRole, runAction } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { $, dialog, h, render } from "../lib/dom.js";
import { clauseRef } from "../lib/shell.js";
import { cardRuling, correctCard } from "./card-rulings.js";
import { correctPayment } from "./correction.js";
import {
  decisionFields,
  readDecision,
  readReplacement,
  readSubstitute,
  replacementFields,
  substituteFields,
} from "./forms.js";
import { tableSummary } from "./table-summary.js";

const texts = consoleStrings.floor;
const REFRESH_MS = 2000;
/** Commands that do not concern the round in which they were prepared. */
const ANY_ROUND = new Set(["CloseTable", "TakeDeviceOutOfOrder"]);
const content = $("#content");

class FloorConsole {
  /** @param {Server.PersonResponse} person */
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
      (a, b) => b.waits.length - a.waits.length || Number(a.mode === "electronic") - Number(b.mode === "electronic"),
    );
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.focus : "";
    render(this.todoList, this.#todoItems(sorted));
    render(
      this.tables,
      sorted.map((table) => tableSummary(table, now, () => this.#openOrders(table.table))),
    );
    const again = focused ? this.tables.querySelector(`[data-focus="${CSS.escape(focused)}"]`) : null;
    if (again instanceof HTMLElement) again.focus();
  }

  /** @param {readonly Server.FloorTable[]} tables */
  #todoItems(tables) {
    const items = tables.flatMap((table) => {
      /** @param {Server.FloorPrompt} wait */
      const numberOf = (wait) => table.waits.filter(({ command }) => command === wait.command).indexOf(wait);
      const lines = table.waits.map((wait) => this.#todoItem(table, wait, numberOf(wait)));
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

  /**
   * @param {Server.FloorTable} table
   * @param {string} text
   * @param {string} clause
   * @param {HTMLElement} button
   */
  #todoLine(table, text, clause, button) {
    return h(
      "li",
      {},
      h("div", {}, h("strong", { text: table.table }), h("p", {}, text, " ", clauseRef(table.edition, clause))),
      button,
    );
  }

  /**
   * @param {Server.FloorTable} table
   * @param {Server.FloorPrompt} wait
   * @param {number} number its position among those with the same command
   */
  #todoItem(table, wait, number) {
    const patron = table.absent[number] ?? "";
    const reasonField = { name: "reason", label: consoleStrings.reason };
    /** @type {Record<string, () => unknown>} */
    const handlers = {
      VerifyInspection: () => this.#send(table, "VerifyInspection", { deck: wait.deck }),
      ValidateWin: async () => {
        const reason = await this.#try(table, "ValidateWin", { seat: wait.seat });
        if (reason)
          await this.#openForm(
            table,
            texts.buttonTexts.ValidateWin,
            [reasonField],
            "ValidateWin",
            (entered) => ({ seat: wait.seat, reason: String(entered.reason) }),
            reason,
          );
      },
      ResolveChipCount: () =>
        this.#openForm(
          table,
          texts.buttonTexts.ResolveChipCount,
          [{ name: "reason", label: texts.resolved }],
          "ResolveChipCount",
          (entered) => ({ reason: String(entered.reason) }),
        ),
      CompleteDocuments: () =>
        this.#openForm(
          table,
          texts.buttonTexts.CompleteDocuments,
          [{ name: "reference", label: texts.reference }],
          "CompleteDocuments",
          (entered) => ({ seat: wait.seat, reference: String(entered.reference) }),
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
            reasonField,
          ],
          "DecideOnAbsence",
          (entered) => ({ patron, abandoned: entered.abandoned === "yes", reason: String(entered.reason) }),
        ),
      TakeDeviceOutOfOrder: () =>
        this.#withProcedure(table, (_, procedure) => {
          const device = procedure.reported_devices[number];
          return this.#openForm(
            table,
            texts.devices.title[device] ?? device,
            substituteFields(device, procedure),
            "TakeDeviceOutOfOrder",
            (entered) => readSubstitute(device, procedure, entered),
            texts.devices.hint,
          );
        }),
    };
    return this.#todoLine(
      table,
      wait.text,
      wait.clause,
      h("button", {
        type: "button",
        class: "main",
        text: texts.buttonTexts[wait.command] ?? consoleStrings.go,
        onclick: handlers[wait.command] ?? this.#cardRuling(table, wait),
      }),
    );
  }

  /**
   * @param {Server.FloorTable} table
   * @param {Server.FloorPrompt} wait
   */
  #cardRuling(table, wait) {
    const rule = cardRuling(table, wait);
    return rule && (() => rule().then(() => this.refresh()));
  }

  /**
   * Opens the orders for a table as it is now, not as it was drawn.
   * @param {string} name
   */
  async #openOrders(name) {
    const floor = await runAction(() => get("/api/floor"));
    const table = floor !== null && floor !== true ? floor.tables.find((one) => one.table === name) : undefined;
    if (table) this.#orders(table);
  }

  /**
   * Opens the orders that the floor can give a table.
   * @param {Server.FloorTable} table
   */
  #orders(table) {
    const staffed = table.mode === "staffed";
    const reasonField = { name: "reason", label: consoleStrings.reason };
    /** @param {Record<string, FieldValue>} entered */
    const readReason = (entered) => ({ reason: String(entered.reason) });
    /** @type {([text: string, action: () => unknown, explanation?: string] | null)[]} */
    const choices = [
      table.can_recut
        ? [texts.recut, () => this.#openForm(table, texts.recut, [reasonField], "OrderRecut", readReason)]
        : null,
      table.can_shuffle
        ? [texts.shuffle, () => this.#openForm(table, texts.shuffle, [reasonField], "OrderShuffle", readReason)]
        : null,
      table.in_round ? [texts.decide, () => this.#decide(table)] : null,
      table.can_replace ? [texts.replace, () => this.#replaceCard(table)] : null,
      [texts.correct, () => correctPayment(table, () => this.refresh())],
      table.enters_cards && table.in_round ? [texts.cards.correct, () => correctCard(table)] : null,
      table.out_of_order ? [texts.restore, () => this.#send(table, "RestoreDevice", {})] : null,
      table.phase === "closed"
        ? null
        : [texts.close, () => this.#openForm(table, texts.close, [], "CloseTable", () => ({}), texts.closeAsk)],
      table.phase === "closed" && this.person.role === "shift_manager"
        ? [texts.retire, () => this.#retire(table)]
        : null,
      ...(staffed
        ? requestKinds(this.person.role).map(
            /** @returns {[text: string, action: () => unknown, explanation: string]} */ (kind) => [
              consoleStrings.requests.kinds[kind],
              () => requestMovement(kind, { table: table.table, after: () => this.refresh() }),
              consoleStrings.requests.descriptions[kind],
            ],
          )
        : []),
    ];
    const box = dialog(
      texts.ordersOf(table.table),
      h(
        "div",
        { class: "taps" },
        choices
          .filter((choice) => choice !== null)
          .map(([text, action, explanation]) =>
            h(
              "button",
              {
                type: "button",
                onclick: () => {
                  box.close();
                  action();
                },
              },
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

  /**
   * Retires an empty table.
   * @param {Server.FloorTable} table
   */
  async #retire(table) {
    await formDialog(`${table.table}: ${texts.retire}`, [], {
      button: texts.retire,
      intro: texts.retireAsk,
      onSubmit: () => post("/api/tables/{table}/retire", {}, { table: table.table }),
    });
    await this.refresh().catch(() => {});
  }

  /**
   * Opens a form that needs what the table has on file and on its layout.
   * @param {Server.FloorTable} table
   * @param {(view: Server.TableView, procedure: Server.StaffProcedure) => unknown} open
   */
  async #withProcedure(table, open) {
    const view = await runAction(() => get("/api/tables/{table}", { table: table.table }));
    if (view !== null && view !== true && view.procedure) await open(view, view.procedure);
  }

  /** @param {Server.FloorTable} table */
  #decide(table) {
    return this.#withProcedure(table, (_, procedure) =>
      this.#openForm(
        table,
        texts.decide,
        decisionFields(procedure),
        "DecideOnTheFloor",
        readDecision,
        texts.decideHint,
      ),
    );
  }

  /** @param {Server.FloorTable} table */
  #replaceCard(table) {
    return this.#withProcedure(table, (view, procedure) =>
      this.#openForm(
        table,
        texts.replace,
        replacementFields(view, procedure),
        "DecideOnTheFloor",
        readReplacement,
        texts.replaceHint,
      ),
    );
  }

  /**
   * @template {keyof Server.Commands} C
   * @param {Server.FloorTable} table
   * @param {C} command
   * @param {Server.Commands[C]} values
   */
  async #send(table, command, values) {
    await runAction(() => this.#client(table).command(command, values), texts.done);
    await this.refresh().catch(() => {});
  }

  /**
   * Sends a command; returns the reason if a rule refuses it.
   * @template {keyof Server.Commands} C
   * @param {Server.FloorTable} table
   * @param {C} command
   * @param {Server.Commands[C]} values
   */
  async #try(table, command, values) {
    let reason = "";
    await runAction(async () => {
      try {
        await this.#client(table).command(command, values);
      } catch (error) {
        const refusal = RequestError.of(error);
        if (refusal.status !== 422) throw error;
        reason = refusal.message;
      }
    });
    await this.refresh().catch(() => {});
    return reason;
  }

  /**
   * Asks for a command's values in a dialog and sends it, unless another round has begun meanwhile.
   * @template {keyof Server.Commands} C
   * @param {Server.FloorTable} table
   * @param {string} title
   * @param {FieldSpec[]} fields
   * @param {C} command
   * @param {(entered: Record<string, FieldValue>) => Server.Commands[C]} read
   */
  async #openForm(table, title, fields, command, read, intro = "") {
    await formDialog(`${table.table}: ${title}`, fields, {
      button: texts.buttonTexts[command] ?? title,
      intro,
      onSubmit: (entered) =>
        this.#client(table).command(command, read(entered), {
          stillValid: (view) => view.round === table.round || ANY_ROUND.has(command),
        }),
    });
    await this.refresh().catch(() => {});
  }

  /** @param {Server.FloorTable} table */
  #client(table) {
    return new TableClient(table.table, table.seq);
  }
}

const person = await requireRole(texts.title, ["floorperson", "shift_manager"]);
if (person) {
  const floor = new FloorConsole(person);
  poll(() => floor.refresh(), REFRESH_MS);
}
