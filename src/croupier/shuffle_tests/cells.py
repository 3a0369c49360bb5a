"""Tests of 52 by 52 cells: card by position, adjacent pairs, and moves from deck to deck.

A deck has one card in each position, so its cells are dependent. The covariances of a fair deck are known
exactly; they give a statistic with a chi-squared distribution and its degrees of freedom:

- A permutation matrix has covariance (I - J/n) x (I - J/n) / (n - 1), so that the sum of squared
  deviations times (n - 1) / N is chi-squared with (n - 1)^2 degrees.
- The matrix of adjacent pairs has row and column sums that depend only on the first and last card. After
  projecting them out, its symmetric part has variance 1/n in each of n(n - 3)/2 directions and its
  antisymmetric part (n + 1)/(n(n - 1)) in each of (n - 1)(n - 2)/2.
"""

from __future__ import annotations

import numpy as np

from croupier.core.cards import DECK
from croupier.shuffle_tests.probability import binomial_tails, two_sided
from croupier.shuffle_tests.result import DECK_SIZE, Array, DeckBatch, DeckTestResult, from_chi_squared

CELLS = DECK_SIZE * DECK_SIZE


class PositionByCard:
    """Is every card equally often in every position?"""

    def __init__(self) -> None:
        self.counts = np.zeros((DECK_SIZE, DECK_SIZE), dtype=np.int64)
        self.decks = 0

    def add(self, batch: DeckBatch) -> None:
        self.counts += count_cells(batch.decks)
        self.decks += len(batch.decks)

    def result(self) -> DeckTestResult:
        statistic, degrees = doubly_stochastic(self.counts, self.decks)
        return from_chi_squared("position x card", "is each card as often in each position", statistic, degrees)


class WorstCell:
    """Is any card too often or too rarely in one position? The least likely cell, adjusted for all cells."""

    def __init__(self, positions: PositionByCard) -> None:
        self.positions = positions

    def add(self, batch: DeckBatch) -> None:
        """Does nothing: `PositionByCard` counts the cells."""

    def result(self) -> DeckTestResult:
        counts, decks = self.positions.counts, self.positions.decks
        worst, smallest_p = (0, 0), 2.0
        for flat in (int(counts.argmax()), int(counts.argmin())):
            position, card = divmod(flat, DECK_SIZE)
            p = two_sided(*binomial_tails(int(counts[position, card]), decks, 1 / DECK_SIZE))
            if p < smallest_p:
                worst, smallest_p = (position, card), p
        count = int(counts[worst])
        detail = f"{DECK[worst[1]]} in position {worst[0] + 1}: {count:,} times, {decks / DECK_SIZE:,.1f} expected"
        score = (count - decks / DECK_SIZE) / (decks * (1 / DECK_SIZE) * (1 - 1 / DECK_SIZE)) ** 0.5
        p = min(1.0, smallest_p * CELLS)
        return DeckTestResult("worst cell", "is one card off in one position", score, None, p, detail)


class AdjacentPairs:
    """Does every card follow every other equally often?"""

    def __init__(self) -> None:
        self.counts = np.zeros((DECK_SIZE, DECK_SIZE), dtype=np.int64)
        self.decks = 0

    def add(self, batch: DeckBatch) -> None:
        codes = batch.decks[:, :-1] * DECK_SIZE + batch.decks[:, 1:]
        self.counts += np.bincount(codes.ravel(), minlength=CELLS).reshape(DECK_SIZE, DECK_SIZE)
        self.decks += len(batch.decks)

    def result(self) -> DeckTestResult:
        statistic, degrees = adjacency(self.counts, self.decks)
        return from_chi_squared("adjacent pairs", "are all adjacent pairs equally frequent", statistic, degrees)


class DeckToDeck:
    """Is a card's position in one deck independent of its position in the next?"""

    def __init__(self) -> None:
        self.counts = np.zeros((DECK_SIZE, DECK_SIZE), dtype=np.int64)
        self.decks = 0

    def add(self, batch: DeckBatch) -> None:
        self.counts += count_cells(batch.moves)
        self.decks += len(batch.moves)

    def result(self) -> DeckTestResult:
        statistic, degrees = doubly_stochastic(self.counts, self.decks)
        return from_chi_squared("deck to deck", "does a position predict the next deck's", statistic, degrees)


def count_cells(rows: Array) -> Array:
    """The count of each number in each column."""
    codes = rows + np.arange(rows.shape[1]) * DECK_SIZE
    return np.bincount(codes.ravel(), minlength=CELLS).reshape(DECK_SIZE, DECK_SIZE)


def doubly_stochastic(counts: Array, decks: int) -> tuple[float, int]:
    """Chi-squared and its degrees of freedom for a sum of permutation matrices."""
    size = len(counts)
    deviations = counts - decks / size
    return float((deviations**2).sum() * (size - 1) / decks), (size - 1) ** 2


def adjacency(counts: Array, decks: int) -> tuple[float, int]:
    """Chi-squared and its degrees of freedom for counts of adjacent pairs."""
    size = len(counts)
    deviations = (counts - decks / size) * (1 - np.eye(size))
    symmetric = (deviations + deviations.T) / 2
    sums = symmetric.sum(axis=1)
    symmetric -= (sums[:, None] + sums[None, :]) / (size - 2)
    antisymmetric = (deviations - deviations.T) / 2
    sums = antisymmetric.sum(axis=1)
    antisymmetric -= (sums[:, None] - sums[None, :]) / size
    np.fill_diagonal(symmetric, 0)
    even = float((symmetric**2).sum()) * size / decks
    odd = float((antisymmetric**2).sum()) * size * (size - 1) / (size + 1) / decks
    return even + odd, size * (size - 3) // 2 + (size - 1) * (size - 2) // 2
