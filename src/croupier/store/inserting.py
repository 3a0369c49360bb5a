"""Many rows into a table at once, and what both databases can keep.

The statement is SQLAlchemy's, compiled once for a dialect. Going through its execution for every row
would cost as much as deciding on the command: it looks at each value's type, and ours need no change.
"""

from __future__ import annotations

from functools import cache
from operator import itemgetter
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import Dialect

from croupier.errors import Malformed

_LARGEST = 2**63


def insert_rows(connection: sa.Connection, table: sa.Table, rows: list[dict[str, Any]]) -> None:
    """Inserts rows that have every column of a table; what else they hold is left alone."""
    statement, columns = _compiled(table, connection.dialect)
    take = itemgetter(*columns)
    if connection.dialect.positional:
        connection.exec_driver_sql(statement, [take(row) for row in rows])
    else:
        connection.exec_driver_sql(statement, [dict(zip(columns, take(row), strict=True)) for row in rows])


@cache
def _compiled(table: sa.Table, dialect: Dialect) -> tuple[str, tuple[str, ...]]:
    every: dict[str, Any] = {column.name: sa.bindparam(column.name) for column in table.columns}
    compiled = sa.insert(table).values(every).compile(dialect=dialect)
    return str(compiled), tuple(getattr(compiled, "positiontup", None) or every)


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
