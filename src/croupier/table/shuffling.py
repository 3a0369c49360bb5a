"""Where the order of a shuffled deck comes from. Outside the pure engine, since it is chance.

Live play draws from the operating system's generator (RNG-1). Both shuffles are Fisher and
Yates's, each step drawn without bias by throwing away what would favour some cards (RNG-3), so
every one of the 52! orders is reachable and equally likely.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Protocol

_AT_ONCE = 96
"""Bytes; a shuffle needs 51 and a few more for those that are passed over."""


class ShuffleSource(Protocol):
    """Gives orders of a deck, and says where they come from."""

    @property
    def name(self) -> str:
        """What the record says of the source."""

    def draw(self, count: int, /) -> bytes:
        """The next raw bytes, before scaling: what a shuffle is made of, and what a laboratory asks for (RNG-6)."""

    def order(self) -> tuple[int, ...]:
        """The next order, top card first."""


class OperatingSystemShuffle:
    """The production shuffle: bytes of the operating system's generator, used in order and at once."""

    name = "operating system"

    def draw(self, count: int, /) -> bytes:
        return secrets.token_bytes(count)

    def order(self) -> tuple[int, ...]:
        return shuffled(_block(self.draw))


class SeededShuffle:
    """For simulation, replay and tests only: SHA-256 of the seed and a counter."""

    def __init__(self, seed: str) -> None:
        self.name = f"seed {seed}"
        self._seed = seed.encode()
        self._counter = 0
        self._left = b""

    def draw(self, count: int, /) -> bytes:
        while len(self._left) < count:
            block = hashlib.sha256(self._seed + b"/" + str(self._counter).encode()).digest()
            self._left += block
            self._counter += 1
        taken, self._left = self._left[:count], self._left[count:]
        return taken

    def order(self) -> tuple[int, ...]:
        return shuffled(self.draw)


class _Bytes(Protocol):
    def __call__(self, count: int, /) -> bytes: ...


def _block(draw: _Bytes) -> _Bytes:
    """The same bytes in the same order, fetched many at a time: asking the operating system for each one is slow."""
    left = b""

    def taken(count: int, /) -> bytes:
        nonlocal left
        while len(left) < count:
            left += draw(_AT_ONCE)
        found, left = left[:count], left[count:]
        return found

    return taken


def shuffled(draw: _Bytes) -> tuple[int, ...]:
    """An order of the 52 cards from a stream of random bytes."""
    cards = list(range(52))
    for last in range(51, 0, -1):
        other = below(last + 1, draw)
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)


def below(bound: int, draw: _Bytes) -> int:
    """A number from 0 to `bound - 1`, each equally likely: what is above the last full multiple is passed over."""
    size = 1 if bound <= 256 else -(-(bound - 1).bit_length() // 8)
    limit = 256**size - 256**size % bound
    while True:
        value = int.from_bytes(draw(size), "big")
        if value < limit:
            return value % bound
