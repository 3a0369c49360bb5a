"""The test battery: every test over one sample, with one verdict."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from croupier.hands import ranking_named
from croupier.shuffle_tests import orders, spacings
from croupier.shuffle_tests.cells import CELLS, AdjacentPairs, DeckToDeck, PositionByCard, WorstCell
from croupier.shuffle_tests.hand_categories import HandCategories
from croupier.shuffle_tests.probability import binomial_tails
from croupier.shuffle_tests.repeated_decks import RepeatedDecks
from croupier.shuffle_tests.result import DECK_SIZE, MIN_EXPECTED_COUNT, Array, DeckBatch, DeckTest, DeckTestResult

MIN_DECKS = DECK_SIZE * MIN_EXPECTED_COUNT
"""Fewer decks would leave too few counts in each of the 52 x 52 cells."""
BIAS_POWER = 0.9
_BISECTION_STEPS = 30


def all_tests() -> list[DeckTest]:
    """Every test of decks, with empty counts."""
    positions = PositionByCard()
    five_cards = ranking_named("five_card")
    return [
        positions,
        WorstCell(positions),
        AdjacentPairs(),
        DeckToDeck(),
        HandCategories(five_cards, range(5), "top five"),
        HandCategories(five_cards, range(0, 30, 6), "every sixth"),
        orders.ascending_runs(),
        orders.rising_sequences(),
        orders.rising_sequences_between_decks(),
        orders.ColorRuns(),
        spacings.SerialCorrelation(),
        spacings.Gap(),
        spacings.CouponCollector(),
        orders.FirstPermutations(),
        orders.BlocksOfFour(),
        RepeatedDecks(),
    ]


class Battery:
    """Feeds decks to every test."""

    def __init__(self, tests: Sequence[DeckTest] | None = None) -> None:
        self.tests = all_tests() if tests is None else list(tests)
        self.decks = 0
        self._previous_deck: Array | None = None

    def add(self, decks: Array) -> None:
        """Counts more decks, one per row, in the order of the shuffles."""
        batch = DeckBatch.of(decks, self._previous_deck, self.decks)
        for test in self.tests:
            test.add(batch)
        self.decks += len(decks)
        self._previous_deck = batch.decks[-1]

    def results(self) -> list[DeckTestResult]:
        """The result of every test."""
        return [test.result() for test in self.tests]


@dataclass(frozen=True, slots=True)
class JudgedTest:
    """A test result with its p-value adjusted for multiple testing."""

    result: DeckTestResult
    adjusted_p: float
    passed: bool

    def as_json(self) -> dict[str, Any]:
        result = self.result
        return {
            "test": result.test,
            "asks": result.asks,
            "statistic": result.statistic,
            "degrees": result.degrees,
            "p": result.p,
            "adjusted_p": self.adjusted_p,
            "passed": self.passed,
            "detail": result.detail,
        }


@dataclass(frozen=True, slots=True)
class ShuffleVerdict:
    """The verdict on a sample. A fair shuffle fails in at most a fraction `level` of all samples."""

    level: float
    tests: tuple[JudgedTest, ...]
    decks: int

    @property
    def passed(self) -> bool:
        return all(test.passed for test in self.tests)

    @property
    def detectable_bias(self) -> float:
        """The relative bias of one card in one position that a fraction `BIAS_POWER` of such samples would detect.

        Computed exactly for the worst cell at its strictest level: first the count that fails, then the
        probability that reaches it often enough.
        """
        level = self.level / len(self.tests) / CELLS / 2
        failing_count = bisect_left(
            range(self.decks + 1), True, key=lambda count: binomial_tails(count, self.decks, 1 / DECK_SIZE)[1] <= level
        )
        low, high = 1 / DECK_SIZE, 1.0
        for _ in range(_BISECTION_STEPS):
            probability = (low + high) / 2
            if binomial_tails(failing_count, self.decks, probability)[1] < BIAS_POWER:
                low = probability
            else:
                high = probability
        return high * DECK_SIZE - 1


def judge(results: Sequence[DeckTestResult], *, level: float, decks: int) -> ShuffleVerdict:
    """The verdict by Holm's method, which controls the family-wise error rate under any dependence."""
    adjusted_p: dict[int, float] = {}
    largest = 0.0
    for rank, number in enumerate(sorted(range(len(results)), key=lambda number: results[number].p)):
        largest = max(largest, min(1.0, results[number].p * (len(results) - rank)))
        adjusted_p[number] = largest
    tests = tuple(
        JudgedTest(result, adjusted_p[number], adjusted_p[number] > level) for number, result in enumerate(results)
    )
    return ShuffleVerdict(level, tests, decks)
