"""The lookup tables of a ranking as NumPy arrays, for kernels; `croupier.hands.plain_tables` builds them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from croupier.core.dataclass import dataclass
from croupier.hands.plain_tables import RANK_SETS, PlainTables

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Tables:
    """The arrays from which a kernel evaluates hands of one ranking."""

    words: Array
    """uint64 [cards in hand, 52]"""
    by_ranks: Array
    """int16 [largest sum + 1]"""
    by_suit: Array
    """int16 [4, 8192]"""

    def flat(self) -> tuple[Array, Array, Array]:
        """The tables as kernels take them, each of one dimension."""
        return self.words.reshape(-1), self.by_ranks, self.by_suit.reshape(-1)


def as_arrays(tables: PlainTables) -> Tables:
    """The tables as arrays that kernels index."""
    sums = np.frombuffer(tables.sums, dtype=np.uint32)
    by_ranks = np.full(int(sums[-1]) + 1, -1, dtype=np.int16)
    by_ranks[sums] = np.frombuffer(tables.strengths, dtype=np.int16)
    return Tables(
        np.array(tables.words, dtype=np.uint64).reshape(-1, 52),
        by_ranks,
        np.array(tables.by_suit, dtype=np.int16).reshape(4, RANK_SETS),
    )
