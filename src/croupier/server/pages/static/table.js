// A table: the felt, the chips, the decisions, and everything that keeps them right when the network is not.

import { Refused, Table, get, me } from "/static/api.js";
import { Clock, adviceTable, decision } from "/static/deciding.js";
import { $, h, put } from "/static/dom.js";
import { Felt } from "/static/felt.js";
import { pressed, showKeys } from "/static/keys.js";
import { announce, say } from "/static/notices.js";
import { BETWEEN, Placing } from "/static/placing.js";
import { Rail } from "/static/rail.js";
import { Seating } from "/static/seating.js";
import { sayRefused } from "/static/shell.js";
import { Showing } from "/static/showing.js";
import { Side } from "/static/side.js";
import { moneyOf, sentenceOf } from "/static/status.js";
import { tell } from "/static/telling.js";
import { Watching } from "/static/watching.js";
import { words } from "/static/words.js";

const said = words.table;

class TablePage {
  constructor(name, rules, view, mine) {
    this.name = name;
    this.rules = rules;
    this.mine = mine;
    this.mode = view.mode;
    this.selfService = view.self_service;
    this.table = new Table(name);
    this.table.seq = view.seq;
    this.busy = "";
    this.byName = Object.fromEntries(rules.wagers.map((wager) => [wager.wager, wager]));
    this.electronic = rules.wagers.some((wager) => wager.electronic);
    this.rail = new Rail((cents, area) => this.placing.place(Number(area.dataset.seat), area.dataset.wager, cents));
    this.placing = new Placing(this);
    this.seating = new Seating(this);
    this.felt = new Felt(rules, {
      area: (seat, wager, event) => this.placing.onArea(seat, wager, event),
      sit: (seat) => this.seating.sit(seat),
    });
    this.clock = new Clock((left) => this.#isMine() && announce(said.clockWarn(left), left <= 5));
    this.showing = new Showing((felt, when) => this.#draw(felt, when));
    this.side = new Side(this.table, rules);
    this.#build();
    this.showing.take({ view, events: [], missed: true });
    this.#watch();
    setInterval(() => this.clock.tick(), 250);
    document.addEventListener("keydown", (event) => pressed(this, event));
  }

  // What is there.

  get view() {
    return this.showing.latest;
  }

  get seats() {
    return this.view.you.seats;
  }

  get placed() {
    return placedIn(this.view);
  }

  get betting() {
    return this.seats.length > 0 && BETWEEN.has(this.view.phase) && !this.showing.busy && !this.view.closing;
  }

  get prompt() {
    if (this.showing.busy) return null;
    return this.view.prompts.find((prompt) => prompt.command === "Decide" && this.seats.includes(prompt.seat)) ?? null;
  }

  #isMine() {
    return this.seats.includes(this.view.clock?.seat) || (this.view.clock?.what === "betting" && this.seats.length);
  }

  // The page.

  #build() {
    this.banner = h("div", { class: "banner", role: "status", hidden: true });
    this.status = h("p", { class: "status" });
    this.money = h("div", { class: "money" });
    this.controls = h("div", { class: "controls", tabindex: "-1" });
    document.title = `${this.name} · ${words.brand}`;
    put(
      $("#content"),
      this.banner,
      h(
        "div",
        { class: "row spread table-head" },
        h("h1", { text: this.name }),
        h(
          "div",
          { class: "row" },
          h("button", { type: "button", class: "plain", text: said.keys, onclick: showKeys }),
          h("a", { class: "button plain", href: "/", text: said.back }),
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
            { class: "actions", "aria-label": said.you },
            h("div", { class: "row spread" }, h("div", { class: "row" }, this.clock.element, this.status), this.money),
            this.controls,
          ),
        ),
        h("aside", { class: "side panel", "aria-label": said.results }, this.side.element),
      ),
    );
  }

  #draw(felt, { done }) {
    const view = done ? this.view : { ...this.view, you: this.showing.view.you, prompts: [] };
    const { placed, betting } = this;
    this.felt.draw(felt, this.view, {
      betting: betting && !this.busy,
      amount: (seat, wager) => (betting ? this.placing.amount(seat, wager) : (felt.wagers[seat]?.[wager] ?? 0)),
      pending: (seat, wager) => betting && this.placing.amount(seat, wager) !== (placed[seat]?.[wager] ?? 0),
    });
    this.#drawMoney(view.you);
    this.clock.set(done ? view.clock : null);
    this.#drawControls(done);
    this.side.draw(felt, this.view);
  }

  /** Draws again after something on the page itself has changed. */
  redraw() {
    if (this.showing.felt) this.#draw(this.showing.felt, { done: !this.showing.busy });
  }

  #drawMoney(you) {
    if (!this.seats.length) return void put(this.money);
    const cost = this.betting ? this.placing.cost : 0;
    const shape = JSON.stringify([you, cost, this.betting, this.view.mode]);
    if (shape === this.moneyShape && this.money.childElementCount) return;
    this.moneyShape = shape;
    put(this.money, moneyOf(this, you, cost));
  }

  #drawControls(done) {
    const { view } = this;
    const prompt = this.prompt;
    this.status.textContent = sentenceOf(this, done);
    this.placing.drawButtons();
    const shape = prompt
      ? JSON.stringify([prompt, this.busy, view.you.chips_cents])
      : this.seats.length
        ? this.betting
          ? "betting"
          : "wait"
        : "watch";
    if (shape === this.controlShape) return;
    this.controlShape = shape;
    // Whoever used the controls by keyboard stays there when others take their place.
    const there = this.controls.contains(document.activeElement);
    if (prompt) {
      const ante = view.wagers.find((wager) => wager.seat === prompt.seat && wager.wager === "ante")?.amount_cents ?? 0;
      const act = { decide: (amount) => this.#decide(prompt, amount), advise: (box) => this.#advise(box) };
      if (innerWidth < 700) this.felt.own.scrollIntoView({ block: "nearest" });
      put(
        this.controls,
        decision(prompt, {
          chips: view.you.chips_cents,
          ante,
          busy: Boolean(this.busy),
          act,
          advice: this.advice !== false,
        }),
      );
    } else if (this.betting) put(this.controls, this.placing.element);
    else put(this.controls);
    if (there) this.controls.focus({ preventScroll: true });
  }

  // What the server tells.

  #watch() {
    this.watching = new Watching(this.table.path);
    this.watching.addEventListener("told", ({ detail }) => this.#told(detail));
    this.watching.addEventListener("state", ({ detail }) => this.#connection(detail));
    this.watching.start();
  }

  #told(message) {
    this.table.seq = Math.max(this.table.seq, message.seq);
    const closed = message.events.some((event) => event.event === "BetsClosed");
    const over = closed || (!BETWEEN.has(message.view.phase) && BETWEEN.has(this.view?.phase));
    this.placing.told(placedIn(message.view), over);
    const mine = new Set(message.view.you.seats);
    if (message.events.some((event) => event.event === "Folded" && mine.has(event.seat) && event.by.role === "system"))
      say(said.timeOut, "warn");
    this.showing.take(message);
    tell(message, mine);
    this.side.told(message.events);
  }

  #connection(state) {
    if (state === "open" && this.wasLost) say(said.backAgain);
    this.wasLost = state === "lost";
    this.banner.hidden = state === "open";
    this.banner.textContent = { lost: said.lost, ended: said.signedOut, gone: said.gone }[state] ?? "";
    if (state === "ended")
      this.banner.append(
        " ",
        h("a", { href: `/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`, text: words.signIn }),
      );
  }

  // Decisions.

  async #decide(prompt, amount) {
    if (this.busy || this.prompt?.seat !== prompt.seat) return;
    const { round } = this.view;
    const same = (other) => other?.seat === prompt.seat && other.choices.wager === prompt.choices.wager;
    const still = (view) => view.round === round && same(view.prompts.find((one) => one.command === "Decide"));
    await this.doing(said.sending, (trying) =>
      this.table.command("Decide", { seat: prompt.seat, amount }, { still, trying }),
    );
  }

  async #advise(box) {
    put(box, h("p", { class: "small soft", text: said.adviceWait }));
    try {
      put(box, adviceTable(await this.table.get("/advice")));
      box.scrollIntoView({ block: "nearest" });
    } catch (error) {
      put(box);
      if (error.status === 403) {
        this.advice = false;
        this.controlShape = "";
        this.redraw();
      }
      sayRefused(error);
    }
  }

  /** Something that is under way: nothing else is begun meanwhile, so that a double click does it once. */
  async doing(text, work) {
    this.busy = text;
    this.redraw();
    const trying = () => {
      this.busy = said.trying;
      this.redraw();
    };
    try {
      await work(trying);
    } catch (error) {
      if (error.status === 401) this.#connection("ended");
      if (error instanceof Refused) sayRefused(error);
      else throw error;
    } finally {
      this.busy = "";
      this.redraw();
    }
  }
}

function placedIn(view) {
  const found = {};
  for (const { seat, wager, amount_cents } of view.wagers) (found[seat] ??= {})[wager] = amount_cents;
  return found;
}

async function open() {
  const name = new URLSearchParams(location.search).get("name");
  if (!name) return void put($("#content"), h("p", { text: said.missing }), h("a", { href: "/", text: said.back }));
  put($("#content"), h("p", { class: "soft", text: said.loading }));
  const path = `/api/tables/${encodeURIComponent(name)}`;
  try {
    const [mine, rules, view] = await Promise.all([me(), get(`${path}/rules?edges=false`), get(path)]);
    new TablePage(name, rules, view, mine);
  } catch (error) {
    put(
      $("#content"),
      h("h1", { text: name }),
      h("p", { role: "alert", text: error.message }),
      h("a", { class: "button", href: "/", text: said.back }),
    );
    if (error.status === 0 || error.status === 503) setTimeout(open, 3000);
  }
}

open();
