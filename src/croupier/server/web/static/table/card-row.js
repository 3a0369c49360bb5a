// A row of cards on the felt.

import { h, prefersReducedMotion } from "../lib/dom.js";

/** A row of cards with room for all that will lie there. New cards slide in from the shoe; turned cards turn over. */
export class CardRow {
  /**
   * @param {string} label
   * @param {number} count
   * @param {() => HTMLElement} felt
   */
  constructor(label, count, felt) {
    this.felt = felt;
    this.element = h("div", { class: "cards", role: "group", "aria-label": label });
    this.element.style.setProperty("--count", String(count));
  }

  /**
   * @param {readonly (string | null)[]} cards
   * @param {ReadonlySet<string> | null} lit the cards that play; null if all cards look alike
   */
  draw(cards, lit) {
    const { element } = this;
    while (element.childElementCount > cards.length) element.lastElementChild?.remove();
    cards.forEach((card, number) => {
      const existing = element.children[number] ?? this.#deal(card);
      if (card) existing.setAttribute("card", card);
      else existing.removeAttribute("card");
      existing.classList.toggle("lit", Boolean(card && lit?.has(card)));
      existing.classList.toggle("dimmed", Boolean(card && lit && !lit.has(card)));
    });
    element.classList.toggle("none", !cards.length);
  }

  /** @param {string | null} card */
  #deal(card) {
    const dealt = h("playing-card", { card: card || null });
    this.element.append(dealt);
    if (prefersReducedMotion()) return dealt;
    const felt = this.felt().getBoundingClientRect();
    const to = dealt.getBoundingClientRect();
    const from = `translate(${Math.round(felt.right - 90 - to.left)}px, ${Math.round(felt.top + 20 - to.top)}px) rotate(18deg)`;
    dealt.animate([{ transform: from, opacity: 0 }, { opacity: 1, offset: 0.3 }, { transform: "none" }], {
      duration: 280,
      easing: "cubic-bezier(.2,.7,.3,1)",
    });
    return dealt;
  }
}
