// What a screen reader says about a table.

import { announce } from "/static/notices.js";
import { words } from "/static/words.js";

const said = words.table;

/** What happened at the table, for screen readers: own cards, what is turned up, each own wager, and the sum. */
export function tell({ events, view }, mine) {
  const cards = events
    .filter((event) => event.event === "CardDealt" && event.place === "player" && mine.has(event.seat))
    .map((event) => event.card);
  if (cards.length) announce(said.yourCards(cards));
  for (const event of events) {
    if (event.event === "CardsRevealed" && event.place === "dealer") announce(said.dealerCards(event.cards));
    if (event.event === "CardsRevealed" && event.place === "board") announce(said.boardCards(event.cards));
    if (event.event === "WagerSettled" && mine.has(event.seat)) announce(event.text);
    if (event.event === "RoundCompleted" && view.last?.round === event.round && view.last.your_net_cents !== null)
      announce(said.net(view.last.your_net_cents));
  }
  if (view.phase === "deciding" && mine.has(view.waiting[0]) && events.length)
    announce(view.prompts.find((prompt) => prompt.command === "Decide")?.text ?? "");
}
