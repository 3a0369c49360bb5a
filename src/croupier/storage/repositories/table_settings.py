"""How the server runs each table, stored as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from croupier.storage.sql import schema as s


@dataclass(frozen=True, slots=True)
class StoredSettings:
    """The settings of one table, by the names they were saved under."""

    table_id: int
    table: str
    settings: Mapping[str, Any]


def save(connection: sa.Connection, table: str, settings: Mapping[str, Any]) -> None:
    """Replaces the settings of a table that exists."""
    table_id = sa.select(s.tables.c.id).where(s.tables.c.name == table).scalar_subquery()
    connection.execute(sa.delete(s.running).where(s.running.c.table_id == table_id))
    connection.execute(sa.insert(s.running).values(table_id=table_id, settings=json.dumps(settings)))


def of_open_tables(connection: sa.Connection) -> list[StoredSettings]:
    """The settings of every open table that a server runs, oldest table first."""
    query = (
        sa.select(s.tables.c.id, s.tables.c.name, s.running.c.settings)
        .join(s.running, s.running.c.table_id == s.tables.c.id)
        .where(s.tables.c.status == "open")
        .order_by(s.tables.c.id)
    )
    return [StoredSettings(row.id, row.name, json.loads(row.settings)) for row in connection.execute(query)]
