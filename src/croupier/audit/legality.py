"""Whether every event could happen where it stands: the command behind it is asked for again at that point.

What the table's own rules then decide is held against what the record says, event by event. Where they
differ the audit goes on with what should have happened, so that one lie is one finding and not a hundred.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import fields

from croupier.audit.causes import ALONE_NEVER, OF_A_DEAL, OF_A_SETTLEMENT, causes
from croupier.audit.finding import Finding, Numbered, named
from croupier.errors import CroupierError
from croupier.progressive.meters import Meter
from croupier.table import events as e
from croupier.table.codec import encoded
from croupier.table.commands import Command
from croupier.table.decide import decide, rule_clause
from croupier.table.evolve import evolve, evolve_all, new_table
from croupier.table.people import Role
from croupier.table.setup import Setup
from croupier.table.state import Table

IMPOSSIBLE = (CroupierError, LookupError, TypeError, AttributeError, ValueError, ArithmeticError)
"""What a state machine raises when it is fed what cannot follow."""
BACKWARDS = "the clock runs backwards"
MISSING = "is missing"


def legality(setup: Setup, events: Numbered) -> Iterator[Finding]:
    """Every event that the rules would not have let happen there, or not in that way."""
    only = [event for _, event in events]
    table, place = new_table(setup), 0
    while place < len(only):
        event = only[place]
        if isinstance(event, e.MetersRead):
            yield from (Finding(events[place][0], event.clause, text) for text in _read(table, event))
            table, place = _folded(table, event), place + 1
            continue
        command, outcome = _decided(table, only, place)
        if isinstance(outcome, tuple):
            used = yield from _compared(events, place, outcome)
            table = evolve_all(table, outcome)
            place += used
            continue
        clause = outcome.clause if isinstance(outcome, e.Refusal) else event.clause
        yield Finding(events[place][0], clause or event.clause, f"{named(event)}: {_reason(outcome)}")
        for _ in range(_extent(only, place, command)):
            table = _folded(table, only[place])
            place += 1


def _decided(
    table: Table, events: Sequence[e.Event], place: int
) -> tuple[Command | None, tuple[e.Event, ...] | e.Refusal | str]:
    """The command behind the next events and what follows from it; of several the one that fits best."""
    found: tuple[Command | None, tuple[e.Event, ...] | e.Refusal | str]
    found = None, "no command causes this here"
    for command in causes(table, events, place):
        try:
            outcome: tuple[e.Event, ...] | e.Refusal | str = decide(table, command)
            if isinstance(outcome, tuple):
                evolve_all(table, outcome)
        except IMPOSSIBLE:
            outcome = "cannot follow what was before it"
        if isinstance(outcome, tuple) and outcome[:1] == (events[place],):
            return command, outcome
        if outcome == ():
            outcome = "nothing would follow here: it is so already"
        if isinstance(outcome, tuple) and type(outcome[0]) is not type(events[place]):
            outcome = f"not this but {named(outcome[0])} would follow here"
        if found[0] is None or (isinstance(outcome, tuple) and not isinstance(found[1], tuple)):
            found = command, outcome
    return found


def _reason(outcome: e.Refusal | str) -> str:
    if isinstance(outcome, str):
        return outcome
    return outcome.reason


def _read(table: Table, event: e.MetersRead) -> Iterator[str]:
    """Meters of a link as they are read: nobody but the system does, and what it reads must add up."""
    if event.by.role is not Role.SYSTEM:
        yield "only the system reads the meters of a link"
    if event.at < table.at:
        yield BACKWARDS
    if event.clause != rule_clause(table, "progressive_system"):
        yield f"clause is {event.clause!r}, and {rule_clause(table, 'progressive_system')!r} is the one about it"
    for meter in event.meters:
        known = table.meters.get(meter.plan.name)
        if known is None or known.plan != meter.plan:
            yield f"meter {meter.plan.name} is not of this table"
        elif not meter.conserved:
            yield f"meter {meter.plan.name} as it was read does not add up"
        elif _fell(known, meter):
            yield f"meter {meter.plan.name} as it was read has lost contributions or wins"


def _fell(before: Meter, after: Meter) -> bool:
    return after.contributed < before.contributed or after.won < before.won or after.hits < before.hits


def _folded(table: Table, event: e.Event) -> Table:
    """The state after an event that should not have been; the same where no state follows."""
    try:
        return evolve(table, event)
    except IMPOSSIBLE:
        return table


def _extent(events: Sequence[e.Event], place: int, command: Command | None) -> int:
    """How many events belong to a command that should have been refused."""
    end = place + 1
    if isinstance(events[place], OF_A_DEAL):
        while end < len(events) and isinstance(events[end], (*OF_A_DEAL, e.DealCompleted)):
            end += 1
    elif type(command).__name__ == "SettleSeat":
        while end < len(events) and isinstance(events[end], OF_A_SETTLEMENT):
            end += 1
        end += end < len(events) and isinstance(events[end], e.SeatSettled)
    while end < len(events) and type(events[end]) in ALONE_NEVER:
        end += 1
    return end - place


def _compared(events: Numbered, place: int, expected: tuple[e.Event, ...]) -> Generator[Finding, None, int]:
    """Findings where recorded events are not those expected; returns how many events they take up."""
    start, at = place, 0
    while at < len(expected):
        seq = events[min(place, len(events) - 1)][0]
        due = expected[at]
        if place >= len(events):
            yield Finding(seq, due.clause, f"the record ends in the middle of a step: {named(due)} {MISSING}")
            at += 1
            continue
        event = events[place][1]
        after = expected[at + 1] if at + 1 < len(expected) else None
        later = events[place + 1][1] if place + 1 < len(events) else None
        if event == due:
            pass
        elif event == after and later == due:
            yield Finding(seq, due.clause, f"{named(event)} comes before {named(due)}, which comes first")
            at, place = at + 1, place + 1
        elif event == after or (type(event) is not type(due) and later != due):
            yield Finding(seq, due.clause, f"{named(due)} {MISSING} before {named(event)}")
            place -= 1
        elif later == due:
            yield Finding(seq, event.clause, f"{named(event)} should not be here: {named(due)} follows")
            place += 1
        else:
            yield from (Finding(seq, due.clause, text) for text in _differences(event, due))
        at, place = at + 1, place + 1
    return place - start


def _differences(event: e.Event, due: e.Event) -> Iterator[str]:
    """One sentence for each value of an event that is not what follows from what was before."""
    for field in fields(event):
        said, follows = getattr(event, field.name), getattr(due, field.name)
        if said != follows:
            yield f"{named(event)}: {field.name} is {_shown(said)}, and {_shown(follows)} follows from what was before"


def _shown(value: object) -> str:
    text = str(encoded(value))
    return text if len(text) <= 60 else f"{text[:57]}..."
