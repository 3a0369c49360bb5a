// A pad of 52 cards, a row for each suit: cards that are out are greyed. Keys enter a rank and then a suit.

import { faceOf } from "../lib/cards.js";
import { consoleStrings } from "../lib/console-strings.js";
import { h } from "../lib/dom.js";
import { strings } from "../lib/strings.js";

const texts = consoleStrings.dealer.entry;
export const RANKS = [..."AKQJT98765432"];
export const SUITS = [..."shdc"];
const MARKS = /** @type {Record<string, string>} */ ({ s: "♠", h: "♥", d: "♦", c: "♣" });

/** The rows of the pad: every card once, a row for each suit. */
export const PAD_ROWS = SUITS.map((suit) => ({ suit, cards: RANKS.map((rank) => rank + suit) }));

/**
 * What a key does while a card is typed: a rank waits for its suit, and a suit completes the card.
 * @typedef {{ kind: "card"; card: string } | { kind: "rank"; rank: string } | { kind: "clear" } | { kind: "back" }
 *   | { kind: "none" }} KeyAction
 * @param {string} rank The rank typed so far, if any.
 * @param {string} key
 * @returns {KeyAction}
 */
export function readKey(rank, key) {
  if (key === "Backspace") return rank ? { kind: "clear" } : { kind: "back" };
  if (key === "Escape") return rank ? { kind: "clear" } : { kind: "none" };
  const upper = key === "1" || (key === "0" && rank === "1") ? key : key.toUpperCase();
  if (rank && rank !== "1" && SUITS.includes(key.toLowerCase()))
    return { kind: "card", card: rank + key.toLowerCase() };
  if (upper === "1") return { kind: "rank", rank: "1" };
  if (upper === "0") return rank === "1" ? { kind: "rank", rank: "T" } : { kind: "none" };
  return RANKS.includes(upper) ? { kind: "rank", rank: upper } : { kind: "none" };
}

/**
 * Where an arrow key moves on the pad, skipping cards that cannot be chosen; the same card if there is no other.
 * @param {string} card
 * @param {string} key
 * @param {(card: string) => boolean} isChoosable
 */
export function moveOnPad(card, key, isChoosable) {
  const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[key];
  if (!step) return card;
  let row = SUITS.indexOf(card[1]);
  let column = RANKS.indexOf(card[0]);
  for (let count = 0; count < RANKS.length; count++) {
    row = (row + step[0] + SUITS.length) % SUITS.length;
    column = (column + step[1] + RANKS.length) % RANKS.length;
    const next = RANKS[column] + SUITS[row];
    if (isChoosable(next)) return next;
  }
  return card;
}

/**
 * The cards that are sent in turn: each one to the next position that is still to be entered.
 * @param {Pick<Server.CardEntryView, "numbers" | "out">} entry
 * @param {readonly string[]} waiting Cards that were chosen but not confirmed by the server yet.
 * @param {string} card
 * @returns {"" | "out" | "full"}
 */
export function faultOf({ numbers, out }, waiting, card) {
  if (out.includes(card) || waiting.includes(card)) return "out";
  return waiting.length >= numbers.length ? "full" : "";
}

export class CardPad {
  /** @param {(card: string) => void} choose */
  constructor(choose) {
    /** @type {Map<string, HTMLButtonElement>} */
    this.buttons = new Map();
    this.current = "As";
    this.isChoosable = (/** @type {string} */ card) => !this.buttons.get(card)?.disabled;
    this.element = h(
      "div",
      { class: "pad", role: "group", "aria-label": texts.pad },
      PAD_ROWS.map(({ suit, cards }) =>
        h(
          "div",
          { class: "pad-row", role: "group", "aria-label": texts.suits[suit] },
          cards.map((card) => this.#button(card, choose)),
        ),
      ),
    );
    this.element.addEventListener("keydown", (event) => this.#move(event));
  }

  /**
   * @param {string} card
   * @param {(card: string) => void} choose
   */
  #button(card, choose) {
    const { rank, suit, color } = faceOf(card);
    const button = h(
      "button",
      { type: "button", class: `pad-card ${color}`, tabindex: "-1", onclick: () => choose(card) },
      h("span", { text: rank, "aria-hidden": "true" }),
      h("span", { text: MARKS[suit], "aria-hidden": "true" }),
    );
    this.buttons.set(card, button);
    return button;
  }

  /**
   * Greys the cards that cannot be chosen. While a second card of the deck is reported, only cards that are out can be.
   * @param {readonly string[]} out
   * @param {{ isReporting: boolean; isFull: boolean }} options
   */
  update(out, { isReporting, isFull }) {
    for (const [card, button] of this.buttons) {
      const isOut = out.includes(card);
      button.disabled = isReporting ? !isOut : isOut || isFull;
      button.classList.toggle("out", isOut);
      button.setAttribute("aria-label", isOut ? texts.isOut(strings.card(card)) : strings.card(card));
    }
    if (!this.isChoosable(this.current)) this.current = [...this.buttons.keys()].find(this.isChoosable) ?? "As";
    this.#setTabStop(this.current);
  }

  focus() {
    this.buttons.get(this.current)?.focus();
  }

  /** @param {string} card */
  #setTabStop(card) {
    this.buttons.get(this.current)?.setAttribute("tabindex", "-1");
    this.current = card;
    this.buttons.get(card)?.setAttribute("tabindex", "0");
  }

  /** @param {KeyboardEvent} event */
  #move(event) {
    const card = moveOnPad(this.current, event.key, this.isChoosable);
    if (card === this.current) return;
    event.preventDefault();
    this.#setTabStop(card);
    this.focus();
  }
}
