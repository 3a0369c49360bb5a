"""Source text of chance: a stream for each block of rounds, and cards drawn from it without bias.

The generator is xoshiro256++ by Blackman and Vigna; its state comes from splitmix64 of the seed and
the number of the block, so a block's cards do not depend on who computes it. Several cards are drawn
from one number: 58 bits of it are multiplied by 52, 51 and so on, the digits above the 58 bits are
places in the deck, and the rest must not fall into the incomplete last part of the range (Lemire's
method for the product of the bounds). Places are used in a partial shuffle of Fisher and Yates.
"""

from __future__ import annotations

from math import prod

BLOCK = 1 << 16
"""Rounds that share a stream."""
BITS = 58
"""Of a random number; six more are left for the bound."""
MOST_REJECTED = 12
"""A draw is repeated less often than once in two to this power."""

PRELUDE = f"""\
import numba
import numpy as np
from numpy import int64, uint8, uint64

KEYS = uint64({{keys}})
LONG = uint64({{long}})
STRENGTH = uint64({{strength}})
REST = uint64((1 << {BITS}) - 1)
HALF = int64((1 << 32) - 1)


@numba.njit(nogil=True, cache=True)
def mixed(x):
    x = (x ^ (x >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> uint64(27))) * uint64(0x94D049BB133111EB)
    return x ^ (x >> uint64(31))


@numba.njit(nogil=True, cache=True)
def stream(seed, block):
    x = mixed(uint64(seed) + uint64(0x9E3779B97F4A7C15)) ^ mixed(uint64(block) * uint64(0xD1342543DE82EF95) + uint64(1))
    a = mixed(x + uint64(0x9E3779B97F4A7C15))
    b = mixed(x + uint64(0x3C6EF372FE94F82A))
    c = mixed(x + uint64(0xDAA66D2C7DDF743F))
    d = mixed(x + uint64(0x78DDE6E5FD29F054))
    return a, b, c, d


@numba.njit(nogil=True, cache=True)
def following(a, b, c, d):
    x = a + d
    found = ((x << uint64(23)) | (x >> uint64(41))) + a
    t = b << uint64(17)
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = (d << uint64(45)) | (d >> uint64(19))
    return found, a, b, c, d
"""


def batches(cards: int) -> list[range]:
    """Which cards are drawn from one number."""
    found, start = [], 0
    while start < cards:
        stop = start + 1
        while stop < cards and prod(52 - n for n in range(start, stop + 1)) < 1 << (BITS - MOST_REJECTED):
            stop += 1
        found.append(range(start, stop))
        start = stop
    return found


def draw(cards: int, kept: int) -> list[str]:
    """Lines that put so many cards on top of `deck`, the first `kept` of them into variables too."""
    lines: list[str] = []
    for batch in batches(cards):
        product = prod(52 - n for n in batch)
        lines += ["while True:", "    x, a, b, c, d = following(a, b, c, d)", f"    x >>= uint64({64 - BITS})"]
        for n in batch:
            lines += [f"    x *= uint64({52 - n})", f"    j{n} = (x >> uint64({BITS})) + uint64({n})", "    x &= REST"]
        lines += [f"    if x >= uint64({(1 << BITS) % product}):", "        break"]
        for n in batch:
            name = f"c{n}" if n < kept else "t"
            lines += [f"{name} = deck[j{n}]", f"deck[j{n}] = deck[uint64({n})]", f"deck[uint64({n})] = {name}"]
    return lines
