"""What a transaction asks about all its tables and keys at once, before it decides anything.

Each question is one statement with one parameter a column, so that the text never changes and the database keeps it
prepared. SQLite answers in one row of JSON: its driver lets other threads run at every row and then waits for its turn.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY

from croupier.store.driver import on_driver, together
from croupier.store.inserting import array_text, storable


class Fresh(NamedTuple):
    """Identity, status and last event of a table, as the database has them."""

    id: int
    name: str
    status: str
    seq: int


class Known(NamedTuple):
    """A command with a key, as the database keeps it: a row of `commands`."""

    table_id: int
    key: str
    said: str
    first_seq: int
    last_seq: int
    outcome: str
    clause: str
    reason: str


_FRESH_SQLITE = """
    SELECT json_group_array(json_array(t.id, t.name, t.status,
        coalesce((SELECT max(e.seq) FROM events e WHERE e.table_id = t.id), 0)))
    FROM tables t WHERE t.name IN (SELECT value FROM json_each(?))"""
_FRESH_POSTGRESQL = """
    SELECT t.id, t.name, t.status, coalesce((SELECT max(e.seq) FROM events e WHERE e.table_id = t.id), 0)
    FROM tables t WHERE t.name = ANY(%(names)s::text[])"""
_LOCK = "SELECT id FROM tables WHERE name = ANY(%(names)s::text[]) ORDER BY id FOR NO KEY UPDATE"
"""In order of their numbers, so that two processes never wait for each other."""
_KEYS_SQLITE = """
    SELECT c.table_id, c.key, c.said, c.first_seq, c.last_seq, c.outcome, c.clause, c.reason
    FROM json_each(?) w CROSS JOIN tables t ON t.name = json_extract(w.value, '$[0]')
    CROSS JOIN commands c ON c.table_id = t.id AND c.key = json_extract(w.value, '$[1]')"""
_KEYS_POSTGRESQL = """
    SELECT c.table_id, c.key, c.said, c.first_seq, c.last_seq, c.outcome, c.clause, c.reason
    FROM unnest(%(names)s::text[], %(keys)s::text[]) AS w(name, key)
    JOIN tables t ON t.name = w.name JOIN commands c ON c.table_id = t.id AND c.key = w.key"""


def among(connection: sa.Connection, column: sa.Column[str], values: Sequence[str]) -> sa.ColumnElement[bool]:
    """Whether a column has one of several texts, whose number does not change the statement."""
    if connection.dialect.name == "sqlite":
        listed = sa.func.json_each(sa.literal(json.dumps(values))).table_valued("value")
        return column.in_(sa.select(listed.c.value))
    return column == sa.any_(sa.literal(list(values), ARRAY(sa.Text)))


def fresh_tables(connection: sa.Connection, names: Collection[str], *, lock: bool) -> list[Fresh]:
    """Tables as they are; with `lock` nobody else moves them on until the transaction ends (SQLite has one writer)."""
    with together(connection):
        tables = _ask_tables(connection, names, lock=lock)
    return _read_tables(connection, tables)


def tables_and_keys(
    connection: sa.Connection, names: Collection[str], keys: Collection[tuple[str, str]]
) -> tuple[list[Fresh], dict[tuple[int, str], Known]]:
    """Tables as they are, locked; and which keys, each with the name of its table, were used there before."""
    wanted = [(name, key) for name, key in keys if storable(name) and storable(key)]
    with together(connection):
        tables = _ask_tables(connection, names, lock=True)
        known = _ask_keys(connection, wanted) if wanted else ()
    return _read_tables(connection, tables), {(row[0], row[1]): Known(*row) for row in known}


def _ask_tables(connection: sa.Connection, names: Collection[str], *, lock: bool) -> Any:
    wanted = [name for name in names if storable(name)]
    if connection.dialect.name == "sqlite":
        return on_driver(connection, _FRESH_SQLITE, (json.dumps(wanted),))
    parameters = {"names": array_text(wanted, quoted=True)}
    if lock:
        on_driver(connection, _LOCK, parameters)
    return on_driver(connection, _FRESH_POSTGRESQL, parameters)


def _read_tables(connection: sa.Connection, cursor: Any) -> list[Fresh]:
    rows = json.loads(cursor.fetchone()[0]) if connection.dialect.name == "sqlite" else cursor
    return [Fresh(*row) for row in rows]


def _ask_keys(connection: sa.Connection, wanted: Sequence[tuple[str, str]]) -> Any:
    if connection.dialect.name == "sqlite":
        return on_driver(connection, _KEYS_SQLITE, (json.dumps(wanted),))
    names, keys = (array_text(part, quoted=True) for part in zip(*wanted, strict=True))
    return on_driver(connection, _KEYS_POSTGRESQL, {"names": names, "keys": keys})
