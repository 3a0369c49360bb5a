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
    weights: dict[tuple[int, int], Array] = field(default_factory=dict)
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
    tally = BoardTally(solution, choose, names)
    _play_street(tally, 0, shape.base, solution.states(0).sizes)
    return tally


def _play_street(tally: BoardTally, number: int, staked: int, weights: Array) -> None:
    """`weights` is the number of ways to reach each class of known cards."""
    solution = tally.solution
    tally.weights[number, staked] = tally.weights.get((number, staked), 0) + weights
    states, deals = solution.states(number), solution.deals(number)
    chosen = tally.choose(number, staked)
    for multiple in solution.shape.options(number):
        chosen_weights = np.where(chosen == multiple, weights, 0)
        count = int(chosen_weights.sum()) * deals
        tally.decisions[number][solution.shape.name(number, multiple)] += count
        if not count:
            continue
        if not multiple and not solution.shape.pulls_back[number]:
            tally.staked += staked * count
            tally.nets[-staked * solution.scale] += count
        elif number == solution.streets[-1]:
            _settle_last_street(tally, staked + multiple, chosen_weights)
        else:
            next_weights = np.zeros(len(solution.states(number + 1).sizes), dtype=np.int64)
            is_new_card = states.next_state >= 0
            new_weights = np.broadcast_to(chosen_weights[:, None], states.next_state.shape)[is_new_card]
            np.add.at(next_weights, states.next_state[is_new_card], new_weights)
            _play_street(tally, number + 1, staked + multiple, next_weights)


def _settle_last_street(tally: BoardTally, staked: int, weights: Array) -> None:
    ways = weights @ tally.solution.results
    for net, count in zip(tally.solution.nets.tolist(), ways.tolist(), strict=True):
        tally.staked += staked * count
        if count:
            tally.nets[net * staked] += count


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
