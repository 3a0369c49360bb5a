"""Tests and their results: a test counts decks in batches and gives a result at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from croupier.shuffle_tests.probability import chi_squared_tails, normal_p, two_sided

DECK_SIZE = 52
MIN_EXPECTED_COUNT = 10
"""Cells with a smaller expected count are pooled, so that the chi-squared approximation holds."""

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class DeckTestResult:
    """The result of one test. A small `p` is evidence against the shuffle."""

    test: str
    asks: str
    statistic: float
    degrees: int | None
    """Degrees of freedom, where the statistic is chi-squared."""
    p: float
    detail: str
    """The observation in a few words."""


@dataclass(frozen=True, slots=True)
class DeckBatch:
    """Some decks of a sample, in the order of the shuffles."""

    decks: Array
    """One deck per row: card numbers from the top."""
    positions: Array
    """The inverse permutations: the position of each card."""
    moves: Array
    """For each deck after the first: the new position of the card at each position of the previous deck.

    If decks are fair and independent, so are these.
    """
    first: int
    """The number of decks before this batch."""

    @staticmethod
    def of(decks: Array, previous_deck: Array | None = None, first: int = 0) -> DeckBatch:
        """The batch of these decks; `first` is the number of decks before it."""
        cards = np.ascontiguousarray(decks, dtype=np.intp)
        positions = np.empty_like(cards)
        np.put_along_axis(positions, cards, np.arange(DECK_SIZE)[None, :], axis=1)
        if previous_deck is None:
            moves = np.take_along_axis(positions[1:], cards[:-1], axis=1)
        else:
            previous_decks = np.concatenate([np.asarray(previous_deck, dtype=np.intp)[None, :], cards[:-1]])
            moves = np.take_along_axis(positions, previous_decks, axis=1)
        return DeckBatch(cards, positions, moves, first)


class DeckTest(Protocol):
    """A test of a sample of decks."""

    def add(self, batch: DeckBatch) -> None:
        """Counts more decks."""

    def result(self) -> DeckTestResult:
        """The result for all decks so far."""


def from_chi_squared(test: str, asks: str, statistic: float, degrees: int, detail: str = "") -> DeckTestResult:
    """A result from chi-squared, two-sided: counts that are too even are also evidence against a shuffle."""
    lower, upper = chi_squared_tails(statistic, degrees)
    detail = detail or f"{statistic / degrees:.3f} of the mean of chi-squared"
    return DeckTestResult(test, asks, float(statistic), degrees, two_sided(lower, upper), detail)


def from_score(test: str, asks: str, score: float, detail: str) -> DeckTestResult:
    """A result from a standard normal score."""
    return DeckTestResult(test, asks, float(score), None, normal_p(score), detail)


def from_counts(
    test: str, asks: str, counts: Sequence[int] | Array, probabilities: Sequence[float] | Array, detail: str = ""
) -> DeckTestResult:
    """A result from counts of independent observations with known probabilities."""
    observed, expected = pool_cells(np.asarray(counts, dtype=float), np.asarray(probabilities, dtype=float))
    statistic = float(((observed - expected) ** 2 / expected).sum())
    return from_chi_squared(test, asks, statistic, len(observed) - 1, detail)


def pool_cells(counts: Array, probabilities: Array) -> tuple[Array, Array]:
    """Observed and expected counts, with neighboring cells pooled to the minimum expected count.

    The pooling depends only on the probabilities and the total, never on the observed counts.
    """
    expected = probabilities * counts.sum()
    groups: list[list[int]] = []
    pooled = 0.0
    for cell, mean in enumerate(expected):
        if not groups or pooled >= MIN_EXPECTED_COUNT:
            groups.append([])
            pooled = 0.0
        groups[-1].append(cell)
        pooled += mean
    if pooled < MIN_EXPECTED_COUNT and len(groups) > 1:
        last = groups.pop()
        groups[-1] += last
    return np.array([counts[group].sum() for group in groups]), np.array([expected[group].sum() for group in groups])
