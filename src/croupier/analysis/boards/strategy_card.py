"""The strategy card of a board game: a few lines per street, and the cost of using them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np

from croupier.analysis.boards.play import BoardTally, Policy, optimal_policy, play
from croupier.analysis.boards.solution import Solution, solve
from croupier.analysis.contest_strategy_card import SimpleStrategy
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
    """A condition as text, and the classes of known cards that match it."""

    text: str
    parts: int
    """The number of features that the condition combines."""
    matches: Array
    """bool [classes]"""


@dataclass(frozen=True, eq=False)
class Features:
    """Features of every class of known cards on one street."""

    points: Array
    """int64 [classes]: total points of the cards"""
    guaranteed: Array
    """int64 [classes]: minimum gain of one unit over all remaining cards, times the solution's scale"""
    paired: Array
    suited: Array
    gaps: Array
    """int64 [classes]: ranks missing from the straight that the cards span; the hand size if they fit no straight"""


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
    nets = [net_of(table.payout(strength), Fraction(1), {}) for strength in strengths]
    levels = sorted(set(nets))
    return tuple(levels.index(net) for net in nets)


def ranks_by_points(elected: ElectedEdition) -> list[tuple[int, str]]:
    """Point values with their ranks, highest first, as in `[(2, "J to A"), (1, "6 to 10")]`."""
    points = rank_points(elected)
    rows = []
    for value in sorted(set(points) - {0}, reverse=True):
        ranks = [rank for rank in range(RANK_COUNT) if points[rank] == value]
        is_run = ranks[-1] - ranks[0] + 1 == len(ranks)
        names = [Rank(rank).letter.replace("T", "10") for rank in ranks]
        rows.append((value, f"{names[0]} to {names[-1]}" if is_run and len(names) > 1 else " ".join(names)))
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
    fits_straight = ~paired & (span <= solution.ranking.size)
    points = np.array(rank_points(elected))[ranks].sum(axis=1)
    gaps = np.where(fits_straight, span - count, solution.ranking.size)
    return Features(points, guaranteed_gains(solution, number), paired, (suits == suits[:, :1]).all(axis=1), gaps)


def guaranteed_gains(solution: Solution, number: int) -> Array:
    """The minimum gain of one unit over all remaining cards, for each class."""
    if number == solution.streets[-1]:
        last_minimum: Array = solution.nets[(solution.results > 0).argmax(axis=1)]
        return last_minimum
    next_gains = guaranteed_gains(solution, number + 1)
    next_state = solution.states(number).next_state
    minimum: Array = np.where(next_state >= 0, next_gains[next_state], solution.nets[-1]).min(axis=1)
    return minimum


@cache
def street_conditions(elected: ElectedEdition, number: int) -> tuple[Condition, ...]:
    """Every condition that a strategy-card line may use on a street, simplest first."""
    solution, features = solve(elected), street_features(elected, number)
    count = solution.shape.cards_known[number]
    conditions = [Condition("any pair", 1, features.paired)]
    for net in solution.nets[1:].tolist():
        text = f"a made {_worst_row(elected.paytable(solution.shape.table), Fraction(net, solution.scale))}"
        conditions.append(Condition(text, 1, features.guaranteed >= net))
    max_gaps = solution.ranking.size - count
    for suited, gaps, points in product(
        (False, True), (None, *range(max_gaps + 1)), range(int(features.points.max()) + 1)
    ):
        parts: list[str] = []
        matches = ~features.paired
        if suited:
            parts.append(f"{NUMBER_WORDS[count]} of one suit")
            matches = matches & features.suited
        if gaps is not None:
            gap_text = f" with at most {NUMBER_WORDS[gaps]} gap{'s' * (gaps > 1)}" if gaps else ""
            parts.append(f"in sequence{gap_text}" if suited else f"{NUMBER_WORDS[count]} in sequence{gap_text}")
            matches = matches & (features.gaps <= gaps)
        if points:
            parts.append(f"{points} point{'s' * (points > 1)} or more")
            matches = matches & (features.points >= points)
        if parts and matches.any():
            conditions.append(Condition(", ".join(parts), len(parts), matches))
    return tuple(sorted((c for c in conditions if c.matches.any()), key=lambda condition: condition.parts))


def _worst_row(table: Paytable, net: Fraction) -> str:
    """The lowest hand with at least this net gain, in words."""
    rows = [row for row in table.rows if net_of(row.pays, Fraction(1), {}) >= net]
    name = rows[-1].hand.replace("_", " ")
    return name if name.endswith("or better") or len(rows) == 1 else f"{name} or better"


MIN_LINE_GAIN_ANTES = 1 / 5000
"""A condition is added to a card if it saves at least this much per round."""


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A choice, and the conditions of which any one is sufficient."""

    choice: str
    conditions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StartingHand:
    """Two hole cards by rank, with the best first choice and its value."""

    name: str
    high: int
    low: int
    suited: bool
    choice: str
    value: Fraction


@dataclass(frozen=True, slots=True)
class BoardCard:
    """The lines of every street, and the default choice."""

    points: tuple[tuple[int, str], ...]
    cards_known: tuple[int, ...]
    streets: tuple[tuple[BoardLine, ...], ...]
    otherwise: tuple[str, ...]
    """The choice on each street if no line applies."""
    house_edge: Fraction
    cost: Fraction
    multiples: tuple[Array, ...] = field(compare=False)
    """For each street the multiple that the card raises with each class of known cards; 0 is a fold."""


def board_card(elected: ElectedEdition, advance: Callable[[str], None] = lambda text: None) -> BoardCard:
    """Builds the card greedily: each step adds the condition that saves most, given optimal play otherwise.

    The house edge is exact: every deal is played by the card.
    """
    solution = solve(elected)
    advance("optimal play")
    optimal = play(solution, optimal_policy(solution))
    streets, chosen = [], []
    for number in solution.streets:
        advance(f"street {number + 1}")
        lines, choices = _lines(elected, solution, optimal, number)
        streets.append(lines)
        chosen.append(choices)
    advance("every deal by the card")
    by_card = play(solution, lambda number, staked: chosen[number])
    points = tuple(ranks_by_points(elected))
    cost = optimal.mean - by_card.mean
    otherwise = tuple(solution.shape.name(number, 0) for number in solution.streets)
    return BoardCard(points, solution.shape.cards_known, tuple(streets), otherwise, -by_card.mean, cost, tuple(chosen))


def _lines(
    elected: ElectedEdition, solution: Solution, optimal: BoardTally, number: int
) -> tuple[tuple[BoardLine, ...], Array]:
    """The lines of a street, largest raise first, and the multiple they choose for each class."""
    choices = solution.shape.options(number)
    classes = len(solution.states(number).sizes)
    values = {multiple: np.zeros(classes) for multiple in choices}
    for (street, staked), weights in optimal.weights.items():
        if street == number:
            for multiple, value in solution.street(number, staked)[1].items():
                values[multiple] += weights * (value / (solution.scale * optimal.combinations))
    lines: list[BoardLine] = []
    chosen, uncovered = np.zeros(classes, dtype=np.int64), np.ones(classes, dtype=bool)
    for place in range(len(choices) - 1, 0, -1):
        gains = values[choices[place]] - np.maximum.reduce([values[m] for m in choices[:place]])
        conditions = []
        while True:
            best = max(street_conditions(elected, number), key=lambda c: float(gains[c.matches & uncovered].sum()))
            if gains[best.matches & uncovered].sum() < MIN_LINE_GAIN_ANTES:
                break
            conditions.append(best.text)
            chosen[best.matches & uncovered] = choices[place]
            uncovered &= ~best.matches
        if conditions:
            lines.append(BoardLine(solution.shape.name(number, choices[place]), tuple(conditions)))
    return tuple(lines), chosen


def simple_policies(solution: Solution) -> dict[str, Policy]:
    """Simple policies by name; none depends on the amount staked."""
    smallest, largest = solution.shape.choices[0][0], solution.shape.choices[0][-1]
    low, high = solution.shape.name(0, smallest), solution.shape.name(0, largest)

    def by_certainty(minimum: int, otherwise: int) -> Policy:
        """The largest raise if one unit is guaranteed to gain at least `minimum`."""
        return lambda number, staked: np.where(guaranteed_gains(solution, number) >= minimum, largest, otherwise)

    policies = {
        f"always {low}": by_certainty(int(solution.nets[-1]) + 1, smallest),
        f"always {high}": by_certainty(int(solution.nets[0]), largest),
        f"{high} once a win is certain, else {low}": by_certainty(1, smallest),
        f"{high} once a win is certain, else fold": by_certainty(1, 0),
        f"{high} once nothing can be lost, else {low}": by_certainty(0, smallest),
        f"{high} once nothing can be lost, else fold": by_certainty(0, 0),
    }
    return {
        name: policy for name, policy in policies.items() if "fold" not in name or not any(solution.shape.pulls_back)
    }


def simple_board_strategies(elected: ElectedEdition) -> list[SimpleStrategy]:
    """Simple strategies, each with its exact cost."""
    solution = solve(elected)
    best = play(solution, optimal_policy(solution)).mean
    strategies = []
    for name, policy in simple_policies(solution).items():
        value = play(solution, policy).mean
        strategies.append(SimpleStrategy(name, -value, best - value))
    return strategies


def starting_hands(elected: ElectedEdition) -> list[StartingHand]:
    """Every two-card starting hand with its best first choice and value, best first; empty for other hand sizes."""
    solution = solve(elected)
    if solution.shape.cards_known[0] != 2:
        return []
    best, _ = solution.street(0, solution.shape.base)
    choices = optimal_policy(solution)(0, solution.shape.base)
    hands = []
    for number, cards in enumerate(solution.states(0).cards.tolist()):
        low, high = sorted(card % 13 for card in cards)
        suited = len({card // 13 for card in cards}) == 1
        letters = "".join(Rank(rank).letter for rank in (high, low))
        name = letters if low == high else f"{letters}{'s' if suited else 'o'}"
        choice = solution.shape.name(0, int(choices[number]))
        value = Fraction(int(best[number]), solution.scale * solution.deals(0))
        hands.append(StartingHand(name, high, low, suited, choice, value))
    return sorted(hands, key=lambda hand: hand.value, reverse=True)
