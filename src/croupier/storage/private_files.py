"""Files and folders that only their owner can use, whatever the umask: databases, backups, archives and locks."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from croupier.core.errors import InputError

FILE_MODE = 0o600
FOLDER_MODE = 0o700
SQLITE_SUFFIXES = ("", "-wal", "-shm", "-journal", "-turn")
"""The files of an SQLite database; SQLite gives its own the mode of the first one."""


def open_private(path: Path, flags: int) -> int:
    """Opens a file, and creates it with mode 0600 if it is missing; a file that exists keeps its mode."""
    create_private_file(path)
    return os.open(path, flags | os.O_CLOEXEC)


def create_private_file(path: Path) -> bool:
    """Creates an empty file with mode 0600; false if the file exists."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE)
    except FileExistsError:
        return False
    os.fchmod(descriptor, FILE_MODE)  # a umask of 0777 would leave nothing
    os.close(descriptor)
    return True


def make_private_folder(path: Path) -> None:
    """Creates a folder and those above it that are missing, all with mode 0700."""
    for folder in (*reversed(path.parents), path):
        if not folder.exists():
            folder.mkdir(exist_ok=True)
            folder.chmod(FOLDER_MODE)


def require_private(paths: Iterable[Path]) -> None:
    """Refuses a file that users other than its owner and group may read or write."""
    for path in paths:
        try:
            mode = stat.S_IMODE(path.stat().st_mode)
        except FileNotFoundError:
            continue
        if mode & stat.S_IRWXO:
            fix = f"chmod {mode & ~stat.S_IRWXO:o} {path}"
            raise InputError(
                str(path),
                f"every user of this machine can use it (mode {mode:04o}): {fix}, or set allow_world_readable",
            )


def database_files(path: Path) -> list[Path]:
    """The files that an SQLite database may consist of."""
    return [path.with_name(path.name + suffix) for suffix in SQLITE_SUFFIXES]
