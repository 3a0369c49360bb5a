"""Records in a database, which is opened read-only."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.core.errors import InputError
from croupier.storage.repositories import tables
from croupier.storage.repositories.audit import open_read_only
from croupier.storage.repositories.tables import StoredTable
from croupier.storage.snapshots import StoredLine, load_raw_lines, require_record
from croupier.storage.sql.database import Connection
from croupier.table.record.file import RECORD_FORMAT, Record, event_line, read_record_lines


def load_record(location: str, table: str = "") -> Record:
    """The record of a table, which needs no name if it is the only one; refuses a changed record."""
    with open_read_only(location) as (database, connection):
        row = _select_table(connection, database.name, table)
        require_record(row)
        place = f"{database.name}, table {row.name}"
        return read_record_lines(
            place, [line.decode("utf-8", "surrogateescape") for line in record_lines(connection, row)]
        )


def _select_table(connection: Connection, name: str, table: str) -> StoredTable:
    rows = tables.all_tables(connection)
    matches = [row for row in rows if row.name == table] if table else rows
    if len(matches) != 1:
        names = ", ".join(row.name for row in rows) or "none"
        problem = f"there is no table {table!r}" if table else "name a table"
        raise InputError("--table", f"{problem}; the tables in {name} are: {names}")
    return matches[0]


def record_lines(connection: Connection, row: StoredTable) -> Iterator[bytes]:
    """The lines of a table's record, to the byte and unchecked."""
    yield header_line(row)
    for line in load_raw_lines(connection, row.id):
        yield event_line_bytes(line)


def header_line(row: StoredTable) -> bytes:
    """The first line of a table's record."""
    return _encode(
        f'{{"record": {RECORD_FORMAT}, "digest": "{row.digest}", "table": {row.setup}, "hash": "{row.hash}"}}'
    )


def event_line_bytes(line: StoredLine) -> bytes:
    """The line of an event."""
    is_complete = all(text[:1] == "{" and text[-1:] == "}" for text in (line.data, line.cause or "{}"))
    return _encode(event_line(line.seq, line.data, line.hash, line.cause) if is_complete else line.data + line.cause)


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
