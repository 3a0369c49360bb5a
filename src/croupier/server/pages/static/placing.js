// Placing wagers: chips on the felt become wagers at the table, each once, in an order that the rules allow.

import { Refused } from "/static/api.js";
import { Draft, added, allowed } from "/static/betting.js";
import { h, wait } from "/static/dom.js";
import { say } from "/static/notices.js";
import { words } from "/static/words.js";

const said = words.table;
const PAUSE = 700;

/** Phases between rounds, in which wagers are placed and taken back. */
export const BETWEEN = new Set(["betting", "shuffling", "cutting", "loading"]);

export class Placing {
  constructor(page) {
    this.page = page;
    this.draft = new Draft();
    /** Patrons for whom the deal waits. */
    this.waiting = [];
    const button = (text, key, onclick, props = {}) =>
      h("button", { type: "button", onclick, ...props }, text, h("kbd", { text: key }));
    this.undoButton = button(said.undo, "U", () => this.undo());
    this.clearButton = button(said.clear, "C", () => this.clear());
    this.repeatButton = button(said.repeat, "R", () => this.repeat());
    const asks = page.mode === "electronic" ? said.deal : said.placeWagers;
    this.dealButton = button(asks, "D", () => this.deal(), { class: "main deal" });
    const buttons = [this.undoButton, this.clearButton, this.repeatButton, this.dealButton];
    this.element = h("div", { class: "betting" }, page.rail.element, h("div", { class: "row" }, buttons));
  }

  /** What is left of the chips when what lies on the felt is placed. */
  get left() {
    const { chips_cents: chips, game_account_cents: account } = this.page.view.you;
    return (chips ?? 0) + (this.page.electronic ? (account ?? 0) : 0) - this.cost;
  }

  get cost() {
    return this.draft.cost(this.page.seats, this.page.placed, this.page.rules);
  }

  get touched() {
    return this.draft.touched(this.page.placed);
  }

  amount(seat, wager) {
    return this.draft.amount(seat, wager, this.page.placed);
  }

  /** The server has told something: what it knows need not be remembered; what came too late stays with the patron. */
  told(placed, over) {
    if (over) {
      if (this.draft.touched(placed)) say(said.betsClosed, "warn");
      this.draft.forget();
      this.waiting = [];
    }
    this.draft.prune(placed);
  }

  drawButtons() {
    const { busy, betting, seats, placed, rules } = this.page;
    const anything = Object.keys(this.draft.all(seats, placed, rules)).length > 0;
    this.undoButton.disabled = Boolean(busy) || !this.draft.undoable;
    this.clearButton.disabled = Boolean(busy) || !anything;
    this.repeatButton.disabled = Boolean(busy) || !this.last();
    // A dealer ends the betting time himself: there is nothing more to ask for once the wagers lie.
    const asked = this.touched || (anything && this.page.mode === "electronic");
    this.dealButton.disabled = Boolean(busy) || !betting || !asked;
  }

  onArea(seat, wager, event) {
    if (event.shiftKey) return this.take(seat, wager);
    const cents = this.page.rail.inHand();
    if (cents === null) return void say(this.page.rail.fault.textContent, "bad");
    return this.place(seat, wager, cents);
  }

  place(seat, name, cents) {
    const wager = this.page.byName[name];
    if (this.page.busy || !this.page.seats.includes(seat)) return;
    if (wager.made_in_play) return void say(said.inPlay(wager.title));
    if (wager.placed_with) return this.place(seat, wager.placed_with, cents);
    if (!this.page.betting) return void say(said.notNow, "warn");
    const now = this.draft.amount(seat, name, this.page.placed);
    const { amount, refused } = added(wager, now, cents, this.left);
    if (refused) return void say(refused, "warn");
    this.draft.set({ [`${seat} ${name}`]: amount }, this.page.placed);
    this.#moved();
  }

  /** Chips have moved. Where others sit or a dealer waits, they are placed after a moment: no deal leaves them out. */
  #moved() {
    this.waiting = [];
    this.page.redraw();
    clearTimeout(this.pause);
    const alone = this.page.view.seats.every((seat) => !seat.patron || seat.patron === this.page.view.you.name);
    if (!alone || this.page.mode !== "electronic") this.pause = setTimeout(() => this.#placeQuietly(), PAUSE);
  }

  async #placeQuietly() {
    if (this.page.busy || !this.page.betting) return;
    if (this.quiet) return void (this.again = true); // what was put down meanwhile follows
    this.quiet = this.#flush(() => {}, true).catch((error) => {
      if (!(error instanceof Refused)) throw error;
    });
    await this.quiet;
    this.quiet = null;
    if (!this.again) return;
    this.again = false;
    await this.#placeQuietly();
  }

  take(seat, name) {
    if (this.page.busy || !this.page.betting || !this.draft.amount(seat, name, this.page.placed)) return;
    this.draft.set({ [`${seat} ${name}`]: 0 }, this.page.placed);
    this.#moved();
  }

  undo() {
    if (this.page.busy || !this.draft.undoable) return;
    this.draft.undo();
    this.#moved();
  }

  clear() {
    if (this.page.busy || !this.page.betting) return;
    this.draft.clear(this.page.seats, this.page.placed, this.page.rules);
    this.#moved();
  }

  last() {
    try {
      return JSON.parse(sessionStorage.getItem(`croupier-last ${this.page.name}`) ?? "null");
    } catch {
      return null;
    }
  }

  repeat() {
    const last = this.last();
    if (this.page.busy || !this.page.betting || !last) return;
    const wanted = Object.fromEntries(
      Object.entries(last).filter(([where]) => this.page.seats.includes(Number(where.split(" ")[0]))),
    );
    const before = this.left;
    this.draft.set(wanted, this.page.placed);
    if (this.left < 0) {
      this.draft.undo();
      say(said.tooLittle(before), "warn");
    }
    this.#moved();
  }

  /** Places what lies on the felt, wager by wager, and asks for the deal. */
  async deal() {
    if (this.page.busy || !this.page.betting) return;
    const all = this.draft.all(this.page.seats, this.page.placed, this.page.rules);
    const dealt = this.page.seats.some((seat) => this.page.rules.dealt_in.some((wager) => all[`${seat} ${wager}`]));
    if (!dealt && this.page.mode === "electronic" && Object.keys(all).length) {
      return void say(
        said.needAnte(this.page.rules.dealt_in.map((name) => this.page.byName[name]?.title ?? name).join(" or ")),
        "warn",
      );
    }
    const { round } = this.page.view;
    clearTimeout(this.pause);
    await this.page.doing(said.placing, async (trying) => {
      await this.quiet;
      await this.#flush(trying);
      try {
        sessionStorage.setItem(`croupier-last ${this.page.name}`, JSON.stringify(all));
      } catch {
        // Then there is nothing to repeat.
      }
      if (this.page.mode === "electronic" && dealt) this.waiting = (await this.#ready(round, trying)).waiting_for;
    });
  }

  /** Places what is not placed yet, one wager after another; quietly, only what would be taken. */
  async #flush(trying, quiet = false) {
    const { round } = this.page.view;
    const still = (view) => view.round === round && BETWEEN.has(view.phase);
    for (;;) {
      const { placed } = this.page;
      const changes = this.draft.changes(this.page.seats, placed, this.page.rules);
      const change = changes.find(
        ({ seat, wager, amount }) => !quiet || allowed(this.page.byName[wager], amount, placed[seat] ?? {}),
      );
      if (!change || !still(this.page.view)) return;
      const { seat, wager, amount } = change;
      await this.#fund(change, still, trying);
      const answer = await this.page.table.command("PlaceWager", { seat, wager, amount }, { still, trying });
      await this.#caughtUp(answer.seq);
    }
  }

  /** Electronic wagers are made from the game account: what is short there comes from the chips first. */
  async #fund({ wager, amount, before }, still, trying) {
    const short = amount - before - this.page.view.you.game_account_cents;
    if (!this.page.byName[wager].electronic || short <= 0) return;
    const answer = await this.page.table.command(
      "FundAccount",
      { patron: this.page.view.you.name, amount: short },
      { still, trying },
    );
    await this.#caughtUp(answer.seq);
  }

  /** Waits until the page has seen what an answer was about; asks where nothing is told. */
  async #caughtUp(seq) {
    for (let waited = 0; this.page.view.seq < seq && waited < 2000; waited += 10) await wait(10);
    if (this.page.view.seq >= seq) return;
    this.page.showing.take({ view: await this.page.table.get(), events: [], missed: true });
  }

  /** Asks for the deal; where the answer is lost, the table itself says whether it was heard. */
  async #ready(round, trying) {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.page.table.ready();
      } catch (error) {
        if (error.status !== 0 && error.status !== 503 && error.status !== 422) throw error;
        if (error.status !== 422) {
          trying();
          await wait(800);
        }
        const view = await this.page.table.get().catch(() => null);
        if (view && (view.round !== round || !BETWEEN.has(view.phase))) return { waiting_for: [] };
        if (error.status === 422 || attempt > 12) throw error;
      }
    }
  }
}
