"""Compares the sweeps of the four-card games with dealing every dealer hand."""

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
    FIVE_BUCKET_SHIFT,
    FIVE_SLOT_MASK,
    SLOT_SHIFT,
    SMALL_BUCKET_SHIFT,
    SMALL_SLOT_MASK,
    SortedClasses,
    subset_hash,
    sweep_with_upcard,
)
from croupier.analysis.losing_hands import count_losing_hands, count_losing_hands_by_class
from croupier.core.cards import DECK, parse_cards
from croupier.hands.rankings import FOUR_CARD_OF_FIVE, FOUR_CARD_OF_SIX
from croupier.regulations import edition
from croupier.submissions.largest_win import suit_classes
from tests.analysis.four_card import canonical_upcard, hidden_sweep, masks_of, row_of, upcard_sweep
from tests.analysis.slow_version import Array, beaten_and_tied

HIDDEN_DEALS = comb(47, 6)
UPCARD_DEALS = comb(46, 5)
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
"""At least one hand of every category, with equal and with different suits."""


def card_numbers(text: str) -> tuple[int, ...]:
    return tuple(card.index for card in parse_cards(text))


def dealer_counts(hand: tuple[int, ...], up: int | None = None) -> Array:
    """The number of dealer hands of each strength, by dealing every one."""
    unseen = np.array([card for card in range(52) if card not in hand and card != up], dtype=np.int64)
    return count_hands(FOUR_CARD_OF_SIX, unseen, np.array([] if up is None else [up], dtype=np.int64))


def strength(hand: tuple[int, ...]) -> int:
    return FOUR_CARD_OF_FIVE.strength([DECK[card] for card in hand])


def sample(seed: str, count: int) -> list[tuple[int, ...]]:
    dealer = random.Random(seed)
    return [tuple(dealer.sample(range(52), 5)) for _ in range(count)]


@pytest.mark.parametrize("hand", [*map(card_numbers, CATEGORIES), *sample("hidden", 6)], ids=str)
def test_hidden_counts_agree_with_dealing_every_dealer_hand(hand: tuple[int, ...]) -> None:
    counts, player_strength = dealer_counts(hand), strength(hand)
    assert counts.sum() == HIDDEN_DEALS == hidden_sweep().total
    assert hidden_sweep().players.strengths[row_of(hand)] == player_strength
    assert hidden_sweep().beaten[row_of(hand)] == counts[player_strength + 1 :].sum()
    assert hidden_sweep().tied[row_of(hand)] == counts[player_strength]


@pytest.mark.parametrize("hand", [*map(card_numbers, CATEGORIES), *sample("seeing", 6)], ids=str)
def test_upcard_counts_agree_with_dealing_every_dealer_hand(hand: tuple[int, ...]) -> None:
    player_strength = strength(hand)
    beaten = upcard_sweep().beaten[row_of(hand)]
    upcards = random.Random(str(hand)).sample([card for card in range(52) if card not in hand], 5)
    for up in [*upcards, *(card for card in range(52) if card % 13 == hand[0] % 13 and card not in hand)]:
        counts = dealer_counts(hand, up)
        assert counts.sum() == UPCARD_DEALS == upcard_sweep().total
        assert beaten[canonical_upcard(hand, up)] == counts[player_strength + 1 :].sum(), DECK[up]
    for card in hand:
        assert beaten[canonical_upcard(hand, card)] == -1


@pytest.mark.proof
@pytest.mark.parametrize("hand", [card_numbers("Kd Qd 9d 3d 2s")], ids=str)
def test_hidden_counts_agree_with_the_slow_rules(hand: tuple[int, ...]) -> None:
    """`tests.hands.slow_version` ranks all 10,737,573 dealer hands; nothing of `croupier` is used."""
    assert (hidden_sweep().beaten[row_of(hand)], hidden_sweep().tied[row_of(hand)]) == beaten_and_tied(hand)


@pytest.mark.parametrize(
    "hand",
    [
        card_numbers("As Ac Ad 9h 3h"),
        *(
            pytest.param(hand, marks=pytest.mark.proof)
            for hand in (card_numbers("Ad Kd 9d 3d 2s"), *sample("slow up", 2))
        ),
    ],
    ids=str,
)
def test_upcard_counts_agree_with_the_slow_rules(hand: tuple[int, ...]) -> None:
    up = random.Random(str(hand)).choice([card for card in range(52) if card not in hand])
    beaten, _ = beaten_and_tied(hand, up)
    assert upcard_sweep().beaten[row_of(hand), canonical_upcard(hand, up)] == beaten


def test_every_dealer_hand_is_counted_once_per_upcard() -> None:
    """Over all 134,459 classes, the sweep with an upcard counts every dealer hand six times."""
    per_card = upcard_sweep().beaten.astype(np.int64)
    assert np.array_equal(per_card.clip(min=0).sum(axis=1), 6 * hidden_sweep().beaten)
    assert ((per_card >= 0).sum(axis=1) == 47).all()


def test_the_number_of_threads_does_not_change_the_counts() -> None:
    for threads in (1, 3):
        counts = sweep_with_upcard(FOUR_CARD_OF_FIVE, FOUR_CARD_OF_SIX, threads=threads)
        assert np.array_equal(counts.beaten, upcard_sweep().beaten)


def test_all_deals_are_counted() -> None:
    sizes = hidden_sweep().players.classes.sizes.astype(np.int64)
    assert sizes.sum() == comb(52, 5)
    assert len(sizes) == 134_459
    assert (hidden_sweep().beaten >= 0).all()
    assert (hidden_sweep().tied >= 0).all()
    assert (hidden_sweep().beaten + hidden_sweep().tied <= HIDDEN_DEALS).all()


@pytest.mark.parametrize("count", range(1, 6))
def test_hand_classes_equal_the_suit_classes(count: int) -> None:
    classes = hand_classes(count)
    expected = {
        tuple(masks_of(tuple(card.index for card in suit_class.cards))): suit_class.size
        for suit_class in suit_classes(count)
    }
    assert dict(zip(map(tuple, classes.masks.tolist()), classes.sizes.tolist(), strict=True)) == expected
    assert len(classes) == len(expected)
    assert int(classes.sizes.sum(dtype=np.int64)) == comb(52, count)


def test_six_card_classes_add_up_to_every_hand() -> None:
    classes = hand_classes(6)
    assert int(classes.sizes.sum(dtype=np.int64)) == comb(52, 6)
    assert (popcounts()[classes.masks].sum(axis=1) == 6).all()
    assert len(np.unique(classes.masks, axis=0)) == len(classes)


def test_no_two_subsets_share_a_counter() -> None:
    hash_ = subset_hash()
    parts = [
        (range(5), hash_.small, SMALL_BUCKET_SHIFT, SMALL_SLOT_MASK, 18_370),
        (range(5, 6), hash_.fives, FIVE_BUCKET_SHIFT, FIVE_SLOT_MASK, 134_459),
    ]
    for counts, table, bucket_shift, slot_mask, expected in parts:
        classes = [hand_classes(count) for count in counts]
        masks = np.concatenate([group.masks for group in classes])
        sizes = np.concatenate([group.sizes for group in classes])
        keys = hash_.keys[masks].sum(axis=1, dtype=np.uint64)
        slots = ((keys >> SLOT_SHIFT) + table.displacements[keys >> bucket_shift]) & slot_mask
        assert len(masks) == expected
        assert len(np.unique(slots)) == len(slots)
        assert np.array_equal(table.multipliers[slots] * sizes.astype(np.int64), np.full(len(slots), 24))
        assert np.count_nonzero(table.multipliers) == len(slots)


def test_classes_are_sorted_by_strength() -> None:
    players: SortedClasses = hidden_sweep().players
    assert (np.diff(players.strengths) >= 0).all()
    for hand in map(card_numbers, CATEGORIES):
        row = row_of(hand)
        assert players.starts[strength(hand)] <= row < players.starts[strength(hand) + 1]


# The Bad Beat wager of 641a.12(f) is paid by the losing hand.


def boundaries() -> tuple[int, ...]:
    """The lowest strength of each row of the Bad Beat table, lowest first, after 0 for unpaid hands."""
    table = edition("pa-641a").elect().paytable("bad_beat")
    spans = [table.ranking.span(row.hand) for row in reversed(table.rows)]
    for lower, higher in itertools.pairwise(spans):
        assert lower.stop == higher.start, "there is a gap between rows"
    assert spans[-1].stop == len(FOUR_CARD_OF_FIVE)
    return (0, *(span.start for span in spans))


@cache
def losing_hands() -> tuple[Array, Array]:
    return count_losing_hands_by_class(RANKINGS, boundaries())


@pytest.mark.parametrize("hand", [*map(card_numbers, CATEGORIES), *sample("losing", 4)], ids=str)
def test_losing_hands_agree_with_dealing_every_dealer_hand(hand: tuple[int, ...]) -> None:
    counts, player_strength = dealer_counts(hand), strength(hand)
    limits = [*boundaries(), len(FOUR_CARD_OF_FIVE)]
    for row, (low, high) in enumerate(itertools.pairwise(limits)):
        expected = int(counts[low : min(high, player_strength)].sum())  # the dealer loses with a hand of the row
        if low <= player_strength < high:
            expected += int(counts[player_strength + 1 :].sum())  # the player loses with a hand of the row
        assert losing_hands()[0][row, row_of(hand)] == expected


def test_losing_hands_and_ties_cover_all_deals() -> None:
    counts, sizes = losing_hands()
    ties = int((hidden_sweep().tied * sizes).sum())
    assert int((counts * sizes).sum()) + ties == comb(52, 5) * comb(47, 6)
    assert (counts.sum(axis=0) + hidden_sweep().tied == HIDDEN_DEALS).all()
    assert count_losing_hands(RANKINGS, boundaries())[1:] == count_losing_hands(RANKINGS, boundaries()[1:])
