"""The strategy card of a board game: a few lines per street, and the cost of using them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from croupier.analysis.boards.features import guaranteed_gains, ranks_by_points, street_conditions
from croupier.analysis.boards.play import BoardTally, Policy, optimal_policy, play
from croupier.analysis.boards.solution import Solution, solve
from croupier.analysis.contest_card import SimpleStrategy
from croupier.core.cards import Rank
from croupier.hands.lookup_tables import Array
from croupier.regulations import ElectedEdition

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
