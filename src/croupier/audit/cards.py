"""Every deck is whole and every card comes off its recorded order, followed from the events alone, without the fold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from croupier.audit.finding import Finding, Numbered
from croupier.cards import DECK
from croupier.table import events as e
from croupier.table.setup import Setup

WHOLE = list(range(52))


@dataclass
class _Cards:
    """Where the cards are."""

    orders: dict[int, tuple[int, ...]] = field(default_factory=dict)
    loaded: int = 0
    drawn: list[int] = field(default_factory=list)
    placed: dict[tuple[str, int], list[int]] = field(default_factory=lambda: defaultdict(list))


def cards(setup: Setup, events: Numbered) -> Iterator[Finding]:
    """A deck that is not 52 cards once each, a card out of order, one dealt twice, a stub or rack that is wrong."""
    known = _Cards()
    for seq, event in events:
        for message in _check(known, event):
            yield Finding(seq, event.clause, message)


def _check(known: _Cards, event: e.Event) -> Iterator[str]:
    match event:
        case e.CardsReceived() | e.CardsShuffled():
            if event.order and sorted(event.order) != WHOLE:
                yield f"deck {event.deck} is not 52 cards, each of them once"
            known.orders[event.deck] = event.order
        case e.CardsRead():
            if len(set(event.cards)) != len(event.cards):
                yield f"a card of deck {event.deck} was read twice"
            known.orders[event.deck] = event.cards
        case e.CardsCut():
            order = known.orders.get(event.deck, ())
            known.orders[event.deck] = order[event.depth :] + order[: event.depth]
        case e.CardsLoaded():
            known.loaded = event.deck
        case e.BetsClosed():
            known.drawn, known.placed = [], defaultdict(list)
        case e.CardDealt():
            yield from _drawn(known, event.card)
            known.placed[event.place, event.seat].append(event.card)
        case e.FaceUpCardDiscarded():
            yield from _drawn(known, event.card)
        case e.DealCompleted():
            if event.stub != len(WHOLE) - len(known.drawn):
                yield f"{len(WHOLE) - len(known.drawn)} cards are left after {len(known.drawn)}, not {event.stub}"
        case e.RoundCompleted():
            racked = {(place, seat): list(dealt) for place, seat, dealt in event.rack}
            if racked != known.placed or len(racked) != len(event.rack):
                yield "the cards in the rack are not those that were dealt"


def _drawn(known: _Cards, card: int) -> Iterator[str]:
    order, place = known.orders.get(known.loaded, ()), len(known.drawn)
    if not 0 <= card < len(DECK):
        yield f"{card} is no card"
    elif card in known.drawn:
        yield f"{DECK[card]} was dealt before in this round"
    elif place >= len(order):
        yield f"{DECK[card]} comes from a deck of which no order is recorded"
    elif order[place] != card:
        yield f"card {place + 1} of deck {known.loaded} is {_named(order[place])}, not {DECK[card]}"
    known.drawn.append(card)


def _named(card: int) -> str:
    return str(DECK[card]) if 0 <= card < len(DECK) else f"{card}, which is no card"
