"""The hash chain behind records and the journal: canonical text, the next hash, and the check of a sequence.

A line's hash is the SHA-256 of the previous line's hash, a line feed, and the line's canonical JSON without its own
hash. Changing, removing or reordering a line breaks every link after it (LOG-2).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
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
