"""On-disk cache of lookup tables.

The key has the ranking's declaration and the code that reads it, so stale tables are never used. See
`croupier.core.disk_cache` for what is trusted.
"""

from __future__ import annotations

import json
import sys
from array import array
from functools import cache
from hashlib import sha256
from pathlib import Path

from croupier.core.disk_cache import RANKINGS, read_entry, write_entry
from croupier.hands.plain_tables import PlainTables, build_plain_tables
from croupier.hands.ranking import Ranking


def load_tables(ranking: Ranking) -> PlainTables:
    """The tables of a ranking, from disk if cached; sets its spans."""
    key = f"{ranking.declaration()} {sys.byteorder} {_source_digest()}"
    content = read_entry(RANKINGS, key)
    if content is not None:
        return _decode(ranking, content)
    tables = build_plain_tables(ranking)
    write_entry(RANKINGS, key, _encode(ranking, tables))
    return tables


def _encode(ranking: Ranking, tables: PlainTables) -> bytes:
    """One line of JSON with the spans and the lengths of the tables in bytes, then the tables."""
    parts = [table.tobytes() for table in (tables.words, tables.sums, tables.strengths, tables.by_suit)]
    spans = {name: (span.start, span.stop) for name, span in ranking.spans().items()}
    head = json.dumps({"spans": spans, "lengths": [len(part) for part in parts]})
    return b"".join([head.encode(), b"\n", *parts])


def _decode(ranking: Ranking, content: bytes) -> PlainTables:
    head, _, body = content.partition(b"\n")
    fields = json.loads(head)
    tables, start = PlainTables(array("Q"), array("I"), array("h"), array("h")), 0
    parts = (tables.words, tables.sums, tables.strengths, tables.by_suit)
    for table, length in zip(parts, fields["lengths"], strict=True):
        table.frombytes(body[start : start + length])
        start += length
    ranking.load_spans({name: range(start, stop) for name, (start, stop) in fields["spans"].items()})
    return tables


@cache
def _source_digest() -> str:
    folder = Path(__file__).parent
    names = ("shapes.py", "ranking.py", "plain_tables.py", "lookup_cache.py")
    return sha256(b"".join((folder / name).read_bytes() for name in names)).hexdigest()
