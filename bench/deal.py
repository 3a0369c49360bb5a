"""Random hands as an array of card numbers."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from croupier.hands.lookup_tables import Array


def deal(generator: np.random.Generator, *, hands: int, cards: int) -> Array:
    """Deals uniformly random hands of distinct cards, in the order they were candidates."""
    result = np.empty((hands, cards), dtype=np.uint8)
    filled = 0
    while filled < hands:
        candidates = generator.integers(0, 52, (hands - filled, cards), dtype=np.uint8)
        distinct = np.ones(len(candidates), dtype=bool)
        for one, other in combinations(range(cards), 2):
            distinct &= candidates[:, one] != candidates[:, other]
        valid = candidates[distinct]
        result[filled : filled + len(valid)] = valid
        filled += len(valid)
    return result
