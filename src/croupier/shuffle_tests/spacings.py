"""Tests of spacing within a deck: serial correlation, gaps and coupon collector."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np

from croupier.shuffle_tests.result import DECK_SIZE, DeckBatch, DeckTestResult, from_counts, from_score

RANKS_PER_DECK = 13
SUITS_PER_DECK = 4


def serial_moments(values: Sequence[int]) -> tuple[Fraction, Fraction]:
    """Mean and variance of the sum of products of neighbors in a random circular order.

    Exact for any four or more values that sum to zero.
    """
    size = len(values)
    squares, fourths = sum(x**2 for x in values), sum(x**4 for x in values)
    mean = Fraction(-squares, size - 1)
    same = Fraction(squares**2 - fourths, size * (size - 1))
    sharing_one = Fraction(2 * fourths - squares**2, size * (size - 1) * (size - 2))
    apart = Fraction(3 * squares**2 - 6 * fourths, size * (size - 1) * (size - 2) * (size - 3))
    second = size * same + 2 * size * sharing_one + (size**2 - 3 * size) * apart
    return mean, second - mean**2


class SerialCorrelation:
    """Is a card independent of the next card?"""

    def __init__(self) -> None:
        self.total = 0
        self.decks = 0

    def add(self, batch: DeckBatch) -> None:
        values = 2 * batch.decks - (DECK_SIZE - 1)
        self.total += int((values * np.roll(values, -1, axis=1)).sum())
        self.decks += len(values)

    def result(self) -> DeckTestResult:
        values = [2 * card - (DECK_SIZE - 1) for card in range(DECK_SIZE)]
        mean, variance = serial_moments(values)
        score = float(self.total - self.decks * mean) / (self.decks * float(variance)) ** 0.5
        squares = sum(x**2 for x in values)
        detail = f"{self.total / self.decks / squares:+.5f}, {float(mean) / squares:+.5f} expected"
        return from_score("serial correlation", "does a card predict the next card", score, detail)


@cache
def gap_probabilities() -> tuple[float, ...]:
    """The probability of each number of cards between the first two cards of a rank.

    The cards of a rank cut the deck into five intervals with the same distribution.
    """
    return tuple(
        comb(DECK_SIZE - 1 - gap, SUITS_PER_DECK - 1) / comb(DECK_SIZE, SUITS_PER_DECK)
        for gap in range(DECK_SIZE - SUITS_PER_DECK + 1)
    )


class Gap:
    """The number of cards between the first two of a rank. Each deck is tested for one rank, in turn."""

    def __init__(self) -> None:
        self.counts = np.zeros(len(gap_probabilities()), dtype=np.int64)

    def add(self, batch: DeckBatch) -> None:
        ranks = (batch.first + np.arange(len(batch.positions))) % RANKS_PER_DECK
        cards = ranks[:, None] + RANKS_PER_DECK * np.arange(SUITS_PER_DECK)
        places = np.sort(np.take_along_axis(batch.positions, cards, axis=1), axis=1)
        self.counts += np.bincount(places[:, 1] - places[:, 0] - 1, minlength=len(self.counts))

    def result(self) -> DeckTestResult:
        mean = float((self.counts * np.arange(len(self.counts))).sum() / self.counts.sum())
        detail = f"{mean:.3f} cards, {(DECK_SIZE - SUITS_PER_DECK) / (SUITS_PER_DECK + 1)} expected"
        return from_counts("gap", "how many cards between two of a rank", self.counts, gap_probabilities(), detail)


@cache
def collector_probabilities() -> tuple[float, ...]:
    """The probability, for each number of cards from 0, that it completes the set of ranks."""
    complete = [
        Fraction(
            sum(
                (-1) ** j * comb(RANKS_PER_DECK, j) * comb(DECK_SIZE - SUITS_PER_DECK * j, cards)
                for j in range(RANKS_PER_DECK + 1)
            )
        )
        / comb(DECK_SIZE, cards)
        for cards in range(DECK_SIZE + 1)
    ]
    return tuple(float(after - before) for before, after in zip([Fraction(0), *complete], complete, strict=False))


class CouponCollector:
    """The number of cards from the top until every rank has occurred."""

    def __init__(self) -> None:
        self.counts = np.zeros(DECK_SIZE + 1, dtype=np.int64)

    def add(self, batch: DeckBatch) -> None:
        first_of_rank = batch.positions.reshape(-1, SUITS_PER_DECK, RANKS_PER_DECK).min(axis=1)
        self.counts += np.bincount(first_of_rank.max(axis=1) + 1, minlength=DECK_SIZE + 1)

    def result(self) -> DeckTestResult:
        probabilities = collector_probabilities()
        mean = float((self.counts * np.arange(DECK_SIZE + 1)).sum() / self.counts.sum())
        expected = sum(cards * probability for cards, probability in enumerate(probabilities))
        detail = f"{mean:.3f} cards, {expected:.3f} expected"
        return from_counts("coupon collector", "how soon has every rank occurred", self.counts, probabilities, detail)
