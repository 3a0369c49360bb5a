"""Builds the deck that deals given hands: a floorperson knows the hands, not the order of the shoe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from croupier.core.cards import DECK, Card
from croupier.core.errors import InputError
from croupier.scenarios.model import Scenario
from croupier.scenarios.runner import deal_scenario

Positions = Mapping[tuple[str, int], tuple[int, ...]]
"""The positions of cards in the deck, by place and seat of a hand."""


def deck_positions(scenario: Scenario) -> Positions:
    """Where in the deck the cards of every hand come from, given the wagers and face-up cards of a scenario."""
    order = _order_with_face_up_cards_first(scenario)
    round_ = deal_scenario(replace(scenario, order=order))
    positions = {card: number for number, card in enumerate(order)}
    return {key: tuple(positions[card] for card in round_.hand(*key)) for key, cards in round_.cards.items() if cards}


def build_deck(scenario: Scenario, hands: Mapping[tuple[str, int], tuple[Card, ...]]) -> tuple[int, ...]:
    """The deck that deals these hands; the other positions keep the order of the scenario.

    Refuses a hand with the wrong number of cards, a card listed twice, and a card found face up.
    """
    positions, order = deck_positions(scenario), _order_with_face_up_cards_first(scenario)
    cards_by_position: dict[int, int] = {}
    for key, cards in hands.items():
        if len(cards) != len(positions.get(key, ())):
            raise InputError("", f"{len(positions.get(key, ()))} cards are dealt there, not {len(cards)}")
        cards_by_position |= {position: card.index for position, card in zip(positions[key], cards, strict=True)}
    if len(set(cards_by_position.values())) < len(cards_by_position):
        raise InputError("", "a card is listed twice")
    face_up_cards = _face_up_cards(scenario)
    if misplaced := [DECK[card] for card in cards_by_position.values() if card in face_up_cards]:
        raise InputError("", f"{misplaced[0]} was found face up and cannot be in a hand")
    cards_by_position |= dict(enumerate(order[: len(face_up_cards)]))
    remaining = iter([card for card in order if card not in cards_by_position.values()])
    return tuple(
        cards_by_position[position] if position in cards_by_position else next(remaining)
        for position in range(len(order))
    )


def _order_with_face_up_cards_first(scenario: Scenario) -> tuple[int, ...]:
    """The deck with the face-up cards on top, where they are sure to be dealt."""
    face_up_cards = _face_up_cards(scenario)
    return (*face_up_cards, *(card for card in scenario.order if card not in face_up_cards))


def _face_up_cards(scenario: Scenario) -> tuple[int, ...]:
    return tuple(sorted(card for irregularity in scenario.irregularities for card in irregularity.cards))
