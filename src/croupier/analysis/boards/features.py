"""Features of the known cards in a board game that a person can check: points, made hands, suits, sequences.

They are derived from the paytable: the points of a rank depend on whether a pair of it loses, pushes or wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from croupier.analysis.boards.solution import Solution, solve
from croupier.analysis.side_wagers import net_of
from croupier.core.cards import Rank
from croupier.hands.kernels import evaluate
from croupier.hands.lookup_tables import Array
from croupier.regulations import ElectedEdition
from croupier.regulations.paytables import Paytable

RANK_COUNT = 13
NUMBER_WORDS = ("no", "one", "two", "three", "four", "five")


@dataclass(frozen=True, eq=False)
class Condition:
    """A condition in words, and the classes of known cards that meet it."""

    words: str
    parts: int
    """How many features the condition combines."""
    meets: Array
    """bool [classes]"""


@dataclass(frozen=True, eq=False)
class Features:
    """Features of every class of known cards on one street."""

    points: Array
    """int64 [classes]: total points of the cards"""
    sure: Array
    """int64 [classes]: minimum gain of one unit over all remaining cards, times the solution's scale"""
    paired: Array
    suited: Array
    gaps: Array
    """int64 [classes]: ranks missing from the straight that the cards span; large if they fit no straight"""


@cache
def rank_points(elected: ElectedEdition) -> tuple[int, ...]:
    """The points of each rank, 2 to ace: 0 if a pair of that rank pays least, 1 for the next level, and so on."""
    solution = solve(elected)
    table = elected.paytable(solution.shape.table)
    hands = []
    for rank in range(RANK_COUNT):
        kickers = [kicker for kicker in range(0, RANK_COUNT, 2) if kicker != rank][: table.ranking.cards - 2]
        hands.append(
            [rank, rank + RANK_COUNT, *(kicker + RANK_COUNT * (2 + place % 2) for place, kicker in enumerate(kickers))]
        )
    strengths = evaluate(table.ranking, np.array(hands, dtype=np.uint8)).tolist()
    earned = [net_of(table.payout(strength), Fraction(1), {}) for strength in strengths]
    steps = sorted(set(earned))
    return tuple(steps.index(net) for net in earned)


def ranks_by_points(elected: ElectedEdition) -> list[tuple[int, str]]:
    """Point values with their ranks, highest first, as in `[(2, "J to A"), (1, "6 to 10")]`."""
    points = rank_points(elected)
    rows = []
    for value in sorted(set(points) - {0}, reverse=True):
        ranks = [rank for rank in range(RANK_COUNT) if points[rank] == value]
        run = ranks[-1] - ranks[0] + 1 == len(ranks)
        names = [Rank(rank).letter.replace("T", "10") for rank in ranks]
        rows.append((value, f"{names[0]} to {names[-1]}" if run and len(names) > 1 else " ".join(names)))
    return rows


@cache
def street_features(elected: ElectedEdition, number: int) -> Features:
    """The features of every class of known cards on a street."""
    solution = solve(elected)
    cards = solution.states(number).cards.astype(np.int64)
    ranks, suits = np.sort(cards % RANK_COUNT, axis=1), cards // RANK_COUNT
    count = cards.shape[1]
    paired = (np.diff(ranks, axis=1) == 0).any(axis=1)
    low = np.sort(np.where(ranks == RANK_COUNT - 1, -1, ranks), axis=1)
    span = np.minimum(ranks[:, -1] - ranks[:, 0], low[:, -1] - low[:, 0]) + 1
    fits = ~paired & (span <= solution.ranking.size)
    points = np.array(rank_points(elected))[ranks].sum(axis=1)
    gaps = np.where(fits, span - count, solution.ranking.size)
    return Features(points, guaranteed_gains(solution, number), paired, (suits == suits[:, :1]).all(axis=1), gaps)


def guaranteed_gains(solution: Solution, number: int) -> Array:
    """For each class the minimum gain of one unit over all remaining cards."""
    if number == solution.streets[-1]:
        worst: Array = solution.nets[(solution.results > 0).argmax(axis=1)]
        return worst
    after = guaranteed_gains(solution, number + 1)
    following = solution.states(number).following
    lowest: Array = np.where(following >= 0, after[following], solution.nets[-1]).min(axis=1)
    return lowest


@cache
def street_conditions(elected: ElectedEdition, number: int) -> tuple[Condition, ...]:
    """Every condition that a strategy-card line may use on a street, simplest first."""
    solution, features = solve(elected), street_features(elected, number)
    count = solution.shape.cards_known[number]
    conditions = [Condition("any pair", 1, features.paired)]
    for net in solution.nets[1:].tolist():
        words = f"a made {_worst_row(elected.paytable(solution.shape.table), Fraction(net, solution.scale))}"
        conditions.append(Condition(words, 1, features.sure >= net))
    whole = solution.ranking.size - count
    for suited, gaps, points in product(
        (False, True), (None, *range(whole + 1)), range(int(features.points.max()) + 1)
    ):
        parts: list[str] = []
        meets = ~features.paired
        if suited:
            parts.append(f"{NUMBER_WORDS[count]} of one suit")
            meets = meets & features.suited
        if gaps is not None:
            missing = f" with at most {NUMBER_WORDS[gaps]} gap{'s' * (gaps > 1)}" if gaps else ""
            parts.append(f"in sequence{missing}" if suited else f"{NUMBER_WORDS[count]} in sequence{missing}")
            meets = meets & (features.gaps <= gaps)
        if points:
            parts.append(f"{points} point{'s' * (points > 1)} or more")
            meets = meets & (features.points >= points)
        if parts and meets.any():
            conditions.append(Condition(", ".join(parts), len(parts), meets))
    return tuple(sorted((c for c in conditions if c.meets.any()), key=lambda condition: condition.parts))


def _worst_row(table: Paytable, net: Fraction) -> str:
    """The lowest hand with at least this net gain, in words."""
    gaining = [row for row in table.rows if net_of(row.pays, Fraction(1), {}) >= net]
    name = gaining[-1].hand.replace("_", " ")
    return name if name.endswith("or better") or len(gaining) == 1 else f"{name} or better"
