"""Checks that decks are complete and cards follow the recorded order, from the events alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from croupier.audit.finding import Finding, NumberedEvents
from croupier.core.cards import DECK
from croupier.table.model import events as e
from croupier.table.model.setup import Setup

FULL_DECK = list(range(52))


@dataclass
class _CardBooks:
    """Where the cards are, according to the events."""

    orders: dict[int, tuple[int, ...]] = field(default_factory=dict)
    loaded: int = 0
    drawn: list[int] = field(default_factory=list)
    placed: dict[tuple[str, int], list[int]] = field(default_factory=lambda: defaultdict(list))


def check_cards(setup: Setup, events: NumberedEvents) -> Iterator[Finding]:
    """Finds incomplete decks, cards out of order or dealt twice, and wrong stubs or discard racks."""
    books = _CardBooks()
    for seq, event in events:
        for message in _check_event(books, event):
            yield Finding(seq, event.clause, message)


def _check_event(books: _CardBooks, event: e.Event) -> Iterator[str]:
    match event:
        case e.CardsReceived() | e.CardsShuffled():
            if event.order and sorted(event.order) != FULL_DECK:
                yield f"deck {event.deck} does not have each of the 52 cards once"
            books.orders[event.deck] = event.order
        case e.CardsRead():
            if len(set(event.cards)) != len(event.cards):
                yield f"a card of deck {event.deck} was read twice"
            books.orders[event.deck] = event.cards
        case e.CardsCut():
            order = books.orders.get(event.deck, ())
            books.orders[event.deck] = order[event.depth :] + order[: event.depth]
        case e.CardsLoaded():
            books.loaded = event.deck
        case e.BetsClosed():
            books.drawn, books.placed = [], defaultdict(list)
        case e.CardDealt():
            yield from _check_draw(books, event.card)
            books.placed[event.place, event.seat].append(event.card)
        case e.FaceUpCardDiscarded():
            yield from _check_draw(books, event.card)
        case e.DealCompleted():
            if event.stub != len(FULL_DECK) - len(books.drawn):
                remaining = len(FULL_DECK) - len(books.drawn)
                yield f"{remaining} cards are left after {len(books.drawn)} were dealt, not {event.stub}"
        case e.RoundCompleted():
            rack = {(place, seat): list(dealt) for place, seat, dealt in event.rack}
            if rack != books.placed or len(rack) != len(event.rack):
                yield "the cards in the rack are not those that were dealt"


def _check_draw(books: _CardBooks, card: int) -> Iterator[str]:
    order, place = books.orders.get(books.loaded, ()), len(books.drawn)
    if not 0 <= card < len(DECK):
        yield f"{card} is not a card"
    elif card in books.drawn:
        yield f"{DECK[card]} was already dealt in this round"
    elif place >= len(order):
        yield f"{DECK[card]} comes from a deck without a recorded order"
    elif order[place] != card:
        yield f"card {place + 1} of deck {books.loaded} is {_card_name(order[place])}, not {DECK[card]}"
    books.drawn.append(card)


def _card_name(card: int) -> str:
    return str(DECK[card]) if 0 <= card < len(DECK) else f"{card}, which is not a card"
