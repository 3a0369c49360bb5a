// Hands of a question.

import "/static/cards.js";
import { h } from "/static/dom.js";

export const cards = (names) =>
  h(
    "div",
    { class: "cards" },
    names.map((card) => h("playing-card", { card })),
  );

/** The same with what they are. */
export const hand = (title, names) => h("div", {}, h("p", { class: "small soft", text: title }), cards(names));
