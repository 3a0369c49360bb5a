"""What other processes do, on one PostgreSQL: a thread that listens and tells the event loop which table moved."""

from __future__ import annotations

import re
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from croupier.server.logs import log
from croupier.store.batch import CHANNEL
from croupier.store.database import Database

_SAID = re.compile(r"\b([0-9]{1,18}) ([0-9]{1,18})\b")
_LONGEST_PAUSE = 5.0
Heard = Callable[[Sequence[tuple[int, int]]], None]
"""Takes numbers of tables, each with that of its last event."""


class Hearing(ABC):
    """A thread that tells what other processes do, until it is stopped."""

    def __init__(self, heard: Heard, missed: Callable[[], None], name: str) -> None:
        """`missed` is called where anything may have happened unheard."""
        self._heard = heard
        self._missed = missed
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join(timeout=3)

    @abstractmethod
    def _run(self) -> None: ...


class Listener(Hearing):
    """Listens until it is stopped; a connection that breaks is made again."""

    def __init__(self, database: Database, heard: Heard, missed: Callable[[], None]) -> None:
        """`missed` is called after a connection broke: anything may have happened meanwhile."""
        super().__init__(heard, missed, "croupier-listener")
        self._url = database.url.set(drivername="postgresql").render_as_string(hide_password=False)
        self.listening = threading.Event()
        """Set while there is a connection."""

    def _run(self) -> None:
        import psycopg

        pause, before = 0.1, False
        while not self._stopped.is_set():
            try:
                with psycopg.connect(self._url, autocommit=True, connect_timeout=5) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self.listening.set()
                    if before:
                        self._missed()
                        log.info("listening to other processes again")
                    pause, before = 0.1, True
                    self._listen(connection)
            except psycopg.Error as error:
                self.listening.clear()
                if not self._stopped.is_set():
                    log.warning("other processes cannot be heard", extra={"reason": str(error).strip().split("\n")[0]})
                    time.sleep(pause)
                    pause = min(2 * pause, _LONGEST_PAUSE)

    def _listen(self, connection: Any) -> None:
        while not self._stopped.is_set():
            for notice in connection.notifies(timeout=1.0):
                moved = [(int(number), int(seq)) for number, seq in _SAID.findall(notice.payload)]
                if moved:
                    self._heard(moved)
