// The chip rail: choose a chip by click or key, drag it onto the felt, or type another amount.

import { CHIPS } from "../lib/cards.js";
import { h } from "../lib/dom.js";
import { dollars, parseDollars } from "../lib/money.js";
import { chip } from "../lib/playing-cards.js";
import { strings } from "../lib/strings.js";

const texts = strings.table;
/** @type {Record<string, number>} */
const ARROW_STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export class ChipRail {
  /**
   * Calls drop(cents, area) when a chip is dragged onto a betting area.
   * @param {(cents: number, area: HTMLElement) => void} drop
   */
  constructor(drop) {
    this.cents = CHIPS[1];
    this.drop = drop;
    this.buttons = CHIPS.map((cents, number) => this.#button(cents, number));
    this.fault = h("p", { class: "fault", id: "other-fault", role: "alert" });
    this.typed = h("input", {
      id: "other",
      inputmode: "decimal",
      autocomplete: "off",
      placeholder: texts.otherHint,
      "aria-describedby": "other-fault",
    });
    this.typed.addEventListener("change", () => this.#readTyped());
    this.typed.addEventListener("keydown", (event) => event.key === "Enter" && this.#readTyped());
    this.element = h(
      "div",
      { class: "rail" },
      h("div", { class: "rail-chips", role: "radiogroup", "aria-label": texts.hand }, this.buttons),
      h(
        "div",
        { class: "rail-other" },
        h("label", { for: "other", class: "small", text: texts.other }),
        h("span", { class: "dollar-input" }, "$", this.typed),
      ),
      this.fault,
    );
    this.select(this.cents);
  }

  /**
   * @param {number} cents
   * @param {number} number
   */
  #button(cents, number) {
    const button = h(
      "button",
      {
        type: "button",
        class: "chip",
        role: "radio",
        "aria-label": dollars(cents),
        title: `${dollars(cents)} (${number + 1})`,
      },
      chip(cents),
    );
    button.addEventListener("click", () => this.select(cents));
    button.addEventListener("pointerdown", (event) => this.#drag(event, button, cents));
    button.addEventListener("keydown", (event) => {
      const step = ARROW_STEPS[event.key];
      if (!step) return;
      event.preventDefault();
      const next = (number + step + CHIPS.length) % CHIPS.length;
      this.select(CHIPS[next]);
      this.buttons[next].focus();
    });
    return button;
  }

  /**
   * Selects a chip.
   * @param {number} cents
   */
  select(cents, typed = false) {
    this.cents = cents;
    this.buttons.forEach((button, number) => {
      const on = CHIPS[number] === cents && !typed;
      button.setAttribute("aria-checked", String(on));
      button.tabIndex = on || (typed && number === 0) ? 0 : -1;
    });
    if (!typed) {
      this.typed.value = "";
      this.#showFault("");
    }
  }

  /** The selected amount; null, with an error shown, if the typed text is not an amount. */
  selectedAmount() {
    return this.typed.value.trim() && !this.#readTyped() ? null : this.cents;
  }

  #readTyped() {
    if (!this.typed.value.trim()) {
      this.select(CHIPS[1]);
      return true;
    }
    const cents = parseDollars(this.typed.value);
    this.#showFault(cents ? "" : texts.notAnAmount(this.typed.value));
    if (cents) this.select(cents, true);
    return Boolean(cents);
  }

  /** @param {string} text */
  #showFault(text) {
    this.fault.textContent = text;
    this.typed.setAttribute("aria-invalid", String(Boolean(text)));
  }

  /**
   * @param {PointerEvent} event
   * @param {HTMLElement} button
   * @param {number} cents
   */
  #drag(event, button, cents) {
    if (event.button) return;
    const [x, y] = [event.clientX, event.clientY];
    /** @type {HTMLElement | null} */
    let ghost = null;
    /** @param {PointerEvent} moveEvent */
    const move = (moveEvent) => {
      if (!ghost && Math.hypot(moveEvent.clientX - x, moveEvent.clientY - y) < 8) return;
      if (!ghost) {
        ghost = h("div", { class: "dragged" }, chip(cents));
        document.body.append(ghost);
        this.select(cents);
      }
      ghost.style.transform = `translate(${moveEvent.clientX}px, ${moveEvent.clientY}px)`;
    };
    /** @param {PointerEvent} endEvent */
    const end = (endEvent) => {
      button.removeEventListener("pointermove", move);
      button.removeEventListener("pointerup", end);
      button.removeEventListener("pointercancel", end);
      if (!ghost) return;
      ghost.remove();
      const area =
        endEvent.type === "pointerup"
          ? document.elementFromPoint(endEvent.clientX, endEvent.clientY)?.closest(".area")
          : null;
      if (area instanceof HTMLElement) this.drop(cents, area);
    };
    button.setPointerCapture(event.pointerId);
    button.addEventListener("pointermove", move);
    button.addEventListener("pointerup", end);
    button.addEventListener("pointercancel", end);
  }
}
