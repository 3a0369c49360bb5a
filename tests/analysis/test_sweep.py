"""The sweeps of the four-card games against dealing every dealer hand there is."""

from __future__ import annotations

import itertools
import random
from functools import cache
from math import comb

import numpy as np
import pytest

from croupier.analysis.counting.histogram import count_hands
from croupier.analysis.counting.suit_classes import hand_classes, popcounts
from croupier.analysis.counting.sweep import (
    FIVE_BUCKETS,
    FIVE_SLOTS,
    SLOT_SHIFT,
    SMALL_BUCKETS,
    SMALL_SLOTS,
    SortedClasses,
    subset_hash,
    sweep_with_upcard,
)
from croupier.analysis.losing_hands import count_losing_hands, count_losing_hands_by_class
from croupier.core.cards import DECK, parse_cards
from croupier.core.suit_symmetry import suit_classes
from croupier.hands.rankings import FOUR_CARD_OF_FIVE, FOUR_CARD_OF_SIX
from croupier.regulations import edition
from tests.analysis.four_card import hidden, masks_of, row_of, seeing, seen_as
from tests.analysis.slow_version import Array, beaten_and_tied

HIDDEN_DEALS = comb(47, 6)
SEEING_DEALS = comb(46, 5)
RANKINGS = ("four_card_of_five", "four_card_of_six")
CATEGORIES = [
    "Ks Kd Kh Kc 2s",
    "As Ac Ad Ah Kh",
    "9h 8h 7h 6h 5h",
    "4c 3c 2c Ac Ah",
    "7s 7d 7c Th 2h",
    "Kd Qd 9d 3d 2s",
    "Ad Kd 9d 3d 2d",
    "Qs Jd Th 9c 8s",
    "As 2d 3h 4c 5s",
    "8s 8d 5h 5c 2s",
    "As Ad Kh Qc Js",
    "2s 2d 3h 4c 6s",
    "As Kd Qh 9c 8s",
    "7s 5d 4h 3c 2s",
]
"""At least one hand of every class of four cards, with suits that are alike and that are not."""


def number(text: str) -> tuple[int, ...]:
    return tuple(card.index for card in parse_cards(text))


def dealers(hand: tuple[int, ...], up: int | None = None) -> Array:
    """The dealer hands of each strength, every one of them dealt."""
    left = np.array([card for card in range(52) if card not in hand and card != up], dtype=np.int64)
    return count_hands(FOUR_CARD_OF_SIX, left, np.array([] if up is None else [up], dtype=np.int64))


def strength(hand: tuple[int, ...]) -> int:
    return FOUR_CARD_OF_FIVE.strength([DECK[card] for card in hand])


def sample(seed: str, count: int) -> list[tuple[int, ...]]:
    dealer = random.Random(seed)
    return [tuple(dealer.sample(range(52), 5)) for _ in range(count)]


@pytest.mark.parametrize("hand", [*map(number, CATEGORIES), *sample("hidden", 6)], ids=str)
def test_hidden_counts_are_those_of_dealing_every_dealer_hand(hand: tuple[int, ...]) -> None:
    counts, own = dealers(hand), strength(hand)
    assert counts.sum() == HIDDEN_DEALS == hidden().total
    assert hidden().players.strengths[row_of(hand)] == own
    assert hidden().beaten[row_of(hand)] == counts[own + 1 :].sum()
    assert hidden().tied[row_of(hand)] == counts[own]


@pytest.mark.parametrize("hand", [*map(number, CATEGORIES), *sample("seeing", 6)], ids=str)
def test_counts_with_a_card_in_sight_are_those_of_dealing_every_dealer_hand(hand: tuple[int, ...]) -> None:
    own = strength(hand)
    found = seeing().beaten[row_of(hand)]
    ups = random.Random(str(hand)).sample([card for card in range(52) if card not in hand], 5)
    for up in [*ups, *(card for card in range(52) if card % 13 == hand[0] % 13 and card not in hand)]:
        counts = dealers(hand, up)
        assert counts.sum() == SEEING_DEALS == seeing().total
        assert found[seen_as(hand, up)] == counts[own + 1 :].sum(), DECK[up]
    for card in hand:
        assert found[seen_as(hand, card)] == -1


@pytest.mark.parametrize("hand", [number("Kd Qd 9d 3d 2s")], ids=str)
def test_hidden_counts_are_those_of_the_slow_rules(hand: tuple[int, ...]) -> None:
    """Nothing of `croupier` takes part in the count: `tests.hands.slow_version` judges all 10,737,573 dealer hands."""
    assert (hidden().beaten[row_of(hand)], hidden().tied[row_of(hand)]) == beaten_and_tied(hand)


@pytest.mark.parametrize(
    "hand",
    [
        number("As Ac Ad 9h 3h"),
        *(pytest.param(hand, marks=pytest.mark.proof) for hand in (number("Ad Kd 9d 3d 2s"), *sample("slow up", 2))),
    ],
    ids=str,
)
def test_counts_with_a_card_in_sight_are_those_of_the_slow_rules(hand: tuple[int, ...]) -> None:
    up = random.Random(str(hand)).choice([card for card in range(52) if card not in hand])
    beaten, _ = beaten_and_tied(hand, up)
    assert seeing().beaten[row_of(hand), seen_as(hand, up)] == beaten


def test_every_dealer_hand_is_seen_through_each_of_its_six_cards() -> None:
    """Over all 134,459 classes: the two sweeps count the same hands, one of them six times."""
    per_card = seeing().beaten.astype(np.int64)
    assert np.array_equal(per_card.clip(min=0).sum(axis=1), 6 * hidden().beaten)
    assert ((per_card >= 0).sum(axis=1) == 47).all()


def test_threads_share_the_work_and_find_the_same() -> None:
    for threads in (1, 3):
        again = sweep_with_upcard(FOUR_CARD_OF_FIVE, FOUR_CARD_OF_SIX, threads=threads)
        assert np.array_equal(again.beaten, seeing().beaten)


def test_all_deals_are_counted() -> None:
    sizes = hidden().players.classes.sizes.astype(np.int64)
    assert sizes.sum() == comb(52, 5)
    assert len(sizes) == 134_459
    assert (hidden().beaten >= 0).all()
    assert (hidden().tied >= 0).all()
    assert (hidden().beaten + hidden().tied <= HIDDEN_DEALS).all()


@pytest.mark.parametrize("count", range(1, 6))
def test_the_classes_are_those_of_croupier_cards(count: int) -> None:
    found = hand_classes(count)
    expected = {tuple(masks_of(tuple(card.index for card in each.cards))): each.size for each in suit_classes(count)}
    assert dict(zip(map(tuple, found.masks.tolist()), found.sizes.tolist(), strict=True)) == expected
    assert len(found) == len(expected)
    assert int(found.sizes.sum(dtype=np.int64)) == comb(52, count)


def test_six_card_classes_add_up_to_every_hand() -> None:
    found = hand_classes(6)
    assert int(found.sizes.sum(dtype=np.int64)) == comb(52, 6)
    assert (popcounts()[found.masks].sum(axis=1) == 6).all()
    assert len(np.unique(found.masks, axis=0)) == len(found)


def test_no_two_subsets_share_a_counter() -> None:
    hash_ = subset_hash()
    parts = [
        (range(5), hash_.small, SMALL_BUCKETS, SMALL_SLOTS, 18_370),
        (range(5, 6), hash_.fives, FIVE_BUCKETS, FIVE_SLOTS, 134_459),
    ]
    for counts, found, bucket_shift, last, expected in parts:
        classes = [hand_classes(count) for count in counts]
        masks = np.concatenate([group.masks for group in classes])
        sizes = np.concatenate([group.sizes for group in classes])
        keys = hash_.keys[masks].sum(axis=1, dtype=np.uint64)
        slots = ((keys >> SLOT_SHIFT) + found.displacements[keys >> bucket_shift]) & last
        assert len(masks) == expected
        assert len(np.unique(slots)) == len(slots)
        assert np.array_equal(found.multipliers[slots] * sizes.astype(np.int64), np.full(len(slots), 24))
        assert np.count_nonzero(found.multipliers) == len(slots)


def test_classes_stand_in_order_of_strength() -> None:
    players: SortedClasses = hidden().players
    assert (np.diff(players.strengths) >= 0).all()
    for hand in map(number, CATEGORIES):
        row = row_of(hand)
        assert players.starts[strength(hand)] <= row < players.starts[strength(hand) + 1]


# The Bad Beat wager of 641a.12(f): paid by the hand that loses.


def boundaries() -> tuple[int, ...]:
    """Where the rows of the Bad Beat table begin, lowest first, and 0 for all that it does not pay."""
    table = edition("pa-641a").elect().paytable("bad_beat")
    spans = [table.ranking.span(row.hand) for row in reversed(table.rows)]
    for lower, higher in itertools.pairwise(spans):
        assert lower.stop == higher.start, "rows with a gap between them"
    assert spans[-1].stop == len(FOUR_CARD_OF_FIVE)
    return (0, *(span.start for span in spans))


@cache
def losers() -> tuple[Array, Array]:
    return count_losing_hands_by_class(RANKINGS, boundaries())


@pytest.mark.parametrize("hand", [*map(number, CATEGORIES), *sample("losing", 4)], ids=str)
def test_losing_hands_are_those_of_dealing_every_dealer_hand(hand: tuple[int, ...]) -> None:
    counts, own = dealers(hand), strength(hand)
    limits = [*boundaries(), len(FOUR_CARD_OF_FIVE)]
    for stretch, (low, high) in enumerate(itertools.pairwise(limits)):
        expected = int(counts[low : min(high, own)].sum())  # the dealer loses with a hand of the row
        if low <= own < high:
            expected += int(counts[own + 1 :].sum())  # the player does
        assert losers()[0][stretch, row_of(hand)] == expected


def test_losing_hands_and_ties_are_all_deals() -> None:
    found, sizes = losers()
    ties = int((hidden().tied * sizes).sum())
    assert int((found * sizes).sum()) + ties == comb(52, 5) * comb(47, 6)
    assert (found.sum(axis=0) + hidden().tied == HIDDEN_DEALS).all()
    assert count_losing_hands(RANKINGS, boundaries())[1:] == count_losing_hands(RANKINGS, boundaries()[1:])
