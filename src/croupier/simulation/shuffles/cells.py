"""Tables of 52 by 52 cells: which card lies where, what follows what, and where cards go from deck to deck.

A deck puts one card into each position, so its cells depend on one another. The covariances of one
fair deck are known exactly, and from them the statistic that is chi-squared and its degrees of freedom:

- A permutation matrix has covariance (I - J/n) x (I - J/n) / (n - 1), so that the sum of squared
  deviations times (n - 1) / N is chi-squared with (n - 1)^2 degrees.
- The matrix of adjacent pairs has row and column sums that depend on the first and last card alone. With
  those taken out, its symmetric part has variance 1/n in each of n(n - 3)/2 directions and its antisymmetric
  part (n + 1)/(n(n - 1)) in each of (n - 1)(n - 2)/2.
"""

from __future__ import annotations

import numpy as np

from croupier.cards import DECK
from croupier.simulation.shuffles.finding import CARDS, Array, Batch, Finding, from_chi_squared
from croupier.simulation.shuffles.probability import binomial_tails, two_sided

CELLS = CARDS * CARDS


class PositionByCard:
    """Is every card as often in every position?"""

    def __init__(self) -> None:
        self.counts = np.zeros((CARDS, CARDS), dtype=np.int64)
        self.decks = 0

    def add(self, batch: Batch) -> None:
        self.counts += count_cells(batch.decks)
        self.decks += len(batch.decks)

    def finding(self) -> Finding:
        statistic, degrees = doubly_stochastic(self.counts, self.decks)
        return from_chi_squared("position x card", "is each card as often in each position", statistic, degrees)


class WorstCell:
    """Is no single card too often or too rarely in a single position? The least likely cell, for all of them."""

    def __init__(self, positions: PositionByCard) -> None:
        self.positions = positions

    def add(self, batch: Batch) -> None:
        """Nothing: the positions are counted already."""

    def finding(self) -> Finding:
        counts, decks = self.positions.counts, self.positions.decks
        worst, least = (0, 0), 2.0
        for flat in (int(counts.argmax()), int(counts.argmin())):
            place, card = divmod(flat, CARDS)
            p = two_sided(*binomial_tails(int(counts[place, card]), decks, 1 / CARDS))
            if p < least:
                worst, least = (place, card), p
        found = int(counts[worst])
        detail = f"{DECK[worst[1]]} in position {worst[0] + 1}: {found:,} times, {decks / CARDS:,.1f} expected"
        score = (found - decks / CARDS) / (decks * (1 / CARDS) * (1 - 1 / CARDS)) ** 0.5
        p = min(1.0, least * CELLS)
        return Finding("worst cell", "is one card off in one position", score, None, p, detail)


class AdjacentPairs:
    """Does every card follow every other equally often?"""

    def __init__(self) -> None:
        self.counts = np.zeros((CARDS, CARDS), dtype=np.int64)
        self.decks = 0

    def add(self, batch: Batch) -> None:
        codes = batch.decks[:, :-1] * CARDS + batch.decks[:, 1:]
        self.counts += np.bincount(codes.ravel(), minlength=CELLS).reshape(CARDS, CARDS)
        self.decks += len(batch.decks)

    def finding(self) -> Finding:
        statistic, degrees = adjacency(self.counts, self.decks)
        return from_chi_squared("adjacent pairs", "does each card follow each as often", statistic, degrees)


class DeckToDeck:
    """Does a card's position in one deck say nothing about its position in the next?"""

    def __init__(self) -> None:
        self.counts = np.zeros((CARDS, CARDS), dtype=np.int64)
        self.decks = 0

    def add(self, batch: Batch) -> None:
        self.counts += count_cells(batch.moves)
        self.decks += len(batch.moves)

    def finding(self) -> Finding:
        statistic, degrees = doubly_stochastic(self.counts, self.decks)
        return from_chi_squared("deck to deck", "does the last position tell the next", statistic, degrees)


def count_cells(rows: Array) -> Array:
    """How often each number stands in each column."""
    codes = rows + np.arange(rows.shape[1]) * CARDS
    return np.bincount(codes.ravel(), minlength=CELLS).reshape(CARDS, CARDS)


def doubly_stochastic(counts: Array, decks: int) -> tuple[float, int]:
    """Chi-squared and its degrees for a sum of so many permutation matrices."""
    size = len(counts)
    deviations = counts - decks / size
    return float((deviations**2).sum() * (size - 1) / decks), (size - 1) ** 2


def adjacency(counts: Array, decks: int) -> tuple[float, int]:
    """Chi-squared and its degrees for how often each card came right before each other in so many decks."""
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
