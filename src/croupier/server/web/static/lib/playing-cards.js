// Elements for cards, chips and meters: <playing-card card="As">, <chip-stack cents="1500">, <money-meter cents="500000">.

import { CHIPS, chipsIn, faceOf } from "./cards.js";
import { h, prefersReducedMotion, render, svg } from "./dom.js";
import { dollars } from "./money.js";
import { strings } from "./strings.js";

/** @type {Record<string, string>} */
const SUIT_PATHS = {
  h: "M50 93C21 69 4 51 4 31C4 15 16 5 29 5C38 5 46 11 50 20C54 11 62 5 71 5C84 5 96 15 96 31C96 51 79 69 50 93Z",
  d: "M50 3C60 22 72 37 89 50C72 63 60 78 50 97C40 78 28 63 11 50C28 37 40 22 50 3Z",
  s: "M50 3C59 25 95 41 95 64C95 77 85 85 74 85C66 85 58 81 54 74C55 84 59 91 67 97L33 97C41 91 45 84 46 74C42 81 34 85 26 85C15 85 5 77 5 64C5 41 41 25 50 3Z",
  c: "M50 3A21 21 0 0 1 65 39A21 21 0 1 1 55 70C56 82 60 91 67 97L33 97C40 91 44 82 45 70A21 21 0 1 1 35 39A21 21 0 0 1 50 3Z",
};
const BACK_PATTERN = (() => {
  let path = "";
  for (let at = -126; at < 88; at += 14)
    path += `M${Math.max(8, 8 + at)} ${Math.max(8, 8 - at)}L${Math.min(92, at + 132)} ${Math.min(132, 92 - at)}`;
  for (let at = 22; at < 216; at += 14)
    path += `M${Math.min(92, at)} ${Math.max(8, at - 84)}L${Math.max(8, at - 124)} ${Math.min(132, at)}`;
  return path;
})();

/**
 * A suit symbol.
 * @param {string} suitName
 */
export const suit = (suitName, props = {}) =>
  svg(
    "svg",
    { viewBox: "0 0 100 100", "aria-hidden": "true", ...props },
    svg("path", { d: SUIT_PATHS[suitName], fill: "currentColor" }),
  );

/** @param {string} card */
function face(card) {
  const { rank, suit, color } = faceOf(card);
  const shape = SUIT_PATHS[suit];
  return svg(
    "svg",
    { viewBox: "0 0 100 140", "aria-hidden": "true", class: color },
    svg("rect", { class: "face", x: 0.5, y: 0.5, width: 99, height: 139, rx: 9 }),
    svg("text", { x: 8, y: 46 }, rank),
    svg("path", { d: shape, transform: "translate(9 56) scale(0.26)" }),
    svg("path", { d: shape, transform: "translate(36 76) scale(0.54)" }),
  );
}

function back() {
  return svg(
    "svg",
    { viewBox: "0 0 100 140", "aria-hidden": "true" },
    svg("rect", { class: "back-edge", x: 0.5, y: 0.5, width: 99, height: 139, rx: 9 }),
    svg("rect", { class: "back-field", x: 7, y: 7, width: 86, height: 126, rx: 5 }),
    svg("path", { class: "back-lines", d: BACK_PATTERN }),
  );
}

class PlayingCard extends HTMLElement {
  static observedAttributes = ["card"];

  connectedCallback() {
    this.setAttribute("role", "img");
    this.#draw();
  }

  /**
   * @param {string} _name
   * @param {string | null} before
   * @param {string | null} now
   */
  attributeChangedCallback(_name, before, now) {
    if (this.isConnected && before !== now) {
      this.#draw();
      if (!before && now && !prefersReducedMotion())
        this.animate([{ transform: "scaleX(0.06)" }, { transform: "scaleX(1)" }], {
          duration: 220,
          easing: "ease-out",
        });
    }
  }

  #draw() {
    const card = this.getAttribute("card") ?? "";
    this.setAttribute("aria-label", strings.card(card));
    render(this, card ? face(card) : back());
  }
}

/**
 * A chip with its value in cents.
 * @param {number} cents
 */
export function chip(cents, props = {}) {
  const kind = CHIPS.includes(cents) ? cents / 100 : 0;
  const text = cents % 100 ? (cents / 100).toFixed(2) : String(cents / 100);
  return svg("svg", { viewBox: "0 0 60 60", "aria-hidden": "true", ...props }, disc(kind, 30, text));
}

/**
 * @param {number} kind
 * @param {number} y
 * @param {string} text
 */
function disc(kind, y, text) {
  return [
    svg("circle", { class: `disc disc-${kind}`, cx: 30, cy: y, r: 27 }),
    svg("circle", { class: "disc-marks", cx: 30, cy: y, r: 23.3 }),
    svg("circle", { class: "disc-ring", cx: 30, cy: y, r: 18 }),
    text
      ? svg(
          "text",
          {
            class: "disc-text",
            x: 30,
            y: y + (text.length > 3 ? 5 : 6.5),
            ...(text.length > 3 ? { "font-size": 13, textLength: 31, lengthAdjust: "spacingAndGlyphs" } : {}),
          },
          text,
        )
      : null,
  ];
}

class ChipStack extends HTMLElement {
  static observedAttributes = ["cents"];

  connectedCallback() {
    this.#draw();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#draw();
  }

  #draw() {
    const cents = Number(this.getAttribute("cents") ?? 0);
    const visible = chipsIn(cents).slice(0, 5);
    const height = 60 + 6 * (visible.length - 1);
    render(
      this,
      svg(
        "svg",
        { viewBox: `0 0 60 ${height}`, "aria-hidden": "true" },
        visible.map((kind, number) => disc(kind, height - 30 - 6 * number, "")),
      ),
      h("span", { class: "amount", text: dollars(cents) }),
    );
  }
}

class MoneyMeter extends HTMLElement {
  static observedAttributes = ["cents"];
  /** @type {number | null} */
  #displayedCents = null;
  #frame = 0;

  connectedCallback() {
    this.#move();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#move();
  }

  /** Ticks up to a new amount; drops at once when the meter is won. */
  #move() {
    cancelAnimationFrame(this.#frame);
    const target = Number(this.getAttribute("cents") ?? 0);
    if (this.#displayedCents === null || target < this.#displayedCents || prefersReducedMotion())
      return this.#show(target);
    const from = this.#displayedCents;
    const startedAt = performance.now();
    /** @param {number} now */
    const step = (now) => {
      const progress = Math.min((now - startedAt) / 900, 1);
      this.#show(from + Math.round((target - from) * progress));
      if (progress < 1) this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }

  /** @param {number} cents */
  #show(cents) {
    this.#displayedCents = cents;
    this.textContent = dollars(cents, { exact: true });
  }
}

customElements.define("playing-card", PlayingCard);
customElements.define("chip-stack", ChipStack);
customElements.define("money-meter", MoneyMeter);
