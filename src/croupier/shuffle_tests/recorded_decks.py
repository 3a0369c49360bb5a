"""Recorded decks, for example of a physical shuffler: one deck per line, `As Kd ...` from the top."""

from __future__ import annotations

from collections.abc import Iterator
from io import BufferedReader, TextIOWrapper
from pathlib import Path

import numpy as np

from croupier.core.cards import DECK, Card, show_cards
from croupier.core.errors import InputError
from croupier.shuffle_tests.production import BATCH_DECKS
from croupier.shuffle_tests.result import DECK_SIZE, Array

_CARD_NUMBERS = {str(card): card.index for card in DECK}
_MAX_LISTED_CARDS = 5


def recorded_decks(path: Path) -> Iterator[Array]:
    """Reads decks in batches; white space separates cards, and `#` starts a comment.

    Refuses a line that is not a full deck, and gives its number.
    """
    rows: list[list[int]] = []
    with open_deck_file(path) as file, TextIOWrapper(file, encoding="utf-8-sig") as lines:
        try:
            for number, line in enumerate(lines, start=1):
                words = line.split("#", 1)[0].split()
                if words:
                    rows.append(_parse_deck(words, f"{path}, line {number}"))
                if len(rows) == BATCH_DECKS:
                    yield np.array(rows, dtype=np.uint8)
                    rows = []
        except UnicodeDecodeError as error:
            raise InputError(str(path), "is not a text file in UTF-8") from error
    if rows:
        yield np.array(rows, dtype=np.uint8)


def open_deck_file(path: Path) -> BufferedReader:
    """Opens a file; refuses one that cannot be read, with the reason."""
    try:
        return path.open("rb")
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {(error.strerror or str(error)).lower()}") from error


def _parse_deck(words: list[str], place: str) -> list[int]:
    try:
        numbers = [_CARD_NUMBERS[word] if word in _CARD_NUMBERS else Card.parse(word).index for word in words]
    except InputError as error:
        raise InputError(place, error.reason) from error
    missing = [card for card in DECK if card.index not in set(numbers)]
    if not missing and len(numbers) == DECK_SIZE:
        return numbers
    problems = []
    if len(numbers) != DECK_SIZE:
        problems.append(f"{len(numbers)} card{'s' * (len(numbers) != 1)}, not {DECK_SIZE}")
    for card in DECK:
        count = numbers.count(card.index)
        if count > 1:
            problems.append(f"the card {card} is listed {'twice' if count == 2 else f'{count} times'}")
    if missing:
        more = f" and {len(missing) - _MAX_LISTED_CARDS} more" if len(missing) > _MAX_LISTED_CARDS else ""
        problems.append(f"missing: {show_cards(missing[:_MAX_LISTED_CARDS])}{more}")
    raise InputError(place, "; ".join(problems))
