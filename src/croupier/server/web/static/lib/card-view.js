// Cards on a console's felt.

import "./playing-cards.js";
import { housePlaces } from "./cards.js";
import { h } from "./dom.js";
import { strings } from "./strings.js";

/**
 * A hand of {card, up}. Face-down cards are faded if the viewer may see them, otherwise shown as backs.
 * @param {Pick<Server.ReplayPlace, "cards">} options
 */
export const hand = ({ cards }) =>
  h(
    "div",
    { class: "cards" },
    cards.map((card) => h("playing-card", { card: card.card, class: card.up ? "" : "hidden-card" })),
  );

/**
 * The house cards by place; null if there are none.
 * @param {readonly Server.ReplayPlace[]} places
 */
export function houseCards(places) {
  const housed = housePlaces(places);
  return housed.length
    ? h(
        "div",
        { class: "house" },
        housed.map((place) =>
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
