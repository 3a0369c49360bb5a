"""Collects samples for a laboratory: raw bits and final decks, each file with its SHA-256 (RNG-6)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from croupier.core.cards import DECK
from croupier.core.errors import InputError
from croupier.shuffle_tests.result import Array

_CARD_TEXTS = [str(card) for card in DECK]


@dataclass(slots=True)
class Collector:
    """Writes a file and computes its digest."""

    path: Path
    _file: BinaryIO
    _digest: hashlib._Hash
    size: int = 0

    def write(self, data: bytes) -> None:
        """Appends bytes."""
        self._file.write(data)
        self._digest.update(data)
        self.size += len(data)

    def write_decks(self, decks: Array) -> None:
        """Appends decks, one per line, in the format that `recorded_decks` reads."""
        lines = [" ".join([_CARD_TEXTS[card] for card in deck]) for deck in decks.tolist()]
        self.write(("\n".join(lines) + "\n").encode())

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()


@contextmanager
def open_collector(path: Path) -> Iterator[Collector]:
    """Writes a file atomically, with a `.sha256` file for `sha256sum -c` beside it.

    Refuses a path that is not a regular file.
    """
    if path.exists() and not path.is_file():
        raise InputError(str(path), "is not a regular file")
    partial = path.with_name(path.name + ".part")
    try:
        file = partial.open("wb")
    except OSError as error:
        raise InputError(str(path), f"cannot be written: {(error.strerror or str(error)).lower()}") from error
    try:
        with file:
            collector = Collector(path, file, hashlib.sha256())
            yield collector
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    checksum = path.with_name(path.name + ".sha256")
    checksum.write_text(f"{collector.sha256}  {path.name}\n", encoding="utf-8")
