"""How the server runs each table, stored as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from croupier.storage.currency import Currency
from croupier.storage.sql import schema as s


@dataclass(frozen=True, slots=True)
class StoredSettings:
    """The settings of one table, by the names they were saved under."""

    table_id: int
    table: str
    settings: Mapping[str, Any]
    currency: Currency


def save(connection: sa.Connection, table: str, settings: Mapping[str, Any]) -> None:
    """Replaces the settings of a table that exists."""
    table_id = sa.select(s.tables.c.id).where(s.tables.c.name == table).scalar_subquery()
    connection.execute(sa.delete(s.running).where(s.running.c.table_id == table_id))
    connection.execute(sa.insert(s.running).values(table_id=table_id, settings=json.dumps(settings)))


_SETTINGS = sa.select(s.tables.c.id, s.tables.c.name, s.tables.c.currency, s.running.c.settings).join(
    s.running, s.running.c.table_id == s.tables.c.id
)


def of_open_tables(connection: sa.Connection) -> list[StoredSettings]:
    """The settings of every open table that a server runs, oldest table first."""
    rows = connection.execute(_SETTINGS.where(s.tables.c.status == "open").order_by(s.tables.c.id))
    return [_stored_settings(row) for row in rows]


def of_table(connection: sa.Connection, table: str) -> StoredSettings | None:
    """The settings of a table, open or not, if a server has run it."""
    row = connection.execute(_SETTINGS.where(s.tables.c.name == table)).one_or_none()
    return None if row is None else _stored_settings(row)


def _stored_settings(row: Any) -> StoredSettings:
    return StoredSettings(row.id, row.name, json.loads(row.settings), Currency(row.currency))
