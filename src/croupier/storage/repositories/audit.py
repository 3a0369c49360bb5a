"""Read-only queries for the audit of a whole database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from croupier.storage.approvals import ApprovalRequest, request_from_row
from croupier.storage.migrations.runner import require_schema
from croupier.storage.repositories.account_requests import AccountRequest, request_of_row
from croupier.storage.sql import schema as s
from croupier.storage.sql.database import Database
from croupier.table.model.events import MeterChanged, PaymentCorrected
from croupier.table.model.roles import Role


@dataclass(frozen=True, slots=True)
class LinkHead:
    """A link without its meters; `entries` is the number of entries its journal should have."""

    id: int
    name: str
    facility: str
    clause: str
    entries: int


@dataclass(frozen=True, slots=True)
class ArchiveHead:
    """An archived record: its file, and the digest and number of events it should have."""

    table: str
    path: str
    sha256: str
    events: int


@dataclass(frozen=True, slots=True)
class DerivedRows:
    """Rows that were derived from a table's events, by event number."""

    columns: Mapping[int, Mapping[str, Any]]
    entries: dict[int, dict[tuple[str, str], int]]
    """Ledger entries of each event, by account and owner."""
    snapshots: Mapping[int, str]


@contextmanager
def open_read_only(location: str) -> Iterator[tuple[Database, sa.Connection]]:
    """Opens a database in a read-only transaction; refuses another schema version."""
    database = Database(location, read_only=True)
    try:
        with database.read_transaction() as connection:
            require_schema(connection, database.name)
            yield database, connection
    finally:
        database.close()


def load_keyed_commands(connection: sa.Connection, table_id: int) -> dict[str, list[range]]:
    """The numbers of the events that the commands with each key caused, refused commands left out."""
    condition = (s.commands.c.table_id == table_id) & (s.commands.c.outcome == "done")
    query = sa.select(s.commands.c.key, s.commands.c.first_seq, s.commands.c.last_seq).where(condition)
    ranges: dict[str, list[range]] = defaultdict(list)  # several people may have used the same key
    for key, first, last in connection.execute(query):
        ranges[key].append(range(first, last + 1))
    return ranges


def ledger_sums(connection: sa.Connection) -> tuple[int, int]:
    """The sums of all entries of tables and of the house, in cents."""
    tables, house = (
        int(connection.execute(sa.select(sa.func.coalesce(sa.func.sum(table.c.amount), 0))).scalar_one())
        for table in (s.ledger, s.cage_entries)
    )
    return tables, house


def requests(connection: sa.Connection) -> dict[str, ApprovalRequest]:
    """Every request for a movement of money, by its identifier."""
    return {row.id: request_from_row(row) for row in connection.execute(sa.select(s.requests))}


def account_requests(connection: sa.Connection) -> dict[str, AccountRequest]:
    """Every request for an act on an account, by its identifier."""
    return {row.id: request_of_row(row) for row in connection.execute(sa.select(s.account_requests))}


def staff(connection: sa.Connection) -> list[tuple[str, str]]:
    """The name and role of everybody who is not a patron."""
    column = s.people.c
    query = sa.select(column.name, column.role).where(column.role != str(Role.PATRON)).order_by(column.id)
    return [(name, role) for name, role in connection.execute(query)]


def approved_events(connection: sa.Connection) -> Iterator[tuple[str, int, str]]:
    """The table, number and data of every event that may need two people, in order."""
    event = s.events.c
    query = sa.select(s.tables.c.name, event.seq, event.data).join(s.tables, s.tables.c.id == event.table_id)
    kinds = [PaymentCorrected.__name__, MeterChanged.__name__]
    for row in connection.execute(query.where(event.kind.in_(kinds)).order_by(event.table_id, event.seq)):
        yield row.name, row.seq, row.data


def links(connection: sa.Connection) -> list[LinkHead]:
    """Every link, oldest first."""
    rows = connection.execute(sa.select(s.links).order_by(s.links.c.id))
    return [LinkHead(row.id, row.name, row.facility, row.clause, row.entries) for row in rows]


def setups_on_link(connection: sa.Connection, link_id: int) -> list[str]:
    """The setups of the tables on a link, as JSON, in the order in which they joined."""
    query = sa.select(s.tables.c.setup).where(s.tables.c.link_id == link_id).order_by(s.tables.c.id)
    return list(connection.execute(query).scalars())


def archives(connection: sa.Connection) -> list[ArchiveHead]:
    """Every archived record, oldest table first."""
    query = sa.select(s.tables.c.name, s.archives).join(s.tables, s.tables.c.id == s.archives.c.table_id)
    rows = connection.execute(query.order_by(s.tables.c.id))
    return [ArchiveHead(row.name, row.path, row.sha256, row.events) for row in rows]


def load_derived(connection: sa.Connection, table_id: int, shape: str) -> DerivedRows:
    """The rows derived from a table's events; only snapshots of one shape."""
    names = ("seq", "at", "kind", "round", "actor", "role", "seat")
    columns = sa.select(*(s.events.c[name] for name in names)).where(s.events.c.table_id == table_id)
    entries: dict[int, dict[tuple[str, str], int]] = defaultdict(dict)
    for row in connection.execute(sa.select(s.ledger).where(s.ledger.c.table_id == table_id)):
        entries[row.seq][row.account, row.owner] = row.amount
    snapshots = sa.select(s.snapshots).where(s.snapshots.c.table_id == table_id, s.snapshots.c.shape == shape)
    return DerivedRows(
        {row.seq: row._asdict() for row in connection.execute(columns)},
        entries,
        {row.seq: row.state for row in connection.execute(snapshots)},
    )
