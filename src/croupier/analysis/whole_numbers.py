"""Scales fractions to integers over a common denominator, for kernels that use 64-bit integers.

Odds may have any denominator, so every caller checks here that its sums fit: a result is exact or
refused, and never overflows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm

import numpy as np

from croupier.core.errors import InputError
from croupier.hands.lookup_tables import Array

MAX_INT64 = 2**63 - 1
LOW_BITS = 32


def common_denominator(values: Iterable[Fraction]) -> int:
    """The least common denominator of all values."""
    return lcm(*(value.denominator for value in values))


def require_fit(sum_bound: Fraction | int, scale: int) -> None:
    """Refuses values whose sum, at most `sum_bound`, overflows 64 bits when multiplied by `scale`."""
    if sum_bound * scale > MAX_INT64:
        reason = f"the payouts or their common denominator ({scale:,}) are too large for an exact analysis"
        raise InputError("", reason)


def scale_to_integers(values: Sequence[Fraction], scale: int) -> Array:
    """The values times `scale`, int64."""
    return np.array([int(value * scale) for value in values], dtype=np.int64)


def sum_by_index(indices: Array, values: Array, count: int) -> list[int]:
    """The sum of the values at each index below `count`, without overflow."""
    high, low = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    np.add.at(high, indices, values >> LOW_BITS)
    np.add.at(low, indices, values & ((1 << LOW_BITS) - 1))
    return [(high_sum << LOW_BITS) + low_sum for high_sum, low_sum in zip(high.tolist(), low.tolist(), strict=True)]
