"""A cache on the user's own disk: lookup tables, and results that took long to compute.

Nothing in it is ever needed: an entry that is missing, damaged, of another key, or that somebody else could have
written is computed again. An entry is trusted only if the user who runs the program owns it and its folder, and nobody
else may write to either; it names its key by digest, and a checksum covers both. Entries have mode 0600, the folder
0700. `CROUPIER_CACHE=off` turns the cache off, and `CROUPIER_CACHE=tables` keeps
only lookup tables and parsed rule files.

The checksum finds damage. It is no signature: whoever can write as this user can write an entry with a checksum, and
could as well change the program.

Whoever writes may name a generation, such as a digest of the program: a new entry then removes entries of the same
kind and of other generations, which nobody will ask for again.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import NamedTuple

SWITCH = "CROUPIER_CACHE"
RESULTS, CLAUSES, RANKINGS, RULES = "result", "clauses", "ranking", "rules"
"""The kinds of entries: exact results, the index of clauses, lookup tables of rankings, and rule files, parsed."""
TABLES = (RANKINGS, RULES)
"""What `CROUPIER_CACHE=tables` allows."""
FILE_MODE = 0o600
FOLDER_MODE = 0o700
_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
MAX_REMOVALS = 100
"""How many old entries one new entry removes at most."""
_FORMAT = "croupier cache 1"


class Usage(NamedTuple):
    """How often this process found an entry, and how often it did not."""

    hits: int = 0
    misses: int = 0


_usage: dict[str, Usage] = {}


def usage(kind: str) -> Usage:
    """The lookups of this process for one kind of entry."""
    return _usage.get(kind, Usage())


def is_enabled(kind: str) -> bool:
    """Whether the cache may be used for a kind of entry: `CROUPIER_CACHE` is `on` (the default), `tables` or `off`.

    Any other value is taken as `off`, so that a misspelled switch never lets an entry be trusted.
    """
    setting = os.environ.get(SWITCH, "").strip().lower() or "on"
    if kind == RESULTS and _bypass.get():
        return False
    return setting == "on" or (setting == "tables" and kind in TABLES)


_bypass: ContextVar[bool] = ContextVar("bypass", default=False)


@contextmanager
def compute_anew(*, when: bool = True) -> Iterator[None]:
    """Inside, results are neither read nor written."""
    token = _bypass.set(_bypass.get() or when)
    try:
        yield
    finally:
        _bypass.reset(token)


def cache_folder() -> Path:
    """The folder of the cache: `$XDG_CACHE_HOME/croupier`, usually `~/.cache/croupier`."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "croupier"


def read_entry(kind: str, key: str, *, generation: str = "") -> bytes | None:
    """The content stored under a key; `None` if there is none that can be trusted."""
    content = _read(_path(kind, key, generation), key) if is_enabled(kind) else None
    hits, misses = usage(kind)
    _usage[kind] = Usage(hits + (content is not None), misses + (content is None))
    return content


def write_entry(kind: str, key: str, content: bytes, *, generation: str = "") -> None:
    """Stores content under a key, in one step; does nothing if the folder cannot be used."""
    if not is_enabled(kind):
        return
    path = _path(kind, key, generation)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        _make_folder(path.parent)
        if not _is_private(os.lstat(path.parent), stat.S_ISDIR):
            return
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(_header(key, content) + content)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        if generation:
            _remove_other_generations(path.parent, kind, generation)
    except OSError:
        return


def _path(kind: str, key: str, generation: str) -> Path:
    return cache_folder() / f"{_prefix(kind, generation)}{sha256(key.encode()).hexdigest()[:32]}"


def _prefix(kind: str, generation: str) -> str:
    """How the names of the entries of a generation begin."""
    return f"{kind}-{sha256(generation.encode()).hexdigest()[:12]}-" if generation else f"{kind}-"


def _remove_other_generations(folder: Path, kind: str, generation: str) -> None:
    """Removes entries that only another generation would ask for, some at a time."""
    prefix = _prefix(kind, generation)
    with os.scandir(folder) as entries:
        old = (entry for entry in entries if entry.name.startswith(f"{kind}-") and not entry.name.startswith(prefix))
        for entry in list(islice(old, MAX_REMOVALS)):
            if entry.is_file(follow_symlinks=False):
                Path(entry.path).unlink(missing_ok=True)


def _make_folder(folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        folder.mkdir(mode=FOLDER_MODE)
    except FileExistsError:
        if _is_private(os.lstat(folder), stat.S_ISDIR):
            folder.chmod(FOLDER_MODE)  # an older version of the program let others read it


def _is_private(status: os.stat_result, is_kind: Callable[[int], bool]) -> bool:
    """Whether this user owns a file or folder and nobody else may write to it."""
    return is_kind(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & _WRITABLE_BY_OTHERS


def _read(path: Path, key: str) -> bytes | None:
    try:
        if not _is_private(os.lstat(path.parent), stat.S_ISDIR):
            return None
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as stream:
            if not _is_private(os.fstat(descriptor), stat.S_ISREG):
                return None
            return _content(key, stream.read())
    except OSError:
        return None


def _header(key: str, content: bytes) -> bytes:
    """The first line of an entry: the format, the digest of its key, and the checksum of the key and the content."""
    name = sha256(key.encode()).hexdigest()
    return f"{_FORMAT} {name} {sha256(name.encode() + content).hexdigest()}\n".encode()


def _content(key: str, entry: bytes) -> bytes | None:
    """The content of an entry; `None` if it is damaged or belongs to another key."""
    header, line_break, content = entry.partition(b"\n")
    return content if header + line_break == _header(key, content) else None
