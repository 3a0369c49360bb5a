"""A deck for cards that are known by where they lay: a floorperson sees hands, not the order of the shoe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from croupier.cards import DECK, Card
from croupier.errors import Malformed
from croupier.scenarios.playing import dealt
from croupier.scenarios.scenario import Scenario

Places = Mapping[tuple[str, int], tuple[int, ...]]
"""For each hand, by its place and seat, where in the deck its cards are."""


def places_of(scenario: Scenario) -> Places:
    """Where in the deck the cards of every hand are, with the wagers and the faults of a scenario."""
    order = _with_faults_dealt(scenario)
    round_ = dealt(replace(scenario, order=order))
    where = {card: number for number, card in enumerate(order)}
    return {key: tuple(where[card] for card in cards) for key, cards in round_.cards.items() if cards}


def arranged(scenario: Scenario, held: Mapping[tuple[str, int], tuple[Card, ...]]) -> tuple[int, ...]:
    """The deck that deals these hands; other cards follow as they come.

    Refused are a hand that this deal does not have, one of another number of cards, and a card that is there twice.
    """
    places, order = places_of(scenario), _with_faults_dealt(scenario)
    known: dict[int, int] = {}
    for key, cards in held.items():
        if len(cards) != len(places.get(key, ())):
            raise Malformed("", f"{len(places.get(key, ()))} cards are dealt there, and these are {len(cards)}")
        known |= {position: card.index for position, card in zip(places[key], cards, strict=True)}
    if len(set(known.values())) < len(known):
        raise Malformed("", "a card is there twice")
    faults = _faults(scenario)
    if taken := [DECK[card] for card in known.values() if card in faults]:
        raise Malformed("", f"{taken[0]} was found face up, and cannot be in a hand")
    known |= dict(enumerate(order[: len(faults)]))
    rest = iter([card for card in order if card not in known.values()])
    return tuple(known[position] if position in known else next(rest) for position in range(len(order)))


def _with_faults_dealt(scenario: Scenario) -> tuple[int, ...]:
    """The deck with the cards that are found face up on top, where they are sure to be dealt."""
    faults = _faults(scenario)
    return (*faults, *(card for card in scenario.order if card not in faults))


def _faults(scenario: Scenario) -> tuple[int, ...]:
    return tuple(sorted(card for found in scenario.irregularities for card in found.cards))
