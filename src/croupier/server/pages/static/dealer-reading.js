// Physical cards: typed or scanned in the order of the deal; one that cannot be there is refused at once.

import { h, put } from "/static/dom.js";
import { announce } from "/static/notices.js";
import { said } from "/static/words-consoles.js";
import { words } from "/static/words.js";

const texts = said.dealer.reading;
const CARD = /^(10|[2-9TJQKA])([CDHS])$/i;
const SUITS = { "♣": "c", "♦": "d", "♥": "h", "♠": "s" };

/** What somebody typed as a card, as in As; null where it is none. */
export function cardOf(text) {
  const plain = text.replace(/[♣♦♥♠]/g, (mark) => SUITS[mark]);
  const found = CARD.exec(plain);
  return found ? (found[1] === "10" ? "T" : found[1].toUpperCase()) + found[2].toLowerCase() : null;
}

export class CardsTyped {
  constructor(page) {
    this.page = page;
    this.slots = page.view.procedure.slots;
    this.cards = [];
    this.faceUp = new Set();
    this.fault = h("p", { class: "fault", role: "alert", id: "card-fault" });
    this.input = h(
      "input",
      {
        id: "card",
        autocomplete: "off",
        autocapitalize: "off",
        spellcheck: "false",
        maxlength: 200,
        "aria-describedby": "card-hint card-fault",
        oninput: () => this.#typed(false),
        onkeydown: (event) => this.#key(event),
      },
    );
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
        (this.up = h("button", { type: "button", text: texts.faceUp, onclick: () => this.#turn() })),
        (this.back = h("button", { type: "button", text: texts.back, onclick: () => this.#take() })),
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
      this.#take();
    } else if (event.key === "Enter" && this.input.value.trim()) {
      event.preventDefault();
      this.#typed(true);
    }
  }

  /** Takes whole cards as they come; what cannot be a card, or was read already, stays and is named. */
  #typed(whole) {
    this.#blame("");
    let text = this.input.value.replace(/[\s,;]+/g, "");
    while (text) {
      const long = text.startsWith("10") ? 3 : text[0] === "1" ? (text.length < 2 ? 3 : 2) : 2;
      if (text.length < long && !whole) {
        if (!/^(1|10|[2-9TJQKA])$/i.test(text)) this.#blame(texts.notACard(text));
        break;
      }
      const token = text.slice(0, long);
      const card = cardOf(token);
      if (!card) return this.#refuse(text, texts.notACard(token));
      const there = this.cards.indexOf(card);
      if (there >= 0) return this.#refuse(text, texts.twice(words.card(card), this.#where(there)));
      if (this.cards.length >= this.#needed) return this.#refuse(text, texts.enough(this.#needed));
      this.cards.push(card);
      text = text.slice(long);
    }
    this.input.value = text;
    this.#draw();
  }

  #refuse(text, why) {
    this.input.value = text;
    this.input.select();
    this.#blame(why);
    this.#draw();
  }

  #blame(why) {
    this.fault.textContent = why;
    this.input.setAttribute("aria-invalid", String(Boolean(why)));
  }

  #take() {
    this.faceUp.delete(this.cards.pop());
    this.#blame("");
    this.#draw();
    this.input.focus();
  }

  /** The last card lay face up in the shoe: it is not dealt, and the next one takes its place. */
  #turn() {
    const card = this.cards.at(-1);
    if (!card) return;
    if (!this.faceUp.delete(card)) this.faceUp.add(card);
    this.#draw();
    this.input.focus();
  }

  /** The slot that a card goes to. */
  #where(number) {
    if (this.faceUp.has(this.cards[number])) return texts.found;
    const slot = this.slots[this.cards.slice(0, number).filter((card) => !this.faceUp.has(card)).length];
    return slot ? this.#named(slot) : texts.found;
  }

  #named = (slot) => (slot.seat ? words.table.seat(slot.seat) : (words.table.place[slot.place] ?? texts.discard));

  #draw() {
    const dealt = this.cards.filter((card) => !this.faceUp.has(card));
    const items = this.slots.map((slot, number) => {
      const card = dealt[number];
      const now = number === dealt.length;
      return h(
        "li",
        { class: now ? "now" : card ? "read" : "", "aria-current": now ? "step" : null },
        h("span", { class: "small", text: this.#named(slot) }),
        card ? h("playing-card", { card }) : h("span", { class: "slot", role: "img", "aria-label": texts.missing }),
        h("span", { class: "small soft", text: slot.face_up ? texts.up : texts.down }),
      );
    });
    put(
      this.list,
      items,
      [...this.faceUp].map(
        (card) => h(
          "li",
          { class: "found" },
          h("span", { class: "small", text: texts.found }),
          h("playing-card", { card }),
        ),
      ),
    );
    const left = this.#needed - this.cards.length;
    this.main.disabled = left > 0;
    this.main.textContent = left > 0 ? texts.left(left) : texts.go;
    this.up.disabled = this.back.disabled = !this.cards.length;
    if (this.cards.length) announce(`${words.card(this.cards.at(-1))}. ${texts.left(left)}`);
    this.list.querySelector(".now")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  async #send() {
    if (this.main.disabled) return;
    if (this.input.value.trim()) return this.#typed(true);
    const faceUp = [...this.faceUp];
    if (await this.page.send("ReadCards", { cards: this.cards })) this.page.keepFaceUp(faceUp);
  }
}
