// Cards, chips and meters, drawn here. <playing-card card="As">, <chip-stack cents="1500">, <money-meter cents="500000">.

import { calm, dollars, h, put, svg } from "/static/dom.js";
import { words } from "/static/words.js";

const SUITS = {
  h: "M50 93C21 69 4 51 4 31C4 15 16 5 29 5C38 5 46 11 50 20C54 11 62 5 71 5C84 5 96 15 96 31C96 51 79 69 50 93Z",
  d: "M50 3C60 22 72 37 89 50C72 63 60 78 50 97C40 78 28 63 11 50C28 37 40 22 50 3Z",
  s: "M50 3C59 25 95 41 95 64C95 77 85 85 74 85C66 85 58 81 54 74C55 84 59 91 67 97L33 97C41 91 45 84 46 74C42 81 34 85 26 85C15 85 5 77 5 64C5 41 41 25 50 3Z",
  c: "M50 3A21 21 0 0 1 65 39A21 21 0 1 1 55 70C56 82 60 91 67 97L33 97C40 91 44 82 45 70A21 21 0 1 1 35 39A21 21 0 0 1 50 3Z",
};
const BACK = (() => {
  let path = "";
  for (let at = -126; at < 88; at += 14)
    path += `M${Math.max(8, 8 + at)} ${Math.max(8, 8 - at)}L${Math.min(92, at + 132)} ${Math.min(132, 92 - at)}`;
  for (let at = 22; at < 216; at += 14)
    path += `M${Math.min(92, at)} ${Math.max(8, at - 84)}L${Math.max(8, at - 124)} ${Math.min(132, at)}`;
  return path;
})();

/** The shape of a suit, for headings and the mark of the house. */
export const suit = (letter, props = {}) =>
  svg(
    "svg",
    { viewBox: "0 0 100 100", "aria-hidden": "true", ...props },
    svg("path", { d: SUITS[letter], fill: "currentColor" }),
  );

function face(card) {
  const rank = card[0] === "T" ? "10" : card[0];
  const colour = "hd".includes(card[1]) ? "red" : "black";
  const shape = SUITS[card[1]];
  return svg(
    "svg",
    { viewBox: "0 0 100 140", "aria-hidden": "true", class: colour },
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
    svg("path", { class: "back-lines", d: BACK }),
  );
}

class PlayingCard extends HTMLElement {
  static observedAttributes = ["card"];

  connectedCallback() {
    this.setAttribute("role", "img");
    this.#draw();
  }

  attributeChangedCallback(name, before, now) {
    if (this.isConnected && before !== now) {
      this.#draw();
      if (!before && now && !calm())
        this.animate([{ transform: "scaleX(0.06)" }, { transform: "scaleX(1)" }], {
          duration: 220,
          easing: "ease-out",
        });
    }
  }

  #draw() {
    const card = this.getAttribute("card") ?? "";
    this.setAttribute("aria-label", words.card(card));
    put(this, card ? face(card) : back());
  }
}

export const CHIPS = [100, 500, 2500, 10000, 50000];

/** One chip of a value in cents, as a drawing. */
export function chip(cents, props = {}) {
  const kind = CHIPS.includes(cents) ? cents / 100 : 0;
  const text = cents % 100 ? (cents / 100).toFixed(2) : String(cents / 100);
  return svg("svg", { viewBox: "0 0 60 60", "aria-hidden": "true", ...props }, disc(kind, 30, text));
}

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
    let left = Number(this.getAttribute("cents") ?? 0);
    const cents = left;
    const found = [];
    for (const value of [...CHIPS].reverse()) {
      for (; left >= value && found.length < 40; left -= value) found.push(value / 100);
    }
    if (left > 0) found.push(0);
    const shown = found.slice(0, 5);
    const height = 60 + 6 * (shown.length - 1);
    put(
      this,
      svg(
        "svg",
        { viewBox: `0 0 60 ${height}`, "aria-hidden": "true" },
        shown.map((kind, number) => disc(kind, height - 30 - 6 * number, "")),
      ),
      h("span", { class: "amount", text: dollars(cents) }),
    );
  }
}

class MoneyMeter extends HTMLElement {
  static observedAttributes = ["cents"];
  #shown = null;
  #frame = 0;

  connectedCallback() {
    this.#move();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#move();
  }

  /** Ticks up to a new amount; a fall, which is a win, is shown at once. */
  #move() {
    cancelAnimationFrame(this.#frame);
    const goal = Number(this.getAttribute("cents") ?? 0);
    if (this.#shown === null || goal < this.#shown || calm()) return this.#show(goal);
    const from = this.#shown;
    const began = performance.now();
    const step = (now) => {
      const part = Math.min((now - began) / 900, 1);
      this.#show(from + Math.round((goal - from) * part));
      if (part < 1) this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }

  #show(cents) {
    this.#shown = cents;
    this.textContent = dollars(cents, { exact: true });
  }
}

customElements.define("playing-card", PlayingCard);
customElements.define("chip-stack", ChipStack);
customElements.define("money-meter", MoneyMeter);
