"""Strategies: the exact optimum, the condensed card, simple ones, and a user's own.

Each says what to do in every spot of the exact analysis, so that it has an exact value too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from croupier.errors import Malformed
from croupier.hands.tables import Array
from croupier.maths.board_card import board_card, simple_policies
from croupier.maths.board_play import Policy
from croupier.maths.boards import Solution, solve
from croupier.maths.condensed import condensed, simple_cuts
from croupier.simulation.decisions import (
    Decisions,
    board_decisions,
    contest_decisions,
    optimal_board_choices,
    optimal_choices,
    spots_of,
)
from croupier.simulation.exact import Exact, board_value, contest_value
from croupier.simulation.plan import BoardGroup, ContestGroup, Plan

OPTIMAL = "optimal"
CARD = "card"


@dataclass(frozen=True, eq=False)
class Strategy:
    """What is done in every spot: 0 folds, others number the raises."""

    name: str
    chosen: Array | list[Array]
    """Against a dealer uint8 [spots]; on a board for each street uint8 [paths, classes]."""

    def decisions(self, plan: Plan) -> Decisions:
        """The arrays that the simulator reads."""
        group = plan.required
        if isinstance(group, BoardGroup) and isinstance(self.chosen, list):
            return board_decisions(group, self.chosen)
        if isinstance(group, ContestGroup) and not isinstance(self.chosen, list):
            return contest_decisions(group, self.chosen, sees=plan.layout.up is not None)
        raise Malformed("strategy", f"{self.name} is for a game of another shape")

    def exact(self, plan: Plan) -> Exact:
        """What the required wagers are worth with it."""
        group = plan.required
        if isinstance(group, BoardGroup) and isinstance(self.chosen, list):
            return board_value(plan.bets.elected, group, self.chosen)
        if isinstance(group, ContestGroup) and not isinstance(self.chosen, list):
            return contest_value(plan.bets.elected, group, self.chosen)
        raise Malformed("strategy", f"{self.name} is for a game of another shape")


def named_strategy(plan: Plan, name: str) -> Strategy:
    """A strategy by name, or a user's own as FILE.py:function or FILE.toml."""
    if name == OPTIMAL:
        return optimal_strategy(plan)
    if name == CARD:
        return _card(plan)
    if ".py" in name:
        from croupier.simulation.own import function_strategy

        return function_strategy(plan, name)
    if name.endswith(".toml"):
        from croupier.simulation.rule_files import rule_file_strategy

        return rule_file_strategy(plan, Path(name))
    simple = simple_strategies_of(plan)
    wanted = name.replace("_", " ").lower()
    if wanted not in simple:
        known = ", ".join([OPTIMAL, CARD, *(f'"{known}"' for known in simple)])
        raise Malformed("strategy", f"there is no strategy {name!r}; there are {known}, FILE.py:function and FILE.toml")
    return Strategy(wanted, simple[wanted]())


def optimal_strategy(plan: Plan) -> Strategy:
    """Perfect play."""
    group = plan.required
    if isinstance(group, BoardGroup):
        return Strategy(OPTIMAL, optimal_board_choices(plan.bets.elected, group))
    return Strategy(OPTIMAL, optimal_choices(plan.bets.elected, group))


def _card(plan: Plan) -> Strategy:
    group = plan.required
    if isinstance(group, BoardGroup):
        return Strategy(CARD, _numbered(group, board_card(plan.bets.elected).multiples))
    cuts = condensed(plan.bets.elected).cuts
    if len(cuts) == 1:
        return Strategy(CARD, at_cuts(group, cuts[0]))
    found = np.zeros(len(spots_of(group).weights), dtype=np.uint8)
    seen = spots_of(group).seen
    for rank, cut in zip(range(12, -1, -1), cuts, strict=True):
        at = seen == rank
        found[at] = at_cuts(group, cut)[at]
    return Strategy(CARD, found)


def at_cuts(group: ContestGroup, cuts: tuple[int, int]) -> Array:
    """The largest raise from one strength on, the smallest from another."""
    high, low = cuts
    strengths = spots_of(group).strengths
    found = np.where(strengths >= low, 1, 0)
    found[strengths >= high] = len(group.choices) - 1
    return found.astype(np.uint8)


def simple_strategies_of(plan: Plan) -> dict[str, Callable[[], Array | list[Array]]]:
    """The strategies that people use, by name."""
    group = plan.required
    if isinstance(group, ContestGroup):
        cuts = simple_cuts(plan.bets.elected)
        return {name: (lambda found=found: at_cuts(group, found)) for name, found in cuts.items()}  # type: ignore[misc]
    solution = solve(plan.bets.elected)
    return {name: _by_policy(group, solution, policy) for name, policy in simple_policies(solution).items()}


def _by_policy(group: BoardGroup, solution: Solution, policy: Policy) -> Callable[[], list[Array]]:
    return lambda: _numbered(group, [policy(street, solution.shape.base) for street in solution.streets])


def _numbered(group: BoardGroup, multiples: Sequence[Array]) -> list[Array]:
    """For each street the numbers of the raises, the same after every path that leads there."""
    found, paths = [], 1
    for raised, street in zip(multiples, group.multiples, strict=True):
        number = np.zeros(max(street) + 1, dtype=np.uint8)
        number[list(street)] = np.arange(1, len(street) + 1)
        found.append(np.repeat(number[raised][None, :], paths, axis=0))
        paths *= len(street)
    return found


def choice_names(group: ContestGroup | BoardGroup, street: int = 0) -> tuple[str, ...]:
    """What the choices of a street are called, the fold first."""
    if isinstance(group, BoardGroup) and group.stays[street]:
        return ("", "pull", "ride")  # nobody can fold here
    multiples = group.multiples[street] if isinstance(group, BoardGroup) else group.choices[1:]
    return ("fold", *(("play",) if multiples == (1,) else (f"{multiple}x" for multiple in multiples)))
