"""Suit classes: their number, that they cover every hand once, and that renaming suits keeps the class."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.cards import DECK, Card
from croupier.submissions.largest_win import canonical, suit_classes

CLASSES = {1: 13, 2: 169, 3: 1_755, 4: 16_432, 5: 134_459, 6: 962_988}
"""The number of suit classes by number of cards; `burnside` recomputes them."""

hands = st.lists(st.sampled_from(DECK), unique=True, max_size=7)


def burnside(count: int) -> int:
    """The number of classes by Burnside's lemma: hands fixed by a renaming, averaged over all 24.

    A renaming fixes a hand if, for each rank, the hand has all suits of each cycle or none. So
    each rank contributes the product of (1 + x ** length) over the cycles.
    """
    fixed_hands = 0
    for renaming in permutations(range(4)):
        ways = [1] + [0] * count  # by number of cards
        for length in cycle_lengths(renaming) * 13:
            ways = [way + (ways[cards - length] if cards >= length else 0) for cards, way in enumerate(ways)]
        fixed_hands += ways[count]
    return fixed_hands // 24


def cycle_lengths(renaming: tuple[int, ...]) -> list[int]:
    lengths, suits = [], set(range(4))
    while suits:
        suit, length = suits.pop(), 1
        while (suit := renaming[suit]) in suits:
            suits.remove(suit)
            length += 1
        lengths.append(length)
    return lengths


@pytest.mark.parametrize("count", CLASSES)
def test_the_number_of_classes_follows_from_burnsides_lemma(count: int) -> None:
    assert burnside(count) == CLASSES[count]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, pytest.param(6, marks=pytest.mark.proof)])
def test_the_classes_have_the_right_number_and_cover_every_hand(count: int) -> None:
    class_count, hand_count = 0, 0
    for suit_class in suit_classes(count):
        class_count += 1
        hand_count += suit_class.size
    assert (class_count, hand_count) == (CLASSES[count], comb(52, count))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_class_sizes_count_the_hands_of_each_representative(count: int) -> None:
    members = Counter(canonical(hand) for hand in combinations(DECK, count))
    assert members == {suit_class.cards: suit_class.size for suit_class in suit_classes(count)}


@pytest.mark.parametrize("count", [1, 2, 3])
def test_hands_share_a_class_exactly_if_a_renaming_relates_them(count: int) -> None:
    for suit_class in suit_classes(count):
        orbit = {frozenset(rename_suits(suit_class.cards, renaming)) for renaming in permutations(range(4))}
        assert len(orbit) == suit_class.size
        assert {canonical(hand) for hand in orbit} == {suit_class.cards}


@given(hands)
def test_the_representative_represents_itself(hand: list[Card]) -> None:
    assert canonical(canonical(hand)) == canonical(hand)


@given(hands, st.permutations(range(4)))
def test_neither_renaming_suits_nor_the_order_of_the_cards_changes_the_class(
    hand: list[Card], renaming: list[int]
) -> None:
    assert canonical(rename_suits(hand, tuple(renaming))) == canonical(hand)
    assert canonical(reversed(hand)) == canonical(hand)


@given(hands)
def test_the_representative_is_a_renaming_of_the_hand(hand: list[Card]) -> None:
    assert any(set(rename_suits(hand, renaming)) == set(canonical(hand)) for renaming in permutations(range(4)))


def rename_suits(hand: list[Card] | tuple[Card, ...], renaming: tuple[int, ...]) -> list[Card]:
    return [DECK[renaming[card.suit.index] * 13 + card.rank] for card in hand]
