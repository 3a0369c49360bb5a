// Announces a table's events to screen readers.

import { announce } from "/static/lib/notices.js";
import { strings } from "/static/lib/strings.js";

const texts = strings.table;

/** Announces the patron's cards, revealed cards, each of their wagers, and the total. */
export function announceEvents({ events, view }, mySeats) {
  const cards = events
    .filter((event) => event.event === "CardDealt" && event.place === "player" && mySeats.has(event.seat))
    .map((event) => event.card);
  if (cards.length) announce(texts.yourCards(cards.filter(Boolean)));
  const dealerCards = events.filter((event) => event.event === "CardDealt" && event.place === "dealer" && event.card);
  if (dealerCards.length) announce(texts.dealerShows(dealerCards.map((event) => event.card)));
  for (const event of events) {
    if (event.event === "CardsRevealed" && (!event.seat || mySeats.has(event.seat)))
      announce(texts.placeCards(texts.place[event.place] ?? event.place, event.cards));
    if (event.event === "RoundVoided") announce(texts.void(event.cause));
    if (event.event === "WagerSettled" && mySeats.has(event.seat)) announce(event.text);
    if (event.event === "RoundCompleted" && view.last?.round === event.round && view.last.your_net_cents !== null)
      announce(texts.net(view.last.your_net_cents));
  }
  if (view.phase === "deciding" && mySeats.has(view.waiting[0]) && events.length)
    announce(view.prompts.find((prompt) => prompt.command === "Decide")?.text ?? "");
}
