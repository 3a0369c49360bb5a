"""Many rows into a table at once, and what both databases can keep.

The statement is SQLAlchemy's, compiled once for a dialect. Going through its execution for every row
would cost as much as deciding on the command: it looks at each value's type, and ours need no change.
"""

from __future__ import annotations

from functools import cache
from operator import itemgetter
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.engine.interfaces import Dialect

from croupier.errors import Malformed

_LARGEST = 2**63


def insert_rows(connection: sa.Connection, table: sa.Table, rows: list[dict[str, Any]]) -> None:
    """Inserts rows that have every column of a table; what else they hold is left alone."""
    statement, columns = _compiled(table, connection.dialect)
    if connection.dialect.name == "sqlite":
        take = itemgetter(*columns)
        connection.exec_driver_sql(statement, [take(row) for row in rows])
    else:
        connection.exec_driver_sql(statement, {name: [row[name] for row in rows] for name in columns})


@cache
def _compiled(table: sa.Table, dialect: Dialect) -> tuple[str, tuple[str, ...]]:
    """The statement, and the columns in the order of its parameters.

    PostgreSQL gets one statement with an array a column, whatever the number of rows.
    """
    names = tuple(column.name for column in table.columns)
    if dialect.name == "sqlite":
        every: dict[str, Any] = {name: sa.bindparam(name) for name in names}
        compiled = sa.insert(table).values(every).compile(dialect=dialect)
        return str(compiled), tuple(getattr(compiled, "positiontup", None) or names)
    arrays = [sa.bindparam(column.name, type_=ARRAY(column.type)) for column in table.columns]
    columns = [sa.cast(array, array.type) for array in arrays]
    rows = sa.func.unnest(*columns).table_valued(*names).render_derived()
    return str(sa.insert(table).from_select(names, sa.select(*rows.c)).compile(dialect=dialect)), names


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
