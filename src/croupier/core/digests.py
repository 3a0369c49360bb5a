"""Digests: the hash chain behind records and the journal, and the digest of the installed program (LOG-5).

A line's hash is the SHA-256 of the previous line's hash, a line feed, and the line's canonical JSON without its own
hash. Changing, removing or reordering a line breaks every link after it (LOG-2).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

START = ""
"""The previous hash of the first line of a chain."""

line_text = json.JSONEncoder(ensure_ascii=False).encode
"""JSON as lines are written."""
canonical_text = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode
"""JSON as lines are hashed: keys sorted, no spaces."""


def next_hash(previous: str, line: Mapping[str, Any]) -> str:
    """The hash of a line; a hash that it already carries is left out."""
    return next_hash_of_text(previous, canonical_text({key: value for key, value in line.items() if key != "hash"}))


def next_hash_of_text(previous: str, text: str, errors: str = "surrogatepass") -> str:
    """The hash of a line whose canonical text is given; `errors` says what happens to unpaired surrogates."""
    return hashlib.sha256(f"{previous}\n{text}".encode("utf-8", errors)).hexdigest()


class ChainVerifier:
    """Checks the links of a sequence in order. After a broken link it continues from the hash that the line carries."""

    def __init__(self, previous: str = START) -> None:
        self._previous = previous

    def follows(self, line: Mapping[str, Any], digest: object) -> bool:
        """Whether a line with this hash follows the line before it."""
        expected = next_hash(self._previous, line)
        self._previous = digest if isinstance(digest, str) else START
        return digest == expected


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


def short_digest(files: Mapping[str, str]) -> str:
    """The first characters of the program digest, for the head of a record."""
    return program_digest(files)[:SHORT_DIGEST_LENGTH]
