// The table page: felt, chips, decisions and side panel, robust against a bad network.

import { signInPage } from "../lib/addresses.js";
import { get, getSession, messageOf, RequestError, TableClient } from "../lib/api.js";
import { $, delay, h, prefersReducedMotion, render } from "../lib/dom.js";
import { guideButton } from "../lib/guide.js";
import { announce, notify } from "../lib/notices.js";
import { notifyRefusal } from "../lib/shell.js";
import { strings } from "../lib/strings.js";
import { AnimationQueue, placedWagers } from "./animation-queue.js";
import { isBetting } from "./bets.js";
import { ChipRail } from "./chip-rail.js";
import { CoachMarks } from "./coach-marks.js";
import { adviceTable, Clock, decisionPanel, isDecision, showWorth } from "./decision.js";
import { Felt } from "./felt.js";
import { handleKey, showKeyboardHelp } from "./keyboard.js";
import { announcements } from "./screen-reader.js";
import { Seating } from "./seats.js";
import { SidePanel } from "./side-panel.js";
import { moneyPanel, statusText } from "./status.js";
import { TableSocket } from "./table-socket.js";
import { WagerPlacement } from "./wager-placement.js";

const texts = strings.table;

/**
 * @param {import("./decision.js").DecisionPrompt} prompt
 * @param {number} round
 */
const decisionKey = (prompt, round) => `${round} ${prompt.seat} ${prompt.choices.wager}`;

export class TablePage {
  /**
   * @param {string} name
   * @param {Server.ServedTableRules} rules
   * @param {Server.ServedTableView} view
   * @param {Server.CurrentPersonResponse} session
   */
  constructor(name, rules, view, session) {
    this.name = name;
    this.rules = rules;
    this.session = session;
    this.mode = view.mode;
    this.currency = view.currency;
    this.selfService = view.self_service;
    this.table = new TableClient(name, view.seq);
    this.busy = "";
    this.byName = Object.fromEntries(rules.wagers.map((wager) => [wager.wager, wager]));
    this.electronic = rules.wagers.some((wager) => wager.electronic);
    this.rail = new ChipRail((cents, area) =>
      this.placement.place(Number(area.dataset.seat), area.dataset.wager ?? "", cents),
    );
    this.placement = new WagerPlacement(this);
    this.seating = new Seating(this);
    this.felt = new Felt(rules, {
      area: (seat, wager, event) => this.placement.clickArea(seat, wager, event),
      sit: (seat) => this.seating.sit(seat),
    });
    this.clock = new Clock((left) => this.#isMine() && announce(texts.clockWarn(left), left <= 5));
    this.animations = new AnimationQueue(view, (felt, when) => this.#draw(felt, when), {
      isInstant: () => prefersReducedMotion() || document.visibilityState !== "visible",
      wait: delay,
    });
    this.banner = h("div", { class: "banner", role: "status", hidden: true });
    this.status = h("p", { class: "status" });
    this.money = h("div", { class: "money" });
    this.controls = h("div", { class: "controls", tabindex: "-1" });
    this.controlShape = "";
    this.moneyShape = "";
    this.wasLost = false;
    /** Whether the house gives advice, as far as the page knows. */
    this.advice = true;
    this.socket = new TableSocket(name, {
      onMessage: (message) => this.#onMessage(message),
      onState: (state) => this.#onConnectionState(state),
    });
    this.sidePanel = new SidePanel(this.table, rules);
    this.coachMarks = new CoachMarks();
    this.#build();
    this.animations.receive({ view, events: [], missed: true });
    this.socket.start();
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
    return this.seats.length > 0 && isBetting(this.view) && !this.animations.busy && !this.view.closing;
  }

  /** @returns {import("./decision.js").DecisionPrompt | null} */
  get prompt() {
    if (this.animations.busy) return null;
    return this.view.prompts.filter(isDecision).find((prompt) => this.seats.includes(prompt.seat)) ?? null;
  }

  /** The Ante of the seat that decides. */
  get anteCents() {
    const seat = this.prompt?.seat;
    return this.view.wagers.find((wager) => wager.seat === seat && wager.wager === "ante")?.amount_cents ?? 0;
  }

  #isMine() {
    const { clock } = this.view;
    return clock !== null && (this.seats.includes(clock.seat) || (clock.what === "betting" && this.seats.length > 0));
  }

  // Drawing.

  #build() {
    document.title = `${this.name} · ${strings.brand}`;
    const header = document.querySelector("page-header");
    if (header)
      render(
        header.page,
        h("h1", { text: this.name }),
        h("span", { class: "tag currency", text: strings.currency[this.currency] }),
        guideButton(this.name, { class: "plain guide-open" }),
        h("button", {
          type: "button",
          class: "plain icon shortcuts",
          text: "⌨",
          title: texts.keysTitle,
          "aria-label": texts.keysTitle,
          onclick: showKeyboardHelp,
        }),
        this.money,
      );
    render(
      $("#content"),
      this.banner,
      h(
        "div",
        { class: "table-page" },
        this.felt.element,
        h(
          "section",
          { class: "actions", "aria-label": texts.you },
          h(
            "div",
            { class: "dock-line" },
            this.clock.element,
            this.status,
            h("a", { class: "details-link small", href: "#details", text: texts.details }),
          ),
          this.controls,
        ),
        h(
          "aside",
          { class: "side panel", id: "details", "aria-label": texts.details },
          this.sidePanel.element,
          h("page-footer", {}),
        ),
      ),
    );
  }

  /**
   * @param {import("./animation-queue.js").FeltState} felt
   * @param {{ done: boolean }} options
   */
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
    this.#draw(this.animations.felt, { done: !this.animations.busy });
  }

  /** @param {Server.OwnView} you */
  #drawMoney(you) {
    if (!this.seats.length) return void render(this.money);
    const cost = this.betting ? this.placement.cost : 0;
    const shape = JSON.stringify([you, cost, this.betting]);
    if (shape === this.moneyShape && this.money.childElementCount) return;
    this.moneyShape = shape;
    render(this.money, moneyPanel(this, you, cost));
  }

  /** @param {boolean} done */
  #drawControls(done) {
    const { view } = this;
    const prompt = this.prompt;
    this.placement.drawButtons();
    const shape = prompt
      ? JSON.stringify([prompt, this.busy, view.you.chips_cents])
      : this.seats.length
        ? this.betting
          ? "betting"
          : "wait"
        : "watch";
    if (shape !== this.controlShape) this.#replaceControls(prompt, shape);
    if (this.animations.felt.net !== null && !this.animations.felt.void) this.coachMarks.end();
    const hint = done && !this.busy ? this.#hint(prompt !== null) : "";
    this.status.textContent = hint || statusText(this, done);
  }

  /** @param {boolean} isDeciding */
  #hint(isDeciding) {
    const { dealt_in: dealtIn } = this.rules;
    const isSimple = this.mode === "electronic" && this.seats.length === 1 && !this.placement.waiting.length;
    return this.coachMarks.show(
      {
        isSeated: isSimple,
        isBetting: this.betting,
        isDeciding,
        isDealtIn: this.seats.some((seat) => dealtIn.some((wager) => this.placement.amount(seat, wager))),
      },
      { wager: dealtIn[0], title: this.byName[dealtIn[0]]?.title ?? "" },
    );
  }

  /**
   * @param {import("./decision.js").DecisionPrompt | null} prompt
   * @param {string} shape
   */
  #replaceControls(prompt, shape) {
    const { view } = this;
    this.controlShape = shape;
    // Keyboard focus stays in the controls when they are replaced.
    const hadFocus = this.controls.contains(document.activeElement);
    if (prompt) {
      const handlers = {
        decide: (/** @type {number | null} */ amount) => this.#decide(prompt, amount),
        advise: () => this.#advise(),
      };
      this.felt.showSeat(prompt.seat);
      this.sidePanel.coach.prepare(decisionKey(prompt, view.round));
      if (!this.busy) this.sidePanel.clearAdvice();
      render(
        this.controls,
        decisionPanel(prompt, {
          chips: view.you.chips_cents ?? 0,
          ante: this.anteCents,
          busy: Boolean(this.busy),
          handlers,
          advice: this.advice,
        }),
      );
    } else if (this.betting) render(this.controls, this.placement.element);
    else render(this.controls);
    if (hadFocus) this.controls.focus({ preventScroll: true });
  }

  // Messages from the server.

  /** @param {Server.WatchMessage} message */
  #onMessage(message) {
    this.table.seq = Math.max(this.table.seq, message.seq);
    const closed = message.events.some((event) => event.event === "BetsClosed");
    const over = closed || (!isBetting(message.view) && isBetting(this.view));
    this.placement.onMessage(placedWagers(message.view), over);
    const mySeats = new Set(message.view.you.seats);
    if (
      message.events.some((event) => event.event === "Folded" && mySeats.has(event.seat) && event.by.role === "system")
    )
      notify(texts.timeOut, "warn");
    this.animations.receive(message);
    for (const sentence of announcements(message, mySeats)) announce(sentence);
    this.sidePanel.addEvents(message.events);
  }

  /** @param {import("./table-socket.js").SocketState} state */
  #onConnectionState(state) {
    if (state === "open" && this.wasLost) notify(texts.reconnected);
    this.wasLost = state === "lost";
    this.banner.hidden = state === "open";
    this.banner.textContent = { open: "", lost: texts.lost, ended: texts.signedOut, gone: texts.gone }[state];
    if (state === "ended")
      this.banner.append(
        " ",
        h("a", {
          href: signInPage(),
          text: strings.signIn,
        }),
      );
  }

  // Decisions.

  /**
   * @param {import("./decision.js").DecisionPrompt} prompt
   * @param {number | null} amount
   */
  async #decide(prompt, amount) {
    if (this.busy || this.prompt?.seat !== prompt.seat) return;
    const { round } = this.view;
    /** @param {Server.TableView} view */
    const stillValid = (view) => {
      const other = view.prompts.find(isDecision);
      return view.round === round && other?.seat === prompt.seat && other.choices.wager === prompt.choices.wager;
    };
    const decision = decisionKey(prompt, round);
    await this.runBusy(texts.sending, async (onRetry) => {
      await this.table.command("Decide", { seat: prompt.seat, amount }, { stillValid, onRetry });
      this.sidePanel.coach.judge(decision, amount);
    });
  }

  /** Shows what each choice is worth on its button, and in full in the side panel. */
  async #advise() {
    const { prompt } = this;
    const button = this.controls.querySelector(".ask");
    button?.setAttribute("aria-busy", "true");
    this.sidePanel.showAdvice(h("p", { class: "small soft", text: texts.adviceWait }));
    try {
      const advice = await get("/api/tables/{table}/advice", { table: this.name });
      if (this.prompt?.seat !== prompt?.seat || this.prompt?.choices.wager !== prompt?.choices.wager) return;
      this.sidePanel.showAdvice(adviceTable(advice));
      showWorth(this.controls, advice);
      announce(texts.adviceSpoken(advice));
    } catch (error) {
      this.sidePanel.clearAdvice();
      if (RequestError.of(error).status === 403) {
        this.advice = false;
        this.controlShape = "";
        this.moneyShape = "";
        this.redraw();
      }
      notifyRefusal(error);
    } finally {
      button?.removeAttribute("aria-busy");
    }
  }

  /**
   * Runs an action and blocks others until it is done, so that a double click acts once.
   * @param {string} text
   * @param {(onRetry: () => void) => Promise<unknown>} work
   */
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
      if (RequestError.of(error).status === 401) this.#onConnectionState("ended");
      notifyRefusal(error);
    } finally {
      this.busy = "";
      this.redraw();
    }
  }
}

async function open() {
  const name = new URLSearchParams(location.search).get("name");
  if (!name)
    return void render($("#content"), h("p", { text: texts.missing }), h("a", { href: "/", text: texts.back }));
  render($("#content"), h("p", { class: "soft", text: texts.loading }));
  try {
    const [session, rules, view] = await Promise.all([
      getSession(),
      get("/api/tables/{table}/rules", { table: name, edges: false }),
      get("/api/tables/{table}", { table: name }),
    ]);
    new TablePage(name, rules, view, session);
  } catch (error) {
    render(
      $("#content"),
      h("h1", { text: name }),
      h("p", { role: "alert", text: messageOf(error) }),
      h("a", { class: "button", href: "/", text: texts.back }),
    );
    if (error instanceof RequestError && [0, 503].includes(error.status)) setTimeout(open, 3000);
  }
}

open();
