"""Random hands as an array of card numbers."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from croupier.hands.lookup_tables import Array


def deal(generator: np.random.Generator, *, hands: int, cards: int) -> Array:
    """So many hands of distinct cards, each as likely as any other, in the order they were drawn."""
    dealt = np.empty((hands, cards), dtype=np.uint8)
    filled = 0
    while filled < hands:
        drawn = generator.integers(0, 52, (hands - filled, cards), dtype=np.uint8)
        distinct = np.ones(len(drawn), dtype=bool)
        for one, other in combinations(range(cards), 2):
            distinct &= drawn[:, one] != drawn[:, other]
        kept = drawn[distinct]
        dealt[filled : filled + len(kept)] = kept
        filled += len(kept)
    return dealt
