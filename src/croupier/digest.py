"""A digest of the installed program and its rule files, so that anybody can see which program made a record (LOG-5)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

HOME = Path(__file__).parent
LEFT_OUT = ("clause_index.json",)
"""Made when the package is built, from the tests; no part of what the program does."""
SHORT = 16


@cache
def installed() -> Mapping[str, str]:
    """SHA-256 of every file of the program and its rules, by path, in order."""
    return digests(HOME)


def digests(home: Path) -> dict[str, str]:
    """SHA-256 of every file under a folder but for what Python caches."""
    files = [
        path
        for path in home.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.name not in LEFT_OUT
    ]
    return {
        path.relative_to(home).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(files, key=lambda path: path.relative_to(home).as_posix())
    }


def total(files: Mapping[str, str]) -> str:
    """One digest over all: SHA-256 of a line `HASH  PATH` for each file, as `sha256sum` writes them.

    >>> total({"a.py": "00"})[:16]
    '27510c753414fff9'
    """
    lines = "".join(f"{digest}  {path}\n" for path, digest in files.items())
    return hashlib.sha256(lines.encode()).hexdigest()


def short(files: Mapping[str, str]) -> str:
    """The first characters of the digest over all, for the head of a record."""
    return total(files)[:SHORT]
