// What a screen reader says about a table.

import { announce } from "/static/notices.js";
import { words } from "/static/words.js";

const said = words.table;

/** What happened at the table, for screen readers: own cards, what is turned up, each own wager, and the sum. */
export function tell({ events, view }, mine) {
  const cards = events
    .filter((event) => event.event === "CardDealt" && event.place === "player" && mine.has(event.seat))
    .map((event) => event.card);
  if (cards.length) announce(said.yourCards(cards.filter(Boolean)));
  const shown = events.filter((event) => event.event === "CardDealt" && event.place === "dealer" && event.card);
  if (shown.length) announce(said.dealerShows(shown.map((event) => event.card)));
  for (const event of events) {
    if (event.event === "CardsRevealed" && (!event.seat || mine.has(event.seat)))
      announce(said.placeCards(said.place[event.place] ?? event.place, event.cards));
    if (event.event === "RoundVoided") announce(said.void(event.cause));
    if (event.event === "WagerSettled" && mine.has(event.seat)) announce(event.text);
    if (event.event === "RoundCompleted" && view.last?.round === event.round && view.last.your_net_cents !== null)
      announce(said.net(view.last.your_net_cents));
  }
  if (view.phase === "deciding" && mine.has(view.waiting[0]) && events.length)
    announce(view.prompts.find((prompt) => prompt.command === "Decide")?.text ?? "");
}
