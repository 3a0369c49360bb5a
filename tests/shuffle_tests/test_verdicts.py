"""Fair shuffles pass as often as stated, and wrong shuffles are detected."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from croupier.shuffle_tests.bench import BIAS_POWER, MIN_DECKS, Battery, ShuffleVerdict, judge
from croupier.shuffle_tests.bits import MIN_BYTES, BitTests
from croupier.shuffle_tests.production import production_decks
from croupier.table.procedure.shuffle import SeededShuffle
from tests.shuffle_tests.shuffles import (
    Decks,
    cut_only,
    fair,
    favored_cell,
    off_by_one,
    plain_modulo,
    riffle_previous,
    riffles,
    swapped_range,
)

SAMPLES = 300
CONSERVATIVE = {"worst cell", "repeated decks"}
"""Tests whose values are bounds, so they are small less often than p-values."""


def verdict_on(decks: Decks, level: float = 0.01) -> ShuffleVerdict:
    battery = Battery()
    battery.add(decks)
    return judge(battery.results(), level=level, decks=len(decks))


def failures(verdict: ShuffleVerdict) -> set[str]:
    return {entry.result.test for entry in verdict.tests if not entry.passed}


# Fair shuffles.


@pytest.fixture(scope="module")
def verdicts() -> list[ShuffleVerdict]:
    """Many samples of fair decks of the smallest size, for which approximations are worst."""
    return [verdict_on(fair(MIN_DECKS, seed)) for seed in range(SAMPLES)]


def distance_from_uniform(values: list[float]) -> float:
    """The Kolmogorov statistic: the largest difference of the distributions times the root of the count."""
    ordered, count = np.sort(values), len(values)
    steps = np.arange(count + 1) / count
    largest = max(np.abs(ordered - steps[1:]).max(), np.abs(ordered - steps[:-1]).max())
    return float(largest * count**0.5)


def test_p_values_of_fair_decks_are_uniform(verdicts: list[ShuffleVerdict]) -> None:
    """The Kolmogorov statistic exceeds 1.95 once in a thousand cases."""
    for number, first in enumerate(verdicts[0].tests):
        values = [verdict.tests[number].result.p for verdict in verdicts]
        if first.result.test not in CONSERVATIVE:
            assert distance_from_uniform(values) < 1.95, first.result.test
        for level in (0.05, 0.2):
            spread = (level * (1 - level) / SAMPLES) ** 0.5
            assert np.mean(np.array(values) <= level) < level + 4 * spread, first.result.test


def test_p_values_of_fair_bytes_are_uniform() -> None:
    generator = np.random.default_rng(3)
    p_values: dict[str, list[float]] = {}
    for _ in range(SAMPLES):
        tests = BitTests()
        tests.add(generator.bytes(MIN_BYTES))
        for result in tests.results():
            p_values.setdefault(result.test, []).append(result.p)
    assert len(p_values) == 5
    for test, values in p_values.items():
        assert distance_from_uniform(values) < 1.95, test


@pytest.mark.parametrize("level", [0.2, 0.05])
def test_the_battery_fails_no_more_often_than_stated(verdicts: list[ShuffleVerdict], level: float) -> None:
    rejudged = [judge([j.result for j in verdict.tests], level=level, decks=MIN_DECKS) for verdict in verdicts]
    failed = sum(not verdict.passed for verdict in rejudged)
    assert 0 < failed < SAMPLES * level + 4 * (SAMPLES * level * (1 - level)) ** 0.5


@pytest.mark.parametrize("seed", range(3))
def test_the_production_shuffle_passes(seed: int) -> None:
    battery = Battery()
    for batch in production_decks(SeededShuffle(f"battery {seed}"), 10_000):
        battery.add(batch)
    assert judge(battery.results(), level=0.01, decks=10_000).passed


@pytest.mark.parametrize("seed", range(3))
def test_the_shuffle_of_numpy_passes(seed: int) -> None:
    assert verdict_on(fair(20_000, seed)).passed


def test_many_riffles_pass_in_a_small_sample() -> None:
    assert verdict_on(riffles(2000, 1, passes=14)).passed


# Wrong shuffles.

WRONG_SHUFFLES: list[tuple[str, Callable[[int, int], Decks], int, set[str]]] = [
    ("plain modulo of six bits", partial(plain_modulo, bits=6), 2_000, {"position x card", "worst cell"}),
    ("plain modulo of eight bits", plain_modulo, 20_000, {"position x card"}),
    ("two riffles", riffles, 520, {"rising sequences", "position x card", "adjacent pairs", "worst cell"}),
    ("five riffles", partial(riffles, passes=5), 520, {"rising sequences"}),
    ("seven riffles", partial(riffles, passes=7), 5_000, {"rising sequences"}),
    ("swapped range", swapped_range, 5_000, {"position x card"}),
    ("off by one", off_by_one, 2_000, {"position x card", "worst cell"}),
    ("cut only", cut_only, 520, {"adjacent pairs", "runs", "gap", "serial correlation", "repeated decks"}),
    ("three riffles of the previous deck", riffle_previous, 520, {"rising, next deck", "deck to deck"}),
    ("never shuffled", lambda decks, _: np.tile(np.arange(52), (decks, 1)), 520, {"position x card", "worst cell"}),
]


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(
    ("shuffle", "decks", "tests"), [w[1:] for w in WRONG_SHUFFLES], ids=[w[0] for w in WRONG_SHUFFLES]
)
def test_a_wrong_shuffle_is_detected(
    shuffle: Callable[[int, int], Decks], decks: int, tests: set[str], seed: int
) -> None:
    shuffled = shuffle(decks, seed)
    assert (np.sort(shuffled, axis=1) == np.arange(52)).all(), "every row is a deck"
    assert tests <= failures(verdict_on(shuffled))


def test_dependence_between_decks_is_detected() -> None:
    """Three riffles of the previous deck mix well over time; only the tests between decks detect them."""
    assert failures(verdict_on(riffle_previous(520, 1)[::2])) != set()
    reordered = np.random.default_rng(1).permutation(riffle_previous(5200, 1))[:520]
    assert "rising, next deck" not in failures(verdict_on(reordered))


def test_the_worst_cell_is_reported() -> None:
    verdict = verdict_on(favored_cell(5_000, 1, 3.0))
    worst = next(entry for entry in verdict.tests if entry.result.test == "worst cell")
    assert not worst.passed
    assert worst.result.detail.startswith("As in position 1: ")


def test_the_stated_bias_is_detectable() -> None:
    """The stated bias is detected in nine of ten samples, half of it in fewer than half."""
    decks, samples = 1_000, 60
    share = verdict_on(fair(decks, 1)).detectable_bias
    detected = sum(not verdict_on(favored_cell(decks, seed, share)).passed for seed in range(samples))
    half_detected = sum(not verdict_on(favored_cell(decks, seed, share / 2)).passed for seed in range(samples))
    assert detected > samples * BIAS_POWER - 3 * (samples * BIAS_POWER * (1 - BIAS_POWER)) ** 0.5
    assert half_detected < samples / 2
