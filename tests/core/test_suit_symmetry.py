"""Suit classes: how many there are, that they cover every hand once, and that renaming suits stays inside."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.cards import DECK, Card
from croupier.core.suit_symmetry import canonical, suit_classes

CLASSES = {1: 13, 2: 169, 3: 1_755, 4: 16_432, 5: 134_459, 6: 962_988}
"""The number of suit classes by number of cards; `burnside` computes them again."""

hands = st.lists(st.sampled_from(DECK), unique=True, max_size=7)


def burnside(count: int) -> int:
    """The number of classes by Burnside's lemma: hands fixed by a renaming, averaged over all 24.

    A renaming with cycles of suits fixes a hand if each rank is held in all suits of a cycle or in
    none. So each rank contributes the product of (1 + x ** length) over the cycles.
    """
    unmoved = 0
    for renaming in permutations(range(4)):
        ways = [1] + [0] * count  # by number of cards
        for length in cycle_lengths(renaming) * 13:
            ways = [each + (ways[cards - length] if cards >= length else 0) for cards, each in enumerate(ways)]
        unmoved += ways[count]
    return unmoved // 24


def cycle_lengths(renaming: tuple[int, ...]) -> list[int]:
    lengths, left = [], set(range(4))
    while left:
        suit, length = left.pop(), 1
        while (suit := renaming[suit]) in left:
            left.remove(suit)
            length += 1
        lengths.append(length)
    return lengths


@pytest.mark.parametrize("count", CLASSES)
def test_the_number_of_classes_follows_from_burnsides_lemma(count: int) -> None:
    assert burnside(count) == CLASSES[count]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, pytest.param(6, marks=pytest.mark.proof)])
def test_classes_are_as_many_as_there_should_be_and_hold_every_hand(count: int) -> None:
    number, hands_held = 0, 0
    for each in suit_classes(count):
        number += 1
        hands_held += each.size
    assert (number, hands_held) == (CLASSES[count], comb(52, count))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_each_hand_is_in_the_class_of_its_representative_and_the_sizes_are_right(count: int) -> None:
    members = Counter(canonical(hand) for hand in combinations(DECK, count))
    assert members == {each.cards: each.size for each in suit_classes(count)}


@pytest.mark.parametrize("count", [1, 2, 3])
def test_hands_are_in_one_class_exactly_when_a_renaming_leads_from_one_to_the_other(count: int) -> None:
    for each in suit_classes(count):
        orbit = {frozenset(renamed(each.cards, renaming)) for renaming in permutations(range(4))}
        assert len(orbit) == each.size
        assert {canonical(hand) for hand in orbit} == {each.cards}


@given(hands)
def test_the_representative_represents_itself(hand: list[Card]) -> None:
    assert canonical(canonical(hand)) == canonical(hand)


@given(hands, st.permutations(range(4)))
def test_neither_renaming_suits_nor_the_order_of_the_cards_changes_the_class(
    hand: list[Card], renaming: list[int]
) -> None:
    assert canonical(renamed(hand, tuple(renaming))) == canonical(hand)
    assert canonical(reversed(hand)) == canonical(hand)


@given(hands)
def test_the_representative_is_a_renaming_of_the_hand(hand: list[Card]) -> None:
    assert any(set(renamed(hand, renaming)) == set(canonical(hand)) for renaming in permutations(range(4)))


def renamed(hand: list[Card] | tuple[Card, ...], renaming: tuple[int, ...]) -> list[Card]:
    return [DECK[renaming[card.suit.index] * 13 + card.rank] for card in hand]
