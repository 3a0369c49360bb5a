"""Compares the kernels and their tables with the readable rankings.

The readable version ranks one hand of each suit class, the kernel every hand of the class. Where
suits or colors matter, the readable version ranks each hand.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numba
import numpy as np
import pytest

from croupier.core.cards import DECK
from croupier.core.errors import InputError
from croupier.hands import RANKINGS, Ranking
from croupier.hands.kernels import evaluate
from croupier.hands.plain_tables import RANK_KEYS
from croupier.hands.rankings import COLORS_OF_BOTH, COLORS_OF_FIVE, FOUR_CARD, THREE_CARD
from tests.hands.every_hand import Array, class_of_every_hand, classes, every_hand

BY_SUIT_CLASS = [ranking for ranking in RANKINGS.values() if "colours" not in ranking.name]
QUICK = ["pocket", "three_card", "three_card_ace_high", "four_card"]
"""Proved in every test run; the others are proved by `make prove` and sampled in every run."""
SLOW = [ranking.name for ranking in BY_SUIT_CLASS if ranking.name not in QUICK]
RENAMINGS = list(itertools.permutations(range(4)))


def readable_strengths(ranking: Ranking, hands: Iterable[Iterable[int]]) -> Array:
    return np.array([ranking.strength([DECK[card] for card in hand]) for hand in hands], dtype=np.int16)


def check_every_hand(ranking: Ranking) -> None:
    by_class = np.array([ranking.strength(suit_class.cards) for suit_class in classes(ranking.cards)], dtype=np.int16)
    class_of_hand = class_of_every_hand(ranking.cards)
    expected = by_class[class_of_hand]
    if ranking.full_hand:  # distinguished by suit
        lowest = ranking.span(ranking.full_hand[0].name).start
        by_suit = np.flatnonzero(expected >= lowest)
        expected[by_suit] = readable_strengths(ranking, every_hand(ranking.cards)[by_suit])
    assert np.array_equal(evaluate(ranking, every_hand(ranking.cards)), expected)


def rename_suits(hands: Array) -> Array:
    """The hands with their suits renamed in all 24 ways."""
    suits = np.array(RENAMINGS, dtype=np.uint8)
    renamed: Array = suits[:, hands // 13] * 13 + hands % 13
    return renamed.reshape(-1, hands.shape[1])


@pytest.mark.parametrize("name", QUICK)
def test_the_kernel_equals_the_declared_ranking_over_every_hand(name: str) -> None:
    check_every_hand(RANKINGS[name])


@pytest.mark.proof
@pytest.mark.parametrize("name", SLOW)
def test_the_kernel_equals_the_declared_ranking_over_every_hand_of_five_and_six(name: str) -> None:
    check_every_hand(RANKINGS[name])


@pytest.mark.proof
def test_the_kernel_equals_the_declared_colors_over_every_hand() -> None:
    expected = readable_strengths(COLORS_OF_FIVE, every_hand(5).tolist())
    assert np.array_equal(evaluate(COLORS_OF_FIVE, every_hand(5)), expected)


@pytest.mark.parametrize("name", SLOW)
def test_the_kernel_equals_the_declared_ranking_over_a_sample_with_all_suits(name: str) -> None:
    """Hands at even steps through all of them, suited hands, and hands with one card of another suit."""
    ranking = RANKINGS[name]
    sample = every_hand(ranking.cards)[:: 5003 if ranking.cards == 6 else 503]
    suited = np.array(list(itertools.combinations(range(13), ranking.cards)), dtype=np.uint8)[::3]
    mixed = suited.copy()
    mixed[:, 0] += 13
    for hands in (sample, suited, mixed):
        expected = np.tile(readable_strengths(ranking, hands.tolist()), len(RENAMINGS))
        strengths = evaluate(ranking, rename_suits(hands))
        if ranking.full_hand:
            lowest = ranking.span(ranking.full_hand[0].name).start
            by_suit = np.flatnonzero(expected >= lowest)
            expected[by_suit] = readable_strengths(ranking, rename_suits(hands)[by_suit])
        assert np.array_equal(strengths, expected)


@pytest.mark.parametrize("name", [ranking.name for ranking in RANKINGS.values() if ranking.full_hand])
def test_the_kernel_distinguishes_six_card_royals_by_suit(name: str) -> None:
    royals = np.array([[suit * 13 + rank for rank in range(7, 13)] for suit in range(4)], dtype=np.uint8)
    ranking = RANKINGS[name]
    assert [ranking.name_of(int(strength)) for strength in evaluate(ranking, royals)] == [
        "six_card_royal_other",
        "six_card_royal_diamonds",
        "six_card_royal_other",
        "six_card_royal_other",
    ]


@pytest.mark.parametrize("ranking", [COLORS_OF_FIVE, COLORS_OF_BOTH], ids=lambda ranking: ranking.name)
def test_the_kernel_equals_the_declared_colors_over_all_suits_in_all_positions(ranking: Ranking) -> None:
    suits = np.array(list(itertools.product(range(4), repeat=ranking.cards)), dtype=np.uint8)
    for ranks in (range(ranking.cards), range(12, 12 - ranking.cards, -1)):
        hands = suits * 13 + np.array(ranks, dtype=np.uint8)
        assert np.array_equal(evaluate(ranking, hands), readable_strengths(ranking, hands.tolist()))


def test_the_kernel_distinguishes_player_and_dealer() -> None:
    deals = {"player red": [13, 14, 15, 0, 1, 16], "dealer red": [0, 1, 16, 13, 14, 15]}
    strengths = evaluate(COLORS_OF_BOTH, np.array(list(deals.values())))
    names = [COLORS_OF_BOTH.name_of(int(strength)) for strength in strengths]
    assert names == ["same_color_player_hand", "mixed_colors"]


@pytest.mark.parametrize("name", [name for name in RANKINGS if RANKINGS[name].cards <= 5])
def test_the_order_of_the_cards_in_a_hand_does_not_matter(name: str) -> None:
    ranking = RANKINGS[name]
    hands = every_hand(ranking.cards)[:: 1 + len(every_hand(ranking.cards)) // 2000]
    strengths = evaluate(ranking, hands)
    for order in itertools.permutations(range(ranking.cards)):
        assert np.array_equal(evaluate(ranking, hands[:, list(order)]), strengths)


@pytest.mark.parametrize("ranking", RANKINGS.values(), ids=lambda ranking: ranking.name)
def test_strengths_are_consecutive_and_rise_with_the_rungs(ranking: Ranking) -> None:
    spans = [ranking.span(rung.name) for rung in ranking.rungs]
    assert [strength for span in spans for strength in span] == list(range(len(ranking)))
    if ranking.size == ranking.cards and not ranking.groups:
        strengths = evaluate(ranking, every_hand(ranking.cards))
        assert np.array_equal(np.unique(strengths), np.arange(len(ranking)))


@pytest.mark.parametrize(
    ("hands", "reason"),
    [
        (np.zeros((2, 3), dtype=np.uint8), "rows of 4 cards"),
        (np.zeros(4, dtype=np.uint8), "rows of 4 cards"),
        (np.zeros((1, 1, 4), dtype=np.uint8), "rows of 4 cards"),
        (np.array([[0, 1, 2, 52]]), "not a card"),
        (np.array([[0, 1, 2, -1]]), "not a card"),
        (np.array([[0, 1, 2, 256]]), "not a card"),
    ],
    ids=["three cards", "one row", "three dimensions", "52", "-1", "256"],
)
def test_an_invalid_array_is_refused(hands: Array, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        evaluate(FOUR_CARD, hands)


def test_no_hands_have_no_strengths() -> None:
    assert evaluate(FOUR_CARD, np.empty((0, 4), dtype=np.uint8)).shape == (0,)


def test_any_integer_type_and_memory_layout_is_accepted() -> None:
    hands = every_hand(3)[::7]
    strengths = evaluate(THREE_CARD, hands)
    assert np.array_equal(evaluate(THREE_CARD, hands.astype(np.int64)), strengths)
    assert np.array_equal(evaluate(THREE_CARD, np.asfortranarray(hands)), strengths)


@pytest.mark.parametrize("cards", RANK_KEYS)
def test_each_rank_key_is_the_smallest_that_keeps_all_sums_distinct(cards: int) -> None:
    assert tuple(greedy_keys(cards)) == RANK_KEYS[cards]


@pytest.mark.parametrize("cards", RANK_KEYS)
def test_no_two_combinations_of_ranks_have_the_same_sum_of_keys(cards: int) -> None:
    sums = sums_of(list(RANK_KEYS[cards]), cards)[cards]
    assert len(np.unique(sums)) == len(sums)


def greedy_keys(cards: int) -> list[int]:
    """For each rank, the smallest key that keeps all sums of up to `cards` cards distinct."""
    keys: list[int] = []
    for _ in range(13):
        sums = sums_of(keys, cards)
        free = np.ones(1 << 20, dtype=np.bool_)
        for fewer, more in itertools.combinations(range(cards + 1), 2):
            # `copies` of the new key in one hand could equal `copies` other cards in another
            copies = more - fewer
            if copies <= 4 and copies + fewer <= cards:
                strike_out(free, sums[more], sums[fewer], copies)
        if keys:
            free[: keys[-1] + 1] = False
        keys.append(int(np.argmax(free)))
    return keys


def sums_of(keys: list[int], cards: int) -> list[Array]:
    """The sums of each number of cards from none to `cards`, no rank more than four times."""
    sums: list[list[int]] = [[0]] + [[] for _ in range(cards)]
    for key in keys:
        sums = [
            [total + key * copies for copies in range(min(4, count) + 1) for total in sums[count - copies]]
            for count in range(cards + 1)
        ]
    return [np.array(totals, dtype=np.int64) for totals in sums]


@numba.njit(cache=True)
def strike_out(free: Array, one: Array, other: Array, copies: int) -> None:
    """A key is not free if `copies` of it are the difference of two sums."""
    for first in one:
        for second in other:
            key = (first - second) // copies
            if 0 <= key < len(free) and key * copies == first - second:
                free[key] = False
