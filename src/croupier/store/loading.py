"""A table as it is stored: from its newest snapshot and the events after it, the hash chain checked on the way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from croupier.errors import BrokenInvariant, Malformed, NotPermitted
from croupier.store import schema as s
from croupier.store.typed import packer, shape, unpacker
from croupier.table.codec import decode_event, decode_setup
from croupier.table.events import Event
from croupier.table.evolve import evolve, new_table
from croupier.table.record import chained
from croupier.table.state import Table

MEANING = 1
"""Goes up when a state means something else although its types are the same; older snapshots are then not used."""
_AT_ONCE = 2_000
"""How many rows are fetched at a time, so that a long record needs little memory."""


@dataclass(slots=True)
class Stored:
    """A table in memory, exactly as far as it is stored."""

    id: int
    name: str
    status: str
    link: int | None
    table: Table
    seq: int
    hash: str
    """The hash of the last event, or of the setup where there is none."""
    snapshot: int
    """The number of the event after which the newest snapshot was taken."""

    def copy(self) -> Stored:
        """One to move on, so that this one can be gone back to."""
        return Stored(self.id, self.name, self.status, self.link, self.table, self.seq, self.hash, self.snapshot)


def load(connection: sa.Connection, name: str, until: int | None = None) -> Stored:
    """A table by its name, as it was after an event where one is given; refuses one unknown or with changed events."""
    row = connection.execute(sa.select(s.tables).where(s.tables.c.name == name)).one_or_none()
    if row is None:
        raise Malformed("table", f"there is no table {name!r}")
    require_record(row)
    found = Stored(row.id, name, row.status, row.link_id, new_table(_setup(row)), 0, row.hash, 0)
    kept = (s.snapshots.c.table_id == row.id) & (s.snapshots.c.shape == state_shape())
    if until is not None:
        kept &= s.snapshots.c.seq <= until
    start = connection.execute(
        sa.select(s.snapshots.c.seq, s.snapshots.c.state, s.events.c.hash)
        .join(s.events, (s.events.c.table_id == s.snapshots.c.table_id) & (s.events.c.seq == s.snapshots.c.seq))
        .where(kept)
        .order_by(s.snapshots.c.seq.desc())
        .limit(1)
    ).one_or_none()
    if start is not None:
        found.table, found.seq, found.hash = unpack_table(start.state), start.seq, start.hash
        found.snapshot = start.seq
    catch_up(connection, found, until)
    return found


def require_record(row: sa.Row[Any]) -> None:
    """Refuses a table whose events are no longer in the database."""
    if row.status == "archived":
        raise NotPermitted("", f"the record of table {row.name} is in its archive")


def catch_up(connection: sa.Connection, stored: Stored, until: int | None = None) -> None:
    """Takes in what other processes have added, up to an event where one is given."""
    for line, event in events_of(connection, stored.id, stored.name, stored.seq, stored.hash, until):
        try:
            stored.table = evolve(stored.table, event)
        except (BrokenInvariant, LookupError, TypeError, AttributeError, ValueError) as error:
            place = f"table {stored.name}, event {line.seq}"
            raise Malformed(place, f"{line.kind} cannot follow what was before it") from error
        stored.seq, stored.hash = line.seq, line.hash


def events_of(
    connection: sa.Connection, table_id: int, name: str, after: int, previous: str, last: int | None = None
) -> Iterator[tuple[sa.Row[Any], Event]]:
    """Rows and events after a number, the hash of which is `previous`; one that was changed is refused."""
    for row in lines_of(connection, table_id, name, after, previous, last):
        yield row, event_of(name, row.seq, row.data)


def event_of(name: str, seq: int, data: str) -> Event:
    """An event from what the database has of it; one that is none is refused."""
    try:
        return decode_event(json.loads(data))
    except Malformed as error:
        raise Malformed(f"table {name}, event {seq}, {error.place}", error.reason) from error
    except ValueError as error:
        raise Malformed(f"table {name}, event {seq}", "is not JSON") from error


def lines_of(
    connection: sa.Connection, table_id: int, name: str, after: int, previous: str, last: int | None = None
) -> Iterator[sa.Row[Any]]:
    """Rows after a number, not decoded; one that is missing or was changed is refused."""
    for row in raw_lines(connection, table_id, after, last):
        try:
            said = json.loads(row.data)
        except ValueError as error:
            raise Malformed(f"table {name}, event {row.seq}", "is not JSON") from error
        after += 1
        if row.seq != after or not isinstance(said, dict) or row.hash != chained(previous, {"seq": after, **said}):
            place = f"table {name}, event {row.seq}"
            raise Malformed(place, "was changed, or an event before it is missing: its hash does not follow")
        previous = row.hash
        yield row


def raw_lines(
    connection: sa.Connection, table_id: int, after: int = 0, last: int | None = None
) -> Iterator[sa.Row[Any]]:
    """Rows after a number just as they are."""
    columns = (s.events.c.seq, s.events.c.hash, s.events.c.kind, s.events.c.data)
    query = sa.select(*columns).where(s.events.c.table_id == table_id, s.events.c.seq > after).order_by(s.events.c.seq)
    if last is not None:
        query = query.where(s.events.c.seq <= last)
    result: sa.CursorResult[Any] = connection.execute(query.execution_options(yield_per=_AT_ONCE))
    with result as found:
        yield from found


def _setup(row: sa.Row[Any]) -> Any:
    return decode_setup(json.loads(row.setup))


def state_shape() -> str:
    """What a snapshot must have been written by to be read."""
    return f"{MEANING}-{shape(Table)[:40]}"


def pack_table(table: Table) -> str:
    """A state as JSON."""
    return json.dumps(packer(Table)(table), ensure_ascii=False, separators=(",", ":"))


def unpack_table(text: str) -> Table:
    """The state that JSON describes."""
    table: Table = unpacker(Table)(json.loads(text))
    return table
