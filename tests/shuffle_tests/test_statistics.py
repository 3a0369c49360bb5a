"""Each statistic against a slow, obvious version of it, and exact means where there are any."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest

from croupier.core.errors import InputError
from croupier.hands import ranking_named
from croupier.shuffle_tests.bench import Bench, judge
from croupier.shuffle_tests.bits import BLOCK_BYTES, BitTests
from croupier.shuffle_tests.orders import color_run_chances, eulerian_chances, order_codes
from croupier.shuffle_tests.result import DeckTestResult, pool_cells
from croupier.shuffle_tests.spacings import collector_chances, gap_chances, serial_moments
from croupier.table.procedure.shuffle import SeededShuffle
from tests.shuffle_tests import slow_version
from tests.shuffle_tests.shuffles import Decks, fair, riffles

DECKS = 700


@pytest.fixture(scope="module", params=["fair", "riffled"])
def decks(request: pytest.FixtureRequest) -> Decks:
    return fair(DECKS, 11) if request.param == "fair" else riffles(DECKS, 11, passes=5)


@pytest.fixture(scope="module")
def found(decks: Decks) -> dict[str, DeckTestResult]:
    """In batches of different sizes, which must not matter."""
    bench = Bench()
    for start, stop in pairwise([0, 1, 2, 300, 303, DECKS]):
        bench.add(decks[start:stop])
    return {finding.test: finding for finding in bench.findings()}


def test_each_statistic_is_what_the_slow_version_says(
    found: dict[str, DeckTestResult],
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
        "first-k permutations": slow_version.orders_of([order[:4] for order in orders]),
        "blocks of four": slow_version.orders_of([order[at : at + 4] for order in orders for at in range(0, 52, 4)]),
        "hands, top five": slow_version.hands(orders, [0, 1, 2, 3, 4]),
        "hands, every sixth": slow_version.hands(orders, [0, 6, 12, 18, 24]),
    }
    for name, (statistic, degrees) in expected.items():
        assert found[name].statistic == pytest.approx(statistic), name
        assert found[name].degrees == degrees, name
    others = {"worst cell", "adjacent pairs", "serial correlation", "repeated decks"}
    assert set(found) == set(expected) | others, "every test has a slow version or a test of its own"


def test_adjacent_pairs_by_hand(found: dict[str, DeckTestResult], decks: Decks) -> None:
    """The same sum by least squares: the part of the counts that first and last cards do not explain."""
    counts = np.zeros((52, 52))
    for deck in decks:
        for pair in pairwise(deck):
            counts[pair] += 1
    off = ~np.eye(52, dtype=bool)
    columns = [np.where(off, np.arange(52)[:, None] == card, 0)[off] for card in range(52)]
    columns += [np.where(off, np.arange(52)[None, :] == card, 0)[off] for card in range(52)]
    model = np.array(columns, dtype=float).T
    values = counts[off]
    rest = np.zeros((52, 52))
    rest[off] = values - model @ np.linalg.lstsq(model, values, rcond=None)[0]
    even, odd = (rest + rest.T) / 2, (rest - rest.T) / 2
    statistic = (even**2).sum() / (DECKS / 52) + (odd**2).sum() / (DECKS * 53 / (52 * 51))
    assert found["adjacent pairs"].statistic == pytest.approx(statistic)


def test_the_worst_cell_is_the_worst(found: dict[str, DeckTestResult], decks: Decks) -> None:
    counts = [int((decks[:, place] == card).sum()) for place in range(52) for card in range(52)]
    mean = DECKS / 52
    scores = [(count - mean) / (mean * 51 / 52) ** 0.5 for count in (max(counts), min(counts))]
    assert found["worst cell"].statistic in [pytest.approx(score) for score in scores]


def test_serial_correlation_by_hand(found: dict[str, DeckTestResult], decks: Decks) -> None:
    values = decks.astype(float) - 25.5
    sums = (values[:, :-1] * values[:, 1:]).sum(axis=1) + values[:, -1] * values[:, 0]
    mean, variance = serial_moments([2 * card - 51 for card in range(52)])
    expected = (sums.mean() - float(mean) / 4) / (float(variance) / 16 / DECKS) ** 0.5
    assert found["serial correlation"].statistic == pytest.approx(expected)


@pytest.mark.parametrize("values", [(-3, -1, 1, 3), (-2, -1, 0, 1, 2), (-5, 0, 0, 1, 4), (-5, -3, -1, 1, 3, 5)])
def test_the_moments_of_serial_correlation_over_every_order(values: tuple[int, ...]) -> None:
    sums = [sum(a * b for a, b in pairwise([*order, order[0]])) for order in permutations(values)]
    mean = Fraction(sum(sums), len(sums))
    variance = Fraction(sum(s * s for s in sums), len(sums)) - mean**2
    assert serial_moments(values) == (mean, variance)


@pytest.mark.parametrize("chances", [eulerian_chances(52), color_run_chances(), gap_chances(), collector_chances()])
def test_chances_add_up_to_one(chances: tuple[float, ...]) -> None:
    assert sum(chances) == pytest.approx(1)


def test_order_codes_number_every_order_once_and_beginnings_by_beginnings() -> None:
    rows = np.array(list(permutations(range(5))))
    codes = order_codes(rows)
    assert sorted(codes) == list(range(120))
    assert (codes // 5 == order_codes(rows[:, :4])).all()


def test_cells_are_put_together_until_each_expects_ten() -> None:
    counts, expected = pool_cells(
        np.array([1.0, 2, 3, 90, 1, 2, 1]), np.array([0.05, 0.05, 0.01, 0.8, 0.03, 0.03, 0.03])
    )
    assert (counts.tolist(), expected.tolist()) == ([3, 97], pytest.approx([10, 90]))
    counts, expected = pool_cells(np.array([50.0, 50]), np.array([0.5, 0.5]))
    assert (counts.tolist(), expected.tolist()) == ([50, 50], [50, 50])


def test_a_repeated_deck_is_found() -> None:
    decks = fair(600, 5)
    for repeated in (0, 2):
        bench = Bench()
        bench.add(decks)
        if repeated:
            bench.add(decks[100 : 100 + repeated])
        finding = next(f for f in bench.findings() if f.test == "repeated decks")
        assert finding.statistic == repeated
        assert (finding.p < 1e-9) == bool(repeated)


# Raw bits.


@pytest.mark.parametrize("helping", [1, 7, 1000, 5000])
def test_bit_tests_are_what_the_slow_version_says(helping: int) -> None:
    data = SeededShuffle("bits").draw(5000)
    tests = BitTests()
    for start in range(0, len(data), helping):
        tests.add(data[start : start + helping])
    found = {finding.test: finding for finding in tests.findings()}
    bits = "".join(f"{byte:08b}" for byte in data)
    ones = bits.count("1")
    assert found["bits: ones"].statistic == pytest.approx((ones - len(bits) / 2) / (len(bits) / 4) ** 0.5)
    changes = sum(a != b for a, b in pairwise(bits))
    trials = len(bits) - 1
    assert found["bits: runs"].statistic == pytest.approx((changes - trials / 2) / (trials / 4) ** 0.5)
    size = 8 * BLOCK_BYTES
    blocks = [bits[at : at + size] for at in range(0, len(bits) - size + 1, size)]
    shares = [block.count("1") / size for block in blocks]
    assert found["bits: blocks"].statistic == pytest.approx(4 * size * sum((share - 0.5) ** 2 for share in shares))
    assert found["bits: blocks"].degrees == len(blocks)
    mean = len(data) / 256
    values = sum((data.count(value) - mean) ** 2 / mean for value in range(256))
    assert found["bytes: values"].statistic == pytest.approx(values)
    assert found["bytes: values"].degrees == 255
    products = sum((a - 127.5) * (b - 127.5) for a, b in pairwise(data))
    variance = sum((value - 127.5) ** 2 for value in range(256)) / 256
    assert found["bytes: serial"].statistic == pytest.approx(products / variance / (len(data) - 1) ** 0.5)


@pytest.mark.parametrize(
    ("data", "caught"),
    [
        (bytes(20_000), "bits: ones"),
        (b"\xaa" * 20_000, "bits: runs"),
        ((b"\xff" * 128 + b"\x00" * 128) * 100, "bits: blocks"),
        (bytes(value % 128 for value in SeededShuffle("top bit").draw(20_000)), "bytes: values"),
        (bytes(byte for value in SeededShuffle("twice").draw(10_000) for byte in (value, value)), "bytes: serial"),
        (bytes(range(256)) * 100, "bytes: values"),  # too even
    ],
    ids=["noughts", "alternating", "blocks", "seven bits", "each twice", "counting"],
)
def test_bad_bits_are_caught(data: bytes, caught: str) -> None:
    tests = BitTests()
    tests.add(data)
    verdict = judge(tests.findings(), level=0.01, decks=1)
    assert caught in [judged.finding.test for judged in verdict.judged if not judged.passed]


# Judging.


def _finding(p: float) -> DeckTestResult:
    return DeckTestResult("a test", "", 0.0, None, p, "")


def test_holm_by_hand() -> None:
    """0.01 x 4, then 0.013 x 3 which may not be less than that, 0.03 x 2, and 0.9."""
    verdict = judge([_finding(p) for p in (0.03, 0.01, 0.9, 0.013)], level=0.05, decks=1)
    assert [judged.adjusted_p for judged in verdict.judged] == pytest.approx([0.06, 0.04, 0.9, 0.04])
    assert [judged.passed for judged in verdict.judged] == [True, False, True, False]
    assert not verdict.passed
    assert judge([_finding(0.02)] * 4, level=0.05, decks=1).passed, "each for itself would fail"


def test_hands_of_another_size_are_refused() -> None:
    from croupier.shuffle_tests.hand_categories import HandCategories

    bench = Bench([HandCategories(ranking_named("five_card"), range(4), "four cards")])
    with pytest.raises(InputError, match="five_card takes rows of 5 cards"):
        bench.add(fair(2, 1))
