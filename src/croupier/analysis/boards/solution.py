"""Solves board games by backward induction from the last card.

One paytable on the player's cards and the board pays all required wagers, so the state on a street is the
known cards and the amount staked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb, prod

import numpy as np

from croupier.analysis.counting.suit_classes import class_numbers, class_representatives, hand_classes, next_classes
from croupier.analysis.side_wagers import net_of
from croupier.analysis.whole_numbers import common_denominator, require_fit, scale_to_integers
from croupier.core.cards import Card
from croupier.core.errors import InputError
from croupier.games import game
from croupier.games.definition import BOARD, PLAYER, ByTable
from croupier.hands.kernels import evaluate, tables_of
from croupier.hands.lookup_tables import Array
from croupier.hands.ranking import Ranking
from croupier.regulations import ElectedEdition


@dataclass(frozen=True, slots=True)
class BoardShape:
    """The parts of a definition that the solution depends on: the paytable and the streets."""

    table: str
    cards_known: tuple[int, ...]
    """The number of known cards on each street."""
    choices: tuple[tuple[int, ...], ...]
    """For each street the permitted raises as multiples of the Ante; 0 and 1 if a wager may be pulled back."""
    pulls_back: tuple[bool, ...]
    """For each street whether a wager is pulled back or rides, with no fold."""
    base: int
    """Antes staked in every round, whatever the player decides."""

    def name(self, street: int, multiple: int) -> str:
        """The name of a choice."""
        if self.pulls_back[street]:
            return "ride" if multiple else "pull"
        return f"{multiple}x" if multiple else "fold"

    def options(self, street: int) -> tuple[int, ...]:
        """Every choice on a street, smallest wager first; 0 is the fold if the street has one."""
        return self.choices[street] if self.pulls_back[street] else (0, *self.choices[street])


def board_shape(elected: ElectedEdition) -> BoardShape | None:
    """The shape of a board game; `None` for any other kind of game.

    In a board game one paytable on the player's cards and the board pays all required wagers, and each
    street reveals one more board card.
    """
    definition, rules = game(elected.edition.game), elected.edition
    required = [s for s in definition.settlements if isinstance(s, ByTable) and s.wager in rules.required]
    tables = {s.table_name for s in required}
    if definition.contest is not None or len(tables) != 1 or {s.cards.places for s in required} != {(PLAYER, BOARD)}:
        return None
    (table,) = tables
    revealed = [street.then.count for street in definition.streets]
    if revealed != list(range(1, len(revealed) + 1)) or {street.then.place for street in definition.streets} != {BOARD}:
        return None
    hole_cards = elected.paytable(table).ranking.cards - revealed[-1]
    pulls_back = tuple(street.pulls_back for street in definition.streets)
    multiples = [(0, 1) if street.pulls_back else rules.wagers[street.wager].multiples for street in definition.streets]
    street_wagers = {street.wager for street in definition.streets}
    if (
        not all(multiples)
        or {s.wager for s in required} != set(rules.required)
        or not street_wagers <= set(rules.required)
    ):
        return None
    base = len(set(rules.required) - street_wagers)
    return BoardShape(
        table, tuple(hole_cards + street for street in range(len(revealed))), tuple(multiples), pulls_back, base
    )


def is_board_game(elected: ElectedEdition) -> bool:
    """Whether a game is a board game."""
    return board_shape(elected) is not None


@dataclass(frozen=True, eq=False)
class KnownCards:
    """The suit classes of a number of known cards, with the transition for each next card."""

    cards: Array
    """uint8 [classes, count]: one representative of each"""
    sizes: Array
    """int64 [classes]"""
    next_state: Array
    """int64 [classes, 52]: the class after that card, or the strength on the last street; -1 for known cards"""


@cache
def known_cards(count: int, ranking: Ranking) -> KnownCards:
    """The states of a street with `count` known cards."""
    cards, sizes = class_representatives(count), hand_classes(count).sizes.astype(np.int64)
    if count + 1 < ranking.cards:
        return KnownCards(cards, sizes, next_classes(count))
    hands = np.column_stack([np.repeat(cards, 52, axis=0), np.tile(np.arange(52, dtype=np.uint8), len(cards))])
    is_new_card = (hands[:, :-1] != hands[:, -1:]).all(axis=1)
    next_state = np.full(len(hands), -1, dtype=np.int64)
    next_state[is_new_card] = evaluate(ranking, hands[is_new_card])
    return KnownCards(cards, sizes, next_state.reshape(len(cards), 52))


def class_number(cards: Sequence[Card]) -> int:
    """The index of the suit class of some cards."""
    return int(class_numbers(np.array([[card.index for card in cards]], dtype=np.uint8))[0])


@dataclass(frozen=True, eq=False)
class Solution:
    """The value of every state, in Antes times a common denominator."""

    shape: BoardShape
    ranking: Ranking
    scale: int
    nets: Array
    """int64 [results]: possible net results of one unit staked, times `scale`"""
    results: Array
    """int64 [classes of the last street, results]: number of last cards that lead to each result"""

    @property
    def last_street_values(self) -> Array:
        """int64 [classes of the last street]: net result of one unit, summed over the last card, times `scale`."""
        sums: Array = self.results @ self.nets
        return sums

    @property
    def streets(self) -> range:
        return range(len(self.shape.cards_known))

    def states(self, number: int) -> KnownCards:
        """The known cards of a street."""
        return known_cards(self.shape.cards_known[number], self.ranking)

    def street(self, number: int, staked: int) -> tuple[Array, Mapping[int, Array]]:
        """The best value of each class on a street, and the value of the fold (0) and each raise.

        If a wager may be pulled back, there is no fold and 0 means pulling it. Values are summed over all
        deals of the remaining cards, times `scale`.
        """
        return _street_values(self, number, staked)

    def deals(self, number: int) -> int:
        """The number of ordered deals of the cards still hidden on a street."""
        deals = 1
        for card_count in self.shape.cards_known[number:]:
            deals *= 52 - card_count
        return deals


@cache
def solve(elected: ElectedEdition) -> Solution:
    """The values of the last street, from which all others follow; refuses any other kind of game."""
    shape = board_shape(elected)
    if shape is None:
        raise InputError("", f"{elected.edition.title} is not a board game")
    table = elected.paytable(shape.table)
    tables_of(table.ranking)  # loads the cached spans of the ranking, if any
    nets = [net_of(table.payout(strength), Fraction(1), {}) for strength in range(len(table.ranking))]
    scale = common_denominator(nets)
    require_fit(max(map(abs, nets)) * _max_staked(shape) * _deal_count(shape), scale)
    results, result_of = np.unique(scale_to_integers(nets, scale), return_inverse=True)
    next_state = known_cards(shape.cards_known[-1], table.ranking).next_state
    rows, cards = np.nonzero(next_state >= 0)
    flat = rows * len(results) + result_of[next_state[rows, cards]]
    counts = np.bincount(flat, minlength=len(next_state) * len(results)).reshape(len(next_state), len(results))
    return Solution(shape, table.ranking, scale, results, counts)


def _max_staked(shape: BoardShape) -> int:
    """Antes staked after the largest raise on every street."""
    return shape.base + sum(max(choices) for choices in shape.choices)


def _deal_count(shape: BoardShape) -> int:
    """The number of deals: the player's cards, and the board in order."""
    return comb(52, shape.cards_known[0]) * prod(52 - count for count in shape.cards_known)


@cache
def _street_values(solution: Solution, number: int, staked: int) -> tuple[Array, Mapping[int, Array]]:
    values: dict[int, Array] = {}
    for multiple in solution.shape.choices[number]:
        if number == solution.streets[-1]:
            values[multiple] = (staked + multiple) * solution.last_street_values
        else:
            next_values, _ = _street_values(solution, number + 1, staked + multiple)
            next_state = solution.states(number).next_state
            values[multiple] = np.where(next_state >= 0, next_values[next_state], 0).sum(axis=1)
    if not solution.shape.pulls_back[number]:
        count, fold_value = len(next(iter(values.values()))), -staked * solution.scale * solution.deals(number)
        values = {0: np.full(count, fold_value, dtype=np.int64), **values}
    return np.maximum.reduce(list(values.values())), values
