"""Other Python libraries that rank poker hands, each called as its users call it.

Hands are converted to the types of the peer beforehand, so that only evaluation is timed. None of
them takes more than one hand per call. They have no type stubs, hence `import_module`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import starmap
from typing import Any

from croupier.core.cards import DECK
from croupier.hands.lookup_tables import Array

NAMES = [str(card) for card in DECK]


@dataclass(frozen=True, slots=True)
class Peer:
    """A library: how it represents a hand, ranks one, and ranks many in its fastest loop."""

    name: str
    prepare: Callable[[Array], list[Any]]
    evaluate_all: Callable[[Sequence[Any]], list[Any]]
    score: Callable[[Any], int]
    """Turns its result into a number, higher for a better hand."""


def load_peers(cards: int) -> list[Peer]:
    """All peers, for hands of five or of six cards."""
    return [_eval7(), _phevaluator(cards), _pokerkit(cards), _treys()]


def _eval7() -> Peer:
    eval7 = import_module("eval7")
    deck = [eval7.Card(name) for name in NAMES]
    return Peer("eval7", partial(_as_lists, deck), partial(_map_hands, eval7.evaluate), int)


def _phevaluator(cards: int) -> Peer:
    phevaluator = import_module("phevaluator")
    deck = [phevaluator.Card(name).id_ for name in NAMES]  # its fastest representation
    evaluate = {5: phevaluator.evaluate_5cards, 6: phevaluator.evaluate_6cards}[cards]
    return Peer("phevaluator", partial(_as_lists, deck), partial(_starmap_hands, evaluate), _negate)


def _pokerkit(cards: int) -> Peer:
    pokerkit = import_module("pokerkit")
    deck = [next(pokerkit.Card.parse(name)) for name in NAMES]
    hand_type = pokerkit.StandardHighHand
    evaluate = hand_type if cards == 5 else hand_type.from_game
    return Peer(
        "pokerkit", partial(_as_tuples, deck), partial(_map_hands, evaluate), lambda hand: int(hand.entry.index)
    )


def _treys() -> Peer:
    treys = import_module("treys")
    deck = [treys.Card.new(name) for name in NAMES]
    evaluate = treys.Evaluator().evaluate

    def prepare(hands: Array) -> list[Any]:  # two cards in the hand, the others on the board
        return [(hand[:2], hand[2:]) for hand in _as_lists(deck, hands)]

    return Peer("treys", prepare, partial(_starmap_hands, evaluate), _negate)


def _as_lists(deck: list[Any], hands: Array) -> list[Any]:
    return [[deck[card] for card in hand] for hand in hands.tolist()]


def _as_tuples(deck: list[Any], hands: Array) -> list[Any]:
    return [tuple(hand) for hand in _as_lists(deck, hands)]


def _map_hands(evaluate: Callable[[Any], Any], hands: Sequence[Any]) -> list[Any]:
    return list(map(evaluate, hands))


def _starmap_hands(evaluate: Callable[..., Any], hands: Sequence[Any]) -> list[Any]:
    return list(starmap(evaluate, hands))


def _negate(rank: int) -> int:
    return -rank
