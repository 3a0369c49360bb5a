// Reads physical cards in dealing order: the field, the slots, and what is left to read.

import { consoleStrings } from "../lib/console-strings.js";
import { h, render } from "../lib/dom.js";
import { announce } from "../lib/notices.js";
import { strings } from "../lib/strings.js";
import { CardSequence, slotName } from "./card-input.js";

const texts = consoleStrings.dealer.reading;

export class CardReader {
  /**
   * @param {import("./dealer.js").DealerConsole} page
   * @param {Server.StaffProcedure} procedure
   */
  constructor(page, procedure) {
    this.page = page;
    this.sequence = new CardSequence(procedure.slots);
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
    this.faceUpButton = h("button", { type: "button", text: texts.faceUp, onclick: () => this.#toggleFaceUp() });
    this.undoButton = h("button", { type: "button", text: texts.back, onclick: () => this.#removeLast() });
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
      h("div", { class: "row" }, this.main, this.faceUpButton, this.undoButton),
    );
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    this.#draw();
    queueMicrotask(() => !document.querySelector("dialog[open]") && this.input.focus());
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Backspace" && !this.input.value && this.sequence.cards.length) {
      event.preventDefault();
      this.#removeLast();
    } else if (event.key === "Enter" && this.input.value.trim()) {
      event.preventDefault();
      this.#readInput(true);
    }
  }

  /** @param {boolean} isComplete */
  #readInput(isComplete) {
    const { rest, fault, isRefused } = this.sequence.read(this.input.value, isComplete);
    this.input.value = rest;
    if (isRefused) this.input.select();
    this.#showFault(fault);
    this.#draw();
  }

  /** @param {string} reason */
  #showFault(reason) {
    this.fault.textContent = reason;
    this.input.setAttribute("aria-invalid", String(Boolean(reason)));
  }

  #removeLast() {
    this.sequence.removeLast();
    this.#showFault("");
    this.#draw();
    this.input.focus();
  }

  #toggleFaceUp() {
    this.sequence.toggleFaceUp();
    this.#draw();
    this.input.focus();
  }

  #draw() {
    const { slots, dealt, faceUp, cards, remaining } = this.sequence;
    const items = slots.map((slot, number) => {
      const card = dealt[number];
      const isNext = number === dealt.length;
      return h(
        "li",
        { class: isNext ? "now" : card ? "read" : "", "aria-current": isNext ? "step" : null },
        h("span", { class: "small", text: slotName(slot) }),
        card ? h("playing-card", { card }) : h("span", { class: "slot", role: "img", "aria-label": texts.missing }),
        h("span", { class: "small soft", text: slot.face_up ? texts.up : texts.down }),
      );
    });
    render(
      this.list,
      items,
      [...faceUp].map((card) =>
        h(
          "li",
          { class: "found" },
          h("span", { class: "small", text: texts.foundFaceUp }),
          h("playing-card", { card }),
        ),
      ),
    );
    this.main.disabled = remaining > 0;
    this.main.textContent = remaining > 0 ? texts.remaining(remaining) : texts.go;
    this.faceUpButton.disabled = this.undoButton.disabled = !cards.length;
    const last = cards.at(-1);
    if (last) announce(`${strings.card(last)}. ${texts.remaining(remaining)}`);
    this.list.querySelector(".now")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  async #send() {
    if (this.main.disabled) return;
    if (this.input.value.trim()) return this.#readInput(true);
    const { cards, faceUp } = this.sequence;
    if (await this.page.send("ReadCards", { cards })) this.page.storeFaceUp([...faceUp]);
  }
}
