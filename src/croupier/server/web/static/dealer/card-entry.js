// Cards from a plain shoe: the hand that is turned up is entered on a pad or by keyboard. Each card is kept at once.

import { formDialog } from "../lib/console.js";
import { consoleStrings } from "../lib/console-strings.js";
import { h, render } from "../lib/dom.js";
import { dollars } from "../lib/money.js";
import { announce } from "../lib/notices.js";
import { strings } from "../lib/strings.js";
import { CardPad, faultOf, readKey } from "./card-pad.js";
import { paymentTotals } from "./procedure.js";

const texts = consoleStrings.dealer.entry;
/** @typedef {import("./dealer.js").DealerConsole} DealerConsole */

export class CardEntryPanel {
  /** @param {DealerConsole} page */
  constructor(page) {
    this.page = page;
    /** @type {Server.CardEntryView | null} */
    this.entry = null;
    /** @type {string[]} */
    this.waiting = [];
    this.isSending = false;
    this.sent = Promise.resolve();
    this.isReporting = false;
    this.rank = "";
    this.pad = new CardPad((card) => this.#choose(card));
    this.hand = h("div", { class: "entry-hand" });
    this.typed = h("p", { class: "small soft typed", "aria-live": "polite" });
    this.fault = h("p", { class: "fault", role: "alert" });
    this.undoButton = h("button", { type: "button", text: texts.undo, onclick: () => this.#undo() });
    this.reportButton = h("button", {
      type: "button",
      class: "plain",
      "aria-pressed": "false",
      text: texts.report,
      onclick: () => this.#setReporting(!this.isReporting),
    });
    this.element = h(
      "div",
      { class: "card-entry" },
      this.hand,
      this.pad.element,
      h("div", { class: "row spread" }, this.typed, h("div", { class: "row" }, this.undoButton, this.reportButton)),
      this.fault,
    );
    addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * The panel for the hand that is being entered; what is typed is kept while it is the same hand.
   * @param {Server.CardEntryView} entry
   */
  show(entry) {
    const isSame = this.entry?.place === entry.place && this.entry.seat === entry.seat;
    if (!isSame) {
      this.waiting = [];
      this.#setRank("");
      this.#showFault("");
      this.isReporting = false;
    }
    this.entry = entry;
    this.waiting = this.waiting.filter((card) => !entry.out.includes(card));
    this.#draw();
    return this.element;
  }

  #draw() {
    const { entry } = this;
    if (!entry) return;
    render(this.hand, handCards(this.page, entry, this.waiting));
    const out = [...entry.out, ...this.waiting];
    this.pad.update(out, { isReporting: this.isReporting, isFull: this.waiting.length >= entry.numbers.length });
    this.undoButton.disabled = !entry.cards.some((card) => card !== null);
    this.reportButton.setAttribute("aria-pressed", String(this.isReporting));
    queueMicrotask(() => {
      const focused = document.activeElement;
      const isFree =
        !focused || focused === document.body || (focused instanceof HTMLButtonElement && focused.disabled);
      if (isFree && this.element.isConnected && !document.querySelector("dialog[open]")) this.pad.focus();
    });
  }

  /** @param {string} rank */
  #setRank(rank) {
    this.rank = rank;
    this.typed.textContent = rank ? texts.suitNext(rank) : texts.hint;
  }

  /** @param {string} reason */
  #showFault(reason) {
    this.fault.textContent = reason;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { target } = event;
    if (!this.element.isConnected || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]") || (target instanceof HTMLElement && target.matches("input, select")))
      return;
    const action = readKey(this.rank, event.key);
    if (action.kind === "none") return;
    event.preventDefault();
    if (action.kind === "back") this.#undo();
    else if (action.kind === "card") {
      this.#setRank("");
      this.#choose(action.card);
    } else this.#setRank(action.kind === "rank" ? action.rank : "");
  }

  /** @param {string} card */
  #choose(card) {
    if (!this.entry) return;
    if (this.isReporting) return void this.#report(card);
    const fault = faultOf(this.entry, this.waiting, card);
    this.#showFault(fault === "out" ? texts.outFault(strings.card(card), this.#placeOf(card)) : "");
    if (fault) return;
    this.waiting.push(card);
    this.#draw();
    if (!this.isSending) this.sent = this.#send();
  }

  /**
   * Where a card that is out lies, as the felt shows it.
   * @param {string} card
   */
  #placeOf(card) {
    const placed = this.page.view.cards.find(({ cards }) => cards.includes(card));
    if (!placed) return texts.elsewhere;
    return placed.seat ? strings.table.seat(placed.seat) : (strings.table.place[placed.place] ?? placed.place);
  }

  /** Sends one card after the other: each is kept by the server before the next one goes. */
  async #send() {
    this.isSending = true;
    try {
      while (this.waiting.length && this.entry?.numbers.length) {
        const { place, seat, numbers } = this.entry;
        const [card] = this.waiting;
        const values = { place, seat, number: numbers[0], cards: [card] };
        if (!(await this.page.send("EnterCards", values))) {
          this.waiting = [];
          break;
        }
        announce(strings.card(card));
        await this.page.refreshUntil((view) => view.procedure?.card_entry?.out.includes(card) ?? true);
        this.waiting = this.waiting.filter((other) => other !== card);
      }
    } finally {
      this.isSending = false;
      this.#draw();
    }
  }

  /** Takes the last card back: one that still waits is dropped, one that is on its way is kept first. */
  async #undo() {
    if (this.waiting.length > 1) {
      this.waiting.pop();
      return this.#draw();
    }
    await this.sent;
    const { entry } = this;
    if (!entry) return;
    const number = entry.cards.findLastIndex((card) => card !== null) + 1;
    if (number) await takeBack(this.page, entry, number);
  }

  /** @param {boolean} isReporting */
  #setReporting(isReporting) {
    this.isReporting = isReporting;
    this.#showFault(isReporting ? texts.reportHint : "");
    this.#draw();
  }

  /** @param {string} card */
  async #report(card) {
    const { entry } = this;
    if (!entry) return;
    const { place, seat, numbers } = entry;
    this.#setReporting(false);
    await formDialog(texts.reportTitle(strings.card(card)), [], {
      button: texts.reportGo,
      intro: texts.reportAsk(strings.card(card), this.#placeOf(card), entry.title),
      onSubmit: () => this.page.table.command("ReportDuplicateCard", { place, seat, number: numbers[0], card }),
    });
  }
}

/**
 * The cards of the hand in large type: one that was entered can be taken back, a missing one is a slot.
 * @param {DealerConsole} page
 * @param {Server.CardEntryView} entry
 * @param {readonly string[]} waiting
 */
function handCards(page, entry, waiting = []) {
  let next = 0;
  return h(
    "ol",
    { class: "entry-cards", "aria-label": entry.title },
    entry.cards.map((card, index) => {
      const number = index + 1;
      const isTurnedUp = entry.numbers.includes(number);
      const visible = card ?? (isTurnedUp ? waiting[next++] : undefined);
      const isNext = isTurnedUp && number === entry.numbers[waiting.length];
      if (!visible)
        return h(
          "li",
          { class: isNext ? "now" : "", "aria-current": isNext ? "step" : null },
          h("span", { class: "slot", role: "img", "aria-label": isTurnedUp ? texts.missing : texts.faceDown }),
        );
      return h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: "card-button",
            disabled: !card,
            "aria-label": texts.takeBack(strings.card(visible), number),
            onclick: () => takeBack(page, entry, number),
          },
          h("playing-card", { card: visible }),
        ),
      );
    }),
  );
}

/**
 * Takes an entry back; the record keeps it.
 * @param {DealerConsole} page
 * @param {Pick<Server.CardEntryView, "place" | "seat">} entry
 * @param {number} number
 */
const takeBack = (page, { place, seat }, number) => page.send("CorrectCard", { place, seat, number, card: null });

/**
 * The hand that is complete, its name, and what its settlement pays: all of it before anything final is pressed.
 * @param {DealerConsole} page
 * @param {Server.CardEntryView} entry
 */
export function completeHand(page, entry) {
  const { pay, take } = paymentTotals(entry.payments);
  return h(
    "section",
    { class: "complete-hand", "aria-label": entry.title },
    h(
      "div",
      { class: "row spread" },
      handCards(page, entry),
      entry.hand ? h("p", { class: "hand-name", text: entry.hand }) : null,
    ),
    entry.payments.length
      ? h(
          "ul",
          { class: "entries", "aria-label": texts.payments },
          entry.payments.map((payment) =>
            h(
              "li",
              { class: "row spread" },
              h("span", { text: paymentTitle(payment, entry.seat) }),
              h("span", { class: `number ${kindOf(payment)}`, text: paymentText(payment) }),
            ),
          ),
        )
      : null,
    entry.payments.length ? h("p", { class: "totals", text: texts.totals(dollars(pay), dollars(take)) }) : null,
  );
}

/**
 * @param {Server.PaymentDue} payment
 * @param {number} seatInTurn
 */
const paymentTitle = ({ title, seat, staked_cents: staked }, seatInTurn) =>
  [seat === seatInTurn ? "" : strings.table.seat(seat), title, staked ? dollars(staked) : ""]
    .filter(Boolean)
    .join(" · ");

/** @param {Server.PaymentDue} payment */
const kindOf = ({ outcome }) => (outcome === "win" ? "good" : outcome === "lose" || outcome === "forfeit" ? "bad" : "");

/** @param {Server.PaymentDue} payment */
export function paymentText({ outcome, staked_cents: staked, returned_cents: returned, paid_cents: paid, pays }) {
  if (paid) return texts.pays(dollars(paid), pays);
  if (outcome === "push" || outcome === "returned" || returned >= staked) return texts.stays;
  return texts.takes(dollars(staked - returned));
}
