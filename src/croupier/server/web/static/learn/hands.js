// The hands in a drill question.

import "../lib/playing-cards.js";
import { h } from "../lib/dom.js";

export const cards = (names) =>
  h(
    "div",
    { class: "cards" },
    names.map((card) => h("playing-card", { card })),
  );

/** Cards under a title. */
export const labeledHand = (title, names) => h("div", {}, h("p", { class: "small soft", text: title }), cards(names));
