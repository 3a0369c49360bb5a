"""Many rows into a table at once, and what both databases can keep.

The statements are SQLAlchemy's, compiled once for a dialect. Going through its execution for every row
would cost as much as deciding on the command: it looks at each value's type, and ours need no change. One statement
takes many rows, because a driver lets other threads run at every statement or row and then waits for its turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.engine.interfaces import Dialect

from croupier.errors import Malformed
from croupier.store.driver import on_driver

_LARGEST = 2**63
_AT_ONCE = 64
"""How many rows one statement of SQLite takes at most; fewer go in powers of two, so that there are few statements."""


def insert_rows(connection: sa.Connection, table: sa.Table, rows: Sequence[tuple[Any, ...]]) -> None:
    """Inserts rows that have every column of a table, in its order."""
    if connection.dialect.name == "sqlite":
        start = 0
        while start < len(rows):
            count = min(_AT_ONCE, 1 << (len(rows) - start).bit_length() - 1)
            values = tuple(chain.from_iterable(rows[start : start + count]))
            on_driver(connection, _values(table, connection.dialect, count), values)
            start += count
    else:
        columns = zip(table.columns, zip(*rows, strict=True), strict=True)
        arrays = {column.name: array_text(values, quoted=column.name in _texts(table)) for column, values in columns}
        on_driver(connection, _arrays(table, connection.dialect), arrays)


def array_text(values: Iterable[Any], *, quoted: bool) -> str:
    """An array as PostgreSQL reads it from a text; texts are quoted, numbers are not."""
    if not quoted:
        return f"{{{','.join(map(str, values))}}}"
    texts = [value.replace("\\", "\\\\").replace('"', '\\"') for value in values]
    return '{"' + '","'.join(texts) + '"}' if texts else "{}"


@cache
def _texts(table: sa.Table) -> frozenset[str]:
    return frozenset(column.name for column in table.columns if isinstance(column.type, sa.String))


@cache
def _values(table: sa.Table, dialect: Dialect, count: int) -> str:
    """One row a group of question marks."""
    every: dict[str, Any] = {column.name: sa.bindparam(column.name) for column in table.columns}
    head, _, row = str(sa.insert(table).values(every).compile(dialect=dialect)).partition(" VALUES ")
    return f"{head} VALUES {', '.join([row] * count)}"


@cache
def _arrays(table: sa.Table, dialect: Dialect) -> str:
    """One statement with an array a column, whatever the number of rows."""
    names = [column.name for column in table.columns]
    arrays = [sa.bindparam(column.name, type_=ARRAY(column.type)) for column in table.columns]
    columns = [sa.cast(array, array.type) for array in arrays]
    rows = sa.func.unnest(*columns).table_valued(*names).render_derived()
    return str(sa.insert(table).from_select(names, sa.select(*rows.c)).compile(dialect=dialect))


def storable(text: str) -> bool:
    """Whether both databases can keep a text: no zero byte, no half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def require_storable(text: str, number: int) -> None:
    """Refuses what would not fit into a column."""
    if not storable(text):
        raise Malformed("name", "has a character that cannot be stored")
    if not -_LARGEST < number < _LARGEST:
        raise Malformed("number", f"{number} is too large to be stored")
