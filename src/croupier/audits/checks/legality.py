"""Checks that every event was allowed: the command that caused it is decided again at that point.

The decision is compared with the record, event by event. If they differ, the audit continues with what should have
happened, so that one wrong event is one finding and not a hundred.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import fields
from functools import reduce
from types import MappingProxyType

from croupier.audits.finding import Finding, NumberedEvents, event_title, format_field
from croupier.core.errors import ImpossibleEvent, InputError, RuleViolation
from croupier.progressive.meters import Meter
from croupier.table.decide import decide, rule_clause
from croupier.table.evolve import evolve_recorded, new_table
from croupier.table.model import events as e
from croupier.table.model.commands import Command, CorrectPayment
from croupier.table.model.roles import Role
from croupier.table.model.setup import Setup
from croupier.table.model.state import Table
from croupier.table.record.causation import Causes, command_spans
from croupier.table.record.reconstruction import candidates, count_refused_events
from croupier.table.settlement.steps import decide_older_correction

DAMAGED_RECORD_ERRORS = (InputError, RuleViolation, LookupError, TypeError, AttributeError, ValueError, ArithmeticError)
"""Errors that a decision or check raises over the state of a damaged record; a bug raises none of these."""
CLOCK_BACKWARDS = "the clock runs backwards"
MISSING = "is missing"


ReplayOutcome = tuple[e.Event, ...] | e.Refusal | str
"""The result of a command: events, a refusal, or why it cannot be decided at all."""


def check_legality(setup: Setup, events: NumberedEvents, causes: Causes = MappingProxyType({})) -> Iterator[Finding]:
    """Finds events that the rules do not allow at that point, or not in that way.

    Events before the first one with a recorded command come from an older program: their commands are reconstructed.
    """
    plain_events = [event for _, event in events]
    starts = [place for place, (seq, _) in enumerate(events) if seq in causes]
    ends = dict(command_spans(plain_events, starts))
    older_events = plain_events[: starts[0]] if starts else plain_events
    yield from _check_keys(events, causes)
    table, place = new_table(setup), 0
    while place < len(plain_events):
        seq, event = events[place]
        if isinstance(event, e.MetersRead):
            yield from (Finding(seq, event.clause, text) for text in _check_meter_reading(table, event))
            table, place = _apply(table, event), place + 1
        elif place in ends:
            table = yield from _check_recorded_command(table, events[place : ends[place]], causes[seq].command)
            place = ends[place]
        elif place < len(older_events):
            table, place = yield from _check_reconstructed_command(table, events, older_events, place)
        else:
            yield Finding(seq, event.clause, f"{event_title(event)}: the record does not say which command caused it")
            table, place = _apply(table, event), place + 1


def _check_recorded_command(table: Table, events: NumberedEvents, command: Command) -> Generator[Finding, None, Table]:
    """Findings about the events of a recorded command; returns the state that should follow."""
    seq, first = events[0]
    outcome, after = _replay(table, command)
    name = type(command).__name__
    if not isinstance(outcome, tuple):
        clause = outcome.clause if isinstance(outcome, e.Refusal) else ""
        yield Finding(seq, clause or first.clause, f"{event_title(first)}: {_reason(outcome)}")
        return reduce(_apply, (event for _, event in events), table)
    count = yield from _compare(events, 0, outcome, f"{name} also causes it")
    for seq, event in events[count:]:
        yield Finding(seq, event.clause, f"{event_title(event)} should not be here: {name} does not cause it")
        after = _apply(after, event)
    return after


def _check_reconstructed_command(
    table: Table, events: NumberedEvents, older_events: Sequence[e.Event], place: int
) -> Generator[Finding, None, tuple[Table, int]]:
    """The same for the next events of an older record; also returns the position after them."""
    command, outcome, after = _best_candidate(table, older_events, place)
    if isinstance(outcome, tuple):
        count = yield from _compare(
            events[: len(older_events)], place, outcome, "the record ends in the middle of a step"
        )
        return after, place + count
    seq, event = events[place]
    clause = outcome.clause if isinstance(outcome, e.Refusal) else ""
    yield Finding(seq, clause or event.clause, f"{event_title(event)}: {_reason(outcome)}")
    end = place + count_refused_events(older_events, place, command)
    return reduce(_apply, older_events[place:end], table), end


def _check_keys(events: NumberedEvents, causes: Causes) -> Iterator[Finding]:
    """Findings about commands that share a key."""
    first: dict[str, int] = {}
    for seq, event in events:
        key = causes[seq].key if seq in causes else ""
        if key and first.setdefault(key, seq) != seq:
            yield Finding(seq, event.clause, f"the command of event {first[key]} has the same key, {key!r}")


def _replay(table: Table, command: Command) -> tuple[ReplayOutcome, Table]:
    """The result of a command at this point, and the state after it."""
    try:
        outcome = _decide(table, command)
        if isinstance(outcome, tuple):
            table = reduce(evolve_recorded, outcome, table)
    except DAMAGED_RECORD_ERRORS:
        return "it is not possible at this point", table
    return ("the command would change nothing here", table) if outcome == () else (outcome, table)


def _decide(table: Table, command: Command) -> tuple[e.Event, ...] | e.Refusal:
    """Decides on a command; corrections without a second person as the program did that wrote them."""
    if not isinstance(command, CorrectPayment) or command.approved_by is not None:
        return decide(table, command)
    try:
        return tuple(decide_older_correction(table, command))
    except RuleViolation as violation:
        return e.Refusal.of(violation, type(command).__name__)


def _best_candidate(table: Table, events: Sequence[e.Event], place: int) -> tuple[Command | None, ReplayOutcome, Table]:
    """The command that best explains the next events of an older record."""
    best: tuple[Command | None, ReplayOutcome, Table] = None, "no command causes this here", table
    for command in candidates(table, events, place):
        outcome, after = _replay(table, command)
        if isinstance(outcome, tuple):
            if outcome[0] == events[place]:
                return command, outcome, after
            if type(outcome[0]) is not type(events[place]):
                outcome = f"{event_title(outcome[0])} should happen here instead"
        if best[0] is None or (isinstance(outcome, tuple) and not isinstance(best[1], tuple)):
            best = command, outcome, after
    return best


def _reason(outcome: e.Refusal | str) -> str:
    if isinstance(outcome, str):
        return outcome
    return outcome.reason


def _check_meter_reading(table: Table, event: e.MetersRead) -> Iterator[str]:
    """Faults of a reading of linked meters: only the system reads them, and they must add up."""
    if event.by.role is not Role.SYSTEM:
        yield "only the system reads the meters of a link"
    if event.at < table.at:
        yield CLOCK_BACKWARDS
    if event.clause != rule_clause(table, "progressive_system"):
        yield f"clause is {event.clause!r}, but should be {rule_clause(table, 'progressive_system')!r}"
    for meter in event.meters:
        current = table.meters.get(meter.plan.name)
        if current is None or current.plan != meter.plan:
            yield f"meter {meter.plan.name} does not belong to this table"
        elif not meter.is_balanced:
            yield f"meter {meter.plan.name} does not add up as read"
        elif _has_decreased(current, meter):
            yield f"meter {meter.plan.name} has lost contributions or wins as read"


def _has_decreased(before: Meter, after: Meter) -> bool:
    return after.contributed < before.contributed or after.won < before.won or after.hits < before.hits


def _apply(table: Table, event: e.Event) -> Table:
    """The state after a recorded event, or the same state if the event is impossible."""
    try:
        return evolve_recorded(table, event)
    except ImpossibleEvent:
        return table


def _compare(
    events: NumberedEvents, place: int, expected: tuple[e.Event, ...], missing_reason: str
) -> Generator[Finding, None, int]:
    """Findings where recorded events differ from the expected ones; returns the number of recorded events used.

    `missing_reason` explains events that are missing at the end.
    """
    start, index = place, 0
    while index < len(expected):
        seq = events[min(place, len(events) - 1)][0]
        expected_event = expected[index]
        if place >= len(events):
            yield Finding(seq, expected_event.clause, f"{event_title(expected_event)} {MISSING}: {missing_reason}")
            index += 1
            continue
        event = events[place][1]
        next_expected = expected[index + 1] if index + 1 < len(expected) else None
        next_event = events[place + 1][1] if place + 1 < len(events) else None
        if event == expected_event:
            pass
        elif event == next_expected and next_event == expected_event:
            yield Finding(
                seq,
                expected_event.clause,
                f"{event_title(event)} comes before {event_title(expected_event)} but belongs after it",
            )
            index, place = index + 1, place + 1
        elif event == next_expected or (type(event) is not type(expected_event) and next_event != expected_event):
            yield Finding(
                seq, expected_event.clause, f"{event_title(expected_event)} {MISSING} before {event_title(event)}"
            )
            place -= 1
        elif next_event == expected_event:
            yield Finding(
                seq, event.clause, f"{event_title(event)} should not be here: {event_title(expected_event)} comes next"
            )
            place += 1
        else:
            yield from (Finding(seq, expected_event.clause, text) for text in _differences(event, expected_event))
        index, place = index + 1, place + 1
    return place - start


def _differences(event: e.Event, expected_event: e.Event) -> Iterator[str]:
    """One sentence for each field of an event that differs from the expected event."""
    for field in fields(event):
        actual, expected = getattr(event, field.name), getattr(expected_event, field.name)
        if actual != expected:
            values = (format_field(field.name, value) for value in (actual, expected))
            yield f"{event_title(event)}: {field.name} is {', but should be '.join(values)}"
