"""Decks from the production shuffle: by the code of live tables, or by a compiled equivalent.

The compiled shuffle takes the same steps with the same bytes, so its decks are identical. A sample of every run
is verified with the production code on the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numba
import numpy as np

from croupier.core.errors import InvariantError
from croupier.shuffle_tests.result import DECK_SIZE, Array
from croupier.table.procedure.shuffle import ShuffleSource, shuffle_deck

BATCH_DECKS = 4096
"""Decks per batch."""
CHECK_INTERVAL_DECKS = 100
"""One deck in this many is verified with the production code."""
_BYTES_PER_DECK = 64
"""Random bytes requested per deck; 51 steps use about 58."""
_DRAW_BYTES = 4096


def production_decks(source: ShuffleSource, decks: int) -> Iterator[Array]:
    """Decks of the source, one call per deck, as at a table."""
    for start in range(0, decks, BATCH_DECKS):
        orders = [source.order() for _ in range(min(BATCH_DECKS, decks - start))]
        yield np.array(orders, dtype=np.uint8)


def compiled_decks(source: ShuffleSource, decks: int) -> Iterator[Array]:
    """The same decks by the compiled shuffle.

    Raises `InvariantError` if a deck differs from that of the production code.
    """
    buffer = b""
    total = 0
    while total < decks:
        batch_size = min(BATCH_DECKS, decks - total)
        buffer += b"".join(source.draw(_DRAW_BYTES) for _ in range(-(-batch_size * _BYTES_PER_DECK // _DRAW_BYTES)))
        shuffles = np.empty((batch_size, DECK_SIZE), dtype=np.uint8)
        starts = np.empty(batch_size + 1, dtype=np.int64)
        deck_count = _shuffle(np.frombuffer(buffer, dtype=np.uint8), shuffles, starts)
        for number in range(-total % CHECK_INTERVAL_DECKS, deck_count, CHECK_INTERVAL_DECKS):
            _check(buffer[starts[number] : starts[number + 1]], shuffles[number])
        buffer = buffer[starts[deck_count] :]
        total += deck_count
        if deck_count:
            yield shuffles[:deck_count]


def _check(deck_bytes: bytes, deck: Array) -> None:
    """Checks that the production code uses all bytes of a deck and gives the same order."""
    remaining = iter(deck_bytes)
    order = shuffle_deck(lambda count: bytes(next(remaining) for _ in range(count)))
    if order != tuple(deck.tolist()) or next(remaining, None) is not None:
        raise InvariantError("the compiled shuffle and the production shuffle give different decks from the same bytes")


@numba.njit(nogil=True, cache=True)
def _shuffle(stream: Any, shuffles: Any, starts: Any) -> int:
    """Shuffles decks until the batch is full or the bytes run out; returns the number of decks."""
    position = 0
    starts[0] = 0
    for number in range(shuffles.shape[0]):
        deck = shuffles[number]
        for card in range(52):
            deck[card] = card
        for last in range(51, 0, -1):
            bound = last + 1
            limit = 256 - 256 % bound
            while True:
                if position == len(stream):
                    return number
                value = int(stream[position])
                position += 1
                if value < limit:
                    break
            other = value % bound
            deck[last], deck[other] = deck[other], deck[last]
        starts[number + 1] = position
    return int(shuffles.shape[0])
