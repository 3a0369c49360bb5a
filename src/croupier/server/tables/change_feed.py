"""The change feed: a thread that reports which tables other processes have changed."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from croupier.server.logs import log
from croupier.storage import StorageUnavailable
from croupier.storage.repositories.changes import ChangeCursor, Position, change_cursor, notifications
from croupier.storage.sql.database import Database

FIRST_PAUSE_SECONDS = 0.1
MAX_PAUSE_SECONDS = 5.0
ChangeHandler = Callable[[Sequence[Position]], None]
"""Receives the changed tables, each with the number of its last event."""


class ChangeFeed(ABC):
    """A thread that reports changes by other processes until it is stopped."""

    def __init__(self, on_change: ChangeHandler, on_gap: Callable[[], None], name: str) -> None:
        """`on_gap` is called when changes may have been missed."""
        self._on_change = on_change
        self._on_gap = on_gap
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join(timeout=3)

    @abstractmethod
    def _run(self) -> None: ...


class PostgresChangeFeed(ChangeFeed):
    """Listens for PostgreSQL notifications; reconnects when the connection breaks."""

    def __init__(self, database: Database, on_change: ChangeHandler, on_gap: Callable[[], None]) -> None:
        """`on_gap` is called after a reconnect: changes may have been missed meanwhile."""
        super().__init__(on_change, on_gap, "croupier-listener")
        self._database = database
        self.listening = threading.Event()
        """Set while connected."""

    def _run(self) -> None:
        pause, connected_before = FIRST_PAUSE_SECONDS, False
        while not self._stopped.is_set():
            try:
                with notifications(self._database) as receive:
                    self.listening.set()
                    if connected_before:
                        self._on_gap()
                        log.info("the change feed is connected again")
                    pause, connected_before = FIRST_PAUSE_SECONDS, True
                    while not self._stopped.is_set():
                        for positions in receive():
                            self._on_change(positions)
            except StorageUnavailable as error:
                self.listening.clear()
                if not self._stopped.is_set():
                    log.warning("changes by other processes cannot be read", extra={"reason": str(error)})
                    time.sleep(pause)
                    pause = min(2 * pause, MAX_PAUSE_SECONDS)


POLL_SECONDS = 0.05
RECONNECT_SECONDS = 1.0


class SqliteChangeFeed(ChangeFeed):
    """Polls the database. It also reports this process's own writes, which receivers ignore."""

    def __init__(self, database: Database, on_change: ChangeHandler, on_gap: Callable[[], None]) -> None:
        """`on_gap` is called after a failed poll, or when events were archived."""
        super().__init__(on_change, on_gap, "croupier-poller")
        self._database = database

    def _run(self) -> None:
        connected_before = False
        while not self._stopped.is_set():
            try:
                with change_cursor(self._database) as cursor:
                    if connected_before:
                        self._on_gap()
                    connected_before = True
                    self._poll(cursor)
            except StorageUnavailable as error:
                log.warning("changes by other processes cannot be read", extra={"reason": str(error)})
                self._stopped.wait(RECONNECT_SECONDS)

    def _poll(self, cursor: ChangeCursor) -> None:
        while not self._stopped.wait(POLL_SECONDS):
            changes = cursor.poll()
            if changes.positions:
                self._on_change(changes.positions)
            elif changes.removed:
                self._on_gap()
