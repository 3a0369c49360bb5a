// Physical cards, typed or scanned in dealing order; impossible cards are refused at once.

import { h, render } from "/static/lib/dom.js";
import { announce } from "/static/lib/notices.js";
import { consoleStrings } from "/static/lib/console-strings.js";
import { strings } from "/static/lib/strings.js";

const texts = consoleStrings.dealer.reading;
const CARD_PATTERN = /^(10|[2-9TJQKA])([CDHS])$/i;
const SUIT_LETTERS = { "♣": "c", "♦": "d", "♥": "h", "♠": "s" };

/** Parses a card such as As; null if the text is not a card. */
export function parseCard(text) {
  const plain = text.replace(/[♣♦♥♠]/g, (mark) => SUIT_LETTERS[mark]);
  const match = CARD_PATTERN.exec(plain);
  return match ? (match[1] === "10" ? "T" : match[1].toUpperCase()) + match[2].toLowerCase() : null;
}

export class CardReader {
  constructor(page) {
    this.page = page;
    this.slots = page.view.procedure.slots;
    this.cards = [];
    this.faceUp = new Set();
    this.fault = h("p", { class: "fault", role: "alert", id: "card-fault" });
    this.input = h("input", {
      id: "card",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
      maxlength: 200,
      "aria-describedby": "card-hint card-fault",
      oninput: () => this.#readInput(false),
      onkeydown: (event) => this.#key(event),
    });
    this.list = h("ol", { class: "slots" });
    this.main = h("button", { class: "main big", text: texts.go });
    this.element = h(
      "form",
      { class: "reading", novalidate: true },
      h(
        "div",
        { class: "field" },
        h("label", { for: "card", text: texts.label }),
        this.input,
        h("p", { class: "hint", id: "card-hint", text: texts.hint }),
      ),
      this.fault,
      this.list,
      h(
        "div",
        { class: "row" },
        this.main,
        (this.faceUpButton = h("button", { type: "button", text: texts.faceUp, onclick: () => this.#toggleFaceUp() })),
        (this.undoButton = h("button", { type: "button", text: texts.back, onclick: () => this.#removeLast() })),
      ),
    );
    this.element.addEventListener("submit", (event) => (event.preventDefault(), this.#send()));
    this.#draw();
    queueMicrotask(() => !document.querySelector("dialog[open]") && this.input.focus());
  }

  get #needed() {
    return this.slots.length + Math.min(this.faceUp.size, 1);
  }

  #key(event) {
    if (event.key === "Backspace" && !this.input.value && this.cards.length) {
      event.preventDefault();
      this.#removeLast();
    } else if (event.key === "Enter" && this.input.value.trim()) {
      event.preventDefault();
      this.#readInput(true);
    }
  }

  /** Accepts complete cards as they are typed; text that is not a card, or repeats one, stays in the field. */
  #readInput(complete) {
    this.#showFault("");
    let text = this.input.value.replace(/[\s,;]+/g, "");
    while (text) {
      const length = text.startsWith("10") ? 3 : text[0] === "1" ? (text.length < 2 ? 3 : 2) : 2;
      if (text.length < length && !complete) {
        if (!/^(1|10|[2-9TJQKA])$/i.test(text)) this.#showFault(texts.notACard(text));
        break;
      }
      const token = text.slice(0, length);
      const card = parseCard(token);
      if (!card) return this.#refuse(text, texts.notACard(token));
      const index = this.cards.indexOf(card);
      if (index >= 0) return this.#refuse(text, texts.duplicate(strings.card(card), this.#slotName(index)));
      if (this.cards.length >= this.#needed) return this.#refuse(text, texts.enough(this.#needed));
      this.cards.push(card);
      text = text.slice(length);
    }
    this.input.value = text;
    this.#draw();
  }

  #refuse(text, reason) {
    this.input.value = text;
    this.input.select();
    this.#showFault(reason);
    this.#draw();
  }

  #showFault(reason) {
    this.fault.textContent = reason;
    this.input.setAttribute("aria-invalid", String(Boolean(reason)));
  }

  #removeLast() {
    this.faceUp.delete(this.cards.pop());
    this.#showFault("");
    this.#draw();
    this.input.focus();
  }

  /** Marks the last card as found face up: it is not dealt, and the next card takes its place. */
  #toggleFaceUp() {
    const card = this.cards.at(-1);
    if (!card) return;
    if (!this.faceUp.delete(card)) this.faceUp.add(card);
    this.#draw();
    this.input.focus();
  }

  /** The slot that a card is dealt to. */
  #slotName(number) {
    if (this.faceUp.has(this.cards[number])) return texts.foundFaceUp;
    const slot = this.slots[this.cards.slice(0, number).filter((card) => !this.faceUp.has(card)).length];
    return slot ? this.#placeName(slot) : texts.foundFaceUp;
  }

  #placeName = (slot) =>
    slot.seat ? strings.table.seat(slot.seat) : (strings.table.place[slot.place] ?? texts.discard);

  #draw() {
    const dealt = this.cards.filter((card) => !this.faceUp.has(card));
    const items = this.slots.map((slot, number) => {
      const card = dealt[number];
      const isNext = number === dealt.length;
      return h(
        "li",
        { class: isNext ? "now" : card ? "read" : "", "aria-current": isNext ? "step" : null },
        h("span", { class: "small", text: this.#placeName(slot) }),
        card ? h("playing-card", { card }) : h("span", { class: "slot", role: "img", "aria-label": texts.missing }),
        h("span", { class: "small soft", text: slot.face_up ? texts.up : texts.down }),
      );
    });
    render(
      this.list,
      items,
      [...this.faceUp].map((card) =>
        h(
          "li",
          { class: "found" },
          h("span", { class: "small", text: texts.foundFaceUp }),
          h("playing-card", { card }),
        ),
      ),
    );
    const remaining = this.#needed - this.cards.length;
    this.main.disabled = remaining > 0;
    this.main.textContent = remaining > 0 ? texts.remaining(remaining) : texts.go;
    this.faceUpButton.disabled = this.undoButton.disabled = !this.cards.length;
    if (this.cards.length) announce(`${strings.card(this.cards.at(-1))}. ${texts.remaining(remaining)}`);
    this.list.querySelector(".now")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  async #send() {
    if (this.main.disabled) return;
    if (this.input.value.trim()) return this.#readInput(true);
    const faceUp = [...this.faceUp];
    if (await this.page.send("ReadCards", { cards: this.cards })) this.page.storeFaceUp(faceUp);
  }
}
