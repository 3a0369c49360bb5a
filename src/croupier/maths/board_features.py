"""What a person sees in the known cards of a board game: points, a made hand, one suit, a sequence.

All of it is read off the table that pays: which pairs lose, push or win decides the points of a rank.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from croupier.cards import Rank
from croupier.hands.kernels import evaluate
from croupier.hands.tables import Array
from croupier.maths.boards import Solution, solve
from croupier.maths.side_wagers import net_of
from croupier.rules import Elected
from croupier.rules.paytables import Paytable

RANKS = 13
NUMBERS = ("no", "one", "two", "three", "four", "five")


@dataclass(frozen=True, eq=False)
class Condition:
    """Words that a person can check, and the classes of known cards that meet them."""

    words: str
    parts: int
    """How many things there are to look at."""
    meets: Array
    """bool [classes]"""


@dataclass(frozen=True, eq=False)
class Features:
    """Of every class of known cards on one street."""

    points: Array
    """int64 [classes]: the points of the cards added up"""
    sure: Array
    """int64 [classes]: what one unit gains at the least whatever comes, times the solution's scale"""
    paired: Array
    suited: Array
    gaps: Array
    """int64 [classes]: ranks missing inside the sequence that the cards span; large where they share none"""


@cache
def rank_points(elected: Elected) -> tuple[int, ...]:
    """The points of each rank, 2 to ace: 0 where a pair of it earns least, 1 where it earns more, and so on."""
    solution = solve(elected)
    table = elected.paytable(solution.shape.table)
    hands = []
    for rank in range(RANKS):
        others = [other for other in range(0, RANKS, 2) if other != rank][: table.ranking.cards - 2]
        hands.append([rank, rank + RANKS, *(other + RANKS * (2 + place % 2) for place, other in enumerate(others))])
    strengths = evaluate(table.ranking, np.array(hands, dtype=np.uint8)).tolist()
    earned = [net_of(table.payout(strength), Fraction(1), {}) for strength in strengths]
    steps = sorted(set(earned))
    return tuple(steps.index(net) for net in earned)


def ranks_worth(elected: Elected) -> list[tuple[int, str]]:
    """Points with the ranks that have them, most first, as in `[(2, "J to A"), (1, "6 to 10")]`."""
    points = rank_points(elected)
    found = []
    for worth in sorted(set(points) - {0}, reverse=True):
        having = [rank for rank in range(RANKS) if points[rank] == worth]
        run = having[-1] - having[0] + 1 == len(having)
        names = [Rank(rank).letter.replace("T", "10") for rank in having]
        found.append((worth, f"{names[0]} to {names[-1]}" if run and len(names) > 1 else " ".join(names)))
    return found


@cache
def features(elected: Elected, number: int) -> Features:
    """What can be seen on a street."""
    solution = solve(elected)
    cards = solution.states(number).cards.astype(np.int64)
    ranks, suits = np.sort(cards % RANKS, axis=1), cards // RANKS
    count = cards.shape[1]
    paired = (np.diff(ranks, axis=1) == 0).any(axis=1)
    low = np.sort(np.where(ranks == RANKS - 1, -1, ranks), axis=1)
    span = np.minimum(ranks[:, -1] - ranks[:, 0], low[:, -1] - low[:, 0]) + 1
    fits = ~paired & (span <= solution.ranking.size)
    points = np.array(rank_points(elected))[ranks].sum(axis=1)
    gaps = np.where(fits, span - count, solution.ranking.size)
    return Features(points, sure_gains(solution, number), paired, (suits == suits[:, :1]).all(axis=1), gaps)


def sure_gains(solution: Solution, number: int) -> Array:
    """For each class what one unit gains at the least, whatever cards come."""
    if number == solution.streets[-1]:
        worst: Array = solution.nets[(solution.results > 0).argmax(axis=1)]
        return worst
    after = sure_gains(solution, number + 1)
    following = solution.states(number).following
    found: Array = np.where(following >= 0, after[following], solution.nets[-1]).min(axis=1)
    return found


@cache
def conditions(elected: Elected, number: int) -> tuple[Condition, ...]:
    """Everything that a line of a card can ask for on a street, simplest first."""
    solution, seen = solve(elected), features(elected, number)
    count = solution.shape.known[number]
    found = [Condition("any pair", 1, seen.paired)]
    for net in solution.nets[1:].tolist():
        words = f"a made {_worst_row(elected.paytable(solution.shape.table), Fraction(net, solution.scale))}"
        found.append(Condition(words, 1, seen.sure >= net))
    whole = solution.ranking.size - count
    for suited, gaps, points in product((False, True), (None, *range(whole + 1)), range(int(seen.points.max()) + 1)):
        asked: list[str] = []
        meets = ~seen.paired
        if suited:
            asked.append(f"{NUMBERS[count]} of one suit")
            meets = meets & seen.suited
        if gaps is not None:
            missing = f" with at most {NUMBERS[gaps]} gap{'s' * (gaps > 1)}" if gaps else ""
            asked.append(f"in sequence{missing}" if suited else f"{NUMBERS[count]} in sequence{missing}")
            meets = meets & (seen.gaps <= gaps)
        if points:
            asked.append(f"{points} point{'s' * (points > 1)} or more")
            meets = meets & (seen.points >= points)
        if asked and meets.any():
            found.append(Condition(", ".join(asked), len(asked), meets))
    return tuple(sorted((c for c in found if c.meets.any()), key=lambda condition: condition.parts))


def _worst_row(table: Paytable, net: Fraction) -> str:
    """The lowest hand that gains so much, in words."""
    gaining = [row for row in table.rows if net_of(row.pays, Fraction(1), {}) >= net]
    name = gaining[-1].hand.replace("_", " ")
    return name if name.endswith("or better") or len(gaining) == 1 else f"{name} or better"
