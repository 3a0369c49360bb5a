"""Shuffle sources: the random orders of a deck. They live outside the pure engine.

Live play draws from the operating system's generator (RNG-1). Every source runs a Fisher-Yates shuffle, with
rejection sampling at each step to avoid bias (RNG-3), so all 52! orders are reachable and equally likely.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Protocol

_BLOCK_BYTES = 96
"""A shuffle needs 51 bytes, and a few more for those that are rejected."""


class ShuffleSource(Protocol):
    """A source of deck orders."""

    @property
    def name(self) -> str:
        """The name of the source in the record."""

    def draw(self, count: int, /) -> bytes:
        """The next raw bytes, before scaling, as a test laboratory examines them (RNG-6)."""

    def order(self) -> tuple[int, ...]:
        """The next order, top card first."""


class OperatingSystemShuffle:
    """The production shuffle: bytes of the operating system's generator, used in order and at once."""

    name = "operating system"

    def draw(self, count: int, /) -> bytes:
        return secrets.token_bytes(count)

    def order(self) -> tuple[int, ...]:
        return shuffle_deck(_buffer_draws(self.draw))


class SeededShuffle:
    """For simulation, replay and tests only: SHA-256 of the seed and a counter."""

    def __init__(self, seed: str) -> None:
        self.name = f"seed {seed}"
        self._seed = seed.encode()
        self._counter = 0
        self._buffer = b""

    def draw(self, count: int, /) -> bytes:
        while len(self._buffer) < count:
            block = hashlib.sha256(self._seed + b"/" + str(self._counter).encode()).digest()
            self._buffer += block
            self._counter += 1
        drawn, self._buffer = self._buffer[:count], self._buffer[count:]
        return drawn

    def order(self) -> tuple[int, ...]:
        return shuffle_deck(self.draw)


class _DrawBytes(Protocol):
    def __call__(self, count: int, /) -> bytes: ...


def _buffer_draws(draw: _DrawBytes) -> _DrawBytes:
    """The same bytes in the same order, fetched in blocks: a system call for each byte is slow."""
    buffer = b""

    def draw_buffered(count: int, /) -> bytes:
        nonlocal buffer
        while len(buffer) < count:
            buffer += draw(_BLOCK_BYTES)
        drawn, buffer = buffer[:count], buffer[count:]
        return drawn

    return draw_buffered


def shuffle_deck(draw: _DrawBytes) -> tuple[int, ...]:
    """An order of the 52 cards from a stream of random bytes."""
    cards = list(range(52))
    for last in range(51, 0, -1):
        place = random_below(last + 1, draw)
        cards[last], cards[place] = cards[place], cards[last]
    return tuple(cards)


def random_below(bound: int, draw: _DrawBytes) -> int:
    """A number from 0 to `bound - 1`, each equally likely: values above the last full multiple are rejected."""
    size = 1 if bound <= 256 else -(-(bound - 1).bit_length() // 8)
    limit = 256**size - 256**size % bound
    while True:
        value = int.from_bytes(draw(size), "big")
        if value < limit:
            return value % bound
