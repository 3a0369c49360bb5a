"""Strategies: optimal, by the strategy card, simple ones, and user-defined.

Each gives a choice for every spot of the exact analysis, so it has an exact value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from croupier.analysis.boards.play import Policy
from croupier.analysis.boards.solution import Solution, solve
from croupier.analysis.boards.strategy_card import board_card, simple_policies
from croupier.analysis.contest_strategy_card import condense_strategy, simple_cuts
from croupier.core.errors import InputError
from croupier.hands.lookup_tables import Array
from croupier.simulation.kernel.plan import BoardGroup, ContestGroup, Plan
from croupier.simulation.strategies.decisions import (
    Decisions,
    board_decisions,
    contest_decisions,
    group_spots,
    optimal_board_choices,
    optimal_choices,
)
from croupier.simulation.strategies.exact_value import ExactValue, board_value, contest_value

OPTIMAL = "optimal"
CARD_STRATEGY = "card"


@dataclass(frozen=True, eq=False)
class Strategy:
    """A choice for every spot: 0 is a fold, other values number the raises."""

    name: str
    choices: Array | list[Array]
    """Against a dealer uint8 [spots]; in a board game uint8 [paths, classes] for each street."""

    def decisions(self, plan: Plan) -> Decisions:
        """The lookup arrays for the simulator."""
        group = plan.required
        if isinstance(group, BoardGroup) and isinstance(self.choices, list):
            return board_decisions(group, self.choices)
        if isinstance(group, ContestGroup) and not isinstance(self.choices, list):
            return contest_decisions(group, self.choices, upcard=plan.layout.upcard is not None)
        raise InputError("strategy", f"{self.name} is for another kind of game")

    def exact(self, plan: Plan) -> ExactValue:
        """The exact value of the required wagers."""
        group = plan.required
        if isinstance(group, BoardGroup) and isinstance(self.choices, list):
            return board_value(plan.bets.elected, group, self.choices)
        if isinstance(group, ContestGroup) and not isinstance(self.choices, list):
            return contest_value(plan.bets.elected, group, self.choices)
        raise InputError("strategy", f"{self.name} is for another kind of game")


def find_strategy(plan: Plan, name: str) -> Strategy:
    """A strategy by name, or a user-defined one as FILE.py:function or FILE.toml."""
    if name == OPTIMAL:
        return optimal_strategy(plan)
    if name == CARD_STRATEGY:
        return _card_strategy(plan)
    if ".py" in name:
        from croupier.simulation.strategies.user_functions import function_strategy

        return function_strategy(plan, name)
    if name.endswith(".toml"):
        from croupier.simulation.strategies.rule_files import rule_file_strategy

        return rule_file_strategy(plan, Path(name))
    simple_strategies = simple_choices(plan)
    simple_name = name.replace("_", " ").lower()
    if simple_name not in simple_strategies:
        names = ", ".join([OPTIMAL, CARD_STRATEGY, *(f'"{names}"' for names in simple_strategies)])
        raise InputError(
            "strategy", f"there is no strategy {name!r}; there are {names}, FILE.py:function and FILE.toml"
        )
    return Strategy(simple_name, simple_strategies[simple_name]())


def optimal_strategy(plan: Plan) -> Strategy:
    """Optimal play."""
    group = plan.required
    if isinstance(group, BoardGroup):
        return Strategy(OPTIMAL, optimal_board_choices(plan.bets.elected, group))
    return Strategy(OPTIMAL, optimal_choices(plan.bets.elected, group))


def _card_strategy(plan: Plan) -> Strategy:
    group = plan.required
    if isinstance(group, BoardGroup):
        return Strategy(CARD_STRATEGY, _choice_numbers(group, board_card(plan.bets.elected).multiples))
    cuts = condense_strategy(plan.bets.elected).cuts
    if len(cuts) == 1:
        return Strategy(CARD_STRATEGY, threshold_choices(group, cuts[0]))
    choices = np.zeros(len(group_spots(group).weights), dtype=np.uint8)
    upcards = group_spots(group).upcard_ranks
    for rank, cut in zip(range(12, -1, -1), cuts, strict=True):
        has_rank = upcards == rank
        choices[has_rank] = threshold_choices(group, cut)[has_rank]
    return Strategy(CARD_STRATEGY, choices)


def threshold_choices(group: ContestGroup, cuts: tuple[int, int]) -> Array:
    """The choices of a strategy with a threshold for the largest raise and one for the smallest."""
    high, low = cuts
    strengths = group_spots(group).strengths
    choices = np.where(strengths >= low, 1, 0)
    choices[strengths >= high] = len(group.choices) - 1
    return choices.astype(np.uint8)


def simple_choices(plan: Plan) -> dict[str, Callable[[], Array | list[Array]]]:
    """The choices of the simple strategies, by name."""
    group = plan.required
    if isinstance(group, ContestGroup):
        cuts = simple_cuts(plan.bets.elected)
        return {name: (lambda cut=cut: threshold_choices(group, cut)) for name, cut in cuts.items()}  # type: ignore[misc]
    solution = solve(plan.bets.elected)
    return {name: _policy_choices(group, solution, policy) for name, policy in simple_policies(solution).items()}


def _policy_choices(group: BoardGroup, solution: Solution, policy: Policy) -> Callable[[], list[Array]]:
    return lambda: _choice_numbers(group, [policy(street, solution.shape.base) for street in solution.streets])


def _choice_numbers(group: BoardGroup, multiples: Sequence[Array]) -> list[Array]:
    """Raises as choice numbers for each street, the same after every sequence of raises."""
    choices, paths = [], 1
    for street_multiples, allowed in zip(multiples, group.multiples, strict=True):
        number = np.zeros(max(allowed) + 1, dtype=np.uint8)
        number[list(allowed)] = np.arange(1, len(allowed) + 1)
        choices.append(np.repeat(number[street_multiples][None, :], paths, axis=0))
        paths *= len(allowed)
    return choices


def choice_names(group: ContestGroup | BoardGroup, street: int = 0) -> tuple[str, ...]:
    """The names of the choices on a street, fold first."""
    if isinstance(group, BoardGroup) and group.pulls_back[street]:
        return ("", "pull", "ride")  # there is no fold
    multiples = group.multiples[street] if isinstance(group, BoardGroup) else group.choices[1:]
    return ("fold", *(("play",) if multiples == (1,) else (f"{multiple}x" for multiple in multiples)))
