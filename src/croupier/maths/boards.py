"""Streets of raises on a growing board, solved from the last card back.

All required wagers are paid by one table on the player's cards and the board, so what matters at
each street is only which cards are known and how much is staked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from croupier.cards import Card
from croupier.errors import Malformed
from croupier.games import game
from croupier.games.definition import BOARD, PLAYER, ByTable
from croupier.hands.kernels import evaluate, tables_of
from croupier.hands.ranking import Ranking
from croupier.hands.tables import Array
from croupier.maths.classes import class_numbers, grown, hand_classes, one_of_each_class
from croupier.maths.side_wagers import net_of
from croupier.rules import Elected


@dataclass(frozen=True, slots=True)
class BoardShape:
    """What this module reads off a definition: the table that pays all, and the streets."""

    table: str
    known: tuple[int, ...]
    """How many cards are known at each street."""
    choices: tuple[tuple[int, ...], ...]
    """At each street the multiples of the Ante that can be raised; 0 and 1 where a wager may be pulled back."""
    stays: tuple[bool, ...]
    """At each street whether nobody can fold there: a wager is pulled back or rides."""
    base: int
    """How many Antes are staked from the deal to the end, whatever is decided."""

    def name(self, street: int, multiple: int) -> str:
        """What a choice is called."""
        if self.stays[street]:
            return "ride" if multiple else "pull"
        return f"{multiple}x" if multiple else "fold"

    def options(self, street: int) -> tuple[int, ...]:
        """Every choice of a street, the smallest wager first; where one can fold that is the 0."""
        return self.choices[street] if self.stays[street] else (0, *self.choices[street])


def board_shape(elected: Elected) -> BoardShape | None:
    """The shape of a game of raises on a board; `None` where a game is not of that kind.

    One table pays all required wagers on the player's cards and the board, and every street turns
    up one more card of the board, the last one the last.
    """
    played, rules = game(elected.edition.game), elected.edition
    required = [s for s in played.settlements if isinstance(s, ByTable) and s.wager in rules.required]
    tables = {s.table_name for s in required}
    if played.contest is not None or len(tables) != 1 or {s.cards.places for s in required} != {(PLAYER, BOARD)}:
        return None
    (table,) = tables
    shown = [street.then.count for street in played.streets]
    if shown != list(range(1, len(shown) + 1)) or {street.then.place for street in played.streets} != {BOARD}:
        return None
    held = elected.paytable(table).ranking.cards - shown[-1]
    stays = tuple(street.pulls_back for street in played.streets)
    multiples = [(0, 1) if street.pulls_back else rules.wagers[street.wager].multiples for street in played.streets]
    decided = {street.wager for street in played.streets}
    if not all(multiples) or {s.wager for s in required} != set(rules.required) or not decided <= set(rules.required):
        return None
    base = len(set(rules.required) - decided)
    return BoardShape(table, tuple(held + street for street in range(len(shown))), tuple(multiples), stays, base)


def is_board_game(elected: Elected) -> bool:
    """Whether a game has the shape that this module solves."""
    return board_shape(elected) is not None


@dataclass(frozen=True, eq=False)
class Known:
    """The suit classes of so many cards, and for each the class of every card that may come."""

    cards: Array
    """uint8 [classes, count]: one hand of each"""
    sizes: Array
    """int64 [classes]"""
    following: Array
    """int64 [classes, 52]: the class after that card, or its strength on the last street; -1 for known cards"""


@cache
def known(count: int, ranking: Ranking) -> Known:
    """The states of a street."""
    cards, sizes = one_of_each_class(count), hand_classes(count).sizes.astype(np.int64)
    if count + 1 < ranking.cards:
        return Known(cards, sizes, grown(count))
    hands = np.column_stack([np.repeat(cards, 52, axis=0), np.tile(np.arange(52, dtype=np.uint8), len(cards))])
    fresh = (hands[:, :-1] != hands[:, -1:]).all(axis=1)
    following = np.full(len(hands), -1, dtype=np.int64)
    following[fresh] = evaluate(ranking, hands[fresh])
    return Known(cards, sizes, following.reshape(len(cards), 52))


def class_number(cards: Sequence[Card]) -> int:
    """The number of the class that some cards belong to."""
    return int(class_numbers(np.array([[card.index for card in cards]], dtype=np.uint8))[0])


@dataclass(frozen=True, eq=False)
class Solution:
    """Values of every state, in units of the Ante times a common denominator."""

    shape: BoardShape
    ranking: Ranking
    scale: int
    nets: Array
    """int64 [results]: what one unit staked can gain or lose, times `scale`"""
    results: Array
    """int64 [classes of the last street, results]: how many last cards lead to each result"""

    @property
    def last(self) -> Array:
        """int64 [classes of the last street]: the sum over the last card of what one unit gains, times `scale`."""
        found: Array = self.results @ self.nets
        return found

    @property
    def streets(self) -> range:
        return range(len(self.shape.known))

    def states(self, number: int) -> Known:
        """What can be known on a street."""
        return known(self.shape.known[number], self.ranking)

    def street(self, number: int, staked: int) -> tuple[Array, Mapping[int, Array]]:
        """On a street with so much staked: the best value of each class, and of a fold (0) and each raise.

        Where a wager may be pulled back there is no fold, and 0 is the value of pulling it. Values are
        per deal of the remaining cards, times `scale` and the number of such deals.
        """
        return _street(self, number, staked)

    def deals(self, number: int) -> int:
        """How many ways the cards still hidden on a street can fall, in order."""
        found = 1
        for count in self.shape.known[number:]:
            found *= 52 - count
        return found


@cache
def solve(elected: Elected) -> Solution:
    """The values of the last street, from which all others follow; refuses a game of another shape."""
    shape = board_shape(elected)
    if shape is None:
        raise Malformed("", f"{elected.edition.title} is not a game of raises on a board")
    table = elected.paytable(shape.table)
    tables_of(table.ranking)  # brings the spans of the ranking along, if they were worked out before
    nets = [net_of(table.payout(strength), Fraction(1), {}) for strength in range(len(table.ranking))]
    scale = int(np.lcm.reduce([net.denominator for net in nets]))
    whole = np.array([int(net * scale) for net in nets], dtype=np.int64)
    results, result_of = np.unique(whole, return_inverse=True)
    following = known(shape.known[-1], table.ranking).following
    rows, cards = np.nonzero(following >= 0)
    flat = rows * len(results) + result_of[following[rows, cards]]
    counts = np.bincount(flat, minlength=len(following) * len(results)).reshape(len(following), len(results))
    return Solution(shape, table.ranking, scale, results, counts)


@cache
def _street(solution: Solution, number: int, staked: int) -> tuple[Array, Mapping[int, Array]]:
    values: dict[int, Array] = {}
    for multiple in solution.shape.choices[number]:
        if number == solution.streets[-1]:
            values[multiple] = (staked + multiple) * solution.last
        else:
            after, _ = _street(solution, number + 1, staked + multiple)
            following = solution.states(number).following
            values[multiple] = np.where(following >= 0, after[following], 0).sum(axis=1)
    if not solution.shape.stays[number]:
        count, lost = len(next(iter(values.values()))), -staked * solution.scale * solution.deals(number)
        values = {0: np.full(count, lost, dtype=np.int64), **values}
    return np.maximum.reduce(list(values.values())), values
