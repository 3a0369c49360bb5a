// A table: the felt, the chips, the decisions, and everything that keeps them right when the network is not.

import { Refused, Table, becomeGuest, get, me } from "/static/api.js";
import { Draft, added, allowed } from "/static/betting.js";
import { Clock, adviceTable, decision } from "/static/deciding.js";
import { $, dialog, dollars, h, parseDollars, put, tabs, wait } from "/static/dom.js";
import { Felt } from "/static/felt.js";
import { announce, say } from "/static/notices.js";
import { Log, historyPanel, rulesPanel, settlement } from "/static/panels.js";
import { Rail } from "/static/rail.js";
import { amountField, sayRefused } from "/static/shell.js";
import { Showing } from "/static/showing.js";
import { Watching } from "/static/watching.js";
import { words } from "/static/words.js";

const said = words.table;
const BETWEEN = new Set(["betting", "shuffling", "cutting", "loading"]);
const BROUGHT = 50_000;
const PAUSE = 700;
const CHIP_KEYS = [100, 500, 2500, 10_000, 50_000];

class TablePage {
  constructor(name, rules, view, mine) {
    this.name = name;
    this.rules = rules;
    this.mine = mine;
    this.mode = view.mode;
    this.selfService = view.self_service;
    this.table = new Table(name);
    this.table.seq = view.seq;
    this.draft = new Draft();
    this.busy = "";
    this.waiting = [];
    this.byName = Object.fromEntries(rules.wagers.map((wager) => [wager.wager, wager]));
    this.felt = new Felt(rules, { area: (seat, wager, event) => this.#onArea(seat, wager, event), sit: (seat) => this.#sit(seat) });
    this.rail = new Rail((cents, area) => this.#place(Number(area.dataset.seat), area.dataset.wager, cents));
    this.clock = new Clock((left) => this.#isMine() && announce(said.clockWarn(left), left <= 5));
    this.showing = new Showing((felt, when) => this.#draw(felt, when));
    this.log = new Log(rules.edition);
    this.#build();
    this.showing.take({ view, events: [], missed: true });
    this.#watch();
    setInterval(() => this.clock.tick(), 250);
    document.addEventListener("keydown", (event) => this.#onKey(event));
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

  get left() {
    const { chips_cents: chips, game_account_cents: account } = this.view.you;
    return (chips ?? 0) + (this.rules.wagers.some((wager) => wager.electronic) ? (account ?? 0) : 0) - this.draft.cost(this.seats, this.placed, this.rules);
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
    this.controls = h("div", { class: "controls" });
    this.results = h("div", {});
    this.rulesTab = rulesPanel(this.rules);
    this.historyTab = h("div", {});
    const side = tabs(this.name, [
      ["results", said.results, this.results],
      ["rules", said.rules, this.rulesTab.element],
      ["history", said.history, this.historyTab],
      ["log", said.log, this.log.element],
    ]);
    side.onchange((chosen) => this.#onTab(chosen));
    this.side = side;
    document.title = `${this.name} · ${words.brand}`;
    put(
      $("#content"),
      this.banner,
      h("div", { class: "row spread table-head" }, h("h1", { text: this.name }), h("div", { class: "row" }, h("button", { type: "button", class: "plain", text: said.keys, onclick: () => this.#keys() }), h("a", { class: "button plain", href: "/", text: said.back }))),
      h("div", { class: "table-page" }, h("div", { class: "table-main" }, this.felt.element, h("section", { class: "actions", "aria-label": said.you }, h("div", { class: "row spread" }, h("div", { class: "row" }, this.clock.element, this.status), this.money), this.controls)), h("aside", { class: "side panel", "aria-label": said.results }, side.element)),
    );
    this.#bettingControls();
  }

  #bettingControls() {
    const button = (text, key, onclick, props = {}) => h("button", { type: "button", onclick, ...props }, text, h("kbd", { text: key }));
    this.undoButton = button(said.undo, "U", () => this.#undo());
    this.clearButton = button(said.clear, "C", () => this.#clear());
    this.repeatButton = button(said.repeat, "R", () => this.#repeat());
    this.dealButton = button(this.mode === "electronic" ? said.deal : said.placeWagers, "D", () => this.#deal(), { class: "main deal" });
    this.bettingBox = h("div", { class: "betting" }, this.rail.element, h("div", { class: "row" }, this.undoButton, this.clearButton, this.repeatButton, this.dealButton));
  }

  #draw(felt, { done }) {
    const view = done ? this.view : { ...this.view, you: this.showing.view.you, prompts: [] };
    const placed = this.placed;
    this.felt.draw(felt, this.view, {
      betting: this.betting && !this.busy,
      amount: (seat, wager) => (this.betting ? this.draft.amount(seat, wager, placed) : (felt.wagers[seat]?.[wager] ?? 0)),
      pending: (seat, wager) => this.betting && this.draft.amount(seat, wager, placed) !== (placed[seat]?.[wager] ?? 0),
    });
    this.#drawMoney(view.you);
    this.clock.set(done ? view.clock : null);
    this.#drawControls(done);
    const shape = JSON.stringify([felt.settled, felt.round, felt.void, felt.net]);
    if (shape !== this.resultShape) put(this.results, settlement(felt, this.view, this.rules.edition));
    if (felt.settled.length && shape !== this.resultShape && this.side.chosen() === "log") this.side.choose("results");
    this.resultShape = shape;
  }

  /** Draws again after something on the page itself has changed. */
  #redraw() {
    if (this.showing.felt) this.#draw(this.showing.felt, { done: !this.showing.busy });
  }

  #drawMoney(you) {
    if (!this.seats.length) return void put(this.money);
    const cost = this.betting ? this.draft.cost(this.seats, this.placed, this.rules) : 0;
    const fact = (label, cents) => h("span", { class: "fact" }, h("span", { class: "small soft", text: `${label} ` }), h("strong", { text: dollars(cents) }));
    const electronic = this.rules.wagers.some((wager) => wager.electronic);
    const shape = JSON.stringify([you, cost, this.betting, this.view.mode]);
    if (shape === this.moneyShape && this.money.childElementCount) return;
    this.moneyShape = shape;
    put(
      this.money,
      fact(said.chips, you.chips_cents - Math.min(cost, you.chips_cents)),
      electronic && you.game_account_cents ? fact(said.gameAccount, you.game_account_cents) : null,
      you.owed_cents ? fact(said.owed, you.owed_cents) : null,
      this.#seatButtons("plain wide"),
      h("button", { type: "button", class: "plain icon more", "aria-label": said.seatMenu, text: "⋯", onclick: () => this.#seatMenu() }),
    );
  }

  #seatButtons(kind, first = () => {}) {
    const button = (text, does) => h("button", { type: "button", class: kind, text, onclick: () => (first(), does()) });
    return [this.selfService ? button(said.buy, () => this.#buy()) : null, button(said.leave, () => this.#leave())];
  }

  /** The same where there is no room for buttons. */
  #seatMenu() {
    const opened = dialog(said.seatMenu, h("div", { class: "row" }, this.#seatButtons("", () => opened.close())));
  }

  #drawControls(done) {
    const { view } = this;
    const prompt = this.prompt;
    this.status.textContent = this.#sentence(done);
    this.#bettingButtons();
    const shape = prompt ? JSON.stringify([prompt, this.busy, view.you.chips_cents]) : this.seats.length ? (this.betting ? "betting" : "wait") : "watch";
    if (shape === this.controlShape) return;
    this.controlShape = shape;
    if (prompt) {
      const ante = view.wagers.find((wager) => wager.seat === prompt.seat && wager.wager === "ante")?.amount_cents ?? 0;
      const act = { decide: (amount) => this.#decide(prompt, amount), advise: (box) => this.#advise(box) };
      if (innerWidth < 700) this.felt.own.scrollIntoView({ block: "nearest" });
      put(this.controls, decision(prompt, { chips: view.you.chips_cents, ante, busy: Boolean(this.busy), act, advice: this.advice !== false }));
    } else if (this.betting) put(this.controls, this.bettingBox);
    else put(this.controls);
  }

  #bettingButtons() {
    const { busy } = this;
    const touched = this.draft.touched(this.placed);
    const all = this.draft.all(this.seats, this.placed, this.rules);
    this.undoButton.disabled = Boolean(busy) || !this.draft.undoable;
    this.clearButton.disabled = Boolean(busy) || !Object.keys(all).length;
    this.repeatButton.disabled = Boolean(busy) || !this.#last();
    this.dealButton.disabled = Boolean(busy) || !this.betting || (!touched && !Object.keys(all).length);
  }

  #sentence(done) {
    const { view } = this;
    if (this.busy) return this.busy;
    if (!done) return said.dealing;
    if (!this.seats.length) return view.you.role === "patron" ? said.chooseSeat : said.watchingOnly;
    if (view.phase === "deciding") {
      const seat = view.waiting[0];
      if (this.seats.includes(seat)) return said.decideYou(seat, this.seats.length > 1);
      return said.decideOther(seat, view.seats[seat - 1]?.patron);
    }
    if (view.phase === "betting" && this.waiting.length) return said.waitingFor(this.waiting);
    const net = this.showing.felt?.net;
    if (view.phase === "betting" && net !== null && net !== undefined && !this.draft.touched(this.placed)) return `${said.net(net)} ${said.phases.betting}`;
    return said.phases[view.phase] ?? "";
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
    const forgotten = over && this.draft.touched(placedIn(message.view));
    if (over) {
      this.draft.forget();
      this.waiting = [];
    }
    if (forgotten) say(said.betsClosed, "warn");
    this.draft.prune(placedIn(message.view));
    const mine = new Set(message.view.you.seats);
    if (message.events.some((event) => event.event === "Folded" && mine.has(event.seat) && event.by.role === "system")) say(said.timeOut, "warn");
    this.log.add(message.events);
    this.showing.take(message);
    this.#announce(message, mine);
    if (this.side.chosen() === "history" && message.events.some((event) => event.event === "RoundCompleted")) this.#history();
  }

  #announce({ events, view }, mine) {
    const cards = events.filter((event) => event.event === "CardDealt" && event.place === "player" && mine.has(event.seat)).map((event) => event.card);
    if (cards.length) announce(said.yourCards(cards));
    for (const event of events) {
      if (event.event === "CardsRevealed" && event.place === "dealer") announce(said.dealerCards(event.cards));
      if (event.event === "CardsRevealed" && event.place === "board") announce(said.boardCards(event.cards));
      if (event.event === "WagerSettled" && mine.has(event.seat)) announce(event.text);
      if (event.event === "RoundCompleted" && view.last?.round === event.round && view.last.your_net_cents !== null) announce(said.net(view.last.your_net_cents));
    }
    if (view.phase === "deciding" && mine.has(view.waiting[0]) && events.length) announce(view.prompts.find((prompt) => prompt.command === "Decide")?.text ?? "");
  }

  #connection(state) {
    if (state === "open" && this.wasLost) say(said.backAgain);
    this.wasLost = state === "lost";
    this.banner.hidden = state === "open";
    this.banner.textContent = { lost: said.lost, ended: said.signedOut, gone: said.gone }[state] ?? "";
    if (state === "ended") this.banner.append(" ", h("a", { href: `/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`, text: words.signIn }));
  }

  // Chips.

  #onArea(seat, wager, event) {
    if (event.shiftKey) return this.#take(seat, wager);
    const cents = this.rail.inHand();
    if (cents === null) return void say(this.rail.fault.textContent, "bad");
    return this.#place(seat, wager, cents);
  }

  #place(seat, name, cents) {
    const wager = this.byName[name];
    if (this.busy || !this.seats.includes(seat)) return;
    if (wager.made_in_play) return void say(said.inPlay(wager.title));
    if (!this.betting) return void say(said.notNow, "warn");
    const now = this.draft.amount(seat, name, this.placed);
    const { amount, refused } = added(wager, now, cents, this.left);
    if (refused) return void say(refused, "warn");
    this.draft.set({ [`${seat} ${name}`]: amount }, this.placed);
    this.#moved();
  }

  /** Chips have moved. Where others sit, they are placed after a moment, so that nobody is dealt without them. */
  #moved() {
    this.waiting = [];
    this.#redraw();
    clearTimeout(this.pause);
    const alone = this.view.seats.every((seat) => !seat.patron || seat.patron === this.view.you.name);
    if (!alone) this.pause = setTimeout(() => this.#placeQuietly(), PAUSE);
  }

  async #placeQuietly() {
    if (this.busy || this.quiet || !this.betting) return;
    this.quiet = this.#flush(() => {}, true).catch((error) => {
      if (!(error instanceof Refused)) throw error;
    });
    await this.quiet;
    this.quiet = null;
  }

  #take(seat, name) {
    if (this.busy || !this.betting || !this.draft.amount(seat, name, this.placed)) return;
    this.draft.set({ [`${seat} ${name}`]: 0 }, this.placed);
    this.#moved();
  }

  #undo() {
    if (this.busy || !this.draft.undoable) return;
    this.draft.undo();
    this.#moved();
  }

  #clear() {
    if (this.busy || !this.betting) return;
    this.draft.clear(this.seats, this.placed, this.rules);
    this.#moved();
  }

  #last() {
    try {
      return JSON.parse(sessionStorage.getItem(`croupier-last ${this.name}`) ?? "null");
    } catch {
      return null;
    }
  }

  #repeat() {
    const last = this.#last();
    if (this.busy || !this.betting || !last) return;
    const wanted = Object.fromEntries(Object.entries(last).filter(([where]) => this.seats.includes(Number(where.split(" ")[0]))));
    const before = this.left;
    this.draft.set(wanted, this.placed);
    if (this.left < 0) {
      this.draft.undo();
      say(said.tooLittle(before), "warn");
    }
    this.#moved();
  }

  /** Places what lies on the felt, wager by wager, and asks for the deal. */
  async #deal() {
    if (this.busy || !this.betting) return;
    const all = this.draft.all(this.seats, this.placed, this.rules);
    const dealt = this.seats.some((seat) => this.rules.dealt_in.some((wager) => all[`${seat} ${wager}`]));
    if (!dealt && this.mode === "electronic" && Object.keys(all).length) {
      return void say(said.needAnte(this.rules.dealt_in.map((name) => this.byName[name]?.title ?? name).join(" or ")), "warn");
    }
    const { round } = this.view;
    clearTimeout(this.pause);
    await this.#doing(said.placing, async (trying) => {
      await this.quiet;
      await this.#flush(trying);
      try {
        sessionStorage.setItem(`croupier-last ${this.name}`, JSON.stringify(all));
      } catch {
        // Then there is nothing to repeat.
      }
      if (this.mode === "electronic" && dealt) this.waiting = (await this.#ready(round, trying)).waiting_for;
    });
  }

  /** Places what is not placed yet, one wager after another; quietly, only what would be taken. */
  async #flush(trying, quiet = false) {
    const { round } = this.view;
    const still = (view) => view.round === round && BETWEEN.has(view.phase);
    for (;;) {
      const { placed } = this;
      const changes = this.draft.changes(this.seats, placed, this.rules);
      const change = changes.find(({ seat, wager, amount }) => !quiet || allowed(this.byName[wager], amount, placed[seat] ?? {}));
      if (!change || !still(this.view)) return;
      const { seat, wager, amount } = change;
      await this.#fund(change, still, trying);
      const answer = await this.table.command("PlaceWager", { seat, wager, amount }, { still, trying });
      await this.#caughtUp(answer.seq);
    }
  }

  /** Electronic wagers are made from the game account: what is short there comes from the chips first. */
  async #fund({ wager, amount, before }, still, trying) {
    const short = amount - before - this.view.you.game_account_cents;
    if (!this.byName[wager].electronic || short <= 0) return;
    const answer = await this.table.command("FundAccount", { patron: this.view.you.name, amount: short }, { still, trying });
    await this.#caughtUp(answer.seq);
  }

  /** Waits until the page has seen what an answer was about; asks where nothing is told. */
  async #caughtUp(seq) {
    for (let waited = 0; this.view.seq < seq && waited < 2000; waited += 10) await wait(10);
    if (this.view.seq >= seq) return;
    this.showing.take({ view: await this.table.get(), events: [], missed: true });
  }

  /** Asks for the deal; where the answer is lost, the table itself says whether it was heard. */
  async #ready(round, trying) {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.table.ready();
      } catch (error) {
        if (error.status !== 0 && error.status !== 503 && error.status !== 422) throw error;
        if (error.status !== 422) {
          trying();
          await wait(800);
        }
        const view = await this.table.get().catch(() => null);
        if (view && (view.round !== round || !BETWEEN.has(view.phase))) return { waiting_for: [] };
        if (error.status === 422 || attempt > 12) throw error;
      }
    }
  }

  // Decisions.

  async #decide(prompt, amount) {
    if (this.busy || this.prompt?.seat !== prompt.seat) return;
    const { round } = this.view;
    const same = (other) => other?.seat === prompt.seat && other.choices.wager === prompt.choices.wager;
    const still = (view) => view.round === round && same(view.prompts.find((one) => one.command === "Decide"));
    await this.#doing(said.sending, (trying) => this.table.command("Decide", { seat: prompt.seat, amount }, { still, trying }));
  }

  async #advise(box) {
    put(box, h("p", { class: "small soft", text: said.adviceWait }));
    try {
      put(box, adviceTable(await this.table.get("/advice")));
    } catch (error) {
      put(box);
      if (error.status === 403) {
        this.advice = false;
        this.controlShape = "";
        this.#redraw();
      }
      sayRefused(error);
    }
  }

  /** Something that is under way: nothing else is begun meanwhile, so that a double click does it once. */
  async #doing(text, work) {
    this.busy = text;
    this.#redraw();
    const trying = () => {
      this.busy = said.trying;
      this.#redraw();
    };
    try {
      await work(trying);
    } catch (error) {
      if (error.status === 401) this.#connection("ended");
      if (error instanceof Refused) sayRefused(error);
      else throw error;
    } finally {
      this.busy = "";
      this.#redraw();
    }
  }

  // Seats and money.

  async #sit(seat) {
    if (this.busy) return;
    try {
      if (!this.mine.person) {
        if (!this.mine.guests) return void location.assign(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`);
        this.mine = await becomeGuest();
        $("page-header").refresh();
        this.watching.restart();
      }
      const { balance_cents: there } = await get("/api/account");
      this.#sitDialog(seat, there);
    } catch (error) {
      sayRefused(error);
    }
  }

  #sitDialog(seat, there) {
    const brought = amountField(said.sitChips, { cents: Math.min(there, BROUGHT), hint: said.sitHas(there), id: "sit-chips" });
    const free = this.view.seats.filter((one) => !one.patron).map((one) => one.seat);
    const most = Array.from({ length: this.rules.adjacent_boxes }, (_, more) => more + 1).filter((count) => Array.from({ length: count }, (_, more) => seat + more).every((one) => free.includes(one)));
    const boxes = h("select", { id: "sit-boxes" }, most.slice(0, 3).map((count) => h("option", { value: count, text: String(count) })));
    const form = h(
      "form",
      { class: "stack" },
      this.selfService ? brought.element : h("p", { text: said.staffedChips }),
      most.length > 1 ? h("div", { class: "field" }, h("label", { for: "sit-boxes", text: said.sitBoxes }), boxes) : null,
      h("button", { class: "main", text: said.sitDo }),
    );
    const opened = dialog(`${said.sitTitle}: ${said.seat(seat)}`, form);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const cents = this.selfService ? parseDollars(brought.input.value) : 0;
      if (cents === null) return brought.blame(said.notAnAmount(brought.input.value));
      const seats = Array.from({ length: Number(boxes.value || 1) }, (_, more) => seat + more);
      opened.close();
      await this.#doing(said.sending, () => this.table.sit(seats, cents));
      this.watching.restart();
    });
  }

  async #buy() {
    const { balance_cents: there } = await get("/api/account").catch(() => ({ balance_cents: 0 }));
    const amount = amountField(said.buyAmount, { hint: said.sitHas(there), id: "buy-amount" });
    const form = h("form", { class: "stack" }, amount.element, h("div", { class: "row" }, h("button", { class: "main", name: "do", value: "1", text: said.buyDo }), h("button", { name: "do", value: "-1", text: said.cashDo })));
    const opened = dialog(said.buyTitle, form);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const cents = parseDollars(amount.input.value);
      if (!cents) return amount.blame(said.notAnAmount(amount.input.value));
      opened.close();
      await this.#doing(said.sending, () => this.table.chips(cents * Number(event.submitter?.value ?? 1)));
    });
  }

  #leave() {
    const form = h("form", { class: "row" }, h("button", { class: "main", text: said.leave }), h("button", { type: "button", text: words.cancel, onclick: () => opened.close() }));
    const opened = dialog(said.leave, h("p", { text: said.leaveAsk }), form);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      opened.close();
      const seated = (view) => view.you.seats.length > 0;
      await this.#doing(said.sending, async (trying) => {
        await this.table.command("Leave", { patron: this.view.you.name }, { still: seated, trying });
        this.draft.forget();
        say(said.left);
      });
    });
  }

  // Panels and keys.

  async #onTab(chosen) {
    if (chosen === "history") await this.#history();
    if (chosen !== "rules" || this.edges) return;
    this.edges = true;
    const { house_edges: edges } = await this.table.get("/rules").catch(() => ({ house_edges: [] }));
    this.edges = edges.length > 0;
    this.rulesTab.edges(edges);
  }

  async #history() {
    try {
      const rounds = await this.table.get("/rounds?last=10");
      const recall = async (number) => {
        try {
          return (await this.table.get(`/rounds/${number}`)).lines;
        } catch (error) {
          return void sayRefused(error);
        }
      };
      put(this.historyTab, historyPanel(rounds, recall, this.rules.edition));
    } catch (error) {
      sayRefused(error);
    }
  }

  #keys() {
    const on = h("input", { type: "checkbox", id: "keys-on", checked: keysOn(), onchange: () => localStorage.setItem("croupier-keys", on.checked ? "on" : "off") });
    dialog(said.keysTitle, h("table", {}, h("tbody", {}, said.keyList.map(([key, does]) => h("tr", {}, h("th", { scope: "row", text: key }), h("td", { text: does }))))), h("p", { class: "row" }, on, h("label", { for: "keys-on", text: said.keysOn })));
  }

  #onKey(event) {
    const there = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]") || there.matches?.("input:not([type=range]), textarea, select")) return;
    const area = there.closest?.(".area");
    if (area && (event.key === "Delete" || event.key === "Backspace")) {
      event.preventDefault();
      return void this.#take(Number(area.dataset.seat), area.dataset.wager);
    }
    if (!keysOn()) return;
    const key = event.key.toLowerCase();
    const press = (selector) => {
      const button = $(selector, this.controls);
      if (button && !button.disabled) button.click();
    };
    if (this.prompt) {
      if (key === "f") press(".fold");
      if (key === "b") press(".ask");
      if (/^[1-9]$/.test(key)) {
        const ante = this.view.wagers.find((wager) => wager.seat === this.prompt.seat && wager.wager === "ante")?.amount_cents ?? 0;
        press(`[data-amount="${Number(key) * ante}"]`);
      }
    } else if (this.betting) {
      if (CHIP_KEYS[Number(key) - 1]) this.rail.hold(CHIP_KEYS[Number(key) - 1]);
      const does = { u: () => this.#undo(), c: () => this.#clear(), r: () => this.#repeat(), d: () => this.dealButton.disabled || this.#deal() };
      does[key]?.();
    }
  }
}

function placedIn(view) {
  const found = {};
  for (const { seat, wager, amount_cents } of view.wagers) (found[seat] ??= {})[wager] = amount_cents;
  return found;
}

function keysOn() {
  try {
    return localStorage.getItem("croupier-keys") !== "off";
  } catch {
    return true;
  }
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
    put($("#content"), h("h1", { text: name }), h("p", { role: "alert", text: error.message }), h("a", { class: "button", href: "/", text: said.back }));
    if (error.status === 0 || error.status === 503) setTimeout(open, 3000);
  }
}

open();
