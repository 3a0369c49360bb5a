"""Queries that a transaction makes for all its tables and keys at once, before it decides anything.

Each is one statement with one parameter per column, so that its text never changes and stays prepared. On SQLite the
result is one row of JSON: its driver releases the GIL at every row and then has to wait for it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.engine.interfaces import Dialect

from croupier.core.errors import InputError
from croupier.storage.sql.database import execute_raw, pipeline

_INT64_LIMIT = 2**63
_MAX_ROWS_PER_STATEMENT = 64
"""For SQLite; smaller batches are powers of two, so that there are few distinct statements."""


def insert_rows(connection: sa.Connection, table: sa.Table, rows: Sequence[tuple[Any, ...]]) -> None:
    """Inserts rows that have every column of a table, in the order of its columns."""
    if connection.dialect.name == "sqlite":
        start = 0
        while start < len(rows):
            count = min(_MAX_ROWS_PER_STATEMENT, 1 << (len(rows) - start).bit_length() - 1)
            values = tuple(chain.from_iterable(rows[start : start + count]))
            execute_raw(connection, _values_statement(table, connection.dialect, count), values)
            start += count
    else:
        columns = zip(table.columns, zip(*rows, strict=True), strict=True)
        arrays = {
            column.name: array_text(values, quoted=column.name in _text_columns(table)) for column, values in columns
        }
        execute_raw(connection, _arrays_statement(table, connection.dialect), arrays)


def array_text(values: Iterable[Any], *, quoted: bool) -> str:
    """A PostgreSQL array literal; strings are quoted, numbers are not."""
    if not quoted:
        return f"{{{','.join(map(str, values))}}}"
    texts = [value.replace("\\", "\\\\").replace('"', '\\"') for value in values]
    return '{"' + '","'.join(texts) + '"}' if texts else "{}"


@cache
def _text_columns(table: sa.Table) -> frozenset[str]:
    return frozenset(column.name for column in table.columns if isinstance(column.type, sa.String))


@cache
def _values_statement(table: sa.Table, dialect: Dialect, count: int) -> str:
    """An insert with a group of placeholders for each row."""
    placeholders: dict[str, Any] = {column.name: sa.bindparam(column.name) for column in table.columns}
    head, _, row = str(sa.insert(table).values(placeholders).compile(dialect=dialect)).partition(" VALUES ")
    return f"{head} VALUES {', '.join([row] * count)}"


@cache
def _arrays_statement(table: sa.Table, dialect: Dialect) -> str:
    """An insert with one array per column, however many rows there are."""
    names = [column.name for column in table.columns]
    arrays = [sa.bindparam(column.name, type_=ARRAY(column.type)) for column in table.columns]
    columns = [sa.cast(array, array.type) for array in arrays]
    rows = sa.func.unnest(*columns).table_valued(*names).render_derived()
    return str(sa.insert(table).from_select(names, sa.select(*rows.c)).compile(dialect=dialect))


def is_storable(text: str) -> bool:
    """Whether both databases can store a string: no NUL, no unpaired surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def require_storable(text: str, number: int) -> None:
    """Refuses a string or number that does not fit into a column."""
    if not is_storable(text):
        raise InputError("name", "contains a character that cannot be stored")
    if not -_INT64_LIMIT < number < _INT64_LIMIT:
        raise InputError("number", f"{number} is too large to be stored")


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
