"""Tests of order within a deck: runs, rising sequences, color runs and permutations of a few cards.

Each deck gives one independent observation with known probabilities (the blocks of four give thirteen, since
orders within separate blocks are independent), so the ordinary chi-squared test applies.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import comb, factorial

import numpy as np

from croupier.shuffle_tests.result import DECK_SIZE, MIN_EXPECTED_COUNT, Array, DeckBatch, DeckTestResult, from_counts

MAX_ORDER_LENGTH = 7
BLOCK_CARDS = 4


@cache
def eulerian_probabilities(size: int) -> tuple[float, ...]:
    """The probability of each number of descents in a permutation of this size.

    >>> [round(probability * 24) for probability in eulerian_probabilities(4)]
    [1, 11, 11, 1]
    """
    numbers = [1]
    for length in range(2, size + 1):
        left, right = [*numbers, 0], [0, *numbers]
        numbers = [(k + 1) * left[k] + (length - k) * right[k] for k in range(length)]
    return tuple(number / factorial(size) for number in numbers)


def color_run_probabilities(cards_per_color: int = DECK_SIZE // 2) -> list[float]:
    """The probability of each number of runs, from 0, in a shuffle of this many cards of each of two colors.

    >>> [round(probability * 6) for probability in color_run_probabilities(2)]
    [0, 0, 2, 2, 2]
    """
    probabilities = [0.0] * (2 * cards_per_color + 1)
    for runs in range(2, 2 * cards_per_color + 1):
        first_runs, second_runs = runs // 2, (runs + 1) // 2
        ways = 2 * comb(cards_per_color - 1, first_runs - 1) * comb(cards_per_color - 1, second_runs - 1)
        probabilities[runs] = ways / comb(2 * cards_per_color, cards_per_color)
    return probabilities


class Descents:
    """Counts rows by their number of descents, which is one less than their number of ascending runs."""

    def __init__(self, test: str, asks: str, rows: Callable[[DeckBatch], Array]) -> None:
        self.test, self.asks, self.rows = test, asks, rows
        self.counts = np.zeros(DECK_SIZE, dtype=np.int64)

    def add(self, batch: DeckBatch) -> None:
        rows = self.rows(batch)
        descents = (rows[:, 1:] < rows[:, :-1]).sum(axis=1)
        self.counts += np.bincount(descents, minlength=DECK_SIZE)

    def result(self) -> DeckTestResult:
        mean = float((self.counts * np.arange(1, DECK_SIZE + 1)).sum() / self.counts.sum())
        detail = f"{mean:.3f} a deck, {(DECK_SIZE + 1) / 2} expected"
        return from_counts(self.test, self.asks, self.counts, eulerian_probabilities(DECK_SIZE), detail)


def ascending_runs() -> Descents:
    """Tests the ascending runs of a deck."""
    return Descents("runs", "how many ascending runs", lambda batch: batch.decks)


def rising_sequences() -> Descents:
    """Tests the rising sequences of a deck: too few riffles leave too few of them."""
    asks = "are traces of a new deck left"
    return Descents("rising sequences", asks, lambda batch: batch.positions)


def rising_sequences_between_decks() -> Descents:
    """Tests the rising sequences against the previous deck, for a shuffler that reuses the discards' order."""
    asks = "are traces of the last deck left"
    return Descents("rising, next deck", asks, lambda batch: batch.moves)


class ColorRuns:
    """Tests the runs of one color."""

    def __init__(self) -> None:
        self.counts = np.zeros(DECK_SIZE + 1, dtype=np.int64)

    def add(self, batch: DeckBatch) -> None:
        suits = batch.decks // 13
        red = (suits == 1) | (suits == 2)
        runs = 1 + (red[:, 1:] != red[:, :-1]).sum(axis=1)
        self.counts += np.bincount(runs, minlength=DECK_SIZE + 1)

    def result(self) -> DeckTestResult:
        mean = float((self.counts * np.arange(DECK_SIZE + 1)).sum() / self.counts.sum())
        detail = f"{mean:.3f} a deck, {DECK_SIZE / 2 + 1:.0f} expected"
        return from_counts("color runs", "how many runs of one color", self.counts, color_run_probabilities(), detail)


class FirstPermutations:
    """Tests the order of the first few cards, as many as the sample size permits."""

    def __init__(self) -> None:
        self.counts = np.zeros(factorial(MAX_ORDER_LENGTH), dtype=np.int64)

    def add(self, batch: DeckBatch) -> None:
        self.counts += np.bincount(order_codes(batch.decks[:, :MAX_ORDER_LENGTH]), minlength=len(self.counts))

    def result(self) -> DeckTestResult:
        decks = int(self.counts.sum())
        length = next(k for k in range(MAX_ORDER_LENGTH, 1, -1) if decks >= MIN_EXPECTED_COUNT * factorial(k) or k == 2)
        cells = factorial(length)
        counts = self.counts.reshape(cells, -1).sum(axis=1)
        asks = f"are the {cells:,} orders of {length} equally frequent"
        return from_counts("first-k permutations", asks, counts, [1 / cells] * cells)


class BlocksOfFour:
    """Tests the orders of all thirteen blocks of four cards."""

    def __init__(self) -> None:
        self.counts = np.zeros(factorial(BLOCK_CARDS), dtype=np.int64)

    def add(self, batch: DeckBatch) -> None:
        codes = order_codes(batch.decks.reshape(-1, BLOCK_CARDS))
        self.counts += np.bincount(codes, minlength=len(self.counts))

    def result(self) -> DeckTestResult:
        cells = len(self.counts)
        asks = f"are the {cells} orders equally frequent"
        return from_counts("blocks of four", asks, self.counts, [1 / cells] * cells)


def order_codes(rows: Array) -> Array:
    """The Lehmer code of each row as a number; a prefix of the row determines a prefix of the code.

    Digit k, counted from 1 in base k + 1, is the number of larger values before it.
    """
    codes = np.zeros(len(rows), dtype=np.intp)
    for place in range(1, rows.shape[1]):
        larger = (rows[:, :place] > rows[:, place : place + 1]).sum(axis=1)
        codes = codes * (place + 1) + larger
    return codes
