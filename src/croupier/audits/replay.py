"""Replays a record round by round: every event with the state before and after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from croupier.audits.finding import Finding, NumberedEvents, event_title
from croupier.core.errors import ImpossibleEvent
from croupier.table.evolve import evolve_recorded
from croupier.table.model import events as e
from croupier.table.model.state import Table


@dataclass(frozen=True, slots=True)
class Step:
    """One event, and the table before and after it."""

    seq: int
    event: e.Event
    before: Table
    after: Table
    is_impossible: bool = False
    """Whether the event is impossible; the table then stays as it was."""


@dataclass(frozen=True, slots=True)
class RoundSpan:
    """The steps from the end of one round to the end of the next; the last may be unfinished."""

    number: int
    """The round, 0 if none began."""
    steps: tuple[Step, ...]

    @property
    def before(self) -> Table:
        return self.steps[0].before

    @property
    def after(self) -> Table:
        return self.steps[-1].after


def split_rounds(table: Table, events: NumberedEvents) -> Iterator[RoundSpan]:
    """Splits the events of a table by round, so that a long record is never in memory as a whole."""
    steps, number = [], 0
    for seq, event in events:
        try:
            after, is_impossible = evolve_recorded(table, event), False
        except ImpossibleEvent:
            after, is_impossible = table, True
        steps.append(Step(seq, event, table, after, is_impossible))
        table = after
        if isinstance(event, e.BetsClosed):
            number = event.round
        if isinstance(event, e.RoundCompleted):
            yield RoundSpan(number, tuple(steps))
            steps, number = [], 0
    if steps:
        yield RoundSpan(number, tuple(steps))


def check_continuity(span: RoundSpan) -> Iterator[Finding]:
    """Events that are impossible in the state before them."""
    for step in span.steps:
        if step.is_impossible:
            yield Finding(step.seq, step.event.clause, f"{event_title(step.event)} is not possible at this point")
