"""A record round by round: every event with the state before and after it, by the fold alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from croupier.audit.finding import Finding, Numbered, named
from croupier.audit.legality import IMPOSSIBLE
from croupier.table import events as e
from croupier.table.evolve import evolve
from croupier.table.state import Table


@dataclass(frozen=True, slots=True)
class Step:
    """One event, and the table before and after it."""

    seq: int
    event: e.Event
    before: Table
    after: Table
    broken: bool = False
    """Whether no state follows: the table is then taken to stay as it was."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """What happened from the end of one round to the end of the next; the last may have no end."""

    number: int
    """The round, 0 where there is none."""
    steps: tuple[Step, ...]

    @property
    def before(self) -> Table:
        return self.steps[0].before

    @property
    def after(self) -> Table:
        return self.steps[-1].after


def stretches(table: Table, events: Numbered) -> Iterator[Stretch]:
    """What happened to a table in stretches of one round each, so that a long record is never held whole."""
    steps, number = [], 0
    for seq, event in events:
        try:
            after, broken = evolve(table, event), False
        except IMPOSSIBLE:
            after, broken = table, True
        steps.append(Step(seq, event, table, after, broken))
        table = after
        if isinstance(event, e.BetsClosed):
            number = event.round
        if isinstance(event, e.RoundCompleted):
            yield Stretch(number, tuple(steps))
            steps, number = [], 0
    if steps:
        yield Stretch(number, tuple(steps))


def continuity(stretch: Stretch) -> Iterator[Finding]:
    """Events that no state follows."""
    for step in stretch.steps:
        if step.broken:
            yield Finding(step.seq, step.event.clause, f"{named(step.event)} cannot follow what was before it")
