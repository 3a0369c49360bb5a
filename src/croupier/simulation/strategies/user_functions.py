"""User-defined strategies: a function in a Python file, called once per suit class.

The function takes a `Spot` and returns "fold", "play", "1x", "2x" or "3x". Suits are equivalent, so it is
called with one hand of each class. A function with the attribute `arrays = True` takes a `StrategySpots`
instead, with one array per field, and returns an array of multiples of the Ante, 0 to fold: much faster.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from croupier.analysis.boards.solution import known_cards
from croupier.core.cards import DECK
from croupier.core.errors import InputError
from croupier.hands import ranking_named
from croupier.hands.lookup import lookup
from croupier.hands.lookup_tables import Array
from croupier.simulation.kernel.plan import BoardGroup, ContestGroup, Plan
from croupier.simulation.strategies.decisions import group_spots, player_hands
from croupier.simulation.strategies.strategy import Strategy, choice_names

_CARD_NAMES = tuple(str(card) for card in DECK)


@dataclass(frozen=True, slots=True)
class Spot:
    """What a player knows at a decision. Cards are written as in `As Kd Tc 2h`."""

    hand: tuple[str, ...]
    up: str | None = None
    """The dealer's upcard."""
    board: tuple[str, ...] = ()
    raised: tuple[int, ...] = ()
    """The raises so far, in Antes."""
    strength: int | None = None
    """Strength of the hand in the contest with the dealer."""
    name: str = ""
    """Name of the hand in the contest."""

    def __str__(self) -> str:
        seen = f" against {self.up}" if self.up else ""
        board = f" on {' '.join(self.board)}" if self.board else ""
        raised = f" after {' '.join(f'{multiple}x' for multiple in self.raised)}" if self.raised else ""
        return f"{' '.join(self.hand)}{seen}{board}{raised}"


@dataclass(frozen=True, eq=False)
class StrategySpots:
    """Many spots at once: card numbers 0 to 51, thirteen per suit from the 2 up."""

    hands: Array
    """uint8 [spots, cards]"""
    up: Array | None
    """uint8 [spots]: the dealer's upcard"""
    strengths: Array | None
    """int64 [spots]: strength of the hand in the contest with the dealer"""
    board: Array | None = None
    """uint8 [spots, revealed board cards]"""
    raised: tuple[int, ...] = ()


def function_strategy(plan: Plan, text: str) -> Strategy:
    """The strategy of a function, given as FILE.py:function."""
    function = load_function(text)
    group = plan.required
    if isinstance(group, BoardGroup):
        return Strategy(text, _board_choices(plan, group, function, text))
    return Strategy(text, _contest_choices(plan, group, function, text))


def load_function(text: str) -> Callable[[Any], Any]:
    """Loads the function that FILE.py:function names."""
    file, _, name = text.rpartition(":")
    if not file or not name.isidentifier():
        raise InputError("strategy", f"{text!r} is not of the form FILE.py:function")
    path = Path(file)
    if not path.is_file():
        raise InputError("strategy", f"the file {file} does not exist")
    spec = importlib.util.spec_from_file_location("croupier_user_strategy", path)
    if spec is None or spec.loader is None:
        raise InputError("strategy", f"{file} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise InputError("strategy", f"{file} cannot be loaded: {type(error).__name__}: {error}") from error
    function = getattr(module, name, None)
    if not callable(function):
        raise InputError("strategy", f"{file} has no function {name}")
    strategy: Callable[[Any], Any] = function
    return strategy


def _contest_choices(plan: Plan, group: ContestGroup, function: Callable[[Any], Any], text: str) -> Array:
    classified, spots = player_hands(group), group_spots(group)
    bits = ((classified.classes.masks[:, :, None] >> np.arange(13)) & 1).reshape(len(classified.classes), 52)
    hands = np.nonzero(bits)[1].reshape(len(bits), -1).astype(np.uint8)
    rows, up = np.nonzero(bits == 0) if plan.layout.upcard is not None else (np.arange(len(hands)), None)
    if getattr(function, "arrays", False):
        batch = StrategySpots(hands[rows], None if up is None else up.astype(np.uint8), classified.strengths[rows])
        return _call_array_strategy(function, batch, group.choices, text)
    tables = lookup(ranking_named(group.contest.player_ranking))
    names = choice_names(group)
    hand_names = [tuple(_CARD_NAMES[card] for card in hand) for hand in hands.tolist()]
    chosen = np.zeros(len(spots.weights), dtype=np.uint8)
    strengths = classified.strengths.tolist()
    for spot, row in enumerate(rows.tolist()):
        upcard = None if up is None else _CARD_NAMES[up[spot]]
        strength = strengths[row]
        chosen[spot] = _call_strategy(
            function, Spot(hand_names[row], upcard, (), (), strength, tables.name(strength)), names, text
        )
    return chosen


def _board_choices(plan: Plan, group: BoardGroup, function: Callable[[Any], Any], text: str) -> list[Array]:
    ranking = plan.bets.elected.paytable(next(iter(group.tables.values()))).ranking
    hole_cards = group.cards_known[0]
    choices = []
    for street, cards in enumerate(group.cards_known):
        hands = known_cards(cards, ranking).cards
        names = choice_names(group, street)
        street_choices = []
        for path in _paths(group, street):
            if getattr(function, "arrays", False):
                # It does not matter which of the known cards are the player's.
                batch = StrategySpots(hands[:, :hole_cards], None, None, hands[:, hole_cards:], path)
                fold = -1 if group.pulls_back[street] else 0  # -1 never matches: there is no fold
                street_choices.append(_call_array_strategy(function, batch, (fold, *group.multiples[street]), text))
                continue
            chosen = np.zeros(len(hands), dtype=np.uint8)
            for row, hand in enumerate(hands.tolist()):
                card_names = tuple(_CARD_NAMES[card] for card in hand)
                chosen[row] = _call_strategy(
                    function, Spot(card_names[:hole_cards], None, card_names[hole_cards:], path), names, text
                )
            street_choices.append(chosen)
        choices.append(np.array(street_choices))
    return choices


def _paths(group: BoardGroup, street: int) -> Iterator[tuple[int, ...]]:
    paths: list[tuple[int, ...]] = [()]
    for multiples in group.multiples[:street]:
        paths = [(*path, multiple) for path in paths for multiple in multiples]
    yield from paths


def _call_strategy(function: Callable[[Any], Any], spot: Spot, names: tuple[str, ...], text: str) -> int:
    try:
        choice = function(spot)
    except Exception as error:
        raise InputError("strategy", f"{text} raises {type(error).__name__} ({error}) with {spot}") from error
    if not choice or choice not in names:
        allowed = ", ".join(filter(None, names))
        raise InputError("strategy", f"{text} chooses {choice!r} with {spot}; it may choose {allowed}")
    return names.index(choice)


def _call_array_strategy(
    function: Callable[[Any], Any], batch: StrategySpots, choices: tuple[int, ...], text: str
) -> Array:
    count = len(batch.hands)
    try:
        multiples = np.asarray(function(batch))
    except Exception as error:
        raise InputError(
            "strategy", f"{text} raises {type(error).__name__} ({error}) with all hands at once"
        ) from error
    if multiples.shape != (count,):
        raise InputError("strategy", f"{text} returns an array of shape {multiples.shape} for {count:,} hands")
    numbers = np.full(count, 255, dtype=np.uint8)
    for number, multiple in enumerate(choices):
        numbers[multiples == multiple] = number
    if (numbers == 255).any():
        row = int(np.argmax(numbers == 255))
        up = None if batch.up is None else _CARD_NAMES[batch.up[row]]
        board = () if batch.board is None else tuple(_CARD_NAMES[card] for card in batch.board[row])
        spot = Spot(tuple(_CARD_NAMES[card] for card in batch.hands[row]), up, board, batch.raised)
        allowed = ", ".join(map(str, choices))
        raise InputError("strategy", f"{text} chooses {multiples[row]} with {spot}; it may choose {allowed}")
    return numbers
