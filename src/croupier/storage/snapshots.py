"""Loads a table from its newest snapshot and the events after it, and checks the hash chain on the way."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

import sqlalchemy as sa

from croupier.core.codec import Codec, Converter, Layout, decode_fraction
from croupier.core.errors import InputError, NotFound, RuleViolation
from croupier.core.hash_chain import ChainVerifier
from croupier.storage.currency import Currency
from croupier.storage.repositories.tables import StoredTable
from croupier.storage.sql import schema as s
from croupier.table.evolve import evolve_recorded, new_table
from croupier.table.model.events import Event
from croupier.table.model.setup import Setup
from croupier.table.model.state import Table
from croupier.table.record.codec import SETUP_CONVERTER, decode_event, decode_setup

STATE_CODEC = Codec(
    Layout.POSITIONAL,
    {
        Setup: SETUP_CONVERTER,
        Fraction: Converter(str, decode_fraction),
    },
)
"""The codec of snapshots and linked meters."""


@cache
def type_digest(hint: Any) -> str:
    """A digest of a type and of all its parts, in order."""
    return hashlib.sha256(_describe_type(hint).encode()).hexdigest()


def _describe_type(hint: Any) -> str:
    if is_dataclass(hint) and hint is not Setup:  # a setup has its own codec, which refuses unknown keys
        parts = ", ".join(f"{name}: {_describe_type(part)}" for name, part in _field_types(hint))
        return f"{getattr(hint, '__name__', hint)}({parts})"
    arguments = get_args(hint)
    if arguments:
        return f"{get_origin(hint)}[{', '.join(_describe_type(argument) for argument in arguments)}]"
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return f"{hint.__name__}({', '.join(sorted(member.value for member in hint))})"
    return str(hint)


def _field_types(kind: Any) -> list[tuple[str, Any]]:
    hints = get_type_hints(kind)
    return [(field.name, hints[field.name]) for field in fields(kind)]


STATE_VERSION = 1
"""Raised when a state changes its meaning but not its types; older snapshots are not used then."""
_FETCH_SIZE = 2_000
"""Rows fetched at a time, so that a long record needs little memory."""


class StoredLine(NamedTuple):
    """An event as the database has it; `data` is its JSON to the byte, `cause` describes its command."""

    seq: int
    hash: str
    kind: str
    data: str
    cause: str


@dataclass(frozen=True, slots=True)
class LoadedTable:
    """A stored table in memory."""

    id: int
    name: str
    status: str
    link: int | None
    table: Table
    seq: int
    hash: str
    """The hash of the last event, or of the setup if there is none."""
    snapshot: int
    """The number of the event after which the newest snapshot was taken."""
    currency: Currency = Currency.REAL


def load_table(connection: sa.Connection, name: str, until: int | None = None) -> LoadedTable:
    """A table by its name, as of event `until` if given; refuses an unknown table and one with changed events."""
    row = connection.execute(sa.select(s.tables).where(s.tables.c.name == name)).one_or_none()
    if row is None:
        raise NotFound("table", f"there is no table {name!r}")
    require_record(row)
    loaded = LoadedTable(row.id, name, row.status, row.link_id, new_table(_setup_from_row(row)), 0, row.hash, 0)
    loaded = replace(loaded, currency=Currency(row.currency))
    conditions = (s.snapshots.c.table_id == row.id) & (s.snapshots.c.shape == state_shape())
    if until is not None:
        conditions &= s.snapshots.c.seq <= until
    snapshot = connection.execute(
        sa.select(s.snapshots.c.seq, s.snapshots.c.state, s.events.c.hash)
        .join(s.events, (s.events.c.table_id == s.snapshots.c.table_id) & (s.events.c.seq == s.snapshots.c.seq))
        .where(conditions)
        .order_by(s.snapshots.c.seq.desc())
        .limit(1)
    ).one_or_none()
    if snapshot is not None:
        state = unpack_table(snapshot.state)
        loaded = replace(loaded, table=state, seq=snapshot.seq, hash=snapshot.hash, snapshot=snapshot.seq)
    return catch_up(connection, loaded, until)


def require_record(row: sa.Row[Any] | StoredTable) -> None:
    """Refuses a table whose events are no longer in the database."""
    if row.status == "archived":
        raise RuleViolation("", f"the record of table {row.name} is in the archive")


def catch_up(connection: sa.Connection, loaded: LoadedTable, until: int | None = None) -> LoadedTable:
    """The table after the events that other processes have added, up to event `until` if given."""
    table, seq, digest = loaded.table, loaded.seq, loaded.hash
    for line, event in load_events(connection, loaded.id, loaded.name, seq, digest, until):
        table = evolve_recorded(table, event, f"table {loaded.name}, event {line.seq}")
        seq, digest = line.seq, line.hash
    return replace(loaded, table=table, seq=seq, hash=digest)


def load_events(
    connection: sa.Connection, table_id: int, name: str, after: int, previous: str, last: int | None = None
) -> Iterator[tuple[StoredLine, Event]]:
    """Lines and events after a number, whose hash is `previous`; refuses a changed line."""
    for row in load_lines(connection, table_id, name, after, previous, last):
        yield row, decode_stored_event(name, row.seq, row.data)


def decode_stored_event(name: str, seq: int, data: str) -> Event:
    """Decodes a stored event; refuses anything else."""
    try:
        return decode_event(json.loads(data))
    except InputError as error:
        raise InputError(f"table {name}, event {seq}, {error.place}", error.reason) from error
    except ValueError as error:
        raise InputError(f"table {name}, event {seq}", "is not JSON") from error


def load_lines(
    connection: sa.Connection, table_id: int, name: str, after: int, previous: str, last: int | None = None
) -> Iterator[StoredLine]:
    """Lines after a number, not decoded; refuses a missing or changed line."""
    chain = ChainVerifier(previous)
    for row in load_raw_lines(connection, table_id, after, last):
        try:
            data = json.loads(row.data)
            cause = json.loads(row.cause) if row.cause else {}
        except ValueError as error:
            raise InputError(f"table {name}, event {row.seq}", "is not JSON") from error
        after += 1
        is_readable = isinstance(data, dict) and isinstance(cause, dict)
        if row.seq != after or not is_readable or not chain.follows({"seq": after, **data, **cause}, row.hash):
            place = f"table {name}, event {row.seq}"
            raise InputError(place, "was changed, or an event before it is missing: its hash does not match")
        yield row


def load_raw_lines(
    connection: sa.Connection, table_id: int, after: int = 0, last: int | None = None
) -> Iterator[StoredLine]:
    """Lines after a number as they are stored, unchecked."""
    columns = (s.events.c.seq, s.events.c.hash, s.events.c.kind, s.events.c.data, s.events.c.cause)
    query = sa.select(*columns).where(s.events.c.table_id == table_id, s.events.c.seq > after).order_by(s.events.c.seq)
    if last is not None:
        query = query.where(s.events.c.seq <= last)
    result: sa.CursorResult[Any] = connection.execute(query.execution_options(yield_per=_FETCH_SIZE))
    with result as rows:
        yield from map(StoredLine._make, rows)


def _setup_from_row(row: sa.Row[Any]) -> Any:
    return decode_setup(json.loads(row.setup))


def state_shape() -> str:
    """The version of states: only snapshots of the same shape are read."""
    return f"{STATE_VERSION}-{type_digest(Table)[:40]}"


def pack_table(table: Table) -> str:
    """A state as JSON."""
    return json.dumps(STATE_CODEC.encoder(Table)(table), ensure_ascii=False, separators=(",", ":"))


def unpack_table(text: str) -> Table:
    """The state that JSON describes."""
    table: Table = STATE_CODEC.decoder(Table)(json.loads(text), "snapshot")
    return table
