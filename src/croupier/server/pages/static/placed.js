// Cards as they lie on the felt of a console.

import "/static/cards.js";
import { h } from "/static/dom.js";
import { words } from "/static/words.js";

/** A hand; each card is {card, up}: one that lay face down is faded where it may be seen, and a back where not. */
export const hand = ({ cards }) =>
  h(
    "div",
    { class: "cards" },
    cards.map((card) => h("playing-card", { card: card.card, class: card.up ? "" : "hidden-card" })),
  );

/** The cards of the house, each place with its name; nothing where none lie there. */
export function houseCards(placed) {
  const house = placed.filter(({ seat, cards }) => !seat && cards.length);
  return house.length ? h(
    "div",
    { class: "house" },
    house.map(
      (one) => h(
        "figure",
        {},
        h("figcaption", { class: "small", text: words.table.place[one.place] ?? one.place }),
        hand(one),
      ),
    ),
  ) : null;
}
