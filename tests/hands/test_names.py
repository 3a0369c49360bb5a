"""Names of hands with their ranks, compared with a slow naming that knows no ranking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement, pairwise

import pytest

from croupier.core.cards import Card, parse_cards
from croupier.hands import RANKINGS, ranking_named
from croupier.hands.names import is_plural, name_hand, name_rivals

HIGH = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]
PLURAL = ["2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "10s", "jacks", "queens", "kings", "aces"]


def deal_rank_patterns(size: int) -> Iterator[tuple[Card, ...]]:
    """A hand for every multiset of ranks that a deck has: in mixed suits, and in one suit where that is possible."""
    letters = "23456789TJQKA"
    for ranks in combinations_with_replacement(letters, size):
        if max(Counter(ranks).values()) > 4:
            continue
        suits = "cdhs" * 2
        yield parse_cards(" ".join(rank + suits[place] for place, rank in enumerate(ranks)))
        if len(set(ranks)) == size:
            yield parse_cards(" ".join(f"{rank}h" for rank in ranks))


def name_slowly(cards: Sequence[Card], royal: str) -> str:
    """The name of a hand, read off the cards as a dealer would: sets first, then suit and sequence."""
    ranks = sorted((int(card.rank) for card in cards), reverse=True)
    sets = sorted(((count, rank) for rank, count in Counter(ranks).items() if count > 1), reverse=True)
    match [count for count, _ in sets]:
        case [4]:
            return f"four {PLURAL[sets[0][1]]}"
        case [3, 2]:
            return f"full house, {PLURAL[sets[0][1]]} over {PLURAL[sets[1][1]]}"
        case [3]:
            return f"three {PLURAL[sets[0][1]]}"
        case [2, 2]:
            return f"two pair, {PLURAL[sets[0][1]]} and {PLURAL[sets[1][1]]}"
        case [2]:
            return f"pair of {PLURAL[sets[0][1]]}"
    is_flush = len({card.suit for card in cards}) == 1
    is_wheel = ranks == [12, *range(len(cards) - 2, -1, -1)]
    is_straight = is_wheel or ranks == list(range(ranks[0], ranks[0] - len(cards), -1))
    top = HIGH[len(cards) - 2] if is_wheel else HIGH[ranks[0]]
    if is_straight and is_flush:
        return royal if royal and top == "ace" else f"{top}-high straight flush"
    if is_straight:
        return f"{top}-high straight"
    return f"{top}-high flush" if is_flush else f"{top} high"


@pytest.mark.parametrize(
    ("name", "size", "royal"), [("three_card", 3, "mini royal"), ("four_card", 4, ""), ("five_card", 5, "royal flush")]
)
def test_every_class_of_hands_is_named_as_a_dealer_reads_it(name: str, size: int, royal: str) -> None:
    ranking = ranking_named(name)
    for cards in deal_rank_patterns(size):
        assert name_hand(ranking, cards) == name_slowly(cards, royal), cards


@pytest.mark.proof
def test_every_five_card_hand_is_named_as_a_dealer_reads_it() -> None:
    from croupier.core.cards import DECK

    ranking = ranking_named("five_card")
    for cards in combinations(DECK, 5):
        assert name_hand(ranking, cards) == name_slowly(cards, "royal flush"), cards


@pytest.mark.parametrize("name", [name for name, ranking in RANKINGS.items() if ranking.kickers and ranking.size < 5])
def test_rivals_have_the_same_name_only_if_they_tie(name: str) -> None:
    """Two hands next to each other in the ranking are told apart; a hand beside itself is not."""
    ranking = ranking_named(name)
    if ranking.cards != ranking.size:
        return
    by_strength: dict[int, tuple[Card, ...]] = {}
    for cards in deal_rank_patterns(ranking.size):
        by_strength[ranking.strength(cards)] = cards
    ordered = [by_strength[strength] for strength in sorted(by_strength)]
    for low, high in pairwise(ordered):
        names = name_rivals(ranking, low, ranking, high)
        assert names[0] != names[1], (low, high)
        assert len(set(name_rivals(ranking, low, ranking, low))) == 1


def test_hands_that_the_rung_names_completely_are_not_named_twice() -> None:
    assert name_hand(ranking_named("aces_bonus"), parse_cards("As Ad Ah 4d 2s")) == "three aces"
    assert name_hand(ranking_named("pocket"), parse_cards("As Kd")) == "unsuited ace"
    assert name_hand(ranking_named("lo_ball"), parse_cards("9s 5d 3h 4d 2s")) == "nine high"
    assert name_hand(ranking_named("all_six"), parse_cards("Ad Kd Qd Jd Td 9d")) == "six card royal in diamonds"


def test_kickers_are_named_only_where_they_decide() -> None:
    five = ranking_named("five_card")
    low, high = parse_cards("8s 8d Kh 4d 2s"), parse_cards("8c 8h Kc 9d 2d")
    assert name_rivals(five, low, five, high) == ("pair of 8s with a king and a 4", "pair of 8s with a king and a 9")
    queen, other = parse_cards("Qs 9d 7h 4d 2s"), parse_cards("Qd 8d 7c 4c 2c")
    assert name_rivals(five, queen, five, other) == ("queen high with a 9", "queen high with an 8")


def test_sets_take_a_plural_verb_and_other_hands_a_singular_one() -> None:
    assert is_plural("three kings")
    assert is_plural("four 9s")
    assert not is_plural("three high")
    assert not is_plural("four-high straight")
    assert not is_plural("pair of kings")
