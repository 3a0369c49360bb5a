// The table page: felt, chips, decisions and side panel, robust against a bad network.

import { RequestError, TableClient, get, getSession } from "/static/lib/api.js";
import { Clock, adviceTable, decisionPanel } from "/static/table/decision.js";
import { $, h, render } from "/static/lib/dom.js";
import { Felt } from "/static/table/felt.js";
import { handleKey, showKeyboardHelp } from "/static/lib/keyboard.js";
import { announce, notify } from "/static/lib/notices.js";
import { BETTING_PHASES, WagerPlacement } from "/static/table/wager-placement.js";
import { ChipRail } from "/static/table/chip-rail.js";
import { Seating } from "/static/table/seats.js";
import { notifyRefusal } from "/static/lib/shell.js";
import { AnimationQueue } from "/static/table/animation-queue.js";
import { SidePanel } from "/static/table/side-panel.js";
import { moneyPanel, statusText } from "/static/table/status.js";
import { announceEvents } from "/static/table/screen-reader.js";
import { TableSocket } from "/static/table/table-socket.js";
import { strings } from "/static/lib/strings.js";

const texts = strings.table;

class TablePage {
  constructor(name, rules, view, session) {
    this.name = name;
    this.rules = rules;
    this.session = session;
    this.mode = view.mode;
    this.selfService = view.self_service;
    this.table = new TableClient(name);
    this.table.seq = view.seq;
    this.busy = "";
    this.byName = Object.fromEntries(rules.wagers.map((wager) => [wager.wager, wager]));
    this.electronic = rules.wagers.some((wager) => wager.electronic);
    this.rail = new ChipRail((cents, area) =>
      this.placement.place(Number(area.dataset.seat), area.dataset.wager, cents),
    );
    this.placement = new WagerPlacement(this);
    this.seating = new Seating(this);
    this.felt = new Felt(rules, {
      area: (seat, wager, event) => this.placement.clickArea(seat, wager, event),
      sit: (seat) => this.seating.sit(seat),
    });
    this.clock = new Clock((left) => this.#isMine() && announce(texts.clockWarn(left), left <= 5));
    this.animations = new AnimationQueue((felt, when) => this.#draw(felt, when));
    this.sidePanel = new SidePanel(this.table, rules);
    this.#build();
    this.animations.receive({ view, events: [], missed: true });
    this.#connect();
    setInterval(() => this.clock.tick(), 250);
    document.addEventListener("keydown", (event) => handleKey(this, event));
  }

  // State.

  get view() {
    return this.animations.latest;
  }

  get seats() {
    return this.view.you.seats;
  }

  get placed() {
    return placedWagers(this.view);
  }

  get betting() {
    return this.seats.length > 0 && BETTING_PHASES.has(this.view.phase) && !this.animations.busy && !this.view.closing;
  }

  get prompt() {
    if (this.animations.busy) return null;
    return this.view.prompts.find((prompt) => prompt.command === "Decide" && this.seats.includes(prompt.seat)) ?? null;
  }

  #isMine() {
    return this.seats.includes(this.view.clock?.seat) || (this.view.clock?.what === "betting" && this.seats.length);
  }

  // Drawing.

  #build() {
    this.banner = h("div", { class: "banner", role: "status", hidden: true });
    this.status = h("p", { class: "status" });
    this.money = h("div", { class: "money" });
    this.controls = h("div", { class: "controls", tabindex: "-1" });
    document.title = `${this.name} · ${strings.brand}`;
    render(
      $("#content"),
      this.banner,
      h(
        "div",
        { class: "row spread table-head" },
        h("h1", { text: this.name }),
        h(
          "div",
          { class: "row" },
          h("button", { type: "button", class: "plain", text: texts.keys, onclick: showKeyboardHelp }),
          h("a", { class: "button plain", href: "/", text: texts.back }),
        ),
      ),
      h(
        "div",
        { class: "table-page" },
        h(
          "div",
          { class: "table-main" },
          this.felt.element,
          h(
            "section",
            { class: "actions", "aria-label": texts.you },
            h("div", { class: "row spread" }, h("div", { class: "row" }, this.clock.element, this.status), this.money),
            this.controls,
          ),
        ),
        h("aside", { class: "side panel", "aria-label": texts.results }, this.sidePanel.element),
      ),
    );
  }

  #draw(felt, { done }) {
    const view = done ? this.view : { ...this.view, you: this.animations.view.you, prompts: [] };
    const { placed, betting } = this;
    this.felt.draw(felt, this.view, {
      betting: betting && !this.busy,
      amount: (seat, wager) => (betting ? this.placement.amount(seat, wager) : (felt.wagers[seat]?.[wager] ?? 0)),
      pending: (seat, wager) => betting && this.placement.amount(seat, wager) !== (placed[seat]?.[wager] ?? 0),
    });
    this.#drawMoney(view.you);
    this.clock.set(done ? view.clock : null);
    this.#drawControls(done);
    this.sidePanel.draw(felt, this.view);
  }

  /** Redraws after a change on this page. */
  redraw() {
    if (this.animations.felt) this.#draw(this.animations.felt, { done: !this.animations.busy });
  }

  #drawMoney(you) {
    if (!this.seats.length) return void render(this.money);
    const cost = this.betting ? this.placement.cost : 0;
    const shape = JSON.stringify([you, cost, this.betting, this.view.mode]);
    if (shape === this.moneyShape && this.money.childElementCount) return;
    this.moneyShape = shape;
    render(this.money, moneyPanel(this, you, cost));
  }

  #drawControls(done) {
    const { view } = this;
    const prompt = this.prompt;
    this.status.textContent = statusText(this, done);
    this.placement.drawButtons();
    const shape = prompt
      ? JSON.stringify([prompt, this.busy, view.you.chips_cents])
      : this.seats.length
        ? this.betting
          ? "betting"
          : "wait"
        : "watch";
    if (shape === this.controlShape) return;
    this.controlShape = shape;
    // Keyboard focus stays in the controls when they are replaced.
    const hadFocus = this.controls.contains(document.activeElement);
    if (prompt) {
      const ante = view.wagers.find((wager) => wager.seat === prompt.seat && wager.wager === "ante")?.amount_cents ?? 0;
      const handlers = { decide: (amount) => this.#decide(prompt, amount), advise: (box) => this.#advise(box) };
      if (innerWidth < 700) this.felt.ownSeats.scrollIntoView({ block: "nearest" });
      render(
        this.controls,
        decisionPanel(prompt, {
          chips: view.you.chips_cents,
          ante,
          busy: Boolean(this.busy),
          handlers,
          advice: this.advice !== false,
        }),
      );
    } else if (this.betting) render(this.controls, this.placement.element);
    else render(this.controls);
    if (hadFocus) this.controls.focus({ preventScroll: true });
  }

  // Messages from the server.

  #connect() {
    this.socket = new TableSocket(this.table.path);
    this.socket.addEventListener("message", ({ detail }) => this.#onMessage(detail));
    this.socket.addEventListener("state", ({ detail }) => this.#onConnectionState(detail));
    this.socket.start();
  }

  #onMessage(message) {
    this.table.seq = Math.max(this.table.seq, message.seq);
    const closed = message.events.some((event) => event.event === "BetsClosed");
    const over = closed || (!BETTING_PHASES.has(message.view.phase) && BETTING_PHASES.has(this.view?.phase));
    this.placement.onMessage(placedWagers(message.view), over);
    const mySeats = new Set(message.view.you.seats);
    if (
      message.events.some((event) => event.event === "Folded" && mySeats.has(event.seat) && event.by.role === "system")
    )
      notify(texts.timeOut, "warn");
    this.animations.receive(message);
    announceEvents(message, mySeats);
    this.sidePanel.addEvents(message.events);
  }

  #onConnectionState(state) {
    if (state === "open" && this.wasLost) notify(texts.reconnected);
    this.wasLost = state === "lost";
    this.banner.hidden = state === "open";
    this.banner.textContent = { lost: texts.lost, ended: texts.signedOut, gone: texts.gone }[state] ?? "";
    if (state === "ended")
      this.banner.append(
        " ",
        h("a", {
          href: `/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`,
          text: strings.signIn,
        }),
      );
  }

  // Decisions.

  async #decide(prompt, amount) {
    if (this.busy || this.prompt?.seat !== prompt.seat) return;
    const { round } = this.view;
    const isSame = (other) => other?.seat === prompt.seat && other.choices.wager === prompt.choices.wager;
    const stillValid = (view) =>
      view.round === round && isSame(view.prompts.find((prompt) => prompt.command === "Decide"));
    await this.runBusy(texts.sending, (onRetry) =>
      this.table.command("Decide", { seat: prompt.seat, amount }, { stillValid, onRetry }),
    );
  }

  async #advise(box) {
    render(box, h("p", { class: "small soft", text: texts.adviceWait }));
    try {
      render(box, adviceTable(await this.table.get("/advice")));
      box.scrollIntoView({ block: "nearest" });
    } catch (error) {
      render(box);
      if (error.status === 403) {
        this.advice = false;
        this.controlShape = "";
        this.redraw();
      }
      notifyRefusal(error);
    }
  }

  /** Runs an action and blocks others until it is done, so that a double click acts once. */
  async runBusy(text, work) {
    this.busy = text;
    this.redraw();
    const onRetry = () => {
      this.busy = texts.trying;
      this.redraw();
    };
    try {
      await work(onRetry);
    } catch (error) {
      if (error.status === 401) this.#onConnectionState("ended");
      if (error instanceof RequestError) notifyRefusal(error);
      else throw error;
    } finally {
      this.busy = "";
      this.redraw();
    }
  }
}

function placedWagers(view) {
  const placed = {};
  for (const { seat, wager, amount_cents } of view.wagers) (placed[seat] ??= {})[wager] = amount_cents;
  return placed;
}

async function open() {
  const name = new URLSearchParams(location.search).get("name");
  if (!name)
    return void render($("#content"), h("p", { text: texts.missing }), h("a", { href: "/", text: texts.back }));
  render($("#content"), h("p", { class: "soft", text: texts.loading }));
  const path = `/api/tables/${encodeURIComponent(name)}`;
  try {
    const [session, rules, view] = await Promise.all([getSession(), get(`${path}/rules?edges=false`), get(path)]);
    new TablePage(name, rules, view, session);
  } catch (error) {
    render(
      $("#content"),
      h("h1", { text: name }),
      h("p", { role: "alert", text: error.message }),
      h("a", { class: "button", href: "/", text: texts.back }),
    );
    if (error.status === 0 || error.status === 503) setTimeout(open, 3000);
  }
}

open();
