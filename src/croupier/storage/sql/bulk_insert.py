"""Bulk insert, and which values both databases can store.

The statements are SQLAlchemy's, compiled once per dialect. Its own execution inspects the type of every value, which
would cost as much as deciding on the command. One statement takes many rows, because a driver releases the GIL at every
statement or row and then has to wait for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.engine.interfaces import Dialect

from croupier.core.errors import InputError
from croupier.storage.sql.raw_sql import execute_raw

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
