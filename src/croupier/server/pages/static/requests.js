// Movements of money, which need two people: asked for by one, carried out when another approves.

import { get, post } from "/static/api.js";
import { act, askFor, time } from "/static/consoles.js";
import { dollars, h, newKey, put } from "/static/dom.js";
import { say } from "/static/notices.js";
import { said } from "/static/words-consoles.js";

const ASKS = {
  dealer: ["buy_in", "cash_out", "opening_inventory", "closing_inventory"],
  floorperson: ["fill", "credit", "opening_inventory", "closing_inventory"],
  accounting: ["deposit", "withdrawal", "buy_in", "cash_out", "drop"],
};
const ON_A_METER = { administrator: "meter_setup", accounting: "meter_correction" };
const OF_A_TABLE = ["buy_in", "cash_out", "opening_inventory", "closing_inventory", "fill", "credit", "drop"];
const OF_A_PATRON = ["buy_in", "cash_out", "deposit", "withdrawal"];

export const kindsFor = (role) => ASKS[role] ?? [];
export const meterKindFor = (role) => ON_A_METER[role] ?? "";

/** Asks to set a meter up, or to correct it up or down; it happens when somebody else approves. */
export async function askForMeter(kind, { table, meter, title }, after = () => {}) {
  const id = newKey();
  const corrects = kind === "meter_correction";
  const values = await askFor(
    `${said.requests.kinds[kind]}: ${title}`,
    [
      corrects ? {
        name: "direction",
        label: said.requests.direction,
        type: "select",
        options: [["1", said.requests.up], ["-1", said.requests.down]],
      } : null,
      { name: "amount_cents", label: said.dollars, type: "dollars" },
      { name: "reason", label: said.reason },
    ],
    {
      button: said.requests.ask,
      intro: said.requests.twoPeople,
      go: (found) => post(
        "/api/requests",
        {
          id,
          kind,
          table,
          meter,
          amount_cents: found.amount_cents * Number(found.direction ?? 1),
          reason: found.reason,
        },
      ),
    },
  );
  if (values) {
    say(said.requests.asked);
    after();
  }
}

/** Asks for a movement; it happens when somebody else approves. */
export async function askForMoney(kind, { table = "", tables = [], patron = "", patrons = null, after = () => {} } = {}) {
  const needsTable = OF_A_TABLE.includes(kind);
  const needsPatron = OF_A_PATRON.includes(kind);
  const id = newKey();
  const values = await askFor(
    said.requests.kinds[kind],
    [
      needsTable && !table ? {
        name: "table",
        label: said.table,
        type: "select",
        options: tables.map((one) => [one, one]),
      } : null,
      needsPatron && !patron ? (patrons ? {
        name: "patron",
        label: said.patron,
        type: "select",
        options: patrons.map((one) => [one, one]),
      } : { name: "patron", label: said.patron, longest: 40 }) : null,
      { name: "amount_cents", label: said.dollars, type: "dollars" },
      { name: "reason", label: said.reason, optional: true },
    ],
    {
      button: said.requests.ask,
      intro: said.requests.twoPeople,
      go: (found) => post(
        "/api/requests",
        {
          id,
          kind,
          amount_cents: found.amount_cents,
          reason: found.reason ?? "",
          table: needsTable ? table || found.table : "",
          patron: needsPatron ? patron || found.patron : "",
        },
      ),
    },
  );
  if (values) {
    say(said.requests.asked);
    after();
  }
}

/** Requests that wait: those that somebody else asked for can be approved here. */
export class Requests {
  constructor(person, { table = "", changed = () => {} } = {}) {
    this.person = person;
    this.table = table;
    this.changed = changed;
    this.list = h("ul", { class: "waits" });
    this.element = h(
      "section",
      { class: "panel", "aria-labelledby": "requests-title" },
      h("h2", { id: "requests-title", text: said.requests.title }),
      this.list,
    );
    this.text = "";
  }

  async refresh() {
    const path = `/api/requests${this.table ? `?table=${encodeURIComponent(this.table)}` : ""}`;
    const [waiting, mine] = await Promise.all([get(path), get(`${path}${this.table ? "&" : "?"}mine=true`)]);
    const may = new Set(mine.map((one) => one.id));
    const text = JSON.stringify([waiting, [...may]]);
    if (text === this.text) return waiting;
    this.text = text;
    put(
      this.list,
      waiting.length ? waiting.map(
        (one) => this.#line(one, may.has(one.id) && one.by !== this.person.name),
      ) : h("li", { class: "soft", text: said.requests.none }),
    );
    return waiting;
  }

  #line(one, mayApprove) {
    const decide = (what, done) => act(
      () => post(`/api/requests/${encodeURIComponent(one.id)}/${what}`),
      done,
    ).then(() => this.refresh().catch(() => {})).then(() => this.changed());
    const where = [one.table, one.patron, one.meter].filter(Boolean).join(", ");
    return h(
      "li",
      {},
      h(
        "div",
        {},
        h("strong", { text: `${said.requests.kinds[one.kind]} ${dollars(one.amount_cents)}` }),
        h(
          "p",
          {
            class: "small soft",
            text: [where, said.requests.askedBy(one.by, time(one.at)), one.reason].filter(Boolean).join(" · "),
          },
        ),
      ),
      mayApprove
        ? h(
          "div",
          { class: "row" },
          h(
            "button",
            {
              type: "button",
              class: "main",
              text: said.requests.approve,
              onclick: () => decide("approve", said.requests.approved),
            },
          ),
          h(
            "button",
            { type: "button", text: said.requests.refuse, onclick: () => decide("refuse", said.requests.refused) },
          ),
        )
        : h(
          "span",
          { class: "tag", text: one.by === this.person.name ? said.requests.waitsForOther : said.requests.notYours },
        ),
    );
  }
}
