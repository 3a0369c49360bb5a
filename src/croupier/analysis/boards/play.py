"""Plays every deal of a board game with a policy and tallies the results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from croupier.analysis.boards.solution import Solution, solve
from croupier.analysis.results import RequiredResult
from croupier.hands.lookup_tables import Array
from croupier.regulations import ElectedEdition

Policy = Callable[[int, int], Array]
"""Maps a street and the amount staked to the multiple raised with each class of known cards; 0 is a fold."""


def optimal_policy(solution: Solution, *, larger: bool = True) -> Policy:
    """Optimal play; ties between choices go to the larger wager, or to the smaller."""

    def choose(number: int, staked: int) -> Array:
        best, values = solution.street(number, staked)
        chosen = np.zeros(len(best), dtype=np.int64)
        for multiple in sorted(values, reverse=not larger):
            chosen[values[multiple] == best] = multiple
        return chosen

    return choose


@dataclass(eq=False)
class BoardTally:
    """Totals over every deal; amounts in Antes times the solution's scale."""

    solution: Solution
    choose: Policy
    decisions: list[dict[str, int]] = field(default_factory=list)
    reached: dict[tuple[int, int], Array] = field(default_factory=dict)
    """For each street and stake: the number of ways to reach each class."""
    staked: int = 0
    nets: Counter[int] = field(default_factory=Counter)
    """The number of deals with each net result."""

    @property
    def expectation(self) -> int:
        return sum(net * count for net, count in self.nets.items())

    @property
    def combinations(self) -> int:
        return int(self.solution.states(0).sizes.sum()) * self.solution.deals(0)

    @property
    def mean(self) -> Fraction:
        """The expected net result of a round, in Antes."""
        return Fraction(self.expectation, self.solution.scale * self.combinations)

    @property
    def average_wager(self) -> Fraction:
        return Fraction(self.staked, self.combinations)


def play(solution: Solution, choose: Policy) -> BoardTally:
    """Plays every deal with a policy."""
    shape = solution.shape
    names = [{shape.name(street, multiple): 0 for multiple in shape.options(street)} for street in solution.streets]
    played = BoardTally(solution, choose, names)
    _play_street(played, 0, shape.base, solution.states(0).sizes)
    return played


def _play_street(played: BoardTally, number: int, staked: int, weights: Array) -> None:
    """`weights` is the number of ways to reach each class of known cards."""
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
        if not multiple and not solution.shape.pulls_back[number]:
            played.staked += staked * count
            played.nets[-staked * solution.scale] += count
        elif number == solution.streets[-1]:
            _settle_last_street(played, staked + multiple, reached)
        else:
            after = np.zeros(len(solution.states(number + 1).sizes), dtype=np.int64)
            fresh = states.following >= 0
            spread = np.broadcast_to(reached[:, None], states.following.shape)[fresh]
            np.add.at(after, states.following[fresh], spread)
            _play_street(played, number + 1, staked + multiple, after)


def _settle_last_street(played: BoardTally, staked: int, reached: Array) -> None:
    ways = reached @ played.solution.results
    for net, count in zip(played.solution.nets.tolist(), ways.tolist(), strict=True):
        played.staked += staked * count
        if count:
            played.nets[net * staked] += count


def analyze_board(elected: ElectedEdition) -> RequiredResult:
    """The required wagers of a board game, under optimal play."""
    solution = solve(elected)
    larger, smaller = (play(solution, optimal_policy(solution, larger=choice)) for choice in (True, False))
    total = larger.combinations
    return RequiredResult(
        house_edge=-larger.mean,
        average_wager=larger.average_wager,
        net_results={Fraction(net, solution.scale): count for net, count in sorted(larger.nets.items())},
        decisions=tuple({name: Fraction(n, total) for name, n in street.items()} for street in larger.decisions),
        combinations=total,
        smaller_average_wager=smaller.average_wager,
    )
