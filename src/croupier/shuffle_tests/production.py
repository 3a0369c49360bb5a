"""Decks from the production shuffle: by the code of live tables, or by a compiled equivalent.

The compiled shuffle reads the same bytes in the same order and takes the same steps, so its decks are identical.
A sample of every run is shuffled again from the same bytes by the production code, and must be equal.
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
    """Decks of the source, each by a separate call as at a table."""
    for start in range(0, decks, BATCH_DECKS):
        orders = [source.order() for _ in range(min(BATCH_DECKS, decks - start))]
        yield np.array(orders, dtype=np.uint8)


def compiled_decks(source: ShuffleSource, decks: int) -> Iterator[Array]:
    """The same decks by the compiled shuffle.

    Raises `InvariantError` if a deck differs from that of the production code.
    """
    unused = b""
    done = 0
    while done < decks:
        batch_size = min(BATCH_DECKS, decks - done)
        unused += b"".join(source.draw(_DRAW_BYTES) for _ in range(-(-batch_size * _BYTES_PER_DECK // _DRAW_BYTES)))
        shuffles = np.empty((batch_size, DECK_SIZE), dtype=np.uint8)
        starts = np.empty(batch_size + 1, dtype=np.int64)
        complete = _shuffle(np.frombuffer(unused, dtype=np.uint8), shuffles, starts)
        for number in range(-done % CHECK_INTERVAL_DECKS, complete, CHECK_INTERVAL_DECKS):
            _check(unused[starts[number] : starts[number + 1]], shuffles[number])
        unused = unused[starts[complete] :]
        done += complete
        if complete:
            yield shuffles[:complete]


def _check(used: bytes, deck: Array) -> None:
    """Checks that the production code uses all bytes of a deck and gives the same order."""
    remaining = iter(used)
    order = shuffle_deck(lambda count: bytes(next(remaining) for _ in range(count)))
    if order != tuple(deck.tolist()) or next(remaining, None) is not None:
        raise InvariantError("the compiled shuffle and the production shuffle give different decks from the same bytes")


@numba.njit(nogil=True, cache=True)
def _shuffle(stream: Any, shuffles: Any, starts: Any) -> int:
    """Shuffles decks until the batch is full or the bytes run out; returns the number of decks."""
    at = 0
    starts[0] = 0
    for number in range(shuffles.shape[0]):
        deck = shuffles[number]
        for card in range(52):
            deck[card] = card
        for last in range(51, 0, -1):
            bound = last + 1
            limit = 256 - 256 % bound
            while True:
                if at == len(stream):
                    return number
                value = int(stream[at])
                at += 1
                if value < limit:
                    break
            other = value % bound
            deck[last], deck[other] = deck[other], deck[last]
        starts[number + 1] = at
    return int(shuffles.shape[0])
