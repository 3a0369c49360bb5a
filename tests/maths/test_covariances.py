"""Covariances against the plain definition over every hand, or a large sample where there are too many."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from croupier.hands.kernels import evaluate
from croupier.maths.covariances import covariances
from croupier.maths.side_wagers import net_of
from croupier.rules import edition
from croupier.rules.paytables import Paytable

Array = npt.NDArray[np.int64]


def gains(table: Paytable, hands: npt.NDArray[np.uint8]) -> Array:
    """What one unit gains on each hand; every net result of these tables is whole."""
    nets = np.array([int(net_of(table.payout(s), Fraction(5), {})) for s in range(len(table.ranking))], dtype=np.int64)
    found: Array = nets[evaluate(table.ranking, hands)]
    return found


@pytest.fixture(scope="module")
def five() -> npt.NDArray[np.uint8]:
    return np.array(list(combinations(range(52), 5)), dtype=np.uint8)


def covariance(x: Array, y: Array) -> Fraction:
    count = len(x)
    return Fraction(int((x * y).sum()), count) - Fraction(int(x.sum()), count) * Fraction(int(y.sum()), count)


def test_prime_and_aces_bonus_over_every_hand(five: npt.NDArray[np.uint8]) -> None:
    elected = edition("pa-682a").elect()
    expected = covariance(gains(elected.paytable("prime"), five), gains(elected.paytable("aces_bonus"), five))
    assert covariances(elected, Fraction(5), {})["prime", "aces_bonus"] == expected


@pytest.mark.parametrize(("wager", "cards"), [("pocket_bonus", 2), ("board_bonus", 3)])
def test_two_or_three_of_the_five_cards_over_every_hand(five: npt.NDArray[np.uint8], wager: str, cards: int) -> None:
    elected = edition("pa-683a").elect()
    low = gains(elected.paytable("lo_ball"), five)
    splits = list(combinations(range(5), cards))
    together = sum(int((low * gains(elected.paytable(wager), five[:, split])).sum()) for split in splits)
    found = covariances(elected, Fraction(5), {})[wager, "lo_ball"]
    alone = gains(elected.paytable(wager), np.array(list(combinations(range(52), cards)), dtype=np.uint8))
    product = Fraction(together, len(splits) * len(five))
    assert found == product - Fraction(int(low.sum()), len(five)) * Fraction(int(alone.sum()), len(alone))


@pytest.mark.parametrize(
    ("name", "first", "second", "cards"),
    [("pa-682a", "aces_bonus", "all_six", 5), ("pa-682a", "prime", "all_six", 5), ("pa-679a", "prime", "all_six", 6)],
)
def test_six_cards_agree_with_a_sample(name: str, first: str, second: str, cards: int) -> None:
    generator = np.random.Generator(np.random.PCG64(4))
    deck = np.tile(np.arange(52, dtype=np.uint8), (400_000, 1))
    hands = generator.permuted(deck, axis=1)[:, :6]
    elected = edition(name).elect()
    x = gains(elected.paytable(first), hands[:, :cards]).astype(float)
    y = gains(elected.paytable(second), hands).astype(float)
    products = (x - x.mean()) * (y - y.mean())
    error = products.std() / len(products) ** 0.5
    assert abs(products.mean() - float(covariances(elected, Fraction(5), {})[first, second])) < 4 * error
