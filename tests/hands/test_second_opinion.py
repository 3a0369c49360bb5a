"""Compares the readable rankings with `tests.hands.slow_version`, which shares no code with them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.cards import DECK
from croupier.hands import RANKINGS, Ranking
from croupier.submissions.largest_win import suit_classes
from tests.hands import slow_version

SUB_DECKS = {
    "full": range(52),
    "two suits": range(26),
    "one suit": range(13, 26),
    "low and aces": [card for card in range(52) if card % 13 in (0, 1, 2, 3, 12)],
    "high": [card for card in range(52) if card % 13 >= 7],
}
"""Decks that give more straights, flushes and sets than the full deck."""


def strength(ranking: Ranking, hand: Iterable[int]) -> int:
    return ranking.strength([DECK[card] for card in hand])


def check_order(ranking: Ranking, hands: Iterable[tuple[int, ...]]) -> None:
    """Sorts hands by strength; neighbors must compare as their strengths do, and then all pairs do."""
    rules = slow_version.RULES[ranking.name]
    ordered = sorted((strength(ranking, hand), hand) for hand in hands)
    ranked = [(value, slow_version.judge(rules, hand)) for value, hand in ordered]
    for value, hand in ranked:
        assert value in ranking.span(hand.category), hand
    for (lower, hand), (higher, next_hand) in pairwise(ranked):
        assert slow_version.compare(rules, next_hand, hand) == slow_version.sign(higher - lower), (hand, next_hand)


def test_every_ranking_has_a_slow_version() -> None:
    assert set(slow_version.RULES) == set(RANKINGS)
    for name, ranking in RANKINGS.items():
        assert slow_version.RULES[name].order == [rung.name for rung in reversed(ranking.rungs)]
        assert (slow_version.RULES[name].cards or slow_version.RULES[name].size) == ranking.cards


@pytest.mark.parametrize("name", [name for name in RANKINGS if RANKINGS[name].cards <= 3])
def test_every_hand_of_two_and_three_cards(name: str) -> None:
    check_order(RANKINGS[name], combinations(range(52), RANKINGS[name].cards))


@pytest.mark.parametrize("name", [name for name in RANKINGS if RANKINGS[name].cards == 4])
def test_every_class_of_four_cards(name: str) -> None:
    check_order(RANKINGS[name], (tuple(card.index for card in suit_class.cards) for suit_class in suit_classes(4)))


@pytest.mark.parametrize("name", [name for name in RANKINGS if RANKINGS[name].cards >= 5])
@pytest.mark.parametrize("deck", SUB_DECKS)
def test_a_sample_of_five_and_six_cards(name: str, deck: str) -> None:
    ranking = RANKINGS[name]
    dealer = random.Random(f"{name} from {deck}")
    check_order(ranking, (tuple(dealer.sample(SUB_DECKS[deck], ranking.cards)) for _ in range(250)))


@st.composite
def two_hands(draw: st.DrawFn) -> tuple[str, list[int], list[int]]:
    name = draw(st.sampled_from(sorted(RANKINGS)))
    deck = st.sampled_from(SUB_DECKS[draw(st.sampled_from(sorted(SUB_DECKS)))])
    hand = st.lists(deck, min_size=RANKINGS[name].cards, max_size=RANKINGS[name].cards, unique=True)
    return name, draw(hand), draw(hand)


@given(two_hands())
def test_comparisons_agree_with_strengths(case: tuple[str, list[int], list[int]]) -> None:
    name, one, other = case
    ranking, rules = RANKINGS[name], slow_version.RULES[name]
    best_hands = slow_version.judge(rules, one), slow_version.judge(rules, other)
    assert slow_version.compare(rules, *best_hands) == slow_version.sign(
        strength(ranking, one) - strength(ranking, other)
    )
    assert ranking.hand([DECK[card] for card in one]).name == best_hands[0].category
