"""Tests of raw bits before scaling: ones, runs, blocks, byte values and serial correlation."""

from __future__ import annotations

import numpy as np

from croupier.shuffle_tests.result import MIN_EXPECTED_COUNT, DeckTestResult, from_chi_squared, from_counts, from_score

BLOCK_BYTES = 128
MIN_BYTES = 256 * MIN_EXPECTED_COUNT
"""Fewer bytes would leave too few counts for each of the 256 values."""
_ONES = np.array([value.bit_count() for value in range(256)], dtype=np.int64)
_BIT_CHANGES = np.array([((value ^ value >> 1) & 127).bit_count() for value in range(256)], dtype=np.int64)
"""The number of bit changes within a byte, highest bit first."""
_CENTERED_VALUES = np.arange(256) * 2 - 255


class BitTests:
    """Five tests of a byte stream, fed in chunks."""

    def __init__(self) -> None:
        self.bytes = 0
        self.values = np.zeros(256, dtype=np.int64)
        self._changes_between = 0
        self._products = 0
        self._last_byte: int | None = None
        self._blocks = 0
        self._block_squares = 0
        self._partial_block = b""

    def add(self, chunk: bytes) -> None:
        """Counts more bytes."""
        values = np.frombuffer(chunk, dtype=np.uint8)
        self.bytes += len(values)
        self.values += np.bincount(values, minlength=256)
        joined = (
            values if self._last_byte is None else np.concatenate([np.array([self._last_byte], dtype=np.uint8), values])
        )
        self._changes_between += int(((joined[:-1] & 1) != (joined[1:] >> 7)).sum())
        self._products += int((_CENTERED_VALUES[joined[:-1]] * _CENTERED_VALUES[joined[1:]]).sum())
        self._last_byte = int(joined[-1])
        pending = self._partial_block + chunk
        complete = len(pending) // BLOCK_BYTES * BLOCK_BYTES
        self._partial_block = pending[complete:]
        blocks = _ONES[np.frombuffer(pending[:complete], dtype=np.uint8)].reshape(-1, BLOCK_BYTES).sum(axis=1)
        self._blocks += len(blocks)
        self._block_squares += int(((2 * blocks - 8 * BLOCK_BYTES) ** 2).sum())

    def results(self) -> list[DeckTestResult]:
        """The results for all bytes so far."""
        bits = 8 * self.bytes
        ones = int((self.values * _ONES).sum())
        changes = int((self.values * _BIT_CHANGES).sum()) + self._changes_between
        variance = float((_CENTERED_VALUES**2).mean())
        return [
            from_score(
                "bits: ones", "are ones as frequent as zeros", (2 * ones - bits) / bits**0.5, f"{ones:,} of {bits:,}"
            ),
            from_score(
                "bits: runs",
                "does a bit change as often as it stays",
                (2 * changes - (bits - 1)) / (bits - 1) ** 0.5,
                f"{changes:,} of {bits - 1:,} change",
            ),
            from_chi_squared(
                "bits: blocks",
                f"are ones even in blocks of {8 * BLOCK_BYTES:,}",
                self._block_squares / (8 * BLOCK_BYTES),
                self._blocks,
            ),
            from_counts("bytes: values", "are all 256 values equally frequent", self.values, [1 / 256] * 256),
            from_score(
                "bytes: serial",
                "does a byte predict the next byte",
                self._products / ((self.bytes - 1) ** 0.5 * variance),
                f"correlation {self._products / (self.bytes - 1) / variance:+.5f}",
            ),
        ]
