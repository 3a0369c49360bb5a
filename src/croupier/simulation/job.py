"""One simulation, made ready: wagers, plan, cells, strategy and the compiled program."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from croupier.errors import Malformed
from croupier.simulation.bets import Bets
from croupier.simulation.cells import Cells, all_cells
from croupier.simulation.plan import Plan, make_plan
from croupier.simulation.program import CHUNK, Program
from croupier.simulation.source import write_source
from croupier.simulation.strategies import Strategy, named_strategy

MOST_ROUNDS = 10**15
"""More than a million computers do in a year would only be a slip of the hand."""


@dataclass(frozen=True, eq=False)
class Job:
    """What is simulated."""

    bets: Bets
    plan: Plan
    cells: tuple[Cells, ...]
    strategy: Strategy
    program: Program

    @property
    def labels(self) -> tuple[str, ...]:
        """The results that are kept apart: the required wagers together, each optional one, envy bonuses."""
        return tuple(wager for cells in self.cells for wager in cells.nets)

    @cached_property
    def digest(self) -> str:
        """Tells this job from every other that would count differently."""
        found = hashlib.sha256(self.program.text.encode())
        for array in self.program.arrays:
            found.update(array.tobytes())
        found.update(repr((self.program.session_rounds, sorted(self.bets.stakes.items()))).encode())
        found.update(repr(sorted((plan.name, plan.seed, plan.rate) for plan in self.bets.plans.values())).encode())
        return found.hexdigest()


def prepare(bets: Bets, strategy: str | Strategy = "optimal", session_rounds: int = 0, *, trace: bool = False) -> Job:
    """A job; refuses a strategy that is not there and sessions that are too long."""
    if session_rounds < 0 or session_rounds > CHUNK:
        raise Malformed("session", f"a session has from 1 to {CHUNK:,} rounds")
    plan = make_plan(bets)
    cells = all_cells(plan)
    chosen = named_strategy(plan, strategy) if isinstance(strategy, str) else strategy
    source = write_source(plan, cells, chosen.decisions(plan), sessions=session_rounds > 0, trace=trace)
    labels = sum(len(found.nets) for found in cells)
    program = Program(
        text=source.text,
        arrays=tuple(source.arrays.values()),
        cells=plan.offsets[-1],
        sums=2 * (1 + (labels if bets.seats > 1 else 0)),
        seats=bets.seats,
        groups=len(cells),
        cards=plan.layout.cards,
        session_rounds=session_rounds,
        has_hits=any(found.hits for found in cells),
        traces=trace,
    )
    return Job(bets, plan, cells, chosen, program)


def require_rounds(rounds: int) -> None:
    """Refuses a number of rounds that nobody means."""
    if rounds < 1:
        raise Malformed("rounds", f"at least one round must be played, not {rounds:,}")
    if rounds > MOST_ROUNDS:
        raise Malformed("rounds", f"{rounds:,} rounds are more than {MOST_ROUNDS:,}, which is as far as this goes")


def chunks(rounds: int) -> Sequence[int]:
    """The numbers of the chunks of a run."""
    return range(-(-rounds // CHUNK))
