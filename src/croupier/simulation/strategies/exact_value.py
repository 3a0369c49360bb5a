"""The exact value of any strategy, for comparison with its simulation."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import numba
import numpy as np

from croupier.analysis.boards.solution import known_cards, solve
from croupier.analysis.contests import net_table
from croupier.analysis.payoffs import Payoffs
from croupier.hands.lookup_tables import Array
from croupier.regulations import ElectedEdition
from croupier.simulation.kernel.plan import BoardGroup, ContestGroup
from croupier.simulation.strategies.decisions import group_spots


@dataclass(frozen=True, slots=True)
class ExactValue:
    """House edge and variance per unit staked."""

    house_edge: Fraction
    variance: float


def contest_value(elected: ElectedEdition, group: ContestGroup, choices: Array) -> ExactValue:
    """The value of a strategy against a dealer, given its choice in every spot."""
    payoffs, spots = Payoffs(elected, group.contest), group_spots(group)
    empty = np.zeros(0, dtype=np.int64)
    sums, squares = np.zeros(2, dtype=np.int64), np.zeros(1)
    _value(
        payoffs.segments[0],
        spots.strengths,
        spots.weights,
        empty if spots.unqualified is None else spots.unqualified,
        empty if spots.tie is None else spots.tie,
        spots.lose,
        spots.dealer_hands,
        net_table(payoffs),
        payoffs.fold,
        choices,
        sums,
        squares,
    )
    total = payoffs.scale * spots.combinations
    mean = Fraction((int(sums[0]) << 32) + int(sums[1]), total)
    return ExactValue(-mean, float(squares[0]) / (payoffs.scale * total) - float(mean) ** 2)


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
    choices: Any,
    sums: Any,
    squares: Any,
) -> None:
    """Accumulates the sum in two words to avoid overflow."""
    counts = np.zeros(4, dtype=np.int64)
    for spot in range(len(choices)):
        counts[0] = unqualified[spot] if len(unqualified) else 0
        counts[2] = tie[spot] if len(tie) else 0
        counts[3] = lose[spot]
        counts[1] = dealer_hands - counts[0] - counts[2] - counts[3]
        segment, weight = segment_of[strengths[spot]], np.int64(weights[spot])
        for outcome in range(4):
            net = nets[segment, outcome, choices[spot] - 1] if choices[spot] else fold
            value = net * counts[outcome] * weight
            sums[0] += value >> 32
            sums[1] += value & 0xFFFFFFFF
            squares[0] += float(value) * net


def board_value(elected: ElectedEdition, group: BoardGroup, choices: list[Array]) -> ExactValue:
    """The value of a board-game strategy, given its choice for every class after every sequence of raises."""
    solution = solve(elected)
    ranking = solution.ranking
    last_squares = solution.results @ (solution.nets.astype(np.float64) ** 2)

    @cache
    def street(number: int, path: int, staked: int) -> tuple[Array, Array]:
        street_choices = choices[number][path]
        deals = solution.deals(number)
        value = np.full(len(street_choices), -staked * solution.scale * deals, dtype=np.int64)
        square = np.full(len(street_choices), float(staked * solution.scale) ** 2 * deals)
        for place, multiple in enumerate(group.multiples[number], start=1):
            selected = street_choices == place
            if not selected.any():
                continue
            if number == len(group.cards_known) - 1:
                value[selected] = ((staked + multiple) * solution.last_street_values)[selected]
                square[selected] = ((staked + multiple) ** 2 * last_squares)[selected]
                continue
            next_values = street(number + 1, path * len(group.multiples[number]) + place - 1, staked + multiple)
            next_state = known_cards(group.cards_known[number], ranking).next_state
            for total, next_value in zip((value, square), next_values, strict=True):
                total[selected] = np.where(next_state >= 0, next_value[next_state], 0).sum(axis=1)[selected]
        return value, square

    value, square = street(0, 0, solution.shape.base)
    sizes = known_cards(group.cards_known[0], ranking).sizes
    deals = solution.deals(0) * int(sizes.sum())
    mean = Fraction(int((value * sizes).sum()), solution.scale * deals)
    return ExactValue(-mean, float((square * sizes).sum()) / (solution.scale**2 * deals) - float(mean) ** 2)
