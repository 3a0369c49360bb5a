"""The strategy of a game of raises on a board as a card: a few lines a street, and what using it costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from croupier.cards import Rank
from croupier.hands.tables import Array
from croupier.maths.board_features import conditions, ranks_worth, sure_gains
from croupier.maths.board_play import Played, Policy, best_play, play
from croupier.maths.boards import Solution, solve
from croupier.maths.condensed import SimpleStrategy
from croupier.rules import Elected

WORTH_A_LINE = 1 / 5000
"""A condition is added to a card where it saves at least so much of an Ante a round."""


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A choice, and the conditions of which one is enough for it."""

    choice: str
    conditions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Holding:
    """Two ranks that can be held, the best first choice with them and its value."""

    name: str
    high: int
    low: int
    suited: bool
    choice: str
    value: Fraction


@dataclass(frozen=True, slots=True)
class BoardCard:
    """Lines for every street, and what is done with what no line names."""

    points: tuple[tuple[int, str], ...]
    known: tuple[int, ...]
    streets: tuple[tuple[BoardLine, ...], ...]
    otherwise: tuple[str, ...]
    """What is done on each street with what no line names."""
    house_edge: Fraction
    cost: Fraction
    multiples: tuple[Array, ...] = field(compare=False)
    """For each street what the card raises with each class of known cards, 0 for a fold."""


def board_card(elected: Elected, advance: Callable[[str], None] = lambda text: None) -> BoardCard:
    """The card: conditions are added one by one, always the one that saves most under perfect play before and after.

    The house edge is that of the card itself, every deal played by it.
    """
    solution = solve(elected)
    advance("perfect play")
    perfect = play(solution, best_play(solution))
    streets, chosen = [], []
    for number in solution.streets:
        advance(f"street {number + 1}")
        lines, choices = _lines(elected, solution, perfect, number)
        streets.append(lines)
        chosen.append(choices)
    advance("every deal by the card")
    by_card = play(solution, lambda number, staked: chosen[number])
    points = tuple(ranks_worth(elected))
    cost = perfect.mean - by_card.mean
    otherwise = tuple(solution.shape.name(number, 0) for number in solution.streets)
    return BoardCard(points, solution.shape.known, tuple(streets), otherwise, -by_card.mean, cost, tuple(chosen))


def _lines(elected: Elected, solution: Solution, perfect: Played, number: int) -> tuple[tuple[BoardLine, ...], Array]:
    """The lines of a street, largest raise first, and the multiple that they give each class."""
    choices = solution.shape.options(number)
    classes = len(solution.states(number).sizes)
    values = {multiple: np.zeros(classes) for multiple in choices}
    for (street, staked), weights in perfect.reached.items():
        if street == number:
            for multiple, value in solution.street(number, staked)[1].items():
                values[multiple] += weights * (value / (solution.scale * perfect.combinations))
    lines: list[BoardLine] = []
    chosen, left = np.zeros(classes, dtype=np.int64), np.ones(classes, dtype=bool)
    for place in range(len(choices) - 1, 0, -1):
        gains = values[choices[place]] - np.maximum.reduce([values[m] for m in choices[:place]])
        named = []
        while True:
            best = max(conditions(elected, number), key=lambda c: float(gains[c.meets & left].sum()))
            if gains[best.meets & left].sum() < WORTH_A_LINE:
                break
            named.append(best.words)
            chosen[best.meets & left] = choices[place]
            left &= ~best.meets
        if named:
            lines.append(BoardLine(solution.shape.name(number, choices[place]), tuple(named)))
    return tuple(lines), chosen


def simple_policies(solution: Solution) -> dict[str, Policy]:
    """Ways to play that need no card, by name; none looks at what is staked."""
    smallest, largest = solution.shape.choices[0][0], solution.shape.choices[0][-1]
    low, high = solution.shape.name(0, smallest), solution.shape.name(0, largest)

    def by_certainty(certain: int, otherwise: int) -> Policy:
        """The largest raise where one unit gains at least `certain` whatever comes."""
        return lambda number, staked: np.where(sure_gains(solution, number) >= certain, largest, otherwise)

    found = {
        f"always {low}": by_certainty(int(solution.nets[-1]) + 1, smallest),
        f"always {high}": by_certainty(int(solution.nets[0]), largest),
        f"{high} once a win is certain, else {low}": by_certainty(1, smallest),
        f"{high} once a win is certain, else fold": by_certainty(1, 0),
        f"{high} once nothing can be lost, else {low}": by_certainty(0, smallest),
        f"{high} once nothing can be lost, else fold": by_certainty(0, 0),
    }
    return {name: policy for name, policy in found.items() if "fold" not in name or not any(solution.shape.stays)}


def simple_board_strategies(elected: Elected) -> list[SimpleStrategy]:
    """Simple ways to play, each with its exact price."""
    solution = solve(elected)
    best = play(solution, best_play(solution)).mean
    found = []
    for name, policy in simple_policies(solution).items():
        value = play(solution, policy).mean
        found.append(SimpleStrategy(name, -value, best - value))
    return found


def first_street(elected: Elected) -> list[Holding]:
    """Every holding of two cards with its best first choice and value, best first; none where more are held."""
    solution = solve(elected)
    if solution.shape.known[0] != 2:
        return []
    best, _ = solution.street(0, solution.shape.base)
    choices = best_play(solution)(0, solution.shape.base)
    found = []
    for number, cards in enumerate(solution.states(0).cards.tolist()):
        low, high = sorted(card % 13 for card in cards)
        suited = len({card // 13 for card in cards}) == 1
        letters = "".join(Rank(rank).letter for rank in (high, low))
        name = letters if low == high else f"{letters}{'s' if suited else 'o'}"
        choice = solution.shape.name(0, int(choices[number]))
        value = Fraction(int(best[number]), solution.scale * solution.deals(0))
        found.append(Holding(name, high, low, suited, choice, value))
    return sorted(found, key=lambda holding: holding.value, reverse=True)
