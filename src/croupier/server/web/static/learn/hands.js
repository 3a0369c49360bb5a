// The hands in a drill question.

import "../lib/playing-cards.js";
import { h } from "../lib/dom.js";

/** @param {readonly string[]} names */
export const cards = (names) =>
  h(
    "div",
    { class: "cards" },
    names.map((card) => h("playing-card", { card })),
  );

/**
 * Cards under a title.
 * @param {string} title
 * @param {readonly string[]} names
 */
export const labeledHand = (title, names) => h("div", {}, h("p", { class: "small soft", text: title }), cards(names));
