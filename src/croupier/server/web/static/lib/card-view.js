// Cards on a console's felt.

import "/static/lib/playing-cards.js";
import { h } from "/static/lib/dom.js";
import { strings } from "/static/lib/strings.js";

/** A hand of {card, up}. Face-down cards are faded if the viewer may see them, otherwise shown as backs. */
export const hand = ({ cards }) =>
  h(
    "div",
    { class: "cards" },
    cards.map((card) => h("playing-card", { card: card.card, class: card.up ? "" : "hidden-card" })),
  );

/** The house cards by place; null if there are none. */
export function houseCards(places) {
  const housePlaces = places.filter(({ seat, cards }) => !seat && cards.length);
  return housePlaces.length
    ? h(
        "div",
        { class: "house" },
        housePlaces.map((place) =>
          h(
            "figure",
            {},
            h("figcaption", { class: "small", text: strings.table.place[place.place] ?? place.place }),
            hand(place),
          ),
        ),
      )
    : null;
}
