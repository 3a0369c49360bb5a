"""Records in a database, which is opened for reading only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

from croupier.errors import Malformed
from croupier.store import schema as s
from croupier.store.database import Database
from croupier.store.loading import raw_lines, require_record
from croupier.store.migrate import require_schema
from croupier.table.record import FORMAT, Record, event_line, read_record_lines


@contextmanager
def opened(where: str) -> Iterator[tuple[Database, sa.Connection]]:
    """One state of a database, in a transaction that writes nothing; another schema is refused with a sentence."""
    database = Database(where, read_only=True)
    try:
        with database.reading() as connection:
            require_schema(connection, database.name)
            yield database, connection
    finally:
        database.close()


def stored_record(where: str, table: str = "") -> Record:
    """The record of a table in a database; the only one needs no name. What was changed is refused."""
    with opened(where) as (database, connection):
        row = _chosen(connection, database.name, table)
        require_record(row)
        place = f"{database.name}, table {row.name}"
        return read_record_lines(place, [line.decode("utf-8", "surrogateescape") for line in lines(connection, row)])


def _chosen(connection: sa.Connection, name: str, table: str) -> sa.Row[Any]:
    rows = list(connection.execute(sa.select(s.tables).order_by(s.tables.c.id)))
    found = [row for row in rows if row.name == table] if table else rows
    if len(found) != 1:
        there = ", ".join(row.name for row in rows) or "none"
        what = f"there is no table {table!r}" if table else "name a table"
        raise Malformed("--table", f"{what}; {name} has {there}")
    return found[0]


def lines(connection: sa.Connection, row: sa.Row[Any]) -> Iterator[bytes]:
    """The record of a table line by line, to the byte, whatever is stored."""
    yield head(row)
    for line in raw_lines(connection, row.id):
        yield line_of(line)


def head(row: sa.Row[Any]) -> bytes:
    """The first line of a table's record."""
    return _bytes(f'{{"record": {FORMAT}, "digest": "{row.digest}", "table": {row.setup}, "hash": "{row.hash}"}}')


def line_of(line: sa.Row[Any]) -> bytes:
    """The line of an event."""
    whole = line.data[:1] == "{" and line.data[-1:] == "}"
    return _bytes(event_line(line.seq, line.data, line.hash) if whole else line.data)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
