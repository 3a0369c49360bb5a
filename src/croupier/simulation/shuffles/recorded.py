"""Recorded decks from a file, as of a physical shuffler: one deck a line, `As Kd ...` from the top."""

from __future__ import annotations

from collections.abc import Iterator
from io import BufferedReader, TextIOWrapper
from pathlib import Path

import numpy as np

from croupier.cards import DECK, Card, show_cards
from croupier.errors import Malformed
from croupier.simulation.shuffles.finding import CARDS, Array
from croupier.simulation.shuffles.production import BATCH

_NUMBERS = {str(card): card.index for card in DECK}
_SHOWN = 5


def recorded_decks(path: Path) -> Iterator[Array]:
    """The decks of a file in batches; white space separates cards, and `#` starts a comment.

    Refuses a line that is not a full deck, with its number.
    """
    rows: list[list[int]] = []
    with opened(path) as file, TextIOWrapper(file, encoding="utf-8-sig") as lines:
        try:
            for number, line in enumerate(lines, start=1):
                words = line.split("#", 1)[0].split()
                if words:
                    rows.append(_deck(words, f"{path}, line {number}"))
                if len(rows) == BATCH:
                    yield np.array(rows, dtype=np.uint8)
                    rows = []
        except UnicodeDecodeError as error:
            raise Malformed(str(path), "is not a text file in UTF-8") from error
    if rows:
        yield np.array(rows, dtype=np.uint8)


def opened(path: Path) -> BufferedReader:
    """The file, or a refusal that says why it cannot be read."""
    try:
        return path.open("rb")
    except OSError as error:
        raise Malformed(str(path), f"cannot be read: {(error.strerror or str(error)).lower()}") from error


def _deck(words: list[str], place: str) -> list[int]:
    try:
        numbers = [_NUMBERS[word] if word in _NUMBERS else Card.parse(word).index for word in words]
    except Malformed as error:
        raise Malformed(place, error.reason) from error
    missing = [card for card in DECK if card.index not in set(numbers)]
    if not missing and len(numbers) == CARDS:
        return numbers
    faults = []
    if len(numbers) != CARDS:
        faults.append(f"{len(numbers)} cards, not {CARDS}")
    for card in DECK:
        times = numbers.count(card.index)
        if times > 1:
            faults.append(f"{card} stands there {'twice' if times == 2 else f'{times} times'}")
    if missing:
        more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
        faults.append(f"missing: {show_cards(missing[:_SHOWN])}{more}")
    raise Malformed(place, "; ".join(faults))
