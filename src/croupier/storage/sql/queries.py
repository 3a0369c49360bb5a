"""Queries that a transaction makes for all its tables and keys at once, before it decides anything.

Each is one statement with one parameter per column, so that its text never changes and stays prepared. On SQLite the
result is one row of JSON: its driver releases the GIL at every row and then has to wait for it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY

from croupier.storage.sql.bulk_insert import array_text, is_storable
from croupier.storage.sql.raw_sql import execute_raw, pipeline


class TableHead(NamedTuple):
    """Identity, status and last event of a table, as the database has them."""

    id: int
    name: str
    status: str
    seq: int


class StoredCommand(NamedTuple):
    """A command with a key: a row of `commands`, whose column `said` is `identity`."""

    table_id: int
    key: str
    identity: str
    first_seq: int
    last_seq: int
    outcome: str
    clause: str
    reason: str


_TABLES_SQLITE = """
    SELECT json_group_array(json_array(t.id, t.name, t.status,
        coalesce((SELECT max(e.seq) FROM events e WHERE e.table_id = t.id), 0)))
    FROM tables t WHERE t.name IN (SELECT value FROM json_each(?))"""
_TABLES_POSTGRESQL = """
    SELECT t.id, t.name, t.status, coalesce((SELECT max(e.seq) FROM events e WHERE e.table_id = t.id), 0)
    FROM tables t WHERE t.name = ANY(%(names)s::text[])"""
_LOCK_TABLES = "SELECT id FROM tables WHERE name = ANY(%(names)s::text[]) ORDER BY id FOR NO KEY UPDATE"
"""Locked in the order of their numbers, so that two processes never deadlock."""
_KEYS_SQLITE = """
    SELECT c.table_id, c.key, c.said, c.first_seq, c.last_seq, c.outcome, c.clause, c.reason
    FROM json_each(?) w CROSS JOIN tables t ON t.name = json_extract(w.value, '$[0]')
    CROSS JOIN commands c ON c.table_id = t.id AND c.key = json_extract(w.value, '$[1]')"""
_KEYS_POSTGRESQL = """
    SELECT c.table_id, c.key, c.said, c.first_seq, c.last_seq, c.outcome, c.clause, c.reason
    FROM unnest(%(names)s::text[], %(keys)s::text[]) AS w(name, key)
    JOIN tables t ON t.name = w.name JOIN commands c ON c.table_id = t.id AND c.key = w.key"""


def is_among(connection: sa.Connection, column: sa.Column[str], values: Sequence[str]) -> sa.ColumnElement[bool]:
    """Whether a column is one of several values, however many, without changing the statement's text."""
    if connection.dialect.name == "sqlite":
        values_table = sa.func.json_each(sa.literal(json.dumps(values))).table_valued("value")
        return column.in_(sa.select(values_table.c.value))
    return column == sa.any_(sa.literal(list(values), ARRAY(sa.Text)))


def load_table_heads(connection: sa.Connection, names: Collection[str], *, lock: bool) -> list[TableHead]:
    """The current heads of tables; `lock` locks their rows until the transaction ends (SQLite has a single writer)."""
    with pipeline(connection):
        tables = _query_tables(connection, names, lock=lock)
    return _read_tables(connection, tables)


def load_tables_and_keys(
    connection: sa.Connection, names: Collection[str], keys: Collection[tuple[str, str]]
) -> tuple[list[TableHead], dict[tuple[int, str], StoredCommand]]:
    """The current rows of tables, locked; and the keys, each with its table's name, that were used there before."""
    pairs = [(name, key) for name, key in keys if is_storable(name) and is_storable(key)]
    with pipeline(connection):
        tables = _query_tables(connection, names, lock=True)
        commands = _query_keys(connection, pairs) if pairs else ()
    return _read_tables(connection, tables), {(row[0], row[1]): StoredCommand(*row) for row in commands}


def _query_tables(connection: sa.Connection, names: Collection[str], *, lock: bool) -> Any:
    storable_names = [name for name in names if is_storable(name)]
    if connection.dialect.name == "sqlite":
        return execute_raw(connection, _TABLES_SQLITE, (json.dumps(storable_names),))
    parameters = {"names": array_text(storable_names, quoted=True)}
    if lock:
        execute_raw(connection, _LOCK_TABLES, parameters)
    return execute_raw(connection, _TABLES_POSTGRESQL, parameters)


def _read_tables(connection: sa.Connection, cursor: Any) -> list[TableHead]:
    rows = json.loads(cursor.fetchone()[0]) if connection.dialect.name == "sqlite" else cursor
    return [TableHead(*row) for row in rows]


def _query_keys(connection: sa.Connection, pairs: Sequence[tuple[str, str]]) -> Any:
    if connection.dialect.name == "sqlite":
        return execute_raw(connection, _KEYS_SQLITE, (json.dumps(pairs),))
    names, keys = (array_text(part, quoted=True) for part in zip(*pairs, strict=True))
    return execute_raw(connection, _KEYS_POSTGRESQL, {"names": names, "keys": keys})
