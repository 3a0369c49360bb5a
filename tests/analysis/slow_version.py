"""Slow, obvious counting based only on `tests.hands.slow_version`, to compare the fast sweeps with.

A hand is ranked by trying every choice of four cards. A choice is looked up by its number among all 270,725 of
them, which `tests.hands.slow_version` has ordered.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from tests.hands import slow_version

Array = npt.NDArray[Any]
Key = tuple[Any, ...]


def order_key(rules: slow_version.Rules, hand: slow_version.Hand) -> Key:
    """The sort key of a hand of exactly `size` cards; see `slow_version.compare`."""
    category = rules.kind(hand, rules.ace_low)
    top = slow_version.straight_top(hand, rules.ace_low)
    ranks = slow_version.ranks(hand)[::-1] if top is None else [top]
    return -rules.order.index(category), slow_version.sets(hand), ranks


@cache
def hand_addends(count: int) -> Array:
    """int64 [52, count]: the number of a hand of ascending cards is the sum of one addend per card."""
    return np.array([[comb(card, place + 1) for place in range(count)] for card in range(52)], dtype=np.int64)


@cache
def order_of_fours() -> Array:
    """For every four cards their rank in the order of `four_card`, equal for a tie."""
    rules, addends = slow_version.RULES["four_card"], hand_addends(4)
    keys: list[Key] = [()] * comb(52, 4)
    for hand in combinations(range(52), 4):
        keys[sum(int(addends[card, place]) for place, card in enumerate(hand))] = order_key(rules, hand)
    number_of = {key: number for number, key in enumerate(sorted(set(map(hashable_key, keys))))}
    return np.array([number_of[hashable_key(key)] for key in keys], dtype=np.int16)


def hashable_key(key: Key) -> Key:
    """A hashable version of a key."""
    category, sets, ranks = key
    return category, tuple(sets), tuple(ranks)


def best_four(hands: Array) -> Array:
    """For rows of ascending cards, the rank of the best four of them."""
    order, addends = order_of_fours(), hand_addends(4)
    best = np.zeros(len(hands), dtype=np.int16)
    for columns in combinations(range(hands.shape[1]), 4):
        numbers = sum(addends[hands[:, column], place] for place, column in enumerate(columns))
        np.maximum(best, order[numbers], out=best)
    return best


def combination_rows(cards: Array, count: int) -> Array:
    """Every combination of `count` of the ascending cards."""
    total = comb(len(cards), count)
    flat = np.fromiter((c for hand in combinations(cards.tolist(), count) for c in hand), np.uint8, total * count)
    return flat.reshape(total, count)


def beaten_and_tied(player: slow_version.Hand, up: int | None = None) -> tuple[int, int]:
    """Deals every dealer hand of six; counts those that beat the five cards and those that tie."""
    player_strength = int(best_four(np.array([sorted(player)], dtype=np.uint8))[0])
    unseen = np.array([card for card in range(52) if card not in player and card != up], dtype=np.uint8)
    beaten = tied = 0
    # One dealer card at a time, so that the rows fit into memory: the lowest card, or the upcard.
    for place, first in enumerate(unseen.tolist() if up is None else [up]):
        remaining = combination_rows(unseen[place + 1 :] if up is None else unseen, 5)
        hands = np.sort(np.column_stack([np.full(len(remaining), first, dtype=np.uint8), remaining]), axis=1)
        dealer = best_four(hands)
        beaten += int(np.count_nonzero(dealer > player_strength))
        tied += int(np.count_nonzero(dealer == player_strength))
    return beaten, tied
