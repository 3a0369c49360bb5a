"""Decks from the production shuffle: by the very code that live tables use, or by its compiled twin.

The twin reads the same bytes in the same order and takes the same steps, so that its decks are the same, deck for
deck. Some of every run are shuffled again from their bytes by the production code, and must be equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numba
import numpy as np

from croupier.errors import BrokenInvariant
from croupier.simulation.shuffles.finding import CARDS, Array
from croupier.table.shuffling import ShuffleSource, shuffled

BATCH = 4096
"""Decks given at once."""
CHECKED = 100
"""One in so many decks of the compiled twin is shuffled again by the production code."""
_ENOUGH = 64
"""Bytes a deck asked for at once; 51 steps use about 58."""
_AT_ONCE = 4096


def production_decks(source: ShuffleSource, decks: int) -> Iterator[Array]:
    """So many orders of the source, each by a call of its own as at a table."""
    for start in range(0, decks, BATCH):
        orders = [source.order() for _ in range(min(BATCH, decks - start))]
        yield np.array(orders, dtype=np.uint8)


def compiled_decks(source: ShuffleSource, decks: int) -> Iterator[Array]:
    """The same orders by the compiled twin.

    Stops with a broken invariant when a deck that is shuffled again by the production code differs.
    """
    left = b""
    done = 0
    while done < decks:
        wanted = min(BATCH, decks - done)
        left += b"".join(source.draw(_AT_ONCE) for _ in range(-(-wanted * _ENOUGH // _AT_ONCE)))
        shuffles = np.empty((wanted, CARDS), dtype=np.uint8)
        starts = np.empty(wanted + 1, dtype=np.int64)
        made = _shuffle(np.frombuffer(left, dtype=np.uint8), shuffles, starts)
        for number in range(-done % CHECKED, made, CHECKED):
            _check(left[starts[number] : starts[number + 1]], shuffles[number])
        left = left[starts[made] :]
        done += made
        if made:
            yield shuffles[:made]


def _check(used: bytes, found: Array) -> None:
    """The production code, given the bytes of a deck, must use them all and come to the same order."""
    left = iter(used)
    order = shuffled(lambda count: bytes(next(left) for _ in range(count)))
    if order != tuple(found.tolist()) or next(left, None) is not None:
        raise BrokenInvariant("the compiled shuffle gave another deck than the production shuffle from the same bytes")


@numba.njit(nogil=True, cache=True)
def _shuffle(stream: Any, shuffles: Any, starts: Any) -> int:
    """Decks from a stream of bytes until there are enough, or bytes no longer suffice; gives how many there are."""
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
