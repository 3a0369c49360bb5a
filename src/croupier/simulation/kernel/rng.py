"""Generated source of the random number generator: one stream per block, and unbiased card draws.

The generator is xoshiro256++ by Blackman and Vigna, seeded by splitmix64 from the seed and the block
number, so a block's cards do not depend on the worker. Several cards are drawn from one random number:
58 bits of it are multiplied by 52, 51 and so on, the digits above the 58 bits are positions in the deck,
and draws in the incomplete last part of the range are rejected (Lemire's method for the product of the
bounds). The positions drive a partial Fisher-Yates shuffle.
"""

from __future__ import annotations

from math import prod

BLOCK_ROUNDS = 1 << 16
"""Rounds per random stream."""
RANDOM_BITS = 58
"""Bits used of a random number; the other six leave room for the bound."""
REJECTION_BITS = 12
"""A draw is rejected with a probability below 2 ** -REJECTION_BITS."""

PRELUDE = f"""\
import numba
import numpy as np
from numpy import int64, uint8, uint64

KEYS = uint64({{keys}})
LONG = uint64({{long}})
STRENGTH = uint64({{strength}})
REST = uint64((1 << {RANDOM_BITS}) - 1)
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


def draw_batches(cards: int) -> list[range]:
    """The groups of cards drawn from one random number."""
    batches, start = [], 0
    while start < cards:
        stop = start + 1
        while stop < cards and prod(52 - n for n in range(start, stop + 1)) < 1 << (RANDOM_BITS - REJECTION_BITS):
            stop += 1
        batches.append(range(start, stop))
        start = stop
    return batches


def draw_lines(cards: int, named_count: int) -> list[str]:
    """Lines that draw cards to the top of `deck`, the first `named` of them also into variables."""
    lines: list[str] = []
    for batch in draw_batches(cards):
        product = prod(52 - n for n in batch)
        lines += ["while True:", "    x, a, b, c, d = following(a, b, c, d)", f"    x >>= uint64({64 - RANDOM_BITS})"]
        for n in batch:
            lines += [
                f"    x *= uint64({52 - n})",
                f"    j{n} = (x >> uint64({RANDOM_BITS})) + uint64({n})",
                "    x &= REST",
            ]
        lines += [f"    if x >= uint64({(1 << RANDOM_BITS) % product}):", "        break"]
        for n in batch:
            name = f"c{n}" if n < named_count else "t"
            lines += [f"{name} = deck[j{n}]", f"deck[j{n}] = deck[uint64({n})]", f"deck[uint64({n})] = {name}"]
    return lines
