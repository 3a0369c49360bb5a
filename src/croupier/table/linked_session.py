"""A session of a table with linked meters, synchronized with the link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from croupier.core.errors import InvariantError, RuleViolation
from croupier.progressive.links import Link, LinkEntry, Member, meter_chances
from croupier.progressive.meters import Meter
from croupier.table.decide import rule_clause
from croupier.table.evolve import evolve_all
from croupier.table.model import events as e
from croupier.table.model.commands import Command, CorrectMeter, SetUpMeter
from croupier.table.model.roles import SYSTEM
from croupier.table.model.setup import Setup
from croupier.table.model.state import Table
from croupier.table.session import TableSession


def member_of(setup: Setup, facility: str) -> Member:
    """The link member for a table: the meters of its edition, without its own mystery meter."""
    plans = tuple(plan for plan in setup.meters.values() if plan.table in setup.elected.edition.progressives)
    tables = dict.fromkeys(plan.table for plan in plans)
    table_chances = [chance for table in tables for chance in meter_chances(setup.elected, table)]
    return Member(setup.name, facility, setup.progressive_amount, tuple(table_chances), plans)


class LinkedTableSession(TableSession):
    """The session of one table of a link. The link's lock serializes the commands of all its tables.

    Before a command the table reads the meters that another table has changed; changes by the command
    are booked in the link's journal immediately.
    """

    def __init__(self, setup: Setup, link: Link) -> None:
        super().__init__(setup)
        self.link = link
        link.join(member_of(setup, link.facility))

    def send(self, command: Command) -> tuple[e.Event, ...]:
        """As `TableSession.send`, synchronized with the link; if a change cannot be booked, nothing changes."""
        with self.link.lock:
            self._require_no_open_round(command)
            self._read_meters(command.at)
            before, event_count = self.table, len(self.events)
            meters, journal_length = dict(self.link.meters), len(self.link.journal)
            try:
                events = super().send(command)
                for entry in link_entries(before, events):
                    if entry.meter in self.link.meters:
                        self.link.book(entry)
                if {name: self.table.meters[name] for name in self.link.meters} != self.link.meters:
                    raise InvariantError(f"table {before.setup.name} and link {self.link.name} disagree about a meter")
            except BaseException:
                self.table, self.link.meters = before, meters
                del self.events[event_count:], self.link.journal[journal_length:]
                self.causes.pop(event_count + 1, None)
                raise
            if self.table.round:
                self.link.tables_in_round.add(self.table.setup.name)
            else:
                self.link.tables_in_round.discard(self.table.setup.name)
            return events

    def _require_no_open_round(self, command: Command) -> None:
        """Refuses to set a linked meter while any table of the link is in a round."""
        tables_in_round = sorted(self.link.tables_in_round)
        if isinstance(command, SetUpMeter | CorrectMeter) and command.meter in self.link.meters and tables_in_round:
            raise RuleViolation(
                self.link.clause, f"the meter cannot be set while table {tables_in_round[0]} is in a round"
            )

    def _read_meters(self, at: int) -> None:
        event = meters_read_event(self.table, self.link.meters, at)
        if event is not None:
            self.table = evolve_all(self.table, (event,))
            self.events.append(event)


def meters_read_event(table: Table, meters: Mapping[str, Meter], at: int) -> e.MetersRead | None:
    """The event that records changes by other tables to linked meters; `None` if there are none."""
    changed_meters = tuple(meter for name, meter in meters.items() if table.meters[name] != meter)
    if not changed_meters:
        return None
    clause = rule_clause(table, "progressive_system")
    return e.MetersRead(meters=changed_meters, clause=clause, by=SYSTEM, at=max(at, table.at))


def link_entries(table: Table, events: tuple[e.Event, ...]) -> Iterator[LinkEntry]:
    """The changes of meters by events, as a link books them."""
    name, number = table.setup.name, table.round.number if table.round else table.rounds + 1
    for event in events:
        match event:
            case e.MetersFed():
                for meter, amount in event.amounts:
                    yield LinkEntry(name, number, meter, amount, kind="feed")
            case e.MeterChanged():
                yield LinkEntry(name, number, event.meter, event.amount, event.cause)
            case e.MeterLocked():
                yield LinkEntry(name, number, event.meter, kind="lock", seat=event.seat)
            case e.MeterReleased():
                yield LinkEntry(name, number, event.meter, kind="release", seat=event.seat)
            case e.WagerSettled() if event.meter and not event.attended:
                yield LinkEntry(name, number, event.meter, Fraction(event.paid), kind="system", seat=event.seat)
            case e.DocumentsCompleted():
                for meter, cents in event.amounts:
                    yield LinkEntry(name, number, meter, Fraction(cents), kind="attendant", seat=event.seat)
