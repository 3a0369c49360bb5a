// Physical cards as they are typed or scanned; impossible cards are refused at once.

import { consoleStrings } from "../lib/console-strings.js";
import { strings } from "../lib/strings.js";

const texts = consoleStrings.dealer.reading;
const CARD_PATTERN = /^(10|[2-9TJQKA])([CDHS])$/i;
/** @type {Record<string, string>} */
const SUIT_LETTERS = { "♣": "c", "♦": "d", "♥": "h", "♠": "s" };

/**
 * Parses a card such as As; null if the text is not a card.
 * @param {string} text
 */
export function parseCard(text) {
  const plain = text.replace(/[♣♦♥♠]/g, (mark) => SUIT_LETTERS[mark]);
  const match = CARD_PATTERN.exec(plain);
  return match ? (match[1] === "10" ? "T" : match[1].toUpperCase()) + match[2].toLowerCase() : null;
}

/** @param {Server.CardSlot} slot */
export const slotName = (slot) =>
  slot.seat ? strings.table.seat(slot.seat) : (strings.table.place[slot.place] ?? texts.discard);

/** The cards of one deal in the order of the shoe. A card found face up is not dealt; the next one takes its place. */
export class CardSequence {
  /** @param {readonly Server.CardSlot[]} slots */
  constructor(slots) {
    this.slots = slots;
    /** @type {string[]} */
    this.cards = [];
    /** @type {Set<string>} */
    this.faceUp = new Set();
  }

  /** How many cards this deal takes from the shoe. */
  get needed() {
    return this.slots.length + Math.min(this.faceUp.size, 1);
  }

  get remaining() {
    return this.needed - this.cards.length;
  }

  /** The cards that are dealt, in the order of the slots. */
  get dealt() {
    return this.cards.filter((card) => !this.faceUp.has(card));
  }

  /**
   * Accepts complete cards; text that is not a card, or repeats one, is left over. `isComplete`: no more is typed.
   * @param {string} typed
   * @param {boolean} isComplete
   * @returns {{ rest: string; fault: string; isRefused: boolean }}
   */
  read(typed, isComplete) {
    let text = typed.replace(/[\s,;]+/g, "");
    while (text) {
      const length = text.startsWith("10") ? 3 : text[0] === "1" ? (text.length < 2 ? 3 : 2) : 2;
      if (text.length < length && !isComplete) {
        const fault = /^(1|10|[2-9TJQKA])$/i.test(text) ? "" : texts.notACard(text);
        return { rest: text, fault, isRefused: false };
      }
      const fault = this.#add(text.slice(0, length));
      if (fault) return { rest: text, fault, isRefused: true };
      text = text.slice(length);
    }
    return { rest: "", fault: "", isRefused: false };
  }

  /**
   * Adds a card; returns why it is impossible, or nothing.
   * @param {string} token
   */
  #add(token) {
    const card = parseCard(token);
    if (!card) return texts.notACard(token);
    const index = this.cards.indexOf(card);
    if (index >= 0) return texts.duplicate(strings.card(card), this.#placeOf(index));
    if (this.cards.length >= this.needed) return texts.enough(this.needed);
    this.cards.push(card);
    return "";
  }

  removeLast() {
    const card = this.cards.pop();
    if (card) this.faceUp.delete(card);
  }

  /** Marks the last card as found face up, or as dealt again. */
  toggleFaceUp() {
    const card = this.cards.at(-1);
    if (card && !this.faceUp.delete(card)) this.faceUp.add(card);
  }

  /**
   * The slot that a card is dealt to.
   * @param {number} number
   */
  #placeOf(number) {
    if (this.faceUp.has(this.cards[number])) return texts.foundFaceUp;
    const slot = this.slots[this.cards.slice(0, number).filter((card) => !this.faceUp.has(card)).length];
    return slot ? slotName(slot) : texts.foundFaceUp;
  }
}
