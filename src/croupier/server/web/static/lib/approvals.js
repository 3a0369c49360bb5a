// Approvals: movements of money under dual control, requested by one person and approved by another.

import { get, post } from "./api.js";
import { formDialog, runAction } from "./console.js";
import { consoleStrings } from "./console-strings.js";
import { formatTime } from "./dates.js";
import { h, newKey, render } from "./dom.js";
import { dollars } from "./money.js";
import { notify } from "./notices.js";

/** @typedef {Server.NewApprovalRequest["kind"]} RequestKind */

/** @type {Partial<Record<string, RequestKind[]>>} */
const KINDS_BY_ROLE = {
  dealer: ["buy_in", "cash_out", "opening_inventory", "closing_inventory"],
  floorperson: ["fill", "credit", "opening_inventory", "closing_inventory"],
  accounting: ["deposit", "withdrawal", "buy_in", "cash_out", "drop"],
};
/** @type {Partial<Record<string, RequestKind>>} */
const METER_KIND_BY_ROLE = { administrator: "meter_setup", accounting: "meter_correction" };
/** @type {RequestKind[]} */
const TABLE_KINDS = ["buy_in", "cash_out", "opening_inventory", "closing_inventory", "fill", "credit", "drop"];
/** @type {RequestKind[]} */
const PATRON_KINDS = ["buy_in", "cash_out", "deposit", "withdrawal"];

/** @param {string} role */
export const requestKinds = (role) => KINDS_BY_ROLE[role] ?? [];
/** @param {string} role */
export const meterRequestKind = (role) => METER_KIND_BY_ROLE[role] ?? null;

/**
 * Requests a meter setup or correction.
 * @param {RequestKind} kind
 * @param {Pick<Server.MeterRow, "table" | "meter" | "title">} options
 */
export async function requestMeterChange(kind, { table, meter, title }, after = () => {}) {
  const id = newKey();
  const isCorrection = kind === "meter_correction";
  const values = await formDialog(
    `${consoleStrings.requests.kinds[kind]}: ${title}`,
    [
      isCorrection
        ? {
            name: "direction",
            label: consoleStrings.requests.direction,
            type: "select",
            options: [
              ["1", consoleStrings.requests.up],
              ["-1", consoleStrings.requests.down],
            ],
          }
        : null,
      { name: "amount_cents", label: consoleStrings.dollars, type: "dollars" },
      { name: "reason", label: consoleStrings.reason },
    ],
    {
      button: consoleStrings.requests.ask,
      intro: consoleStrings.requests.dualControl,
      onSubmit: (entered) =>
        post("/api/requests", {
          id,
          kind,
          table,
          meter,
          amount_cents: Number(entered.amount_cents) * Number(entered.direction ?? 1),
          reason: String(entered.reason),
        }),
    },
  );
  if (values) {
    notify(consoleStrings.requests.asked);
    after();
  }
}

/**
 * Requests a movement of money.
 * @param {RequestKind} kind
 * @param {{ table?: string; tables?: readonly string[]; patron?: string; after?: () => unknown }} options
 */
export async function requestMovement(kind, { table = "", tables = [], patron = "", after = () => {} } = {}) {
  const needsTable = TABLE_KINDS.includes(kind);
  const needsPatron = PATRON_KINDS.includes(kind);
  const id = newKey();
  const values = await formDialog(
    consoleStrings.requests.kinds[kind],
    [
      needsTable && !table
        ? {
            name: "table",
            label: consoleStrings.table,
            type: "select",
            options: tables.map((name) => [name, name]),
          }
        : null,
      needsPatron && !patron ? { name: "patron", label: consoleStrings.patron, maxLength: 40 } : null,
      { name: "amount_cents", label: consoleStrings.dollars, type: "dollars" },
      { name: "reason", label: consoleStrings.reason, optional: true },
    ],
    {
      button: consoleStrings.requests.ask,
      intro: consoleStrings.requests.dualControl,
      onSubmit: (entered) =>
        post("/api/requests", {
          id,
          kind,
          amount_cents: Number(entered.amount_cents),
          reason: String(entered.reason ?? ""),
          table: needsTable ? table || String(entered.table) : "",
          patron: needsPatron ? patron || String(entered.patron) : "",
        }),
    },
  );
  if (values) {
    notify(consoleStrings.requests.asked);
    after();
  }
}

/**
 * The entry that a request corrects, with its amounts before and after; empty for any other request.
 * @param {Server.ApprovalResponse} request
 */
function correctionText({ correction }) {
  if (!correction) return "";
  return consoleStrings.requests.correction(
    correction,
    correction.old_returned_cents + correction.old_paid_cents,
    correction.returned_cents + correction.paid_cents,
  );
}

/** Open requests, with buttons on those that this person may approve. */
export class ApprovalsPanel {
  /** @param {Server.PersonResponse} person */
  constructor(person, { table = "", changed = () => {} } = {}) {
    this.person = person;
    this.table = table;
    this.changed = changed;
    this.list = h("ul", { class: "waits" });
    this.element = h(
      "section",
      { class: "panel", "aria-labelledby": "requests-title" },
      h("h2", { id: "requests-title", text: consoleStrings.requests.title }),
      this.list,
    );
    this.drawn = "";
  }

  async refresh() {
    const { table } = this;
    const [waiting, actionable] = await Promise.all([
      get("/api/requests", { table }),
      get("/api/requests", { table, mine: true }),
    ]);
    const approvable = new Set(actionable.map((request) => request.id));
    const drawn = JSON.stringify([waiting, [...approvable]]);
    if (drawn === this.drawn) return waiting;
    this.drawn = drawn;
    render(
      this.list,
      waiting.length
        ? waiting.map((request) => this.#line(request, approvable.has(request.id) && request.by !== this.person.name))
        : h("li", { class: "soft", text: consoleStrings.requests.none }),
    );
    return waiting;
  }

  /**
   * @param {Server.ApprovalResponse} request
   * @param {boolean} mayApprove
   */
  #line(request, mayApprove) {
    /**
     * @param {"approve" | "refuse"} verb
     * @param {string} done
     */
    const decide = (verb, done) =>
      runAction(() => post(`/api/requests/{identifier}/${verb}`, {}, { identifier: request.id }), done)
        .then(() => this.refresh().catch(() => {}))
        .then(() => this.changed());
    const where = [request.table, request.patron, request.meter, correctionText(request)].filter(Boolean).join(", ");
    return h(
      "li",
      {},
      h(
        "div",
        {},
        h("strong", { text: `${consoleStrings.requests.kinds[request.kind]} ${dollars(request.amount_cents)}` }),
        h("p", {
          class: "small soft",
          text: [where, consoleStrings.requests.askedBy(request.by, formatTime(request.at)), request.reason]
            .filter(Boolean)
            .join(" · "),
        }),
      ),
      mayApprove
        ? h(
            "div",
            { class: "row" },
            h("button", {
              type: "button",
              class: "main",
              text: consoleStrings.requests.approve,
              onclick: () => decide("approve", consoleStrings.requests.approved),
            }),
            h("button", {
              type: "button",
              text: consoleStrings.requests.refuse,
              onclick: () => decide("refuse", consoleStrings.requests.refused),
            }),
          )
        : h("span", {
            class: "tag",
            text:
              request.by === this.person.name
                ? consoleStrings.requests.awaitingApproval
                : consoleStrings.requests.notYours,
          }),
    );
  }
}
