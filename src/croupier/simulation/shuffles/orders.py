"""Tests of order within a deck: runs, rising sequences, colours, and the order of a few cards.

Each deck gives one independent observation of known chance (the blocks of four give thirteen, since the orders
within separate blocks are independent), so that plain chi-squared is right.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import comb, factorial

import numpy as np

from croupier.simulation.shuffles.finding import CARDS, LEAST_EXPECTED, Array, Batch, Finding, from_counts

LONGEST_ORDER = 7
BLOCK = 4


@cache
def eulerian_chances(size: int) -> tuple[float, ...]:
    """For each number of descents the chance that an order of so many cards has it.

    >>> [round(chance * 24) for chance in eulerian_chances(4)]
    [1, 11, 11, 1]
    """
    numbers = [1]
    for length in range(2, size + 1):
        left, right = [*numbers, 0], [0, *numbers]
        numbers = [(k + 1) * left[k] + (length - k) * right[k] for k in range(length)]
    return tuple(number / factorial(size) for number in numbers)


def colour_run_chances(of_each: int = CARDS // 2) -> list[float]:
    """For each number of runs, from none on, the chance that as many cards of two colours have it.

    >>> [round(chance * 6) for chance in colour_run_chances(2)]
    [0, 0, 2, 2, 2]
    """
    chances = [0.0] * (2 * of_each + 1)
    for runs in range(2, 2 * of_each + 1):
        first, second = runs // 2, (runs + 1) // 2
        ways = 2 * comb(of_each - 1, first - 1) * comb(of_each - 1, second - 1)
        chances[runs] = ways / comb(2 * of_each, of_each)
    return chances


class Descents:
    """Counts rows by how often a number is smaller than the one before it: one less than their runs upwards."""

    def __init__(self, test: str, asks: str, rows: Callable[[Batch], Array]) -> None:
        self.test, self.asks, self.rows = test, asks, rows
        self.counts = np.zeros(CARDS, dtype=np.int64)

    def add(self, batch: Batch) -> None:
        rows = self.rows(batch)
        descents = (rows[:, 1:] < rows[:, :-1]).sum(axis=1)
        self.counts += np.bincount(descents, minlength=CARDS)

    def finding(self) -> Finding:
        mean = float((self.counts * np.arange(1, CARDS + 1)).sum() / self.counts.sum())
        detail = f"{mean:.3f} a deck, {(CARDS + 1) / 2} expected"
        return from_counts(self.test, self.asks, self.counts, eulerian_chances(CARDS), detail)


def runs() -> Descents:
    """Stretches of a deck in which each card has a higher number than the one before."""
    return Descents("runs", "how many runs upwards", lambda batch: batch.decks)


def rising_sequences() -> Descents:
    """Stretches of consecutive cards that lie in their order, however far apart: what few riffles leave behind."""
    asks = "does a new deck shine through"
    return Descents("rising sequences", asks, lambda batch: batch.positions)


def rising_from_deck_to_deck() -> Descents:
    """The same against the deck before, for a device that shuffles the cards as they come back."""
    asks = "does the last deck shine through"
    return Descents("rising, next deck", asks, lambda batch: batch.moves)


class ColourRuns:
    """Stretches of one colour."""

    def __init__(self) -> None:
        self.counts = np.zeros(CARDS + 1, dtype=np.int64)

    def add(self, batch: Batch) -> None:
        suits = batch.decks // 13
        red = (suits == 1) | (suits == 2)
        runs = 1 + (red[:, 1:] != red[:, :-1]).sum(axis=1)
        self.counts += np.bincount(runs, minlength=CARDS + 1)

    def finding(self) -> Finding:
        mean = float((self.counts * np.arange(CARDS + 1)).sum() / self.counts.sum())
        detail = f"{mean:.3f} a deck, {CARDS / 2 + 1:.0f} expected"
        return from_counts("colour runs", "how many runs of one colour", self.counts, colour_run_chances(), detail)


class FirstPermutations:
    """The order of the first few cards: as many of them as the sample is large enough for."""

    def __init__(self) -> None:
        self.counts = np.zeros(factorial(LONGEST_ORDER), dtype=np.int64)

    def add(self, batch: Batch) -> None:
        self.counts += np.bincount(order_codes(batch.decks[:, :LONGEST_ORDER]), minlength=len(self.counts))

    def finding(self) -> Finding:
        decks = int(self.counts.sum())
        length = next(k for k in range(LONGEST_ORDER, 1, -1) if decks >= LEAST_EXPECTED * factorial(k) or k == 2)
        cells = factorial(length)
        counts = self.counts.reshape(cells, -1).sum(axis=1)
        asks = f"are the {cells:,} orders of {length} as frequent"
        return from_counts("first-k permutations", asks, counts, [1 / cells] * cells)


class BlocksOfFour:
    """The orders of all thirteen blocks of four cards."""

    def __init__(self) -> None:
        self.counts = np.zeros(factorial(BLOCK), dtype=np.int64)

    def add(self, batch: Batch) -> None:
        codes = order_codes(batch.decks.reshape(-1, BLOCK))
        self.counts += np.bincount(codes, minlength=len(self.counts))

    def finding(self) -> Finding:
        cells = len(self.counts)
        asks = f"are the {cells} orders as frequent"
        return from_counts("blocks of four", asks, self.counts, [1 / cells] * cells)


def order_codes(rows: Array) -> Array:
    """A number for the relative order of each row; a beginning of the row decides a beginning of the number.

    Digit k, counted from 1 in base k + 1, is how many of the values before it are larger.
    """
    codes = np.zeros(len(rows), dtype=np.intp)
    for place in range(1, rows.shape[1]):
        larger = (rows[:, :place] > rows[:, place : place + 1]).sum(axis=1)
        codes = codes * (place + 1) + larger
    return codes
