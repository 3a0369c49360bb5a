"""Processes that write into one SQLite file take turns.

SQLite lets one write at a time, and makes the others look again after pauses that grow. Here they wait in line at a
lock of a file beside it, which ends with the process that has it, however that ends.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock


class Turns:
    """The lock of one process; its threads wait for each other first."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(f"{database.name}-turn")
        self._lock = Lock()
        self._file = -1

    @contextmanager
    def mine(self) -> Iterator[None]:
        """Waits until nobody else writes, and keeps the others waiting."""
        with self._lock:
            if self._file < 0:
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._file, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        with self._lock:
            if self._file >= 0:
                os.close(self._file)
                self._file = -1
