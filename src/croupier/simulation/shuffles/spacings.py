"""Tests of distance within a deck: serial correlation, gaps, and how soon every rank has been seen."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np

from croupier.simulation.shuffles.finding import CARDS, Batch, Finding, from_counts, from_score

RANKS = 13
SUITS = 4


def serial_moments(values: Sequence[int]) -> tuple[Fraction, Fraction]:
    """Mean and variance of the sum of products of neighbours, when the values are put into a random circle.

    Exact for any values that add up to nothing and are four or more.
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
    """Does a card's number say nothing about the number of the next card?"""

    def __init__(self) -> None:
        self.total = 0
        self.decks = 0

    def add(self, batch: Batch) -> None:
        values = 2 * batch.decks - (CARDS - 1)
        self.total += int((values * np.roll(values, -1, axis=1)).sum())
        self.decks += len(values)

    def finding(self) -> Finding:
        values = [2 * card - (CARDS - 1) for card in range(CARDS)]
        mean, variance = serial_moments(values)
        score = float(self.total - self.decks * mean) / (self.decks * float(variance)) ** 0.5
        squares = sum(x**2 for x in values)
        detail = f"{self.total / self.decks / squares:+.5f}, {float(mean) / squares:+.5f} expected"
        return from_score("serial correlation", "does a card tell the next card", score, detail)


@cache
def gap_chances() -> tuple[float, ...]:
    """For each number of cards between the first two cards of a rank, its chance.

    The cards of a rank cut the deck into five stretches, any of them as long as the first by chance.
    """
    return tuple(comb(CARDS - 1 - gap, SUITS - 1) / comb(CARDS, SUITS) for gap in range(CARDS - SUITS + 1))


class Gap:
    """How many cards lie between the first two of a rank? Each deck is asked for one rank, in turn."""

    def __init__(self) -> None:
        self.counts = np.zeros(len(gap_chances()), dtype=np.int64)

    def add(self, batch: Batch) -> None:
        ranks = (batch.first + np.arange(len(batch.positions))) % RANKS
        cards = ranks[:, None] + RANKS * np.arange(SUITS)
        places = np.sort(np.take_along_axis(batch.positions, cards, axis=1), axis=1)
        self.counts += np.bincount(places[:, 1] - places[:, 0] - 1, minlength=len(self.counts))

    def finding(self) -> Finding:
        mean = float((self.counts * np.arange(len(self.counts))).sum() / self.counts.sum())
        detail = f"{mean:.3f} cards, {(CARDS - SUITS) / (SUITS + 1)} expected"
        return from_counts("gap", "how many cards between two of a rank", self.counts, gap_chances(), detail)


@cache
def collector_chances() -> tuple[float, ...]:
    """For each number of cards, from none on, the chance that the last rank is first seen with that card."""
    seen = [
        Fraction(sum((-1) ** j * comb(RANKS, j) * comb(CARDS - SUITS * j, cards) for j in range(RANKS + 1)))
        / comb(CARDS, cards)
        for cards in range(CARDS + 1)
    ]
    return tuple(float(after - before) for before, after in zip([Fraction(0), *seen], seen, strict=False))


class CouponCollector:
    """How many cards from the top until every rank has been seen?"""

    def __init__(self) -> None:
        self.counts = np.zeros(CARDS + 1, dtype=np.int64)

    def add(self, batch: Batch) -> None:
        first_of_rank = batch.positions.reshape(-1, SUITS, RANKS).min(axis=1)
        self.counts += np.bincount(first_of_rank.max(axis=1) + 1, minlength=CARDS + 1)

    def finding(self) -> Finding:
        chances = collector_chances()
        mean = float((self.counts * np.arange(CARDS + 1)).sum() / self.counts.sum())
        expected = sum(cards * chance for cards, chance in enumerate(chances))
        detail = f"{mean:.3f} cards, {expected:.3f} expected"
        return from_counts("coupon collector", "how soon is every rank seen", self.counts, chances, detail)
