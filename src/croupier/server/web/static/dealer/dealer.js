// The dealer's console: the next step of the procedure in large type, carried out with one button or Enter.

import { get, messageOf, RequestError, TableClient } from "../lib/api.js";
import "../lib/playing-cards.js";
import { signInPage } from "../lib/addresses.js";
import { ApprovalsPanel } from "../lib/approvals.js";
import { formDialog, poll, requireRole, runAction } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { formatTime } from "../lib/dates.js";
import { $, h, render } from "../lib/dom.js";
import { announce, notify } from "../lib/notices.js";
import { clauseRef } from "../lib/shell.js";
import { strings } from "../lib/strings.js";
import { TableSocket } from "../table/table-socket.js";
import { CardEntryPanel, completeHand } from "./card-entry.js";
import { drawSettlement, feltPanel } from "./felt.js";
import { Irregularities } from "./irregularities.js";
import { CardReader } from "./physical-cards.js";
import { nextStep, otherSteps, stepKey } from "./procedure.js";
import { decisionForm, idleButtons, stepForm } from "./steps.js";

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

export class DealerConsole {
  /**
   * @param {Server.PersonResponse} person
   * @param {Server.ServedTableRules} rules
   * @param {Server.TableView} view
   */
  constructor(person, rules, view) {
    this.person = person;
    this.rules = rules;
    this.view = view;
    this.table = new TableClient(rules.table, view.seq);
    this.receivedAt = Date.now();
    this.stepKey = "";
    /** @type {Map<string, HTMLElement>} forms below the next step, which keep what is being typed */
    this.otherForms = new Map();
    this.changedAt = 0;
    /** @type {HTMLButtonElement | null} */
    this.main = null;
    this.step = h("section", { class: "panel step", "aria-live": "polite", "aria-atomic": "false" });
    this.felt = h("section", { class: "dealer-felt", "aria-label": consoleStrings.dealer.felt });
    this.outcome = h("section", { class: "panel follows", hidden: true, "aria-live": "polite" });
    this.pay = h("section", {
      class: "panel pay",
      "aria-live": "polite",
      "aria-label": consoleStrings.dealer.payTitle,
    });
    this.clock = h("span", { class: "clock", role: "timer" });
    this.bar = h("div", { class: "row spread bar-line" });
    this.log = h("ol", { class: "log small" });
    this.requests = new ApprovalsPanel(person, { table: rules.table });
    this.irregularities = new Irregularities(this);
    this.cardEntry = new CardEntryPanel(this);
    render(
      content,
      this.bar,
      h(
        "div",
        { class: "columns" },
        h("div", { class: "stack" }, this.step, this.irregularities.element, this.pay, this.outcome, this.felt),
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

  start() {
    const socket = new TableSocket(this.table.name, {
      onMessage: (message) => this.receive(message),
      onState: (state) => {
        if (state === "lost") notify(strings.table.lost, "warn");
        if (state === "ended") location.assign(signInPage());
        if (state === "gone") notify(strings.table.gone, "bad", 0);
      },
    });
    socket.start();
    poll(() => this.requests.refresh(), 4000);
    setInterval(() => this.#drawClock(), 500);
  }

  /**
   * Remembers cards found face up in the shoe until they are dealt, even if the page is reloaded.
   * @param {string[]} cards
   */
  storeFaceUp(cards) {
    sessionStorage.setItem(`croupier-face-up ${this.table.name}`, JSON.stringify([this.view.round, cards]));
  }

  /** @returns {string[]} */
  get faceUp() {
    const stored = sessionStorage.getItem(`croupier-face-up ${this.table.name}`);
    const [round, cards] = JSON.parse(stored ?? "[0, []]");
    return round === this.view.round ? cards : [];
  }

  get edition() {
    return this.rules.edition;
  }

  /** @param {{ view: Server.TableView; events: readonly Server.TableEvent[] }} options */
  receive({ view, events }) {
    this.table.seq = Math.max(this.table.seq, view.seq);
    if (view.seq < this.view.seq) return;
    this.view = view;
    this.receivedAt = Date.now();
    for (const event of events) {
      if (!event.text) continue;
      this.log.prepend(h("li", {}, h("span", { class: "soft", text: `${formatTime(event.at)} ` }), event.text));
      while (this.log.childElementCount > 120) this.log.lastChild?.remove();
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
        h("h1", { text: this.table.name }),
        h("span", { class: "tag", text: strings.lobby.phase[view.phase] ?? view.phase }),
        h("span", { class: "soft", text: strings.lobby.round(view.round) }),
        view.closing ? h("span", { class: "tag warn", text: consoleStrings.closing }) : null,
      ),
      h("div", { class: "row" }, this.clock, h("a", { href: "/dealer", text: consoleStrings.dealer.other })),
    );
    this.#drawClock();
    this.#drawStep();
    render(this.felt, feltPanel(this));
    drawSettlement(this);
  }

  #drawClock() {
    const { clock } = this.view;
    const left = clock ? Math.ceil((clock.at - clock.now - (Date.now() - this.receivedAt)) / 1000) : 0;
    this.clock.textContent = !clock ? "" : left > 0 ? strings.table.clock(left) : consoleStrings.dealer.timeOver;
    this.clock.classList.toggle("bad", clock !== null && left <= 0);
  }

  /** Draws the next step; keeps what is being typed while the step stays the same. */
  #drawStep() {
    const { view } = this;
    const procedure = view.procedure;
    if (!procedure) return;
    const next = nextStep(view);
    const others = otherSteps(view);
    const key = stepKey(next, view, procedure.read, others) + JSON.stringify(procedure.card_entry);
    if (key === this.stepKey) return;
    const focused = document.activeElement;
    const hadFocus = this.step.contains(focused) || focused === document.body;
    this.stepKey = key;
    this.changedAt = performance.now();
    this.main = null;
    const { text, clause } = next.kind === "wait" ? next : next.prompt;
    const note = next.kind !== "wait" && next.note ? ` · ${next.note}` : "";
    const lead = next.kind === "act" ? consoleStrings.dealer.next : consoleStrings.dealer.waiting;
    render(
      this.step,
      h("p", { class: "small soft", text: `${lead}${note}` }),
      h("h2", { class: "next", text }),
      clauseRef(this.edition, clause),
      this.#stepBody(next, procedure),
      this.#otherSteps(others, procedure),
    );
    const input = this.step.querySelector(":scope > form:not(.inline) input, :scope > form select");
    const isKept = focused instanceof HTMLElement && focused !== document.body && this.step.contains(focused);
    const first = isKept ? focused : input instanceof HTMLElement ? input : this.main;
    if (hadFocus && !document.querySelector("dialog[open]")) first?.focus();
    announce(text);
  }

  /**
   * @param {import("./procedure.js").DealerStep} next
   * @param {Server.StaffProcedure} procedure
   */
  #stepBody(next, procedure) {
    if (next.kind === "wait") return idleButtons(this, next.spreads);
    if (next.kind === "decide") return decisionForm(next.prompt, this);
    if (next.prompt.command === "ReadCards") return new CardReader(this, procedure).element;
    const { card_entry: entry } = procedure;
    if (next.prompt.command === "EnterCards" && entry) return this.cardEntry.show(entry);
    const step = stepForm(next.prompt, this, procedure);
    const isTurnedUp = entry && next.prompt.command === "SettleSeat";
    const text = step.button ?? (isTurnedUp ? consoleStrings.dealer.entry.settle : next.button);
    this.main = h("button", { class: "main big", text }, h("kbd", { text: "Enter" }));
    return this.#actionForm(step, this.main, entry && !entry.numbers.length ? completeHand(this, entry) : null);
  }

  /**
   * What else the dealer does meanwhile, below the next step; a form stays while its prompt does.
   * @param {readonly Server.NextStep[]} prompts
   * @param {Server.StaffProcedure} procedure
   */
  #otherSteps(prompts, procedure) {
    const keyed = prompts.map((prompt) => ({ prompt, key: JSON.stringify([this.view.round, prompt]) }));
    this.otherForms = new Map(
      keyed.map(({ prompt, key }) => [key, this.otherForms.get(key) ?? this.#otherStep(prompt, procedure)]),
    );
    return [...this.otherForms.values()];
  }

  /**
   * @param {Server.NextStep} prompt
   * @param {Server.StaffProcedure} procedure
   */
  #otherStep(prompt, procedure) {
    const step = stepForm(prompt, this, procedure);
    return h(
      "section",
      { class: "meanwhile", "aria-label": consoleStrings.dealer.meanwhile },
      h("p", { class: "small soft", text: consoleStrings.dealer.meanwhile }),
      h("p", {}, prompt.text, " ", clauseRef(this.edition, prompt.clause)),
      this.#actionForm(step, h("button", { text: step.button ?? consoleStrings.go })),
    );
  }

  /**
   * @param {import("./steps.js").StepForm} step
   * @param {HTMLButtonElement} button
   * @param {HTMLElement | null} [hand] the hand that was turned up, shown above the fields
   */
  #actionForm(step, button, hand = null) {
    const fault = h("p", { class: "fault", role: "alert" });
    const form = h(
      "form",
      { novalidate: true },
      hand,
      step.fields,
      fault,
      h(
        "div",
        { class: "row" },
        button,
        step.others?.map(([text, action]) => h("button", { type: "button", text, onclick: action })),
      ),
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (button.disabled || (button === this.main && performance.now() - this.changedAt < MIN_STEP_MS)) return;
      fault.textContent = "";
      try {
        await step.send();
      } catch (error) {
        fault.textContent = messageOf(error);
      }
    });
    return form;
  }

  /**
   * Sends a command of the dealing procedure.
   * @template {keyof Server.Commands} C
   * @param {C} command
   * @param {Server.Commands[C]} values
   * @param {{ handleError?: (error: unknown) => boolean }} options
   */
  async send(command, values, { handleError = () => false } = {}) {
    if (this.main) this.main.disabled = true;
    try {
      return await runAction(async () => {
        try {
          return await this.table.command(command, values);
        } catch (error) {
          if (RequestError.of(error).status === 409) this.receive({ view: await this.table.view(), events: [] });
          if (handleError(error)) return null;
          throw error;
        }
      });
    } finally {
      if (this.main) this.main.disabled = false;
    }
  }

  /**
   * Waits until the view shows what a command has changed; asks for it if the socket is slow.
   * @param {(view: Server.TableView) => boolean} isDone
   */
  async refreshUntil(isDone) {
    if (!isDone(this.view)) this.receive({ view: await this.table.view(), events: [] });
  }

  /** @param {KeyboardEvent} event */
  #onEnter(event) {
    if (event.key !== "Enter" || event.repeat) return;
    if (event.target !== document.body || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    this.main?.click();
  }

  /**
   * Asks for a command's values in a dialog.
   * @template {keyof Server.Commands} C
   * @param {string} title
   * @param {FieldSpec[]} fields
   * @param {C} command
   * @param {(entered: Record<string, FieldValue>) => Server.Commands[C]} read
   */
  openCommandForm(title, fields, command, read, { button = consoleStrings.go, intro = "", isGrid = false } = {}) {
    return formDialog(title, fields, {
      button,
      intro,
      isGrid,
      onSubmit: (entered) => this.table.command(command, read(entered)),
    });
  }
}

const person = await requireRole(consoleStrings.dealer.title, ["dealer"]);
if (person) {
  try {
    if (name) {
      const table = { table: name };
      const [rules, view] = await Promise.all([
        get("/api/tables/{table}/rules", { ...table, edges: false }),
        get("/api/tables/{table}", table),
      ]);
      new DealerConsole(person, rules, view).start();
    } else await showTableList();
  } catch (error) {
    render(
      content,
      h("h1", { text: consoleStrings.dealer.title }),
      h("p", { class: "fault", text: messageOf(error) }),
      h("p", {}, h("a", { href: "/dealer", text: consoleStrings.dealer.other })),
    );
  }
}
