"""The exact value of any strategy, so that a simulation of it has something to agree with."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numba
import numpy as np

from croupier.hands.tables import Array
from croupier.maths.boards import known, solve
from croupier.maths.contests import net_table
from croupier.maths.payoffs import Payoffs
from croupier.rules import Elected
from croupier.simulation.decisions import spots_of
from croupier.simulation.plan import BoardGroup, ContestGroup


@dataclass(frozen=True, slots=True)
class Exact:
    """What the required wagers come to per Ante."""

    house_edge: Fraction
    variance: float


def contest_value(elected: Elected, group: ContestGroup, chosen: Array) -> Exact:
    """A strategy against a dealer that chooses in every spot of the exact analysis."""
    payoffs, found = Payoffs(elected, group.contest), spots_of(group)
    empty = np.zeros(0, dtype=np.int64)
    sums, squares = np.zeros(2, dtype=np.int64), np.zeros(1)
    _value(
        payoffs.segments[0],
        found.strengths,
        found.weights,
        empty if found.unqualified is None else found.unqualified,
        empty if found.tie is None else found.tie,
        found.lose,
        found.dealer_hands,
        net_table(payoffs),
        payoffs.fold,
        chosen,
        sums,
        squares,
    )
    total = payoffs.scale * found.combinations
    mean = Fraction((int(sums[0]) << 32) + int(sums[1]), total)
    return Exact(-mean, float(squares[0]) / (payoffs.scale * total) - float(mean) ** 2)


@numba.njit(nogil=True, cache=True)
def _value(
    segment_of: Any,
    strengths: Any,
    weights: Any,
    unqualified: Any,
    tie: Any,
    lose: Any,
    dealer_hands: Any,
    nets: Any,
    fold: Any,
    chosen: Any,
    sums: Any,
    squares: Any,
) -> None:
    """The sum in two words, so that nothing overflows."""
    count = np.zeros(4, dtype=np.int64)
    for spot in range(len(chosen)):
        count[0] = unqualified[spot] if len(unqualified) else 0
        count[2] = tie[spot] if len(tie) else 0
        count[3] = lose[spot]
        count[1] = dealer_hands - count[0] - count[2] - count[3]
        segment, weight = segment_of[strengths[spot]], np.int64(weights[spot])
        for outcome in range(4):
            net = nets[segment, outcome, chosen[spot] - 1] if chosen[spot] else fold
            value = net * count[outcome] * weight
            sums[0] += value >> 32
            sums[1] += value & 0xFFFFFFFF
            squares[0] += float(value) * net


def board_value(elected: Elected, group: BoardGroup, chosen: list[Array]) -> Exact:
    """A strategy on a board that chooses for every class of known cards after every path of raises."""
    solution = solve(elected)
    ranking = solution.ranking
    second = solution.results @ (solution.nets.astype(np.float64) ** 2)

    @cache
    def street(number: int, path: int, staked: int) -> tuple[Array, Array]:
        choices = chosen[number][path]
        deals = solution.deals(number)
        value = np.full(len(choices), -staked * solution.scale * deals, dtype=np.int64)
        square = np.full(len(choices), float(staked * solution.scale) ** 2 * deals)
        for place, multiple in enumerate(group.multiples[number], start=1):
            at = choices == place
            if not at.any():
                continue
            if number == len(group.known) - 1:
                value[at] = ((staked + multiple) * solution.last)[at]
                square[at] = ((staked + multiple) ** 2 * second)[at]
                continue
            after = street(number + 1, path * len(group.multiples[number]) + place - 1, staked + multiple)
            following = known(group.known[number], ranking).following
            for found, reached in zip((value, square), after, strict=True):
                found[at] = np.where(following >= 0, reached[following], 0).sum(axis=1)[at]
        return value, square

    value, square = street(0, 0, solution.shape.base)
    sizes = known(group.known[0], ranking).sizes
    deals = solution.deals(0) * int(sizes.sum())
    mean = Fraction(int((value * sizes).sum()), solution.scale * deals)
    return Exact(-mean, float((square * sizes).sum()) / (solution.scale**2 * deals) - float(mean) ** 2)
