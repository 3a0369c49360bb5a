// Places the chips on the felt as wagers, each once, in an order that the rules allow.

import { RequestError } from "../lib/api.js";
import { delay, h } from "../lib/dom.js";
import { notify } from "../lib/notices.js";
import { strings } from "../lib/strings.js";
import { addChip, isAllowed, isBetting, WagerDraft } from "./bets.js";

const texts = strings.table;
const PLACE_DELAY_MS = 700;

export class WagerPlacement {
  /** @param {import("./table.js").TablePage} page */
  constructor(page) {
    this.page = page;
    this.draft = new WagerDraft();
    /** @type {string[]} patrons the deal is waiting for */
    this.waiting = [];
    /** @type {Promise<void> | null} */
    this.background = null;
    this.flushAgain = false;
    /** @type {number | undefined} */
    this.placeTimer = undefined;
    /**
     * @param {string} text
     * @param {string} key
     * @param {() => unknown} onclick
     */
    const button = (text, key, onclick, props = {}) =>
      h("button", { type: "button", onclick, ...props }, text, h("kbd", { text: key }));
    this.undoButton = button(texts.undo, "U", () => this.undo());
    this.clearButton = button(texts.clear, "C", () => this.clear());
    this.repeatButton = button(texts.repeat, "R", () => this.repeat());
    this.dealLabel = h("span", {});
    this.dealButton = h(
      "button",
      { type: "button", class: "main deal", onclick: () => this.deal() },
      this.dealLabel,
      h("kbd", { text: "D" }),
    );
    const buttons = [this.undoButton, this.clearButton, this.repeatButton, this.dealButton];
    this.element = h("div", { class: "betting" }, page.rail.element, h("div", { class: "row" }, buttons));
  }

  /** Chips left after placing what is on the felt. */
  get left() {
    const { chips_cents: chips, game_account_cents: account } = this.page.view.you;
    return (chips ?? 0) + (this.page.electronic ? (account ?? 0) : 0) - this.cost;
  }

  get cost() {
    return this.draft.cost(this.page.seats, this.page.placed, this.page.rules);
  }

  get hasChanges() {
    return this.draft.hasChanges(this.page.placed);
  }

  /**
   * @param {number} seat
   * @param {string} wager
   */
  amount(seat, wager) {
    return this.draft.amount(seat, wager, this.page.placed);
  }

  /**
   * Updates the draft after a server message; chips that came too late go back to the patron.
   * @param {import("./animation-queue.js").PlacedAmounts} placed
   * @param {boolean} over
   */
  onMessage(placed, over) {
    if (over) {
      if (this.draft.hasChanges(placed)) notify(texts.betsClosed, "warn");
      this.draft.reset();
      this.waiting = [];
    }
    this.draft.prune(placed);
  }

  drawButtons() {
    const { busy, betting, seats, placed, rules } = this.page;
    const hasChips = Object.keys(this.draft.amounts(seats, placed, rules)).length > 0;
    this.undoButton.disabled = Boolean(busy) || !this.draft.undoable;
    this.clearButton.disabled = Boolean(busy) || !hasChips;
    this.repeatButton.disabled = Boolean(busy) || !betting || !this.lastWagers();
    // A dealer ends the betting: once the wagers are placed there is nothing left to request.
    const isElectronic = this.page.mode === "electronic";
    const isRepeat = isElectronic && !hasChips && this.canRepeat;
    const canRequest = this.hasChanges || (hasChips && isElectronic) || isRepeat;
    const isAlone = this.isAlone;
    this.dealLabel.textContent = !isElectronic
      ? texts.placeWagers
      : isRepeat
        ? texts.sameAgain
        : isAlone
          ? texts.deal
          : texts.ready;
    this.dealButton.disabled = Boolean(busy) || !betting || !canRequest;
  }

  /**
   * @param {number} seat
   * @param {string} wager
   * @param {MouseEvent} event
   */
  clickArea(seat, wager, event) {
    if (event.shiftKey) return this.take(seat, wager);
    const cents = this.page.rail.selectedAmount();
    if (cents === null) return void notify(this.page.rail.fault.textContent, "bad");
    return this.place(seat, wager, cents);
  }

  /**
   * @param {number} seat
   * @param {string} name
   * @param {number} cents
   * @returns {void}
   */
  place(seat, name, cents) {
    const wager = this.page.byName[name];
    if (this.page.busy || !this.page.seats.includes(seat)) return;
    if (wager.made_in_play) return void notify(texts.inPlay(wager.title));
    if (wager.placed_with) return this.place(seat, wager.placed_with, cents);
    if (!this.page.betting) return void notify(texts.notNow, "warn");
    const current = this.draft.amount(seat, name, this.page.placed);
    const { amount, refused } = addChip(wager, current, cents, this.left);
    if (refused !== undefined) return void notify(refused, "warn");
    this.draft.set({ [`${seat} ${name}`]: amount }, this.page.placed);
    this.#onChipsMoved();
  }

  /** Whether nobody else sits at the table. */
  get isAlone() {
    return this.page.view.seats.every((seat) => !seat.patron || seat.patron === this.page.view.you.name);
  }

  /** Whether there are last wagers, and chips enough to make them again. */
  get canRepeat() {
    const amounts = this.#ownLastWagers();
    const cost = Object.values(amounts).reduce((sum, cents) => sum + cents, 0);
    return cost > 0 && cost <= this.left;
  }

  /** The last wagers at the seats that the patron has now. */
  #ownLastWagers() {
    const entries = Object.entries(this.lastWagers() ?? {}).filter(([key]) =>
      this.page.seats.includes(Number(key.split(" ")[0])),
    );
    return Object.fromEntries(entries);
  }

  /** Redraws after chips have moved. With other patrons or a dealer, places them shortly after, before the deal. */
  #onChipsMoved() {
    this.waiting = [];
    this.page.redraw();
    clearTimeout(this.placeTimer);
    if (!this.isAlone || this.page.mode !== "electronic")
      this.placeTimer = setTimeout(() => this.#placeInBackground(), PLACE_DELAY_MS);
  }

  async #placeInBackground() {
    if (this.page.busy || !this.page.betting) return;
    if (this.background) {
      this.flushAgain = true; // more chips were put down in the meantime
      return;
    }
    this.background = this.#flush(() => {}, true).catch((error) => {
      if (!(error instanceof RequestError)) throw error;
    });
    await this.background;
    this.background = null;
    if (!this.flushAgain) return;
    this.flushAgain = false;
    await this.#placeInBackground();
  }

  /**
   * @param {number} seat
   * @param {string} name
   */
  take(seat, name) {
    if (this.page.busy || !this.page.betting || !this.draft.amount(seat, name, this.page.placed)) return;
    this.draft.set({ [`${seat} ${name}`]: 0 }, this.page.placed);
    this.#onChipsMoved();
  }

  undo() {
    if (this.page.busy || !this.draft.undoable) return;
    this.draft.undo();
    this.#onChipsMoved();
  }

  clear() {
    if (this.page.busy || !this.page.betting) return;
    this.draft.clear(this.page.seats, this.page.placed, this.page.rules);
    this.#onChipsMoved();
  }

  /** @returns {import("./bets.js").DraftAmounts | null} */
  lastWagers() {
    try {
      return JSON.parse(sessionStorage.getItem(`croupier-last ${this.page.name}`) ?? "null");
    } catch {
      return null;
    }
  }

  repeat() {
    const amounts = this.#ownLastWagers();
    if (this.page.busy || !this.page.betting || !Object.keys(amounts).length) return;
    const chipsBefore = this.left;
    this.draft.set(amounts, this.page.placed);
    if (this.left < 0) {
      this.draft.undo();
      notify(texts.tooLittle(chipsBefore), "warn");
    }
    this.#onChipsMoved();
  }

  /** Places the chips on the felt, wager by wager, and requests the deal; without chips, the last wagers again. */
  async deal() {
    if (this.page.busy || !this.page.betting) return;
    const hasChips = Object.keys(this.draft.amounts(this.page.seats, this.page.placed, this.page.rules)).length > 0;
    if (!hasChips && this.page.mode === "electronic" && this.canRepeat) this.repeat();
    const amounts = this.draft.amounts(this.page.seats, this.page.placed, this.page.rules);
    const dealtIn = this.page.seats.some((seat) =>
      this.page.rules.dealt_in.some((wager) => amounts[`${seat} ${wager}`]),
    );
    if (!dealtIn && this.page.mode === "electronic" && Object.keys(amounts).length) {
      return void notify(
        texts.needAnte(this.page.rules.dealt_in.map((name) => this.page.byName[name]?.title ?? name).join(" or ")),
        "warn",
      );
    }
    const { round } = this.page.view;
    clearTimeout(this.placeTimer);
    await this.page.runBusy(texts.placing, async (onRetry) => {
      await this.background;
      await this.#flush(onRetry);
      try {
        sessionStorage.setItem(`croupier-last ${this.page.name}`, JSON.stringify(amounts));
      } catch {
        // Without storage there is nothing to repeat.
      }
      if (this.page.mode === "electronic" && dealtIn)
        this.waiting = (await this.#requestDeal(round, onRetry)).waiting_for;
    });
  }

  /**
   * Places the remaining changes one by one; in the background, only those the server would accept.
   * @param {() => void} onRetry
   */
  async #flush(onRetry, background = false) {
    const { round } = this.page.view;
    /** @param {Server.TableView} view */
    const stillValid = (view) => view.round === round && isBetting(view);
    for (;;) {
      const { placed } = this.page;
      const changes = this.draft.changes(this.page.seats, placed, this.page.rules);
      const change = changes.find(
        ({ seat, wager, amount }) => !background || isAllowed(this.page.byName[wager], amount, placed[seat] ?? {}),
      );
      if (!change || !stillValid(this.page.view)) return;
      const { seat, wager, amount } = change;
      await this.#fund(change, stillValid, onRetry);
      const response = await this.page.table.command("PlaceWager", { seat, wager, amount }, { stillValid, onRetry });
      await this.#waitForSeq(response.seq);
    }
  }

  /**
   * Moves missing money from chips to the game account, which electronic wagers are made from.
   * @param {{ wager: string; amount: number; before: number }} options
   * @param {(view: Server.TableView) => boolean} stillValid
   * @param {() => void} onRetry
   */
  async #fund({ wager, amount, before }, stillValid, onRetry) {
    const shortfall = amount - before - (this.page.view.you.game_account_cents ?? 0);
    if (!this.page.byName[wager].electronic || shortfall <= 0) return;
    const response = await this.page.table.command(
      "FundAccount",
      { patron: this.page.view.you.name, amount: shortfall },
      { stillValid, onRetry },
    );
    await this.#waitForSeq(response.seq);
  }

  /**
   * Waits until the page has seen an event; fetches the table if the socket is silent.
   * @param {number} seq
   */
  async #waitForSeq(seq) {
    for (let waited = 0; this.page.view.seq < seq && waited < 2000; waited += 10) await delay(10);
    if (this.page.view.seq >= seq) return;
    this.page.animations.receive({ view: await this.page.table.view(), events: [], missed: true });
  }

  /**
   * Requests the deal; if the response is lost, the table's state tells whether it arrived.
   * @param {number} round
   * @param {() => void} onRetry
   */
  async #requestDeal(round, onRetry) {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.page.table.ready();
      } catch (error) {
        const { status } = RequestError.of(error);
        if (status !== 0 && status !== 503 && status !== 422) throw error;
        if (status !== 422) {
          onRetry();
          await delay(800);
        }
        const view = await this.page.table.view().catch(() => null);
        if (view && (view.round !== round || !isBetting(view))) return { waiting_for: [] };
        if (status === 422 || attempt > 12) throw error;
      }
    }
  }
}
