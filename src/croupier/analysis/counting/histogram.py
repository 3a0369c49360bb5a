"""Histograms of hand strength: every hand of a ranking, enumerated."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from math import comb
from typing import Any

import numba
import numpy as np
from numpy import uint64

from croupier.core.cards import DECK
from croupier.hands.kernels import evaluate, tables_of
from croupier.hands.lookup_tables import Array
from croupier.hands.plain_tables import COUNTER_BITS, COUNTER_TOP, DECISIVE, KEY_BITS, LONG_SUIT, is_by_color
from croupier.hands.ranking import Ranking

_KEY_MASK = uint64((1 << KEY_BITS) - 1)
_LONG_SUIT_BITS = uint64(LONG_SUIT)
_SUIT_COUNTER_BITS = tuple(uint64(COUNTER_TOP << (KEY_BITS + COUNTER_BITS * suit)) for suit in range(4))
_STRENGTH_MASK = DECISIVE - 1


@cache
def histogram(ranking: Ranking) -> tuple[int, ...]:
    """The number of hands of each strength (of deals, if the ranking has groups of cards)."""
    if ranking.groups or (not ranking.kickers and is_by_color(ranking)):
        return _color_histogram(ranking)
    no_cards = np.zeros(0, dtype=np.int64)
    return tuple(int(count) for count in count_hands(ranking, np.arange(52), no_cards))


def hand_count(ranking: Ranking) -> int:
    """The total of `histogram`."""
    remaining, count = 52, 1
    for group in ranking.groups or (ranking.cards,):
        count *= comb(remaining, group)
        remaining -= group
    return count


def _color_histogram(ranking: Ranking) -> tuple[int, ...]:
    """Counts by the number of red cards in each group: 26 cards of either color."""
    counts = [0] * len(ranking)
    groups = ranking.groups or (ranking.cards,)
    reds_of_deck = [card for card in DECK if card.suit.is_red]
    blacks_of_deck = [card for card in DECK if not card.suit.is_red]
    for reds in product(*(range(size + 1) for size in groups)):
        ways, red, black, hand = 1, 0, 0, []
        for count, size in zip(reds, groups, strict=True):
            ways *= comb(26 - red, count) * comb(26 - black, size - count)
            hand += reds_of_deck[red : red + count] + blacks_of_deck[black : black + size - count]
            red, black = red + count, black + size - count
        counts[ranking.strength(hand)] += ways
    return tuple(counts)


def count_hands(ranking: Ranking, remaining: Array, fixed: Array) -> Array:
    """The number of hands of each strength with the fixed cards and any of the remaining ones."""
    tables = tables_of(ranking)  # first: this loads the spans of the ranking
    counts = np.zeros(len(ranking), dtype=np.int64)
    sums, hand = np.zeros(ranking.cards + 1, dtype=np.uint64), np.zeros(ranking.cards, dtype=np.int64)
    combination = np.arange(ranking.cards - len(fixed))
    _count(ranking.cards, remaining, fixed, *tables.flat(), counts, sums, hand, combination)
    return counts


@numba.njit(nogil=True, cache=True)
def _count(
    cards: Any,
    remaining: Any,
    fixed: Any,
    words: Any,
    by_ranks: Any,
    by_suit: Any,
    counts: Any,
    sums: Any,
    hand: Any,
    combination: Any,
) -> None:
    """Enumerates combinations in lexicographic order and keeps prefix sums in the arrays that it is given."""
    first = len(fixed)
    free_count = cards - first
    for index in range(first):
        hand[index] = fixed[index]
        sums[index + 1] = sums[index] + words[index * 52 + fixed[index]]
    place = 0
    last_row = (cards - 1) * 52
    while True:
        for index in range(place, free_count - 1):
            hand[first + index] = remaining[combination[index]]
            sums[first + index + 1] = sums[first + index] + words[(first + index) * 52 + hand[first + index]]
        prefix_sum = sums[cards - 1]
        for next_index in range(combination[free_count - 1], len(remaining)):
            card = remaining[next_index]
            total = prefix_sum + words[last_row + card]
            strength = by_ranks[total & _KEY_MASK]
            if total & _LONG_SUIT_BITS:
                for suit in range(4):
                    if total & _SUIT_COUNTER_BITS[suit]:
                        ranks = 0
                        for index in range(cards - 1):
                            if hand[index] // 13 == suit:
                                ranks |= 1 << (hand[index] % 13)
                        if card // 13 == suit:
                            ranks |= 1 << (card % 13)
                        strength = max(strength, by_suit[suit * 8192 + ranks]) & _STRENGTH_MASK
            counts[strength] += 1
        place = free_count - 2
        while place >= 0 and combination[place] == len(remaining) - free_count + place:
            place -= 1
        if place < 0:
            return
        combination[place] += 1
        for index in range(place + 1, free_count):
            combination[index] = combination[index - 1] + 1


def all_hand_strengths(ranking: Ranking) -> tuple[Array, Array]:
    """Every hand as a 52-bit set with its strength; for small hands."""
    hands = np.array(list(combinations(range(52), ranking.cards)), dtype=np.uint8)
    bits = np.left_shift(np.uint64(1), hands.astype(np.uint64))
    return np.bitwise_or.reduce(bits, axis=1), evaluate(ranking, hands)
