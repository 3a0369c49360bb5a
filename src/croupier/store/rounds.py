"""A round of long ago: from the snapshot before it, not from the beginning of its table's record."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import sqlalchemy as sa

from croupier.errors import Malformed
from croupier.store import schema as s
from croupier.store.loading import event_of, events_of, load
from croupier.store.store import Store
from croupier.table.events import Event
from croupier.table.state import Table

_CLOSED, _COMPLETED = "BetsClosed", "RoundCompleted"


@dataclass(frozen=True, slots=True)
class RoundEvents:
    """A table when the round before was over, and what happened from there to the end of this one."""

    before: Table
    events: list[tuple[int, Event]]


def round_events(store: Store, name: str, number: int) -> RoundEvents:
    """A round by its number, even if it is not over; refuses one that the table has not had."""
    with store.database.reading() as connection:
        table_id = connection.execute(sa.select(s.tables.c.id).where(s.tables.c.name == name)).scalar()
        if table_id is None:
            raise Malformed("table", f"there is no table {name!r}")
        places = _Places(connection, table_id)
        closed = places.closed(number)
        if closed is None:
            raise Malformed("round", f"there is no round {number} in this record; it has {places.rounds()}")
        first, last = places.before(closed, _COMPLETED), places.after(closed, _COMPLETED)
        stored = load(connection, name, until=first)
        found = events_of(connection, table_id, name, first, stored.hash, last)
        return RoundEvents(stored.table, [(line.seq, event) for line, event in found])


def events_of_kinds(store: Store, name: str, kinds: Collection[str]) -> list[tuple[int, Event]]:
    """All events of some kinds that a table has had, with their numbers."""
    columns = s.events.c
    query = sa.select(columns.seq, columns.data).join(s.tables, s.tables.c.id == columns.table_id)
    query = query.where(s.tables.c.name == name, columns.kind.in_(kinds)).order_by(columns.seq)
    with store.database.reading() as connection:
        return [(row.seq, event_of(name, row.seq, row.data)) for row in connection.execute(query)]


class _Places:
    """Where the rounds of a table begin and end. Found by halves: rounds are numbered in the order of their events."""

    def __init__(self, connection: sa.Connection, table_id: int) -> None:
        self._connection = connection
        self._of_table = s.events.c.table_id == table_id

    def closed(self, number: int) -> int | None:
        """The event that closed the wagers of a round."""
        low, high = 1, self._last() + 1
        while low < high:
            middle = (low + high) // 2
            found = self._next_closed(middle)
            if found is None or found[1] >= number:
                high = middle
            else:
                low = found[0] + 1
        found = self._next_closed(low)
        return found[0] if found is not None and found[1] == number else None

    def rounds(self) -> int:
        """How many rounds there have been."""
        last = self.before(self._last() + 1, _CLOSED)
        found = self._next_closed(last) if last else None
        return 0 if found is None else found[1]

    def before(self, seq: int, kind: str) -> int:
        """The last event of a kind before a number, 0 where there is none."""
        which = self._of_table & (s.events.c.seq < seq) & (s.events.c.kind == kind)
        query = sa.select(s.events.c.seq).where(which).order_by(s.events.c.seq.desc()).limit(1)
        return int(self._connection.execute(query).scalar() or 0)

    def after(self, seq: int, kind: str) -> int | None:
        """The first event of a kind after a number."""
        which = self._of_table & (s.events.c.seq > seq) & (s.events.c.kind == kind)
        query = sa.select(s.events.c.seq).where(which).order_by(s.events.c.seq).limit(1)
        return self._connection.execute(query).scalar()

    def _next_closed(self, seq: int) -> tuple[int, int] | None:
        which = self._of_table & (s.events.c.seq >= seq) & (s.events.c.kind == _CLOSED)
        query = sa.select(s.events.c.seq, s.events.c.round).where(which).order_by(s.events.c.seq).limit(1)
        found = self._connection.execute(query).one_or_none()
        return None if found is None else (found.seq, found.round)

    def _last(self) -> int:
        return int(self._connection.execute(sa.select(sa.func.max(s.events.c.seq)).where(self._of_table)).scalar() or 0)
