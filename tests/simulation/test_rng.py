"""The cards: the compiled generator against a slow one, and that no card is favoured."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np
import pytest

from croupier.hands.lookup_tables import Array
from croupier.simulation.kernel.rng import BLOCK_ROUNDS, RANDOM_BITS, draw_batches
from tests.simulation.jobs import traced

WORD = (1 << 64) - 1


def mixed(x: int) -> int:
    """The finaliser of splitmix64."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB & WORD
    return x ^ x >> 31


def numbers(seed: int, block: int) -> Iterator[int]:
    """xoshiro256++ from the state that a seed and a block give."""
    start = mixed((seed + 0x9E3779B97F4A7C15) & WORD) ^ mixed((block * 0xD1342543DE82EF95 + 1) & WORD)
    state = [mixed((start + n * 0x9E3779B97F4A7C15) & WORD) for n in range(1, 5)]
    while True:
        a, b, c, d = state
        yield (rotated((a + d) & WORD, 23) + a) & WORD
        c, d = c ^ a, d ^ b
        b, a = b ^ c, a ^ d
        state = [a, b, c ^ (state[1] << 17 & WORD), rotated(d, 45)]


def rotated(x: int, by: int) -> int:
    return (x << by | x >> 64 - by) & WORD


def decks(seed: int, block: int, cards: int) -> Iterator[list[int]]:
    """A number as a fraction of the range times the product of the bounds; its whole part in mixed digits."""
    source, deck = numbers(seed, block), list(range(52))
    while True:
        for batch in draw_batches(cards):
            bounds = [52 - n for n in batch]
            while True:
                whole, rest = divmod((next(source) >> 64 - RANDOM_BITS) * prod(bounds), 1 << RANDOM_BITS)
                if rest >= (1 << RANDOM_BITS) % prod(bounds):
                    break
            digits = []
            for bound in reversed(bounds):
                whole, digit = divmod(whole, bound)
                digits.append(digit)
            for n, digit in zip(batch, reversed(digits), strict=True):
                deck[n], deck[n + digit] = deck[n + digit], deck[n]
        yield deck[:cards]


def drawn(name: str, seats: int, seed: int, first: int, rounds: int) -> Array:
    job = traced(name, seats)
    trace = np.zeros((rounds, seats, job.program.groups + job.program.cards), dtype=np.int32)
    job.program.run(seed, first, rounds, trace)
    found: Array = trace[:, 0, job.program.groups :]
    return found


@pytest.mark.parametrize(("name", "seats"), [("pa-679a", 1), ("pa-641a", 4)])
@pytest.mark.parametrize("block", [0, 12_345])
def test_cards_are_those_of_the_slow_generator(name: str, seats: int, block: int) -> None:
    found = drawn(name, seats, 2**63 + 5, block * BLOCK_ROUNDS, 300)
    slow = decks(2**63 + 5, block, found.shape[1])
    assert found.tolist() == [next(slow) for _ in range(300)]


def test_every_card_is_as_likely_at_every_place_and_no_card_is_drawn_twice() -> None:
    rounds = 1 << 18
    found = drawn("pa-641a", 4, 1, 0, rounds)
    assert (np.sort(found, axis=1)[:, 1:] != np.sort(found, axis=1)[:, :-1]).all()
    expected = rounds / 52
    for place in range(found.shape[1]):
        counts = np.bincount(found[:, place], minlength=52)
        chi_square = float(((counts - expected) ** 2 / expected).sum())
        assert chi_square < 51 + 5 * (2 * 51) ** 0.5, (place, chi_square)


def test_a_batch_repeats_a_draw_less_than_once_in_four_thousand_times() -> None:
    for cards in range(1, 53):
        assert [n for batch in draw_batches(cards) for n in batch] == list(range(cards))
        assert all(prod(52 - n for n in batch) * 4096 <= 1 << RANDOM_BITS for batch in draw_batches(cards))
