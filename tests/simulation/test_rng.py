"""Compares the compiled generator with a slow one, and checks that all cards are equally likely."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np
import pytest

from croupier.hands.lookup_tables import Array
from croupier.simulation.kernel.rng import BLOCK_ROUNDS, RANDOM_BITS, draw_batches
from tests.simulation.jobs import FOUR_CARD, THREE_CARD, traced_job

WORD = (1 << 64) - 1


def mix(x: int) -> int:
    """The finalizer of splitmix64."""
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB & WORD
    return x ^ x >> 31


def random_words(seed: int, block: int) -> Iterator[int]:
    """xoshiro256++, seeded with a seed and a block number."""
    start = mix((seed + 0x9E3779B97F4A7C15) & WORD) ^ mix((block * 0xD1342543DE82EF95 + 1) & WORD)
    state = [mix((start + n * 0x9E3779B97F4A7C15) & WORD) for n in range(1, 5)]
    while True:
        a, b, c, d = state
        yield (rotate((a + d) & WORD, 23) + a) & WORD
        c, d = c ^ a, d ^ b
        b, a = b ^ c, a ^ d
        state = [a, b, c ^ (state[1] << 17 & WORD), rotate(d, 45)]


def rotate(x: int, by: int) -> int:
    return (x << by | x >> 64 - by) & WORD


def decks(seed: int, block: int, cards: int) -> Iterator[list[int]]:
    """Scales each random word to the product of the bounds and splits it into mixed-radix digits."""
    source, deck = random_words(seed, block), list(range(52))
    while True:
        for batch in draw_batches(cards):
            bounds = [52 - n for n in batch]
            while True:
                value, rest = divmod((next(source) >> 64 - RANDOM_BITS) * prod(bounds), 1 << RANDOM_BITS)
                if rest >= (1 << RANDOM_BITS) % prod(bounds):
                    break
            digits = []
            for bound in reversed(bounds):
                value, digit = divmod(value, bound)
                digits.append(digit)
            for n, digit in zip(batch, reversed(digits), strict=True):
                deck[n], deck[n + digit] = deck[n + digit], deck[n]
        yield deck[:cards]


def draw_cards(name: str, seats: int, seed: int, first: int, rounds: int) -> Array:
    job = traced_job(name, seats)
    trace = np.zeros((rounds, seats, job.program.groups + job.program.cards), dtype=np.int32)
    job.program.run(seed, first, rounds, trace)
    cards: Array = trace[:, 0, job.program.groups :]
    return cards


@pytest.mark.parametrize(("name", "seats"), [THREE_CARD, FOUR_CARD])
@pytest.mark.parametrize("block", [0, 12_345])
def test_cards_equal_those_of_the_slow_generator(name: str, seats: int, block: int) -> None:
    cards = draw_cards(name, seats, 2**63 + 5, block * BLOCK_ROUNDS, 300)
    slow = decks(2**63 + 5, block, cards.shape[1])
    assert cards.tolist() == [next(slow) for _ in range(300)]


def test_cards_are_uniform_at_every_position_and_never_drawn_twice() -> None:
    rounds = 1 << 18
    cards = draw_cards(*FOUR_CARD, 1, 0, rounds)
    assert (np.sort(cards, axis=1)[:, 1:] != np.sort(cards, axis=1)[:, :-1]).all()
    expected = rounds / 52
    for place in range(cards.shape[1]):
        counts = np.bincount(cards[:, place], minlength=52)
        chi_square = float(((counts - expected) ** 2 / expected).sum())
        assert chi_square < 51 + 5 * (2 * 51) ** 0.5, (place, chi_square)


def test_fewer_than_one_in_four_thousand_batches_is_redrawn() -> None:
    for cards in range(1, 53):
        assert [n for batch in draw_batches(cards) for n in batch] == list(range(cards))
        assert all(prod(52 - n for n in batch) * 4096 <= 1 << RANDOM_BITS for batch in draw_batches(cards))
