"""Serializes writers of one SQLite file with an advisory lock.

SQLite allows one writer at a time and makes the others poll with growing pauses. Here they queue on the lock of a file
beside the database; the operating system releases it when its process ends for any reason.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock


class FileLock:
    """The file lock of one process; its threads queue on a mutex first."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(f"{database.name}-turn")
        self._lock = Lock()
        self._file = -1

    @contextmanager
    def acquire(self) -> Iterator[None]:
        """Holds the lock inside the block."""
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
