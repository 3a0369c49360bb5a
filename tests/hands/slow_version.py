"""A slow version of every ranking, written from the regulations without `croupier.hands`.

A card is a number from 0 to 51: `card % 13` is its rank, from the 2 (0) to the ace (12), and
`card // 13` its suit: clubs, diamonds, hearts, spades. The best hand is found by trying every
choice of cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

Hand = Sequence[int]
ACE, KING, QUEEN, JACK = 12, 11, 10, 9
RED_SUITS = (1, 2)

OF_A_KIND = {
    (2,): "pair",
    (2, 1): "pair",
    (2, 1, 1): "pair",
    (2, 1, 1, 1): "pair",
    (2, 2): "two_pair",
    (2, 2, 1): "two_pair",
    (3,): "three_of_a_kind",
    (3, 1): "three_of_a_kind",
    (3, 1, 1): "three_of_a_kind",
    (3, 2): "full_house",
    (4,): "four_of_a_kind",
    (4, 1): "four_of_a_kind",
}
"""The class for the counts of each rank in a hand."""


@dataclass(frozen=True)
class Rules:
    """One ranking: its classes, highest first, and the class of `size` cards."""

    highest_first: str
    size: int
    kind: Callable[[Hand, bool], str]
    cards: int = 0
    ace_low: bool = True
    kickers: bool = True
    of_all: Callable[[Hand], str | None] = lambda hand: None
    """A class of all the cards together, if they form one."""

    @property
    def order(self) -> list[str]:
        return self.highest_first.split()


@dataclass(frozen=True)
class BestHand:
    """The best hand that can be made of some cards, and its class."""

    category: str
    cards: Hand


def judge(rules: Rules, hand: Hand) -> BestHand:
    """The best of every choice of `size` cards."""
    if category := rules.of_all(hand):
        return BestHand(category, hand)
    choices = [BestHand(rules.kind(cards, rules.ace_low), cards) for cards in combinations(hand, rules.size)]
    best = choices[0]
    for choice in choices[1:]:
        if compare(rules, choice, best) > 0:
            best = choice
    return best


def compare(rules: Rules, one: BestHand, other: BestHand) -> int:
    """1 if the first hand is higher, -1 if it is lower, 0 for a tie.

    Compares classes, then sets, then the tops of straights, then the highest card not in the other hand.
    """
    if one.category != other.category:
        return 1 if rules.order.index(one.category) < rules.order.index(other.category) else -1
    if not rules.kickers:
        return 0
    if sets(one.cards) != sets(other.cards):
        return 1 if sets(one.cards) > sets(other.cards) else -1
    tops = straight_top(one.cards, rules.ace_low), straight_top(other.cards, rules.ace_low)
    if tops[0] is not None and tops[1] is not None:
        return sign(tops[0] - tops[1])
    remaining, other_remaining = ranks(one.cards), ranks(other.cards)
    for rank in ranks(one.cards):
        if rank in other_remaining:
            remaining.remove(rank)
            other_remaining.remove(rank)
    return sign(max(remaining) - max(other_remaining)) if remaining else 0


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def ranks(hand: Hand) -> list[int]:
    return sorted(card % 13 for card in hand)


def sets(hand: Hand) -> list[tuple[int, int]]:
    """Ranks that occur more than once: how often and which, largest first."""
    all_ranks = ranks(hand)
    return sorted({(all_ranks.count(rank), rank) for rank in all_ranks if all_ranks.count(rank) > 1}, reverse=True)


def one_suit(hand: Hand) -> bool:
    return len({card // 13 for card in hand}) == 1


def straight_top(hand: Hand, ace_low: bool) -> int | None:
    """The highest card of a straight, else `None`."""
    return straights(len(hand), ace_low).get(tuple(ranks(hand)))


@cache
def straights(size: int, ace_low: bool) -> dict[tuple[int, ...], int]:
    """Every straight, lowest card first, with its highest card."""
    by_ranks = {tuple(range(top - size + 1, top + 1)): top for top in range(size - 1, ACE + 1)}
    return by_ranks | ({(*range(size - 1), ACE): size - 2} if ace_low else {})


def poker(hand: Hand, ace_low: bool) -> str:
    """The class of two to five cards."""
    all_ranks = ranks(hand)
    times = tuple(sorted([all_ranks.count(rank) for rank in set(all_ranks)], reverse=True))
    if times in OF_A_KIND:
        return OF_A_KIND[times]
    top = straight_top(hand, ace_low)
    if top is None:
        return "flush" if one_suit(hand) else "high_card"
    return "straight_flush" if one_suit(hand) else "straight"


def poker_with_royal(hand: Hand, ace_low: bool) -> str:
    category = poker(hand, ace_low)
    if category == "straight_flush" and straight_top(hand, ace_low) == ACE:
        return "mini_royal" if len(hand) == 3 else "royal_flush"
    return category


def aces_bonus(hand: Hand, ace_low: bool) -> str:
    """682a.6(d): no full house, and among pairs only aces."""
    category = poker_with_royal(hand, ace_low)
    aces = sum(card % 13 == ACE for card in hand)
    if category == "full_house":
        category = "three_of_a_kind"
    if category == "pair":
        return "two_aces" if aces == 2 else "high_card"
    if category == "three_of_a_kind" and aces == 3:
        return "three_aces"
    if category == "four_of_a_kind" and aces == 4:
        return "four_aces"
    return category


def pocket(hand: Hand, ace_low: bool) -> str:
    """683a.6(c)."""
    low, high = ranks(hand)
    if low == high:
        return "pair_of_aces" if high == ACE else "pair"
    if high == ACE and low in (JACK, QUEEN, KING):
        return "suited_ace" if one_suit(hand) else "unsuited_ace"
    return "high_card"


def lo_ball(hand: Hand, ace_low: bool) -> str:
    """683a.7(d)(4): queen high or lower, and no hand of 683a.6(b)."""
    names = {5: "seven", 6: "eight", 7: "nine", 8: "ten", 9: "jack", 10: "queen"}
    top = max(ranks(hand))
    return f"{names[top]}_high" if top in names and poker(hand, ace_low) == "high_card" else "high_card"


def colors(hand: Hand) -> list[bool]:
    return [card // 13 in RED_SUITS for card in hand]


def colors_of_five(hand: Hand, ace_low: bool) -> str:
    """682a.11(e)(1)."""
    reds = colors(hand).count(True)
    return {0: "all_five_the_same_color", 1: "four_of_the_same_color"}.get(min(reds, 5 - reds), "mixed_colors")


def colors_of_both(hand: Hand, ace_low: bool) -> str:
    """679a.11(d)(1): the player's three cards first, then the dealer's."""
    if len(set(colors(hand))) == 1:
        return "same_color_player_and_dealer_hand"
    return "same_color_player_hand" if len(set(colors(hand[:3]))) == 1 else "mixed_colors"


def six_card_royal(hand: Hand) -> str | None:
    """682a.6(e)(1); a paytable may pay diamonds more."""
    if one_suit(hand) and ranks(hand) == [7, 8, 9, 10, 11, 12]:
        return "six_card_royal_diamonds" if hand[0] // 13 == 1 else "six_card_royal_other"
    return None


THREE = "mini_royal straight_flush three_of_a_kind straight flush pair high_card"
FOUR = "four_of_a_kind straight_flush three_of_a_kind flush straight two_pair pair high_card"
FIVE = "royal_flush straight_flush four_of_a_kind full_house flush straight three_of_a_kind two_pair pair high_card"
SIX = f"six_card_royal_diamonds six_card_royal_other {FIVE}"
ACES = (
    "four_aces four_of_a_kind royal_flush straight_flush three_aces three_of_a_kind flush straight"
    " two_pair two_aces high_card"
)
POCKETS = "pair_of_aces suited_ace unsuited_ace pair high_card"
LOWS = "seven_high eight_high nine_high ten_high jack_high queen_high high_card"
COLORS = "all_five_the_same_color four_of_the_same_color mixed_colors"
COLORS_OF_BOTH = "same_color_player_and_dealer_hand same_color_player_hand mixed_colors"

RULES = {
    "three_card": Rules(THREE, 3, poker_with_royal),
    "four_card": Rules(FOUR, 4, poker),
    "four_card_of_five": Rules(FOUR, 4, poker, cards=5),
    "four_card_of_six": Rules(FOUR, 4, poker, cards=6),
    "five_card": Rules(FIVE, 5, poker_with_royal),
    "five_card_of_six": Rules(FIVE, 5, poker_with_royal, cards=6),
    "all_six": Rules(SIX, 5, poker_with_royal, cards=6, of_all=six_card_royal),
    "aces_bonus": Rules(ACES, 5, aces_bonus, kickers=False),
    "aces_bonus_of_four": Rules(ACES, 4, aces_bonus, cards=5, kickers=False),
    "pocket": Rules(POCKETS, 2, pocket, kickers=False),
    "lo_ball": Rules(LOWS, 5, lo_ball, kickers=False),
    "colours_of_five": Rules(COLORS, 5, colors_of_five, kickers=False),
    "colours_of_both": Rules(COLORS_OF_BOTH, 6, colors_of_both, kickers=False),
    "three_card_ace_high": Rules(THREE, 3, poker_with_royal, ace_low=False),
    "five_card_ace_high": Rules(FIVE, 5, poker_with_royal, ace_low=False),
    "five_card_of_six_ace_high": Rules(FIVE, 5, poker_with_royal, cards=6, ace_low=False),
    "all_six_ace_high": Rules(SIX, 5, poker_with_royal, cards=6, ace_low=False, of_all=six_card_royal),
    "aces_bonus_ace_high": Rules(ACES, 5, aces_bonus, kickers=False, ace_low=False),
}
