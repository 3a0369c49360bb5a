"""Checks that decks are complete and cards follow the recorded order, from the events alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from croupier.audits.finding import Finding, NumberedEvents
from croupier.core.cards import DECK
from croupier.table.model import events as e
from croupier.table.model.setup import Setup

FULL_DECK = list(range(52))


@dataclass
class _CardBooks:
    """Where the cards are, according to the events."""

    orders: dict[int, tuple[int, ...]] = field(default_factory=dict)
    loaded: int = 0
    drawn: list[int | None] = field(default_factory=list)
    """The cards that left the deck; `None` for one that was dealt unknown, from a plain shoe."""
    placed: dict[tuple[str, int], list[int | None]] = field(default_factory=lambda: defaultdict(list))


def check_cards(setup: Setup, events: NumberedEvents) -> Iterator[Finding]:
    """Finds incomplete decks, cards out of order or dealt twice, and wrong stubs or discard racks."""
    books = _CardBooks()
    for seq, event in events:
        for message in _check_event(books, event, enters_cards=setup.enters_cards):
            yield Finding(seq, event.clause, message)


def _check_event(books: _CardBooks, event: e.Event, *, enters_cards: bool) -> Iterator[str]:
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
            yield from _check_dealt_card(books, event.card, enters_cards=enters_cards)
            books.placed[event.place, event.seat].append(event.card)
        case e.CardReplaced():
            yield from _check_replacement(books, event, enters_cards=enters_cards)
        case e.FaceUpCardDiscarded():
            if enters_cards:
                yield from _check_known_card(books, event.card)
                books.drawn.append(event.card)
            else:
                yield from _check_draw(books, event.card)
        case e.CardEntered():
            yield from _check_known_card(books, event.card)
            yield from _place_card(books, event.place, event.seat, event.number, event.card)
        case e.CardCorrected():
            if event.card is not None:
                yield from _check_known_card(books, event.card)
            yield from _place_card(books, event.place, event.seat, event.number, event.card)
        case e.WagerSettled():
            if enters_cards and event.hand and None in books.placed.get(("player", event.holder or event.seat), [None]):
                yield f"seat {event.seat} was settled by {event.hand} before its hand was entered"
        case e.DealCompleted():
            if event.stub != len(FULL_DECK) - len(books.drawn):
                remaining = len(FULL_DECK) - len(books.drawn)
                yield f"{remaining} cards are left after {len(books.drawn)} were dealt, not {event.stub}"
        case e.RoundCompleted():
            rack = {(place, seat): list(dealt) for place, seat, dealt in event.rack}
            if rack != books.placed or len(rack) != len(event.rack):
                yield "the cards in the rack are not those that were dealt"


def _check_replacement(books: _CardBooks, event: e.CardReplaced, *, enters_cards: bool) -> Iterator[str]:
    """A floorperson's replacement takes a card that lies there away and is the next card, unknown at a plain shoe."""
    hand = books.placed[event.place, event.seat]
    lies_there = 1 <= event.number <= len(hand) and hand[event.number - 1] in (event.discarded, None)
    if enters_cards:
        if lies_there and hand[event.number - 1] is None:
            yield from _check_known_card(books, event.discarded)
        books.drawn.append(event.discarded)
    elif event.card is not None:
        yield from _check_draw(books, event.card)
    if not lies_there:
        yield f"card {event.number} of {event.place} {event.seat or ''}".rstrip() + " is not the one that was discarded"
        return
    hand[event.number - 1] = event.card


def _check_dealt_card(books: _CardBooks, card: int | None, *, enters_cards: bool) -> Iterator[str]:
    if not enters_cards and card is not None:
        yield from _check_draw(books, card)
        return
    if enters_cards != (card is None):
        yield "a card from a plain shoe is dealt unknown" if enters_cards else "a card without a face was dealt"
    books.drawn.append(card)


def _check_known_card(books: _CardBooks, card: int) -> Iterator[str]:
    """Faults of a card that is entered at a plain shoe: no card has it twice."""
    if not 0 <= card < len(DECK):
        yield f"{card} is not a card"
    elif card in books.drawn or any(card in cards for cards in books.placed.values()):
        yield f"{DECK[card]} lies on the layout already"


def _place_card(books: _CardBooks, place: str, seat: int, number: int, card: int | None) -> Iterator[str]:
    cards = books.placed.get((place, seat), [])
    if not 1 <= number <= len(cards):
        yield f"card {number} of {place} {seat} was not dealt".replace(" 0 ", " ")
        return
    cards[number - 1] = card


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
