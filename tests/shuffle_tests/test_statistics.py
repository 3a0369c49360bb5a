"""Compares each statistic with a slow, obvious version, and with exact means where they exist."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest

from croupier.core.errors import InputError
from croupier.hands import ranking_named
from croupier.shuffle_tests.bench import Battery, judge
from croupier.shuffle_tests.bits import BLOCK_BYTES, BitTests
from croupier.shuffle_tests.orders import color_run_probabilities, eulerian_probabilities, order_codes
from croupier.shuffle_tests.result import DeckTestResult, pool_cells
from croupier.shuffle_tests.spacings import collector_probabilities, gap_probabilities, serial_moments
from croupier.table.procedure.shuffle import SeededShuffle
from tests.shuffle_tests import slow_version
from tests.shuffle_tests.shuffles import Decks, fair, riffles

DECKS = 700


@pytest.fixture(scope="module", params=["fair", "riffled"])
def decks(request: pytest.FixtureRequest) -> Decks:
    return fair(DECKS, 11) if request.param == "fair" else riffles(DECKS, 11, passes=5)


@pytest.fixture(scope="module")
def results(decks: Decks) -> dict[str, DeckTestResult]:
    """The results of batches of different sizes, which must not matter."""
    battery = Battery()
    for start, stop in pairwise([0, 1, 2, 300, 303, DECKS]):
        battery.add(decks[start:stop])
    return {result.test: result for result in battery.results()}


def test_each_statistic_equals_the_slow_version(
    results: dict[str, DeckTestResult],
    decks: Decks,
) -> None:
    orders = [tuple(deck) for deck in decks.tolist()]
    expected = {
        "position x card": slow_version.position_by_card(orders),
        "deck to deck": slow_version.deck_to_deck(orders),
        "runs": slow_version.runs(orders),
        "rising sequences": slow_version.rising_sequences(orders),
        "rising, next deck": slow_version.rising_next_deck(orders),
        "color runs": slow_version.color_runs(orders),
        "gap": slow_version.gap(orders),
        "coupon collector": slow_version.coupon_collector(orders),
        "first-k permutations": slow_version.relative_orders([order[:4] for order in orders]),
        "blocks of four": slow_version.relative_orders(
            [order[at : at + 4] for order in orders for at in range(0, 52, 4)]
        ),
        "hands, top five": slow_version.hands(orders, [0, 1, 2, 3, 4]),
        "hands, every sixth": slow_version.hands(orders, [0, 6, 12, 18, 24]),
    }
    for name, (statistic, degrees) in expected.items():
        assert results[name].statistic == pytest.approx(statistic), name
        assert results[name].degrees == degrees, name
    tested_elsewhere = {"worst cell", "adjacent pairs", "serial correlation", "repeated decks"}
    assert set(results) == set(expected) | tested_elsewhere, "every test has a slow version or a separate test"


def test_adjacent_pairs_by_hand(results: dict[str, DeckTestResult], decks: Decks) -> None:
    """The same sum by least squares: the counts that first and last cards do not explain."""
    counts = np.zeros((52, 52))
    for deck in decks:
        for pair in pairwise(deck):
            counts[pair] += 1
    off = ~np.eye(52, dtype=bool)
    columns = [np.where(off, np.arange(52)[:, None] == card, 0)[off] for card in range(52)]
    columns += [np.where(off, np.arange(52)[None, :] == card, 0)[off] for card in range(52)]
    model = np.array(columns, dtype=float).T
    values = counts[off]
    residuals = np.zeros((52, 52))
    residuals[off] = values - model @ np.linalg.lstsq(model, values, rcond=None)[0]
    even, odd = (residuals + residuals.T) / 2, (residuals - residuals.T) / 2
    statistic = (even**2).sum() / (DECKS / 52) + (odd**2).sum() / (DECKS * 53 / (52 * 51))
    assert results["adjacent pairs"].statistic == pytest.approx(statistic)


def test_the_worst_cell_is_the_worst(results: dict[str, DeckTestResult], decks: Decks) -> None:
    counts = [int((decks[:, place] == card).sum()) for place in range(52) for card in range(52)]
    mean = DECKS / 52
    scores = [(count - mean) / (mean * 51 / 52) ** 0.5 for count in (max(counts), min(counts))]
    assert results["worst cell"].statistic in [pytest.approx(score) for score in scores]


def test_serial_correlation_by_hand(results: dict[str, DeckTestResult], decks: Decks) -> None:
    values = decks.astype(float) - 25.5
    sums = (values[:, :-1] * values[:, 1:]).sum(axis=1) + values[:, -1] * values[:, 0]
    mean, variance = serial_moments([2 * card - 51 for card in range(52)])
    expected = (sums.mean() - float(mean) / 4) / (float(variance) / 16 / DECKS) ** 0.5
    assert results["serial correlation"].statistic == pytest.approx(expected)


@pytest.mark.parametrize("values", [(-3, -1, 1, 3), (-2, -1, 0, 1, 2), (-5, 0, 0, 1, 4), (-5, -3, -1, 1, 3, 5)])
def test_the_moments_of_serial_correlation_over_every_order(values: tuple[int, ...]) -> None:
    sums = [sum(a * b for a, b in pairwise([*order, order[0]])) for order in permutations(values)]
    mean = Fraction(sum(sums), len(sums))
    variance = Fraction(sum(s * s for s in sums), len(sums)) - mean**2
    assert serial_moments(values) == (mean, variance)


@pytest.mark.parametrize(
    "chances", [eulerian_probabilities(52), color_run_probabilities(), gap_probabilities(), collector_probabilities()]
)
def test_chances_add_up_to_one(chances: tuple[float, ...]) -> None:
    assert sum(chances) == pytest.approx(1)


def test_order_codes_number_every_order_once_and_extend_shorter_codes() -> None:
    rows = np.array(list(permutations(range(5))))
    codes = order_codes(rows)
    assert sorted(codes) == list(range(120))
    assert (codes // 5 == order_codes(rows[:, :4])).all()


def test_cells_are_pooled_until_each_expects_ten() -> None:
    counts, expected = pool_cells(
        np.array([1.0, 2, 3, 90, 1, 2, 1]), np.array([0.05, 0.05, 0.01, 0.8, 0.03, 0.03, 0.03])
    )
    assert (counts.tolist(), expected.tolist()) == ([3, 97], pytest.approx([10, 90]))
    counts, expected = pool_cells(np.array([50.0, 50]), np.array([0.5, 0.5]))
    assert (counts.tolist(), expected.tolist()) == ([50, 50], [50, 50])


def test_a_repeated_deck_is_detected() -> None:
    decks = fair(600, 5)
    for repeated in (0, 2):
        battery = Battery()
        battery.add(decks)
        if repeated:
            battery.add(decks[100 : 100 + repeated])
        result = next(f for f in battery.results() if f.test == "repeated decks")
        assert result.statistic == repeated
        assert (result.p < 1e-9) == bool(repeated)


# Raw bits.


@pytest.mark.parametrize("read_size", [1, 7, 1000, 5000])
def test_bit_tests_equal_the_slow_version(read_size: int) -> None:
    data = SeededShuffle("bits").draw(5000)
    tests = BitTests()
    for start in range(0, len(data), read_size):
        tests.add(data[start : start + read_size])
    results = {result.test: result for result in tests.results()}
    bits = "".join(f"{byte:08b}" for byte in data)
    ones = bits.count("1")
    assert results["bits: ones"].statistic == pytest.approx((ones - len(bits) / 2) / (len(bits) / 4) ** 0.5)
    changes = sum(a != b for a, b in pairwise(bits))
    trials = len(bits) - 1
    assert results["bits: runs"].statistic == pytest.approx((changes - trials / 2) / (trials / 4) ** 0.5)
    size = 8 * BLOCK_BYTES
    blocks = [bits[at : at + size] for at in range(0, len(bits) - size + 1, size)]
    shares = [block.count("1") / size for block in blocks]
    assert results["bits: blocks"].statistic == pytest.approx(4 * size * sum((share - 0.5) ** 2 for share in shares))
    assert results["bits: blocks"].degrees == len(blocks)
    mean = len(data) / 256
    values = sum((data.count(value) - mean) ** 2 / mean for value in range(256))
    assert results["bytes: values"].statistic == pytest.approx(values)
    assert results["bytes: values"].degrees == 255
    products = sum((a - 127.5) * (b - 127.5) for a, b in pairwise(data))
    variance = sum((value - 127.5) ** 2 for value in range(256)) / 256
    assert results["bytes: serial"].statistic == pytest.approx(products / variance / (len(data) - 1) ** 0.5)


@pytest.mark.parametrize(
    ("data", "test"),
    [
        (bytes(20_000), "bits: ones"),
        (b"\xaa" * 20_000, "bits: runs"),
        ((b"\xff" * 128 + b"\x00" * 128) * 100, "bits: blocks"),
        (bytes(value % 128 for value in SeededShuffle("top bit").draw(20_000)), "bytes: values"),
        (bytes(byte for value in SeededShuffle("twice").draw(10_000) for byte in (value, value)), "bytes: serial"),
        (bytes(range(256)) * 100, "bytes: values"),  # too even
    ],
    ids=["zeros", "alternating", "blocks", "seven bits", "each twice", "counting"],
)
def test_bad_bits_are_detected(data: bytes, test: str) -> None:
    tests = BitTests()
    tests.add(data)
    verdict = judge(tests.results(), level=0.01, decks=1)
    assert test in [entry.result.test for entry in verdict.tests if not entry.passed]


# Verdicts.


def _result(p: float) -> DeckTestResult:
    return DeckTestResult("a test", "", 0.0, None, p, "")


def test_holm_by_hand() -> None:
    """0.01 x 4; 0.013 x 3, raised to the value before it; 0.03 x 2; and 0.9."""
    verdict = judge([_result(p) for p in (0.03, 0.01, 0.9, 0.013)], level=0.05, decks=1)
    assert [entry.adjusted_p for entry in verdict.tests] == pytest.approx([0.06, 0.04, 0.9, 0.04])
    assert [entry.passed for entry in verdict.tests] == [True, False, True, False]
    assert not verdict.passed
    assert judge([_result(0.02)] * 4, level=0.05, decks=1).passed, "each alone would fail"


def test_hands_of_another_size_are_refused() -> None:
    from croupier.shuffle_tests.hand_categories import HandCategories

    battery = Battery([HandCategories(ranking_named("five_card"), range(4), "four cards")])
    with pytest.raises(InputError, match="five_card takes rows of 5 cards"):
        battery.add(fair(2, 1))
