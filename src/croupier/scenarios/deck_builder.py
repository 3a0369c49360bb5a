"""A deck for cards that are known by where they lay: a floorperson sees hands, not the order of the shoe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from croupier.core.cards import DECK, Card
from croupier.core.errors import InputError
from croupier.scenarios.model import Scenario
from croupier.scenarios.runner import dealt

Places = Mapping[tuple[str, int], tuple[int, ...]]
"""For each hand, by its place and seat, where in the deck its cards are."""


def places_of(scenario: Scenario) -> Places:
    """Where in the deck the cards of every hand are, with the wagers and the faults of a scenario."""
    order = _with_faults_dealt(scenario)
    round_ = dealt(replace(scenario, order=order))
    where = {card: number for number, card in enumerate(order)}
    return {key: tuple(where[card] for card in cards) for key, cards in round_.cards.items() if cards}


def arranged(scenario: Scenario, hands: Mapping[tuple[str, int], tuple[Card, ...]]) -> tuple[int, ...]:
    """The deck that deals these hands; other cards follow as they come.

    Refused are a hand that this deal does not have, one of another number of cards, and a card that is there twice.
    """
    places, order = places_of(scenario), _with_faults_dealt(scenario)
    cards_by_position: dict[int, int] = {}
    for key, cards in hands.items():
        if len(cards) != len(places.get(key, ())):
            raise InputError("", f"{len(places.get(key, ()))} cards are dealt there, not {len(cards)}")
        cards_by_position |= {position: card.index for position, card in zip(places[key], cards, strict=True)}
    if len(set(cards_by_position.values())) < len(cards_by_position):
        raise InputError("", "a card is listed twice")
    faults = _faults(scenario)
    if face_up := [DECK[card] for card in cards_by_position.values() if card in faults]:
        raise InputError("", f"{face_up[0]} was found face up and cannot be in a hand")
    cards_by_position |= dict(enumerate(order[: len(faults)]))
    rest = iter([card for card in order if card not in cards_by_position.values()])
    return tuple(
        cards_by_position[position] if position in cards_by_position else next(rest) for position in range(len(order))
    )


def _with_faults_dealt(scenario: Scenario) -> tuple[int, ...]:
    """The deck with the cards that are found face up on top, where they are sure to be dealt."""
    faults = _faults(scenario)
    return (*faults, *(card for card in scenario.order if card not in faults))


def _faults(scenario: Scenario) -> tuple[int, ...]:
    return tuple(sorted(card for irregularity in scenario.irregularities for card in irregularity.cards))
