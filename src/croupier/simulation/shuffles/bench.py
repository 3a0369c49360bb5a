"""The bench: every test over one sample, judged together."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from croupier.hands import ranking_named
from croupier.simulation.shuffles import orders, spacings
from croupier.simulation.shuffles.categories import HandCategories
from croupier.simulation.shuffles.cells import CELLS, AdjacentPairs, DeckToDeck, PositionByCard, WorstCell
from croupier.simulation.shuffles.finding import CARDS, LEAST_EXPECTED, Array, Batch, DeckTest, Finding
from croupier.simulation.shuffles.probability import binomial_tails
from croupier.simulation.shuffles.repeats import RepeatedDecks

LEAST_DECKS = CARDS * LEAST_EXPECTED
"""Fewer decks would leave too little in each of the 52 x 52 cells."""
POWER = 0.9
_HALVINGS = 30


def all_tests() -> list[DeckTest]:
    """Every test of decks, with nothing counted yet."""
    positions = PositionByCard()
    five_cards = ranking_named("five_card")
    return [
        positions,
        WorstCell(positions),
        AdjacentPairs(),
        DeckToDeck(),
        HandCategories(five_cards, range(5), "top five"),
        HandCategories(five_cards, range(0, 30, 6), "every sixth"),
        orders.runs(),
        orders.rising_sequences(),
        orders.rising_from_deck_to_deck(),
        orders.ColourRuns(),
        spacings.SerialCorrelation(),
        spacings.Gap(),
        spacings.CouponCollector(),
        orders.FirstPermutations(),
        orders.BlocksOfFour(),
        RepeatedDecks(),
    ]


class Bench:
    """Gives decks to every test."""

    def __init__(self, tests: Sequence[DeckTest] | None = None) -> None:
        self.tests = all_tests() if tests is None else list(tests)
        self.decks = 0
        self._before: Array | None = None

    def add(self, decks: Array) -> None:
        """Counts some more decks, a row each, in the order in which they were shuffled."""
        batch = Batch.of(decks, self._before, self.decks)
        for test in self.tests:
            test.add(batch)
        self.decks += len(decks)
        self._before = batch.decks[-1]

    def findings(self) -> list[Finding]:
        """What the tests found."""
        return [test.finding() for test in self.tests]


@dataclass(frozen=True, slots=True)
class Judged:
    """A finding beside the others: its p-value made larger for how many were asked."""

    finding: Finding
    adjusted_p: float
    passed: bool

    def as_json(self) -> dict[str, Any]:
        found = self.finding
        return {
            "test": found.test,
            "asks": found.asks,
            "statistic": found.statistic,
            "degrees": found.degrees,
            "p": found.p,
            "adjusted_p": self.adjusted_p,
            "passed": self.passed,
            "detail": found.detail,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a sample says of a shuffle. A fair shuffle fails in at most `level` of all samples."""

    level: float
    judged: tuple[Judged, ...]
    decks: int

    @property
    def passed(self) -> bool:
        return all(one.passed for one in self.judged)

    @property
    def visible_bias(self) -> float:
        """By which share one card's chance of one position must be off for `POWER` of such samples to show it.

        Counted for the worst cell alone at its strictest level, exactly: first the count that would fail, then the
        chance that reaches it often enough.
        """
        level = self.level / len(self.judged) / CELLS / 2
        failing = bisect_left(
            range(self.decks + 1), True, key=lambda count: binomial_tails(count, self.decks, 1 / CARDS)[1] <= level
        )
        low, high = 1 / CARDS, 1.0
        for _ in range(_HALVINGS):
            chance = (low + high) / 2
            if binomial_tails(failing, self.decks, chance)[1] < POWER:
                low = chance
            else:
                high = chance
        return high * CARDS - 1


def judge(findings: Iterable[Finding], *, level: float, decks: int) -> Verdict:
    """The verdict by Holm's method: it holds the level for all tests together, however they depend on one another."""
    found = list(findings)
    adjusted: dict[int, float] = {}
    largest = 0.0
    for rank, number in enumerate(sorted(range(len(found)), key=lambda number: found[number].p)):
        largest = max(largest, min(1.0, found[number].p * (len(found) - rank)))
        adjusted[number] = largest
    judged = tuple(Judged(one, adjusted[number], adjusted[number] > level) for number, one in enumerate(found))
    return Verdict(level, judged, decks)
