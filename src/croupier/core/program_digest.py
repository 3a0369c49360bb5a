"""A digest of the installed program and its rule files, which shows the program that made a record (LOG-5)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

PACKAGE_FOLDER = Path(__file__).parents[1]
EXCLUDED_FILES = ("clause_index.json",)
"""Generated from the tests when the package is built; not part of the program."""
SHORT_DIGEST_LENGTH = 16


@cache
def installed_files() -> Mapping[str, str]:
    """SHA-256 of every file of the program and its rules, by path, in order."""
    return file_digests(PACKAGE_FOLDER)


def file_digests(folder: Path) -> dict[str, str]:
    """SHA-256 of every file under a folder except Python's caches."""
    files = [
        path
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.name not in EXCLUDED_FILES
    ]
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(files, key=lambda path: path.relative_to(folder).as_posix())
    }


def program_digest(files: Mapping[str, str]) -> str:
    """One digest of all files: SHA-256 of a line `HASH  PATH` for each file, as `sha256sum` writes them.

    >>> program_digest({"a.py": "00"})[:16]
    '27510c753414fff9'
    """
    lines = "".join(f"{digest}  {path}\n" for path, digest in files.items())
    return hashlib.sha256(lines.encode()).hexdigest()


def digest_of_folders(root: Path, names: Iterable[str]) -> str:
    """One digest of every file in folders of a root, as `program_digest` of those files alone."""
    return program_digest(dict(sorted(_digests(os.fspath(root), names))))


def _digests(root: str, names: Iterable[str]) -> Iterator[tuple[str, str]]:
    waiting = [f"{root}/{name}" for name in names]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    waiting += [entry.path] if entry.name != "__pycache__" else []
                elif entry.name not in EXCLUDED_FILES:
                    with open(entry.path, "rb", buffering=0) as stream:  # noqa: PTH123 (quicker for hundreds of files)
                        digest = hashlib.sha256(stream.read()).hexdigest()
                    yield entry.path[len(root) + 1 :], digest


def short_digest(files: Mapping[str, str]) -> str:
    """The first characters of the program digest, for the head of a record."""
    return program_digest(files)[:SHORT_DIGEST_LENGTH]


def installed_digest() -> str:
    """The digest of the installed program, abbreviated."""
    return short_digest(installed_files())
