"""Past rounds, loaded from the snapshot before them rather than from the start of the record."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import sqlalchemy as sa

from croupier.core.errors import NotFound
from croupier.storage.event_store import Store
from croupier.storage.snapshots import decode_stored_event, load_events, load_table
from croupier.storage.sql import schema as s
from croupier.table.model.events import Event
from croupier.table.model.state import Table

_CLOSED, _COMPLETED = "BetsClosed", "RoundCompleted"


@dataclass(frozen=True, slots=True)
class RoundEvents:
    """A table at the end of the previous round, and the events from there to the end of this one."""

    before: Table
    events: list[tuple[int, Event]]


def round_events(store: Store, name: str, number: int) -> RoundEvents:
    """A round by its number, even if it is not over; raises `NotFound` if the table has none with this number."""
    with store.database.read_transaction() as connection:
        table_id = connection.execute(sa.select(s.tables.c.id).where(s.tables.c.name == name)).scalar()
        if table_id is None:
            raise NotFound("table", f"there is no table {name!r}")
        finder = _RoundFinder(connection, table_id)
        close_seq = finder.find_close(number)
        if close_seq is None:
            raise NotFound("round", f"there is no round {number} in this record; it has {finder.rounds()}")
        first, last = finder.before(close_seq, _COMPLETED), finder.after(close_seq, _COMPLETED)
        stored = load_table(connection, name, until=first)
        lines = load_events(connection, table_id, name, first, stored.hash, last)
        return RoundEvents(stored.table, [(line.seq, event) for line, event in lines])


def events_of_kinds(store: Store, name: str, kinds: Collection[str]) -> list[tuple[int, Event]]:
    """All events of some kinds that a table has had, with their numbers."""
    columns = s.events.c
    query = sa.select(columns.seq, columns.data).join(s.tables, s.tables.c.id == columns.table_id)
    query = query.where(s.tables.c.name == name, columns.kind.in_(kinds)).order_by(columns.seq)
    with store.database.read_transaction() as connection:
        return [(row.seq, decode_stored_event(name, row.seq, row.data)) for row in connection.execute(query)]


class _RoundFinder:
    """Finds where the rounds of a table begin and end, by binary search: rounds are numbered in order."""

    def __init__(self, connection: sa.Connection, table_id: int) -> None:
        self._connection = connection
        self._of_table = s.events.c.table_id == table_id

    def find_close(self, number: int) -> int | None:
        """The event that closed the wagers of a round."""
        low, high = 1, self._last_seq() + 1
        while low < high:
            middle = (low + high) // 2
            close = self._next_close(middle)
            if close is None or close[1] >= number:
                high = middle
            else:
                low = close[0] + 1
        close = self._next_close(low)
        return close[0] if close is not None and close[1] == number else None

    def rounds(self) -> int:
        """The number of rounds so far."""
        last = self.before(self._last_seq() + 1, _CLOSED)
        close = self._next_close(last) if last else None
        return 0 if close is None else close[1]

    def before(self, seq: int, kind: str) -> int:
        """The last event of a kind before a number, 0 if there is none."""
        condition = self._of_table & (s.events.c.seq < seq) & (s.events.c.kind == kind)
        query = sa.select(s.events.c.seq).where(condition).order_by(s.events.c.seq.desc()).limit(1)
        return int(self._connection.execute(query).scalar() or 0)

    def after(self, seq: int, kind: str) -> int | None:
        """The first event of a kind after a number."""
        condition = self._of_table & (s.events.c.seq > seq) & (s.events.c.kind == kind)
        query = sa.select(s.events.c.seq).where(condition).order_by(s.events.c.seq).limit(1)
        return self._connection.execute(query).scalar()

    def _next_close(self, seq: int) -> tuple[int, int] | None:
        condition = self._of_table & (s.events.c.seq >= seq) & (s.events.c.kind == _CLOSED)
        query = sa.select(s.events.c.seq, s.events.c.round).where(condition).order_by(s.events.c.seq).limit(1)
        row = self._connection.execute(query).one_or_none()
        return None if row is None else (row.seq, row.round)

    def _last_seq(self) -> int:
        return int(self._connection.execute(sa.select(sa.func.max(s.events.c.seq)).where(self._of_table)).scalar() or 0)
