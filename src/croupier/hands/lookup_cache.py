"""On-disk cache of look-up tables.

A file is named after a digest of the ranking's declaration and of the code that reads it, so a
changed declaration never uses stale tables. An unreadable file is rebuilt; an unwritable folder
only costs time.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
from functools import cache
from pathlib import Path

import numpy as np

from croupier.hands.lookup_tables import Tables, build_tables
from croupier.hands.ranking import Ranking


def load_tables(ranking: Ranking) -> Tables:
    """The tables of a ranking, from disk if cached."""
    path = cache_folder() / f"{ranking.name}-{_digest(ranking)}.npz"
    try:
        with path.open("rb") as opened, np.load(opened) as file:
            tables = Tables(file["words"], file["by_ranks"], file["by_suit"])
            bounds = zip(file["names"].tolist(), file["starts"].tolist(), file["stops"].tolist(), strict=True)
            ranking.remember({name: range(start, stop) for name, start, stop in bounds})
            return tables
    except (OSError, KeyError, ValueError, zipfile.BadZipFile, EOFError):
        tables = build_tables(ranking)
        _save(path, ranking, tables)
        return tables


def cache_folder() -> Path:
    """The folder of the cache: `$XDG_CACHE_HOME/croupier`, usually `~/.cache/croupier`."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "croupier"


def _save(path: Path, ranking: Ranking, tables: Tables) -> None:
    spans = ranking.spans()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            temporary = Path(folder) / path.name
            np.savez(
                temporary,
                words=tables.words,
                by_ranks=tables.by_ranks,
                by_suit=tables.by_suit,
                names=np.array(list(spans)),
                starts=np.array([span.start for span in spans.values()]),
                stops=np.array([span.stop for span in spans.values()]),
            )
            temporary.replace(path)
    except OSError:
        return


def _digest(ranking: Ranking) -> str:
    return hashlib.sha256(ranking.declaration().encode() + _code()).hexdigest()[:16]


@cache
def _code() -> bytes:
    here = Path(__file__).parent
    return b"".join((here / name).read_bytes() for name in ("shapes.py", "ranking.py", "lookup_tables.py"))
