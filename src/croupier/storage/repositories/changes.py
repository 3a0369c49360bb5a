"""Events that other processes have added: polled from an SQLite file, or notified by PostgreSQL."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from croupier.storage.sql.database import Database, StorageUnavailable
from croupier.storage.unit_of_work import NOTIFY_CHANNEL

_LAST_ROW_QUERY = "SELECT coalesce(max(rowid), 0) FROM events"
_NEW_EVENTS_QUERY = "SELECT table_id, max(seq), max(rowid) FROM events WHERE rowid > ? GROUP BY +table_id"
_TABLE_AND_SEQ = re.compile(r"\b([0-9]{1,18}) ([0-9]{1,18})\b")
CONNECT_TIMEOUT_SECONDS = 5
NOTIFY_TIMEOUT_SECONDS = 1.0

Position = tuple[int, int]
"""The number of a table and that of its last event."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Tables with new events since the last poll; `removed` if events have moved to the archive instead."""

    positions: Sequence[Position] = ()
    removed: bool = False


class ChangeCursor:
    """A cheap poll of an SQLite file for writes by other connections."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self._last = self._last_row()
        self._version: int | None = None

    def poll(self) -> Changes:
        """Changes since the last call."""
        version = self._connection.exec_driver_sql("PRAGMA data_version").scalar_one()
        if version == self._version:
            return Changes()
        self._version = version
        rows = self._connection.exec_driver_sql(_NEW_EVENTS_QUERY, (self._last,)).all()
        if rows:
            self._last = max(row for _, _, row in rows)
            return Changes([(table_id, seq) for table_id, seq, _ in rows])
        last = self._last_row()
        removed, self._last = last < self._last, min(last, self._last)
        return Changes(removed=removed)

    def _last_row(self) -> int:
        return int(self._connection.exec_driver_sql(_LAST_ROW_QUERY).scalar_one())


@contextmanager
def change_cursor(database: Database) -> Iterator[ChangeCursor]:
    """Opens a cursor on its own connection; raises `StorageUnavailable` if the database fails."""
    try:
        with database.autocommit() as connection:
            yield ChangeCursor(connection)
    except DBAPIError as error:
        raise database.unavailable(error) from error


@contextmanager
def notifications(database: Database) -> Iterator[Callable[[], Iterator[Sequence[Position]]]]:
    """Listens to PostgreSQL for up to a second per call; raises `StorageUnavailable` when the connection breaks."""
    import psycopg

    url = database.url.set(drivername="postgresql").render_as_string(hide_password=False)
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=CONNECT_TIMEOUT_SECONDS) as connection:
            connection.execute(f"LISTEN {NOTIFY_CHANNEL}")

            def receive() -> Iterator[Sequence[Position]]:
                for notice in connection.notifies(timeout=NOTIFY_TIMEOUT_SECONDS):
                    positions = [(int(table_id), int(seq)) for table_id, seq in _TABLE_AND_SEQ.findall(notice.payload)]
                    if positions:
                        yield positions

            yield receive
    except psycopg.Error as error:
        detail = str(error).strip().split("\n")[0]
        raise StorageUnavailable("the change feed has lost the database", detail=detail, lost=True) from error
