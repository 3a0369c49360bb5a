"""A user's own strategy: a function in a Python file, asked once for every suit class of cards.

The function takes a `Spot` and gives "fold", "play", "1x", "2x" or "3x". Suits are alike, so it is asked
about one hand of each class. A function with an attribute `arrays = True` takes a `Spots` instead, with
an array a field, and gives an array of multiples of the Ante, 0 to fold: quicker by far.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from croupier.cards import DECK
from croupier.errors import Malformed
from croupier.hands import ranking_named
from croupier.hands.lookup import lookup
from croupier.hands.tables import Array
from croupier.maths.boards import known
from croupier.simulation.decisions import player_hands, spots_of
from croupier.simulation.plan import BoardGroup, ContestGroup, Plan
from croupier.simulation.strategies import Strategy, choice_names

_NAMES = tuple(str(card) for card in DECK)


@dataclass(frozen=True, slots=True)
class Spot:
    """What a player knows when he decides. Cards are written as in `As Kd Tc 2h`."""

    hand: tuple[str, ...]
    up: str | None = None
    """The dealer's card in sight."""
    board: tuple[str, ...] = ()
    raised: tuple[int, ...] = ()
    """The raises so far, in Antes."""
    strength: int | None = None
    """Of the hand in the contest with the dealer."""
    name: str = ""
    """What the hand is called in the contest."""

    def __str__(self) -> str:
        seen = f" against {self.up}" if self.up else ""
        board = f" on {' '.join(self.board)}" if self.board else ""
        raised = f" after {' '.join(f'{multiple}x' for multiple in self.raised)}" if self.raised else ""
        return f"{' '.join(self.hand)}{seen}{board}{raised}"


@dataclass(frozen=True, eq=False)
class Spots:
    """Many spots at once: card numbers 0 to 51, thirteen a suit from the 2 up."""

    hands: Array
    """uint8 [spots, cards]"""
    up: Array | None
    """uint8 [spots]: the dealer's card in sight"""
    strengths: Array | None
    """int64 [spots]: of the hand in the contest with the dealer"""
    board: Array | None = None
    """uint8 [spots, cards of the board in sight]"""
    raised: tuple[int, ...] = ()


def function_strategy(plan: Plan, text: str) -> Strategy:
    """The strategy of a function, named as FILE.py:function."""
    function = load_function(text)
    group = plan.required
    if isinstance(group, BoardGroup):
        return Strategy(text, _on_a_board(plan, group, function, text))
    return Strategy(text, _against_a_dealer(plan, group, function, text))


def load_function(text: str) -> Callable[[Any], Any]:
    """The function that FILE.py:function names."""
    file, _, name = text.rpartition(":")
    if not file or not name.isidentifier():
        raise Malformed("strategy", f"{text!r} is not of the form FILE.py:function")
    path = Path(file)
    if not path.is_file():
        raise Malformed("strategy", f"there is no file {file}")
    spec = importlib.util.spec_from_file_location("croupier_user_strategy", path)
    if spec is None or spec.loader is None:
        raise Malformed("strategy", f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise Malformed("strategy", f"{file} cannot be loaded: {type(error).__name__}: {error}") from error
    function = getattr(module, name, None)
    if not callable(function):
        raise Malformed("strategy", f"{file} has no function {name}")
    found: Callable[[Any], Any] = function
    return found


def _against_a_dealer(plan: Plan, group: ContestGroup, function: Callable[[Any], Any], text: str) -> Array:
    held, found = player_hands(group), spots_of(group)
    bits = ((held.classes.masks[:, :, None] >> np.arange(13)) & 1).reshape(len(held.classes), 52)
    hands = np.nonzero(bits)[1].reshape(len(bits), -1).astype(np.uint8)
    rows, up = np.nonzero(bits == 0) if plan.layout.up is not None else (np.arange(len(hands)), None)
    if getattr(function, "arrays", False):
        asked = Spots(hands[rows], None if up is None else up.astype(np.uint8), held.strengths[rows])
        return _numbers(function, asked, group.choices, text)
    tables = lookup(ranking_named(group.contest.player_ranking))
    names = choice_names(group)
    named = [tuple(_NAMES[card] for card in hand) for hand in hands.tolist()]
    chosen = np.zeros(len(found.weights), dtype=np.uint8)
    strengths = held.strengths.tolist()
    for spot, row in enumerate(rows.tolist()):
        seen = None if up is None else _NAMES[up[spot]]
        strength = strengths[row]
        chosen[spot] = _ask(function, Spot(named[row], seen, (), (), strength, tables.name(strength)), names, text)
    return chosen


def _on_a_board(plan: Plan, group: BoardGroup, function: Callable[[Any], Any], text: str) -> list[Array]:
    ranking = plan.bets.elected.paytable(next(iter(group.tables.values()))).ranking
    own = group.known[0]
    found = []
    for street, cards in enumerate(group.known):
        hands = known(cards, ranking).cards
        names = choice_names(group, street)
        of_street = []
        for path in _paths(group, street):
            if getattr(function, "arrays", False):
                # Which of the known cards are the player's makes no difference to what they can become.
                asked = Spots(hands[:, :own], None, None, hands[:, own:], path)
                fold = -1 if group.stays[street] else 0  # a number that stands for a fold, where one can
                of_street.append(_numbers(function, asked, (fold, *group.multiples[street]), text))
                continue
            chosen = np.zeros(len(hands), dtype=np.uint8)
            for row, hand in enumerate(hands.tolist()):
                shown = tuple(_NAMES[card] for card in hand)
                chosen[row] = _ask(function, Spot(shown[:own], None, shown[own:], path), names, text)
            of_street.append(chosen)
        found.append(np.array(of_street))
    return found


def _paths(group: BoardGroup, street: int) -> Iterator[tuple[int, ...]]:
    reached: list[tuple[int, ...]] = [()]
    for multiples in group.multiples[:street]:
        reached = [(*path, multiple) for path in reached for multiple in multiples]
    yield from reached


def _ask(function: Callable[[Any], Any], spot: Spot, names: tuple[str, ...], text: str) -> int:
    try:
        choice = function(spot)
    except Exception as error:
        raise Malformed("strategy", f"{text} raises {type(error).__name__} ({error}) with {spot}") from error
    if not choice or choice not in names:
        known_choices = ", ".join(filter(None, names))
        raise Malformed("strategy", f"{text} chooses {choice!r} with {spot}; it may choose {known_choices}")
    return names.index(choice)


def _numbers(function: Callable[[Any], Any], asked: Spots, choices: tuple[int, ...], text: str) -> Array:
    count = len(asked.hands)
    try:
        given = np.asarray(function(asked))
    except Exception as error:
        raise Malformed("strategy", f"{text} raises {type(error).__name__} ({error}) with all hands at once") from error
    if given.shape != (count,):
        raise Malformed("strategy", f"{text} gives an array of {given.shape} for {count:,} hands")
    found = np.full(count, 255, dtype=np.uint8)
    for number, multiple in enumerate(choices):
        found[given == multiple] = number
    if (found == 255).any():
        row = int(np.argmax(found == 255))
        up = None if asked.up is None else _NAMES[asked.up[row]]
        board = () if asked.board is None else tuple(_NAMES[card] for card in asked.board[row])
        spot = Spot(tuple(_NAMES[card] for card in asked.hands[row]), up, board, asked.raised)
        known_choices = ", ".join(map(str, choices))
        raise Malformed("strategy", f"{text} chooses {given[row]} with {spot}; it may choose {known_choices}")
    return found
