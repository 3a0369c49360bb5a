"""A table whose meters are shared with others: a driver that keeps in step with a link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from croupier.errors import BrokenInvariant, CroupierError, NotPermitted
from croupier.progressive.link import Link, LinkEntry, Member, chances
from croupier.progressive.meters import Meter
from croupier.table import events as e
from croupier.table.commands import Command, CorrectMeter, SetUpMeter
from croupier.table.decide import rule_clause
from croupier.table.driver import Driver
from croupier.table.evolve import evolve_all
from croupier.table.people import SYSTEM
from croupier.table.setup import Setup
from croupier.table.state import Table


def member_of(setup: Setup, facility: str) -> Member:
    """What a table brings to a link: the meters of its edition, not a mystery meter of its own."""
    plans = tuple(plan for plan in setup.meters.values() if plan.table in setup.elected.edition.progressives)
    tables = dict.fromkeys(plan.table for plan in plans)
    found = [chance for table in tables for chance in chances(setup.elected, table)]
    return Member(setup.name, facility, setup.progressive_amount, tuple(found), plans)


class LinkedDriver(Driver):
    """Drives one table of a link. Commands at all tables of the link happen one after another.

    Before a command the table reads the meters if another table has changed them; what the command
    does to a meter is entered in the link's journal at once.
    """

    def __init__(self, setup: Setup, link: Link) -> None:
        super().__init__(setup)
        self.link = link
        link.join(member_of(setup, link.facility))

    def send(self, command: Command) -> tuple[e.Event, ...]:
        """As `Driver.send`, in step with the other tables; what cannot be booked changes nothing anywhere."""
        with self.link.lock:
            self._require_quiet(command)
            self._read(command.at)
            before, count = self.table, len(self.events)
            meters, booked = dict(self.link.meters), len(self.link.journal)
            try:
                happened = super().send(command)
                for entry in entries(before, happened):
                    if entry.meter in self.link.meters:
                        self.link.enter(entry)
                if {name: self.table.meters[name] for name in self.link.meters} != self.link.meters:
                    raise BrokenInvariant(f"table {before.setup.name} and link {self.link.name} disagree about a meter")
            except CroupierError:
                self.table, self.link.meters = before, meters
                del self.events[count:], self.link.journal[booked:]
                raise
            (self.link.playing.add if self.table.round else self.link.playing.discard)(self.table.setup.name)
            return happened

    def _require_quiet(self, command: Command) -> None:
        """A linked meter is not set while any table of the link is in a round."""
        busy = sorted(self.link.playing)
        if isinstance(command, SetUpMeter | CorrectMeter) and command.meter in self.link.meters and busy:
            raise NotPermitted(self.link.clause, f"the meter is not touched while table {busy[0]} is in a round")

    def _read(self, at: int) -> None:
        read = reading(self.table, self.link.meters, at)
        if read is not None:
            self.table = evolve_all(self.table, (read,))
            self.events.append(read)


def reading(table: Table, meters: Mapping[str, Meter], at: int) -> e.MetersRead | None:
    """What a table has to read before a command because other tables changed linked meters; `None` for nothing."""
    changed = tuple(meter for name, meter in meters.items() if table.meters[name] != meter)
    if not changed:
        return None
    clause = rule_clause(table, "progressive_system")
    return e.MetersRead(meters=changed, clause=clause, by=SYSTEM, at=max(at, table.at))


def entries(table: Table, happened: tuple[e.Event, ...]) -> Iterator[LinkEntry]:
    """What events do to meters, as a link books it."""
    name, number = table.setup.name, table.round.number if table.round else table.rounds + 1
    for event in happened:
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
