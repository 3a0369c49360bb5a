// The dealer's console: the next step of the procedure in large type, carried out with one button or Enter.

import { TableClient, get } from "/static/lib/api.js";
import "/static/lib/playing-cards.js";
import { runAction, formDialog, requireRole, poll, formatTime } from "/static/lib/console.js";
import { CardReader } from "/static/dealer/physical-cards.js";
import { Irregularities } from "/static/dealer/irregularities.js";
import { feltPanel, drawSettlement } from "/static/dealer/felt.js";
import { nextStep } from "/static/dealer/steps.js";
import { $, h, render } from "/static/lib/dom.js";
import { announce, notify } from "/static/lib/notices.js";
import { ApprovalsPanel } from "/static/lib/approvals.js";
import { clauseRef } from "/static/lib/shell.js";
import { TableSocket } from "/static/table/table-socket.js";
import { consoleStrings } from "/static/lib/console-strings.js";
import { strings } from "/static/lib/strings.js";

const content = $("#content");
const name = new URLSearchParams(location.search).get("table");
const MIN_STEP_MS = 250;

async function showTableList() {
  const tables = (await get("/api/tables")).filter((table) => table.mode === "staffed");
  render(
    content,
    h("h1", { text: consoleStrings.dealer.title }),
    h("p", { text: tables.length ? consoleStrings.dealer.choose : consoleStrings.dealer.noTable }),
    h(
      "ul",
      { class: "choices" },
      tables.map((table) =>
        h(
          "li",
          {},
          h(
            "a",
            { class: "button", href: `/dealer?table=${encodeURIComponent(table.table)}` },
            h("strong", { text: table.table }),
            h("span", { class: "soft", text: `${table.game} · ${strings.lobby.phase[table.phase]}` }),
          ),
        ),
      ),
    ),
  );
}

class DealerConsole {
  constructor(person) {
    this.person = person;
    this.table = new TableClient(name);
    this.view = null;
    this.rules = null;
    this.stepKey = "";
    this.changedAt = 0;
    this.step = h("section", { class: "panel step", "aria-live": "polite", "aria-atomic": "false" });
    this.felt = h("section", { class: "dealer-felt", "aria-label": consoleStrings.dealer.felt });
    this.outcome = h("section", { class: "panel follows", hidden: true, "aria-live": "polite" });
    this.bar = h("div", { class: "row spread bar-line" });
    this.log = h("ol", { class: "log small" });
    this.requests = new ApprovalsPanel(person, { table: name });
    this.irregularities = new Irregularities(this);
    render(
      content,
      this.bar,
      h(
        "div",
        { class: "columns" },
        h("div", { class: "stack" }, this.step, this.irregularities.element, this.outcome, this.felt),
        h(
          "div",
          { class: "stack" },
          this.requests.element,
          h("details", { class: "panel" }, h("summary", { text: consoleStrings.log }), this.log),
        ),
      ),
    );
    addEventListener("keydown", (event) => this.#onEnter(event));
  }

  async start() {
    this.rules = await get(`${this.table.path}/rules?edges=false`);
    const socket = new TableSocket(this.table.path);
    socket.addEventListener("message", ({ detail }) => this.receive(detail));
    socket.addEventListener("state", ({ detail }) => {
      if (detail === "lost") notify(strings.table.lost, "warn");
      if (detail === "ended") location.assign(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`);
      if (detail === "gone") notify(strings.table.gone, "bad", 0);
    });
    socket.start();
    poll(() => this.requests.refresh(), 4000);
    setInterval(() => this.#drawClock(), 500);
  }

  /** Remembers cards found face up in the shoe until they are dealt, even if the page is reloaded. */
  storeFaceUp(cards) {
    sessionStorage.setItem(`croupier-face-up ${name}`, JSON.stringify([this.view.round, cards]));
  }

  get faceUp() {
    const [round, cards] = JSON.parse(sessionStorage.getItem(`croupier-face-up ${name}`) ?? "[0, []]");
    return round === this.view.round ? cards : [];
  }

  get edition() {
    return this.rules.edition;
  }

  receive({ view, events }) {
    this.table.seq = Math.max(this.table.seq, view.seq);
    if (this.view && view.seq < this.view.seq) return;
    this.view = view;
    for (const event of events) {
      if (!event.text) continue;
      this.log.prepend(h("li", {}, h("span", { class: "soft", text: `${formatTime(event.at)} ` }), event.text));
      while (this.log.childElementCount > 120) this.log.lastChild.remove();
    }
    this.irregularities.addEvents(events);
    this.draw();
  }

  draw() {
    const view = this.view;
    render(
      this.bar,
      h(
        "div",
        { class: "row" },
        h("h1", { text: name }),
        h("span", { class: "tag", text: strings.lobby.phase[view.phase] ?? view.phase }),
        h("span", { class: "soft", text: strings.lobby.round(view.round) }),
        view.closing ? h("span", { class: "tag warn", text: consoleStrings.closing }) : null,
      ),
      h(
        "div",
        { class: "row" },
        (this.clock = h("span", { class: "clock", role: "timer" })),
        h("a", { href: "/dealer", text: consoleStrings.dealer.other }),
      ),
    );
    this.#drawClock();
    this.#drawStep();
    render(this.felt, feltPanel(this));
    drawSettlement(this);
  }

  #drawClock() {
    const clock = this.view?.clock;
    if (!this.clock) return;
    if (!clock) return void (this.clock.textContent = "");
    this.offset = this.view.clock.now - (this.view.receivedAt ??= Date.now());
    const left = Math.ceil((clock.at - Date.now() - this.offset) / 1000);
    this.clock.textContent = left > 0 ? strings.table.clock(left) : consoleStrings.dealer.timeOver;
    this.clock.classList.toggle("bad", left <= 0);
  }

  /** Draws the next step; keeps what is being typed while the step stays the same. */
  #drawStep() {
    const next = nextStep(this.view, this);
    const stepKey = JSON.stringify([
      next.command,
      next.seat,
      next.deck,
      this.view.round,
      this.view.phase,
      next.text,
      next.note,
      this.view.procedure.read,
    ]);
    if (stepKey === this.stepKey) return;
    const hadFocus = this.step.contains(document.activeElement) || document.activeElement === document.body;
    this.stepKey = stepKey;
    this.changedAt = performance.now();
    this.main = null;
    const heading = h("h2", { class: "next", text: next.text });
    const note = next.note ? ` · ${next.note}` : "";
    const top = h("p", {
      class: "small soft",
      text: `${next.command ? consoleStrings.dealer.next : consoleStrings.dealer.waiting}${note}`,
    });
    if (next.command === "ReadCards") {
      render(this.step, top, heading, clauseRef(this.edition, next.clause), new CardReader(this).element);
    } else if (next.command) {
      this.main = h("button", { class: "main big", text: next.button }, h("kbd", { text: "Enter" }));
      const form = h(
        "form",
        { novalidate: true },
        (next.fields ?? []).map((input) => input.element),
        (next.fault = h("p", { class: "fault", role: "alert" })),
        h(
          "div",
          { class: "row" },
          this.main,
          (next.others ?? []).map(([text, action]) => h("button", { type: "button", text, onclick: action })),
        ),
      );
      form.addEventListener("submit", (event) => (event.preventDefault(), this.#submit(next)));
      render(this.step, top, heading, clauseRef(this.edition, next.clause), form);
    } else {
      render(this.step, top, heading, clauseRef(this.edition, next.clause), next.body ?? null);
    }
    const first = this.step.querySelector("form:not(.inline) input, form select") ?? this.main;
    if (hadFocus && !document.querySelector("dialog[open]")) first?.focus();
    announce(next.text);
  }

  async #submit(next) {
    if (performance.now() - this.changedAt < MIN_STEP_MS || this.main?.disabled) return;
    let values;
    try {
      values = next.values();
      next.fault.textContent = "";
    } catch (error) {
      next.fault.textContent = error.message;
      return;
    }
    await this.send(next.command, values, { handleError: (error) => next.handleError?.(error) });
  }

  /** Sends a command of the dealing procedure. */
  async send(command, values, { done = "", handleError = () => false } = {}) {
    if (this.main) this.main.disabled = true;
    try {
      return await runAction(async () => {
        try {
          return await this.table.command(command, values);
        } catch (error) {
          if (error.status === 409) this.receive({ view: await this.table.get(), events: [] });
          if (handleError(error)) return null;
          throw error;
        }
      }, done);
    } finally {
      if (this.main) this.main.disabled = false;
    }
  }

  #onEnter(event) {
    if (event.key !== "Enter" || event.repeat) return;
    if (event.target !== document.body || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    this.main?.click();
  }

  openCommandForm = (title, fields, command, options = {}) =>
    formDialog(title, fields, {
      button: consoleStrings.go,
      ...options,
      onSubmit: (entered) =>
        this.table.command(command, { ...(options.fixed ?? {}), ...(options.read?.(entered) ?? entered) }),
    });
}

const person = await requireRole(consoleStrings.dealer.title, ["dealer"]);
if (person) {
  try {
    if (name) await new DealerConsole(person).start();
    else await showTableList();
  } catch (error) {
    render(
      content,
      h("h1", { text: consoleStrings.dealer.title }),
      h("p", { class: "fault", text: error.message }),
      h("p", {}, h("a", { href: "/dealer", text: consoleStrings.dealer.other })),
    );
  }
}
