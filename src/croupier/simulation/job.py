"""A prepared simulation: wagers, plan, cells, strategy and the compiled program."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from croupier.core.errors import InputError
from croupier.simulation.bets import BetPlan
from croupier.simulation.kernel.cells import Cells, build_cells
from croupier.simulation.kernel.codegen import write_source
from croupier.simulation.kernel.plan import Plan, make_plan
from croupier.simulation.kernel.program import CHUNK_ROUNDS, Program
from croupier.simulation.strategies.strategy import Strategy, find_strategy

MAX_ROUNDS = 10**15
"""Upper limit that catches typing errors."""


@dataclass(frozen=True, eq=False)
class Job:
    """A prepared simulation."""

    bets: BetPlan
    plan: Plan
    cells: tuple[Cells, ...]
    strategy: Strategy
    program: Program

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the results: the required wagers combined, each optional wager, Envy Bonuses."""
        return tuple(wager for cells in self.cells for wager in cells.nets)

    @cached_property
    def digest(self) -> str:
        """Identifies everything that affects the counts."""
        digest = hashlib.sha256(self.program.text.encode())
        for array in self.program.arrays:
            digest.update(array.tobytes())
        digest.update(repr((self.program.session_rounds, sorted(self.bets.stakes.items()))).encode())
        digest.update(repr(sorted((plan.name, plan.seed, plan.rate) for plan in self.bets.plans.values())).encode())
        return digest.hexdigest()


def prepare_job(
    bets: BetPlan, strategy: str | Strategy = "optimal", session_rounds: int = 0, *, trace: bool = False
) -> Job:
    """Prepares a job; refuses an unknown strategy and sessions that are too long."""
    if session_rounds < 0 or session_rounds > CHUNK_ROUNDS:
        raise InputError("session", f"a session has from 1 to {CHUNK_ROUNDS:,} rounds")
    plan = make_plan(bets)
    cells = build_cells(plan)
    chosen = find_strategy(plan, strategy) if isinstance(strategy, str) else strategy
    source = write_source(plan, cells, chosen.decisions(plan), sessions=session_rounds > 0, trace=trace)
    labels = sum(len(group_cells.nets) for group_cells in cells)
    program = Program(
        text=source.text,
        arrays=tuple(source.arrays.values()),
        cells=plan.offsets[-1],
        sums=2 * (1 + (labels if bets.seats > 1 else 0)),
        seats=bets.seats,
        groups=len(cells),
        cards=plan.layout.cards,
        session_rounds=session_rounds,
        has_hits=any(group_cells.hits for group_cells in cells),
        has_trace=trace,
    )
    return Job(bets, plan, cells, chosen, program)


def require_rounds(rounds: int) -> None:
    """Refuses a number of rounds that is out of range."""
    if rounds < 1:
        raise InputError("rounds", f"must be at least 1, not {rounds:,}")
    if rounds > MAX_ROUNDS:
        raise InputError("rounds", f"{rounds:,} rounds exceed the maximum of {MAX_ROUNDS:,}")


def chunk_numbers(rounds: int) -> Sequence[int]:
    """The chunk numbers of a run."""
    return range(-(-rounds // CHUNK_ROUNDS))
