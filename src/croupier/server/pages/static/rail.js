// The chips at hand: chosen by click or key, dragged onto the felt, or any other amount typed.

import { CHIPS, chip } from "/static/cards.js";
import { dollars, h, parseDollars } from "/static/dom.js";
import { words } from "/static/words.js";

const said = words.table;

export class Rail {
  /** drop(cents, area) is called when a chip was dragged onto a betting area. */
  constructor(drop) {
    this.cents = CHIPS[1];
    this.drop = drop;
    this.buttons = CHIPS.map((cents, number) => this.#button(cents, number));
    this.fault = h("p", { class: "fault", id: "other-fault", role: "alert" });
    this.typed = h("input", {
      id: "other",
      inputmode: "decimal",
      autocomplete: "off",
      placeholder: said.otherHint,
      "aria-describedby": "other-fault",
    });
    this.typed.addEventListener("change", () => this.#read());
    this.typed.addEventListener("keydown", (event) => event.key === "Enter" && this.#read());
    this.element = h(
      "div",
      { class: "rail" },
      h("div", { class: "rail-chips", role: "radiogroup", "aria-label": said.hand }, this.buttons),
      h(
        "div",
        { class: "rail-other" },
        h("label", { for: "other", class: "small", text: said.other }),
        h("span", { class: "dollar-input" }, "$", this.typed),
      ),
      this.fault,
    );
    this.hold(this.cents);
  }

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
    button.addEventListener("click", () => this.hold(cents));
    button.addEventListener("pointerdown", (event) => this.#drag(event, cents));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = (number + step + CHIPS.length) % CHIPS.length;
      this.hold(CHIPS[next]);
      this.buttons[next].focus();
    });
    return button;
  }

  /** Takes a chip in hand. */
  hold(cents, typed = false) {
    this.cents = cents;
    this.buttons.forEach((button, number) => {
      const on = CHIPS[number] === cents && !typed;
      button.setAttribute("aria-checked", String(on));
      button.tabIndex = on || (typed && number === 0) ? 0 : -1;
    });
    if (!typed) {
      this.typed.value = "";
      this.#blame("");
    }
  }

  /** The chip in hand; null, and a sentence, where what was typed is no amount. */
  inHand() {
    return this.typed.value.trim() && !this.#read() ? null : this.cents;
  }

  #read() {
    if (!this.typed.value.trim()) {
      this.#blame("");
      return this.hold(CHIPS[1]) ?? true;
    }
    const cents = parseDollars(this.typed.value);
    this.#blame(cents ? "" : said.notAnAmount(this.typed.value));
    if (cents) this.hold(cents, true);
    return Boolean(cents);
  }

  #blame(text) {
    this.fault.textContent = text;
    this.typed.setAttribute("aria-invalid", String(Boolean(text)));
  }

  #drag(event, cents) {
    if (event.button) return;
    const button = event.currentTarget;
    const [x, y] = [event.clientX, event.clientY];
    let ghost = null;
    const move = (moved) => {
      if (!ghost && Math.hypot(moved.clientX - x, moved.clientY - y) < 8) return;
      if (!ghost) {
        ghost = h("div", { class: "dragged" }, chip(cents));
        document.body.append(ghost);
        this.hold(cents);
      }
      ghost.style.transform = `translate(${moved.clientX}px, ${moved.clientY}px)`;
    };
    const end = (ended) => {
      button.removeEventListener("pointermove", move);
      button.removeEventListener("pointerup", end);
      button.removeEventListener("pointercancel", end);
      if (!ghost) return;
      ghost.remove();
      const area =
        ended.type === "pointerup" ? document.elementFromPoint(ended.clientX, ended.clientY)?.closest(".area") : null;
      if (area) this.drop(cents, area);
    };
    button.setPointerCapture(event.pointerId);
    button.addEventListener("pointermove", move);
    button.addEventListener("pointerup", end);
    button.addEventListener("pointercancel", end);
  }
}
