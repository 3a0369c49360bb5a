"""Queries over past events of tables."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from croupier.storage.sql import schema as s
from croupier.storage.sql.database import Database

_events, _tables, _ledger = s.events.c, s.tables.c, s.ledger.c
MAX_RECENT_EVENTS = 2_000
"""How many of a table's newest events are searched for a patron's last action."""


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event; `data` is its JSON as the record has it, `round` is 0 between rounds."""

    seq: int
    kind: str
    round: int
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class EventQuery:
    """The conditions of a search; a value left out matches anything."""

    after: int = 0
    before: int = 2**62
    since: int = 0
    until: int = 2**62
    kinds: tuple[str, ...] = ()
    seat: int = 0
    round: int = 0
    actor: str = ""
    min_cents: int = 0
    """The smallest amount that a ledger entry of the event must have moved."""
    limit: int = 200
    newest_first: bool = False


def search(connection: sa.Connection, table: str, query: EventQuery) -> list[StoredEvent]:
    """Events of a table that match."""
    events = _select_events(table).where(_events.seq > query.after, _events.seq < query.before)
    events = events.where(_events.at >= query.since, _events.at <= query.until)
    if query.kinds:
        events = events.where(_events.kind.in_(query.kinds))
    for column, value in ((_events.seat, query.seat), (_events.round, query.round), (_events.actor, query.actor)):
        if value:
            events = events.where(column == value)
    if query.min_cents:
        large_entry = sa.select(sa.literal(1)).where(
            _ledger.table_id == _events.table_id,
            _ledger.seq == _events.seq,
            sa.func.abs(_ledger.amount) >= query.min_cents,
        )
        events = events.where(large_entry.exists())
    order = _events.seq.desc() if query.newest_first else _events.seq
    return list(_read_events(connection, events.order_by(order).limit(query.limit)))


def newest_of_kinds(connection: sa.Connection, table: str, kinds: Collection[str], limit: int) -> Iterator[StoredEvent]:
    """Events of some kinds, newest first, read as they are needed."""
    events = _select_events(table).where(_events.kind.in_(kinds)).order_by(_events.seq.desc())
    return _read_events(connection, events.limit(limit))


def has_acted_since(database: Database, table_id: int, actor: str, since: int) -> bool:
    """Whether a person has acted at a table since a time, through any process; searches recent events only."""
    newest = sa.select(_events.actor, _events.at).where(_events.table_id == table_id).order_by(_events.seq.desc())
    recent = newest.limit(MAX_RECENT_EVENTS).subquery()
    query = sa.select(recent.c.at).where(recent.c.actor == actor, recent.c.at >= since).limit(1)
    with database.read_transaction() as connection:
        return connection.execute(query).first() is not None


def round_of(database: Database, table_id: int, seq: int) -> int:
    """The round that an event happened in, 0 between rounds."""
    query = sa.select(_events.round).where(_events.table_id == table_id, _events.seq == seq)
    with database.read_transaction() as connection:
        return int(connection.execute(query).scalar() or 0)


def _select_events(table: str) -> sa.Select[Any]:
    table_id = sa.select(_tables.id).where(_tables.name == table).scalar_subquery()
    return sa.select(_events.seq, _events.kind, _events.round, _events.data).where(_events.table_id == table_id)


def _read_events(connection: sa.Connection, query: sa.Select[Any]) -> Iterator[StoredEvent]:
    for row in connection.execute(query):
        yield StoredEvent(row.seq, row.kind, row.round, json.loads(row.data))
