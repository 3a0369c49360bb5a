"""Fair shuffles pass as often as they should, and wrong ones are caught."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from croupier.shuffle_tests.bench import BIAS_POWER, MIN_DECKS, Bench, ShuffleVerdict, judge
from croupier.shuffle_tests.bits import MIN_BYTES, BitTests
from croupier.shuffle_tests.production import production_decks
from croupier.table.procedure.shuffle import SeededShuffle
from tests.shuffle_tests.shuffles import (
    Decks,
    cut_only,
    fair,
    favoured_cell,
    off_by_one,
    plain_modulo,
    riffled_again,
    riffles,
    swapped_range,
)

SAMPLES = 300
CONSERVATIVE = {"worst cell", "repeated decks"}
"""Bounds, not p-values: small too rarely rather than too often."""


def verdict_on(decks: Decks, level: float = 0.01) -> ShuffleVerdict:
    bench = Bench()
    bench.add(decks)
    return judge(bench.findings(), level=level, decks=len(decks))


def failures(verdict: ShuffleVerdict) -> set[str]:
    return {judged.finding.test for judged in verdict.judged if not judged.passed}


# Fair shuffles.


@pytest.fixture(scope="module")
def verdicts() -> list[ShuffleVerdict]:
    """Many samples of fair decks, each as small as the bench takes them: where approximations are worst."""
    return [verdict_on(fair(MIN_DECKS, seed)) for seed in range(SAMPLES)]


def distance_from_uniform(values: list[float]) -> float:
    """Kolmogorov's: the largest difference of the two distributions, times the root of the number."""
    ordered, count = np.sort(values), len(values)
    steps = np.arange(count + 1) / count
    largest = max(np.abs(ordered - steps[1:]).max(), np.abs(ordered - steps[:-1]).max())
    return float(largest * count**0.5)


def test_p_values_of_fair_decks_are_uniform(verdicts: list[ShuffleVerdict]) -> None:
    """1.95 is exceeded once in a thousand (Kolmogorov's limit distribution)."""
    for number, first in enumerate(verdicts[0].judged):
        values = [verdict.judged[number].finding.p for verdict in verdicts]
        if first.finding.test not in CONSERVATIVE:
            assert distance_from_uniform(values) < 1.95, first.finding.test
        for level in (0.05, 0.2):
            spread = (level * (1 - level) / SAMPLES) ** 0.5
            assert np.mean(np.array(values) <= level) < level + 4 * spread, first.finding.test


def test_p_values_of_fair_bytes_are_uniform() -> None:
    chance = np.random.default_rng(3)
    found: dict[str, list[float]] = {}
    for _ in range(SAMPLES):
        tests = BitTests()
        tests.add(chance.bytes(MIN_BYTES))
        for finding in tests.findings():
            found.setdefault(finding.test, []).append(finding.p)
    assert len(found) == 5
    for test, values in found.items():
        assert distance_from_uniform(values) < 1.95, test


@pytest.mark.parametrize("level", [0.2, 0.05])
def test_the_family_of_tests_fails_no_more_often_than_stated(verdicts: list[ShuffleVerdict], level: float) -> None:
    again = [judge([j.finding for j in verdict.judged], level=level, decks=MIN_DECKS) for verdict in verdicts]
    failed = sum(not verdict.passed for verdict in again)
    assert 0 < failed < SAMPLES * level + 4 * (SAMPLES * level * (1 - level)) ** 0.5


@pytest.mark.parametrize("seed", range(3))
def test_the_production_shuffle_passes(seed: int) -> None:
    bench = Bench()
    for batch in production_decks(SeededShuffle(f"bench {seed}"), 10_000):
        bench.add(batch)
    assert judge(bench.findings(), level=0.01, decks=10_000).passed


@pytest.mark.parametrize("seed", range(3))
def test_a_fair_shuffle_of_another_maker_passes(seed: int) -> None:
    assert verdict_on(fair(20_000, seed)).passed


def test_many_riffles_are_fair_as_far_as_so_few_decks_can_tell() -> None:
    assert verdict_on(riffles(2000, 1, passes=14)).passed


# Wrong shuffles.

WRONG: list[tuple[str, Callable[[int, int], Decks], int, set[str]]] = [
    ("plain modulo of six bits", partial(plain_modulo, bits=6), 2_000, {"position x card", "worst cell"}),
    ("plain modulo of eight bits", plain_modulo, 20_000, {"position x card"}),
    ("two riffles", riffles, 520, {"rising sequences", "position x card", "adjacent pairs", "worst cell"}),
    ("five riffles", partial(riffles, passes=5), 520, {"rising sequences"}),
    ("seven riffles", partial(riffles, passes=7), 5_000, {"rising sequences"}),
    ("swapped range", swapped_range, 5_000, {"position x card"}),
    ("off by one", off_by_one, 2_000, {"position x card", "worst cell"}),
    ("cut only", cut_only, 520, {"adjacent pairs", "runs", "gap", "serial correlation", "repeated decks"}),
    ("three riffles of the last deck", riffled_again, 520, {"rising, next deck", "deck to deck"}),
    ("never shuffled", lambda decks, _: np.tile(np.arange(52), (decks, 1)), 520, {"position x card", "worst cell"}),
]


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize(("shuffle", "decks", "by"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG])
def test_a_wrong_shuffle_is_caught(shuffle: Callable[[int, int], Decks], decks: int, by: set[str], seed: int) -> None:
    found = shuffle(decks, seed)
    assert (np.sort(found, axis=1) == np.arange(52)).all(), "they are decks at least"
    assert by <= failures(verdict_on(found))


def test_a_wrong_shuffle_can_be_right_in_each_deck_and_wrong_in_their_sequence() -> None:
    """Three riffles of the deck before mix well enough over time; only the tests from deck to deck see them."""
    assert failures(verdict_on(riffled_again(520, 1)[::2])) != set()
    shuffled_apart = np.random.default_rng(1).permutation(riffled_again(5200, 1))[:520]
    assert "rising, next deck" not in failures(verdict_on(shuffled_apart))


def test_the_worst_cell_is_named() -> None:
    verdict = verdict_on(favoured_cell(5_000, 1, 3.0))
    worst = next(judged for judged in verdict.judged if judged.finding.test == "worst cell")
    assert not worst.passed
    assert worst.finding.detail.startswith("As in position 1: ")


def test_the_visible_bias_is_visible() -> None:
    """The share that the report names is found in nine of ten samples, half of it rarely."""
    decks, samples = 1_000, 60
    share = verdict_on(fair(decks, 1)).visible_bias
    seen = sum(not verdict_on(favoured_cell(decks, seed, share)).passed for seed in range(samples))
    half = sum(not verdict_on(favoured_cell(decks, seed, share / 2)).passed for seed in range(samples))
    assert seen > samples * BIAS_POWER - 3 * (samples * BIAS_POWER * (1 - BIAS_POWER)) ** 0.5
    assert half < samples / 2
