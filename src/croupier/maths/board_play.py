"""Every deal of a game of raises on a board, sent through some way of playing it, and what becomes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from croupier.hands.tables import Array
from croupier.maths.boards import Solution, solve
from croupier.maths.results import RequiredResult
from croupier.rules import Elected

Policy = Callable[[int, int], Array]
"""For a street and what is staked: the multiple raised with each class of known cards, 0 for a fold."""


def best_play(solution: Solution, *, larger: bool = True) -> Policy:
    """Perfect play; of equal choices the larger wager, or the smaller."""

    def choose(number: int, staked: int) -> Array:
        best, values = solution.street(number, staked)
        chosen = np.zeros(len(best), dtype=np.int64)
        for multiple in sorted(values, reverse=not larger):
            chosen[values[multiple] == best] = multiple
        return chosen

    return choose


@dataclass(eq=False)
class Played:
    """Sums over every deal; money in Antes times the solution's scale."""

    solution: Solution
    choose: Policy
    decisions: list[dict[str, int]] = field(default_factory=list)
    reached: dict[tuple[int, int], Array] = field(default_factory=dict)
    """For each street and stake: in how many ways each class is reached."""
    staked: int = 0
    nets: Counter[int] = field(default_factory=Counter)
    """For each net result in how many deals it comes."""

    @property
    def expectation(self) -> int:
        return sum(net * count for net, count in self.nets.items())

    @property
    def combinations(self) -> int:
        return int(self.solution.states(0).sizes.sum()) * self.solution.deals(0)

    @property
    def mean(self) -> Fraction:
        """What a round comes to, in Antes."""
        return Fraction(self.expectation, self.solution.scale * self.combinations)

    @property
    def average_wager(self) -> Fraction:
        return Fraction(self.staked, self.combinations)


def play(solution: Solution, choose: Policy) -> Played:
    """Every deal, played in a certain way."""
    shape = solution.shape
    names = [{shape.name(street, multiple): 0 for multiple in shape.options(street)} for street in solution.streets]
    played = Played(solution, choose, names)
    _street(played, 0, shape.base, solution.states(0).sizes)
    return played


def _street(played: Played, number: int, staked: int, weights: Array) -> None:
    """`weights`: in how many ways each class of known cards is reached."""
    solution = played.solution
    played.reached[number, staked] = played.reached.get((number, staked), 0) + weights
    states, deals = solution.states(number), solution.deals(number)
    chosen = played.choose(number, staked)
    for multiple in solution.shape.options(number):
        reached = np.where(chosen == multiple, weights, 0)
        count = int(reached.sum()) * deals
        played.decisions[number][solution.shape.name(number, multiple)] += count
        if not count:
            continue
        if not multiple and not solution.shape.stays[number]:
            played.staked += staked * count
            played.nets[-staked * solution.scale] += count
        elif number == solution.streets[-1]:
            _last(played, staked + multiple, reached)
        else:
            after = np.zeros(len(solution.states(number + 1).sizes), dtype=np.int64)
            fresh = states.following >= 0
            spread = np.broadcast_to(reached[:, None], states.following.shape)[fresh]
            np.add.at(after, states.following[fresh], spread)
            _street(played, number + 1, staked + multiple, after)


def _last(played: Played, staked: int, reached: Array) -> None:
    ways = reached @ played.solution.results
    for net, count in zip(played.solution.nets.tolist(), ways.tolist(), strict=True):
        played.staked += staked * count
        if count:
            played.nets[net * staked] += count


def analyse_board(elected: Elected) -> RequiredResult:
    """The required wagers of a game of raises on a board, under optimal play."""
    solution = solve(elected)
    larger, smaller = (play(solution, best_play(solution, larger=choice)) for choice in (True, False))
    total = larger.combinations
    return RequiredResult(
        house_edge=-larger.mean,
        average_wager=larger.average_wager,
        net_results={Fraction(net, solution.scale): count for net, count in sorted(larger.nets.items())},
        decisions=tuple({name: Fraction(n, total) for name, n in street.items()} for street in larger.decisions),
        combinations=total,
        smaller_average_wager=smaller.average_wager,
    )
