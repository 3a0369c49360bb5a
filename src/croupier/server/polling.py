"""What other processes do, on one SQLite file: a thread that looks whether anything was added.

SQLite tells nobody, but a connection can ask at hardly any cost whether another one has written since.
"""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from croupier.server.listening import Heard, Hearing
from croupier.server.logs import log
from croupier.store.database import Database

EVERY_SECONDS = 0.05
_LATER_SECONDS = 1.0
_LAST = "SELECT coalesce(max(rowid), 0) FROM events"
_NEW = "SELECT table_id, max(seq), max(rowid) FROM events WHERE rowid > ? GROUP BY +table_id"


class Poller(Hearing):
    """Looks until it is stopped. It also tells of what this process wrote: whoever is told knows that already."""

    def __init__(self, database: Database, heard: Heard, missed: Callable[[], None]) -> None:
        """`missed` is called when it could not look for a while, or events were taken away into an archive."""
        super().__init__(heard, missed, "croupier-poller")
        self._database = database

    def _run(self) -> None:
        before = False
        while not self._stopped.is_set():
            try:
                with self._database.without_transaction() as connection:
                    if before:
                        self._missed()
                    before = True
                    self._look(connection)
            except DBAPIError as error:
                log.warning("other processes cannot be heard", extra={"reason": self._database.sentence(error)})
                self._stopped.wait(_LATER_SECONDS)

    def _look(self, connection: sa.Connection) -> None:
        last = connection.exec_driver_sql(_LAST).scalar_one()
        version = None
        while not self._stopped.wait(EVERY_SECONDS):
            now = connection.exec_driver_sql("PRAGMA data_version").scalar_one()
            if now == version:
                continue
            version = now
            found = connection.exec_driver_sql(_NEW, (last,)).all()
            if found:
                self._heard([(number, seq) for number, seq, _ in found])
                last = max(row for _, _, row in found)
            elif connection.exec_driver_sql(_LAST).scalar_one() < last:
                last = connection.exec_driver_sql(_LAST).scalar_one()
                self._missed()
