// Approvals: movements of money under dual control, requested by one person and approved by another.

import { get, post } from "./api.js";
import { runAction, formDialog } from "./console.js";
import { formatTime } from "./dates.js";
import { h, newKey, render } from "./dom.js";
import { dollars } from "./money.js";
import { notify } from "./notices.js";
import { consoleStrings } from "./console-strings.js";

const KINDS_BY_ROLE = {
  dealer: ["buy_in", "cash_out", "opening_inventory", "closing_inventory"],
  floorperson: ["fill", "credit", "opening_inventory", "closing_inventory"],
  accounting: ["deposit", "withdrawal", "buy_in", "cash_out", "drop"],
};
const METER_KIND_BY_ROLE = { administrator: "meter_setup", accounting: "meter_correction" };
const TABLE_KINDS = ["buy_in", "cash_out", "opening_inventory", "closing_inventory", "fill", "credit", "drop"];
const PATRON_KINDS = ["buy_in", "cash_out", "deposit", "withdrawal"];

export const requestKinds = (role) => KINDS_BY_ROLE[role] ?? [];
export const meterRequestKind = (role) => METER_KIND_BY_ROLE[role] ?? "";

/** Requests a meter setup or correction. */
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
          amount_cents: entered.amount_cents * Number(entered.direction ?? 1),
          reason: entered.reason,
        }),
    },
  );
  if (values) {
    notify(consoleStrings.requests.asked);
    after();
  }
}

/** Requests a movement of money. */
export async function requestMovement(
  kind,
  { table = "", tables = [], patron = "", patrons = null, after = () => {} } = {},
) {
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
      needsPatron && !patron
        ? patrons
          ? {
              name: "patron",
              label: consoleStrings.patron,
              type: "select",
              options: patrons.map((name) => [name, name]),
            }
          : { name: "patron", label: consoleStrings.patron, maxLength: 40 }
        : null,
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
          amount_cents: entered.amount_cents,
          reason: entered.reason ?? "",
          table: needsTable ? table || entered.table : "",
          patron: needsPatron ? patron || entered.patron : "",
        }),
    },
  );
  if (values) {
    notify(consoleStrings.requests.asked);
    after();
  }
}

/** Open requests, with buttons on those that this person may approve. */
export class ApprovalsPanel {
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
    const path = `/api/requests${this.table ? `?table=${encodeURIComponent(this.table)}` : ""}`;
    const [waiting, actionable] = await Promise.all([get(path), get(`${path}${this.table ? "&" : "?"}mine=true`)]);
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

  #line(request, mayApprove) {
    const decide = (verb, done) =>
      runAction(() => post(`/api/requests/${encodeURIComponent(request.id)}/${verb}`), done)
        .then(() => this.refresh().catch(() => {}))
        .then(() => this.changed());
    const where = [request.table, request.patron, request.meter].filter(Boolean).join(", ");
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
