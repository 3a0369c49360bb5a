"""On-disk cache of lookup tables.

The file name has a digest of the ranking's declaration and of the code that reads it, so stale tables
are never used. An unreadable file is rebuilt. If the folder is not writable, tables are built in every
process.
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
        with path.open("rb") as stream, np.load(stream) as archive:
            tables = Tables(archive["words"], archive["by_ranks"], archive["by_suit"])
            bounds = zip(archive["names"].tolist(), archive["starts"].tolist(), archive["stops"].tolist(), strict=True)
            ranking.load_spans({name: range(start, stop) for name, start, stop in bounds})
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
    return hashlib.sha256(ranking.declaration().encode() + _source_code()).hexdigest()[:16]


@cache
def _source_code() -> bytes:
    folder = Path(__file__).parent
    return b"".join((folder / name).read_bytes() for name in ("shapes.py", "ranking.py", "lookup_tables.py"))
