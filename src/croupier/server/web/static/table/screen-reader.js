// What screen readers announce about a table's events.

import { strings } from "../lib/strings.js";

const texts = strings.table;

/**
 * Sentences about the patron's cards once the deal is complete, revealed cards, each of their wagers, the total and their next decision.
 * @param {Pick<Server.WatchMessage, "events" | "view">} message
 * @param {ReadonlySet<number>} mySeats
 */
export function announcements({ events, view }, mySeats) {
  /** @type {string[]} */
  const sentences = [];
  const dealt = events.filter((event) => event.event === "CardDealt");
  const ownCards = dealt.filter((event) => event.place === "player" && mySeats.has(event.seat));
  const isComplete = events.some(({ event }) => event === "StubRacked" || event === "StubCounted");
  const ownHand = isComplete
    ? view.cards.filter(({ place, seat }) => place === "player" && mySeats.has(seat)).flatMap(({ cards }) => cards)
    : ownCards.map((event) => event.card);
  if (visible(ownHand).length) sentences.push(texts.yourCards(visible(ownHand)));
  const dealerCards = visible(dealt.filter((event) => event.place === "dealer").map((event) => event.card));
  if (dealerCards.length) sentences.push(texts.dealerShows(dealerCards));
  for (const event of events) {
    if (event.event === "CardsRevealed" && (!event.seat || mySeats.has(event.seat)))
      sentences.push(texts.placeCards(texts.place[event.place] ?? event.place, event.cards));
    if (event.event === "RoundVoided") sentences.push(texts.void(event.cause));
    if (event.event === "WagerSettled" && mySeats.has(event.seat)) sentences.push(event.text);
    if (event.event === "RoundCompleted" && view.last?.round === event.round && view.last.your_net_cents !== null)
      sentences.push(texts.net(view.last.your_net_cents));
  }
  const decision = view.prompts.find((prompt) => prompt.command === "Decide");
  if (view.phase === "deciding" && mySeats.has(view.waiting[0]) && events.length && decision)
    sentences.push(decision.text);
  return sentences;
}

/** @param {(string | null)[]} cards */
const visible = (cards) => cards.filter((card) => card !== null);
