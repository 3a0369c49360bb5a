"""All tables: open, closed or archived."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from croupier.storage.sql import schema as s
from croupier.table.model.setup import Setup
from croupier.table.record.codec import decode_setup

_tables = s.tables.c


@dataclass(frozen=True, slots=True)
class StoredTable:
    """One row of `tables`; `setup` is its JSON to the byte, `hash` that of the record's first line."""

    id: int
    name: str
    edition: str
    setup: str
    digest: str
    hash: str
    opened_at: int
    status: str
    link_id: int | None


@dataclass(frozen=True, slots=True)
class TableSummary:
    """A table without its setup; `linked` says whether it shares its meters with others."""

    name: str
    edition: str
    status: str
    opened_at: int
    linked: bool


def all_tables(connection: sa.Connection) -> list[StoredTable]:
    """Every table, oldest first."""
    return [_table(row) for row in connection.execute(sa.select(s.tables).order_by(_tables.id))]


def summaries(connection: sa.Connection, name: str = "") -> list[TableSummary]:
    """Every table, oldest first, or only the named one; without setups."""
    query = sa.select(_tables.name, _tables.edition, _tables.status, _tables.opened_at, _tables.link_id)
    if name:
        query = query.where(_tables.name == name)
    return [
        TableSummary(row.name, row.edition, row.status, row.opened_at, row.link_id is not None)
        for row in connection.execute(query.order_by(_tables.id))
    ]


def setup_of(connection: sa.Connection, name: str) -> Setup:
    """The setup of an existing table."""
    return decode_setup(
        json.loads(connection.execute(sa.select(_tables.setup).where(_tables.name == name)).scalar_one())
    )


def _table(row: sa.Row[Any]) -> StoredTable:
    return StoredTable(
        row.id,
        row.name,
        row.edition,
        row.setup,
        row.digest,
        row.hash,
        row.opened_at,
        row.status,
        row.link_id,
    )
