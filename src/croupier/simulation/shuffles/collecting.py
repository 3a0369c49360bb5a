"""Collectors for a laboratory: raw bits before scaling, and final decks, each file with its SHA-256 (RNG-6)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from croupier.cards import DECK
from croupier.errors import Malformed
from croupier.simulation.shuffles.finding import Array

_NAMES = [str(card) for card in DECK]


@dataclass(slots=True)
class Collector:
    """Writes a file and keeps its digest."""

    path: Path
    _file: BinaryIO
    _digest: hashlib._Hash
    size: int = 0

    def write(self, data: bytes) -> None:
        """Writes some more."""
        self._file.write(data)
        self._digest.update(data)
        self.size += len(data)

    def write_decks(self, decks: Array) -> None:
        """Writes decks, one a line, as `recorded_decks` reads them."""
        lines = [" ".join([_NAMES[card] for card in deck]) for deck in decks.tolist()]
        self.write(("\n".join(lines) + "\n").encode())

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()


@contextmanager
def collecting(path: Path) -> Iterator[Collector]:
    """A file that is there when all has been written, or not at all, with a `.sha256` for `sha256sum -c` beside it.

    Refuses what is not a plain file.
    """
    if path.exists() and not path.is_file():
        raise Malformed(str(path), "is no plain file: name one to collect into")
    unfinished = path.with_name(path.name + ".part")
    try:
        file = unfinished.open("wb")
    except OSError as error:
        raise Malformed(str(path), f"cannot be written: {(error.strerror or str(error)).lower()}") from error
    try:
        with file:
            collector = Collector(path, file, hashlib.sha256())
            yield collector
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    checksum = path.with_name(path.name + ".sha256")
    checksum.write_text(f"{collector.sha256}  {path.name}\n", encoding="utf-8")
