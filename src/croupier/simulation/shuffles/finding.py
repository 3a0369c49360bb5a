"""What a test of the bench is: it takes decks in batches, counts, and says at the end what it found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from croupier.simulation.shuffles.probability import chi_squared_tails, normal_p, two_sided

CARDS = 52
LEAST_EXPECTED = 10
"""Cells that would hold fewer than this by chance are put together, so that chi-squared is near the truth."""

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Finding:
    """One test's answer. A small `p` speaks against the shuffle."""

    test: str
    asks: str
    statistic: float
    degrees: int | None
    """Degrees of freedom, where the statistic is chi-squared."""
    p: float
    detail: str
    """What was seen, in a few words."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some decks of a sample, in the order in which they were shuffled."""

    decks: Array
    """A deck a row: the card numbers from the top."""
    positions: Array
    """The same the other way round: where each card lies."""
    moves: Array
    """For each deck after the very first: where the card that lay in each position of the deck before lies now.

    Of fair and independent decks these are fair and independent too.
    """
    first: int
    """How many decks came before this batch."""

    @staticmethod
    def of(decks: Array, before: Array | None = None, first: int = 0) -> Batch:
        """The batch of these decks; `before` is the deck before them, if any."""
        cards = np.ascontiguousarray(decks, dtype=np.intp)
        positions = np.empty_like(cards)
        np.put_along_axis(positions, cards, np.arange(CARDS)[None, :], axis=1)
        if before is None:
            moves = np.take_along_axis(positions[1:], cards[:-1], axis=1)
        else:
            earlier = np.concatenate([np.asarray(before, dtype=np.intp)[None, :], cards[:-1]])
            moves = np.take_along_axis(positions, earlier, axis=1)
        return Batch(cards, positions, moves, first)


class DeckTest(Protocol):
    """A question asked of a sample of decks."""

    def add(self, batch: Batch) -> None:
        """Counts some more decks."""

    def finding(self) -> Finding:
        """What all the decks so far amount to."""


def from_chi_squared(test: str, asks: str, statistic: float, degrees: int, detail: str = "") -> Finding:
    """A finding from chi-squared. Counts more even than chance makes them speak against a shuffle as well."""
    lower, upper = chi_squared_tails(statistic, degrees)
    detail = detail or f"{statistic / degrees:.3f} of the mean of chi-squared"
    return Finding(test, asks, float(statistic), degrees, two_sided(lower, upper), detail)


def from_score(test: str, asks: str, score: float, detail: str) -> Finding:
    """A finding from a statistic that is standard normal by chance."""
    return Finding(test, asks, float(score), None, normal_p(score), detail)


def from_counts(
    test: str, asks: str, counts: Sequence[int] | Array, chances: Sequence[float] | Array, detail: str = ""
) -> Finding:
    """A finding from independent observations that fell into cells of known chance."""
    found, expected = pooled(np.asarray(counts, dtype=float), np.asarray(chances, dtype=float))
    statistic = float(((found - expected) ** 2 / expected).sum())
    return from_chi_squared(test, asks, statistic, len(found) - 1, detail)


def pooled(counts: Array, chances: Array) -> tuple[Array, Array]:
    """Counts and expected counts, neighbours put together until each cell is expected to hold enough.

    Which cells go together depends on the chances and the total alone, never on the counts.
    """
    expected = chances * counts.sum()
    groups: list[list[int]] = []
    held = 0.0
    for cell, mean in enumerate(expected):
        if not groups or held >= LEAST_EXPECTED:
            groups.append([])
            held = 0.0
        groups[-1].append(cell)
        held += mean
    if held < LEAST_EXPECTED and len(groups) > 1:
        last = groups.pop()
        groups[-1] += last
    return np.array([counts[group].sum() for group in groups]), np.array([expected[group].sum() for group in groups])
