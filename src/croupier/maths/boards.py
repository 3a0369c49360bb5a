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
from croupier.games import game
from croupier.games.definition import BOARD, PLAYER, ByTable
from croupier.hands.kernels import evaluate
from croupier.hands.ranking import Ranking
from croupier.hands.tables import Array
from croupier.maths.classes import hand_classes
from croupier.maths.results import RequiredResult
from croupier.maths.side_wagers import net_of
from croupier.rules import Elected

STREETS = (2, 3, 4)
"""How many cards are known at each street."""


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
    classes = hand_classes(count)
    bits = (classes.masks[:, :, None] >> np.arange(13)) & 1
    cards = np.nonzero(bits.reshape(len(classes), 52))[1].reshape(len(classes), count).astype(np.uint8)
    grown = np.repeat(cards, 52, axis=0)
    added = np.tile(np.arange(52, dtype=np.uint8), len(cards))
    fresh = (grown != added[:, None]).all(axis=1)
    following = np.full(len(added), -1, dtype=np.int64)
    hands = np.column_stack([grown, added])[fresh]
    if count + 1 == ranking.cards:
        following[fresh] = evaluate(ranking, hands)
    else:
        following[fresh] = _class_numbers(hands)
    return Known(cards, classes.sizes.astype(np.int64), following.reshape(len(classes), 52))


def _class_numbers(hands: Array) -> Array:
    """The number of the class that each hand belongs to."""
    masks = np.zeros((len(hands), 4), dtype=np.int64)
    for column in hands.T:
        np.bitwise_or.at(masks, (np.arange(len(hands)), column // 13), 1 << (column % 13).astype(np.int64))
    keys = _keys(masks)
    classes = hand_classes(hands.shape[1])
    sorted_keys = _keys(classes.masks.astype(np.int64))
    order = np.argsort(sorted_keys)
    found: Array = order[np.searchsorted(sorted_keys, keys, sorter=order)]
    return found


def class_number(cards: Sequence[Card]) -> int:
    """The number of the class that some cards belong to."""
    return int(_class_numbers(np.array([[card.index for card in cards]], dtype=np.uint8))[0])


def _keys(masks: Array) -> Array:
    ascending: Array = np.sort(masks, axis=1)
    keys: Array = ascending[:, 0] | ascending[:, 1] << 13 | ascending[:, 2] << 26 | ascending[:, 3] << 39
    return keys


@dataclass(frozen=True, eq=False)
class Solution:
    """Values of every state, in units of the Ante times a common denominator."""

    elected: Elected
    scale: int
    nets: Array
    """int64 [results]: what one unit staked can gain or lose, times `scale`"""
    results: Array
    """int64 [4-card classes, results]: how many last cards lead to each result"""

    @property
    def last(self) -> Array:
        """int64 [4-card classes]: the sum over the last card of what one unit staked gains, times `scale`."""
        found: Array = self.results @ self.nets
        return found

    def street(self, number: int, staked: int) -> tuple[Array, Mapping[int, Array]]:
        """On street 0, 1 or 2 with so much staked: the best value of each class, and of each raise.

        Values are per deal of the remaining cards, times `scale` and the number of such deals.
        """
        return _street(self, number, staked)

    def deals(self, number: int) -> int:
        """How many ways the cards still hidden on a street can fall, in order."""
        found = 1
        for count in STREETS[number:]:
            found *= 52 - count
        return found


@cache
def solve(elected: Elected) -> Solution:
    """The values of the last street, from which all others follow."""
    table = elected.paytable("ante")
    nets = [net_of(table.payout(strength), Fraction(1), {}) for strength in range(len(table.ranking))]
    scale = int(np.lcm.reduce([net.denominator for net in nets]))
    whole = np.array([int(net * scale) for net in nets], dtype=np.int64)
    results, result_of = np.unique(whole, return_inverse=True)
    following = known(STREETS[-1], table.ranking).following
    rows, cards = np.nonzero(following >= 0)
    flat = rows * len(results) + result_of[following[rows, cards]]
    counts = np.bincount(flat, minlength=len(following) * len(results)).reshape(len(following), len(results))
    return Solution(elected, scale, results, counts)


@cache
def _street(solution: Solution, number: int, staked: int) -> tuple[Array, Mapping[int, Array]]:
    ranking = solution.elected.paytable("ante").ranking
    wager = game(solution.elected.edition.game).streets[number].wager
    values: dict[int, Array] = {}
    for multiple in solution.elected.edition.wagers[wager].multiples:
        if number == len(STREETS) - 1:
            values[multiple] = (staked + multiple) * solution.last
        else:
            after, _ = _street(solution, number + 1, staked + multiple)
            following = known(STREETS[number], ranking).following
            values[multiple] = np.where(following >= 0, after[following], 0).sum(axis=1)
    fold = np.full(len(next(iter(values.values()))), -staked * solution.scale * solution.deals(number), dtype=np.int64)
    best = np.maximum.reduce([fold, *values.values()])
    return best, {0: fold, **values}


def analyse_board(elected: Elected) -> RequiredResult:
    """The required wagers of a game of raises on a board."""
    solution = solve(elected)
    ranking = elected.paytable("ante").ranking
    first = known(STREETS[0], ranking)
    deals = solution.deals(0)
    hands = int(first.sizes.sum())
    best, _ = solution.street(0, 1)
    mean = Fraction(int((best * first.sizes).sum()), solution.scale * deals * hands)
    flow = _Flow(solution, ranking)
    flow.run()
    total = hands * deals
    decisions = tuple({name: Fraction(count, total) for name, count in street.items()} for street in flow.decisions)
    return RequiredResult(
        house_edge=-mean,
        average_wager=Fraction(flow.staked, total),
        variance=Fraction(flow.squares, solution.scale**2 * total) - mean**2,
        hit_frequency=Fraction(flow.hits, total),
        push_frequency=Fraction(flow.pushes, total),
        decisions=decisions,
        combinations=total,
    )


class _Flow:
    """Sends every deal through the best choices, and counts what becomes of it."""

    def __init__(self, solution: Solution, ranking: Ranking) -> None:
        self.solution, self.ranking = solution, ranking
        self.decisions: list[dict[str, int]] = [{"fold": 0, "1x": 0, "2x": 0, "3x": 0} for _ in STREETS]
        self.staked = self.squares = self.hits = self.pushes = 0

    def run(self) -> None:
        first = known(STREETS[0], self.ranking)
        self._street(0, 1, first.sizes)

    def _street(self, number: int, staked: int, weights: Array) -> None:
        """`weights`: in how many ways each class of known cards is reached."""
        states = known(STREETS[number], self.ranking)
        best, values = self.solution.street(number, staked)
        deals = self.solution.deals(number)
        left = np.ones(len(best), dtype=bool)
        for multiple in sorted(values, reverse=True):
            at = left & (values[multiple] == best)
            left &= ~at
            reached = np.where(at, weights, 0)
            count = int(reached.sum()) * deals
            self.decisions[number][f"{multiple}x" if multiple else "fold"] += count
            if not multiple:
                self.staked += staked * count
                self.squares += (staked * self.solution.scale) ** 2 * count
            elif number == len(STREETS) - 1:
                self._last(staked + multiple, reached)
            else:
                after = np.zeros(len(known(STREETS[number + 1], self.ranking).sizes), dtype=np.int64)
                fresh = states.following >= 0
                spread = np.broadcast_to(reached[:, None], states.following.shape)[fresh]
                np.add.at(after, states.following[fresh], spread)
                self._street(number + 1, staked + multiple, after)

    def _last(self, staked: int, reached: Array) -> None:
        ways = reached @ self.solution.results
        for net, count in zip(self.solution.nets.tolist(), ways.tolist(), strict=True):
            self.staked += staked * count
            self.squares += (net * staked) ** 2 * count
            self.hits += count if net > 0 else 0
            self.pushes += count if net == 0 else 0


def is_board_game(elected: Elected) -> bool:
    """Whether a game has the shape that this module solves."""
    played = game(elected.edition.game)
    required = [s for s in played.settlements if isinstance(s, ByTable) and s.wager in elected.edition.required]
    one_table = {s.table_name for s in required} == {"ante"}
    cards = {s.cards.places for s in required} == {(PLAYER, BOARD)}
    return played.contest is None and one_table and cards and len(played.streets) == len(STREETS)
