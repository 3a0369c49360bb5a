"""Slow, obvious counting with `tests.hands.slow_version` alone, for the fast sweeps to be held against.

A hand is judged by trying every choice of four cards; a choice is looked up by its place among all
270,725 of them, where `tests.hands.slow_version` has put it in order.
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
    """What hands of exactly `size` cards are compared by, higher for a higher hand: see `slow.compare`."""
    category = rules.kind(hand, rules.ace_low)
    top = slow_version.straight_top(hand, rules.ace_low)
    held = slow_version.ranks(hand)[::-1] if top is None else [top]
    return -rules.order.index(category), slow_version.sets(hand), held


@cache
def places(count: int) -> Array:
    """int64 [52, count]: a hand of ascending cards stands at the sum of one number for each of its cards."""
    return np.array([[comb(card, place + 1) for place in range(count)] for card in range(52)], dtype=np.int64)


@cache
def order_of_fours() -> Array:
    """For every four cards their place in the order of `four_card`, equal for a tie."""
    rules, numbers = slow_version.RULES["four_card"], places(4)
    keys: list[Key] = [()] * comb(52, 4)
    for hand in combinations(range(52), 4):
        keys[sum(int(numbers[card, place]) for place, card in enumerate(hand))] = order_key(rules, hand)
    number_of = {key: number for number, key in enumerate(sorted(set(map(repr_key, keys))))}
    return np.array([number_of[repr_key(key)] for key in keys], dtype=np.int16)


def repr_key(key: Key) -> Key:
    """A key that can be put in a set."""
    category, sets, held = key
    return category, tuple(sets), tuple(held)


def best_four(hands: Array) -> Array:
    """For rows of ascending cards the place of the best four of them."""
    order, numbers = order_of_fours(), places(4)
    found = np.zeros(len(hands), dtype=np.int16)
    for chosen in combinations(range(hands.shape[1]), 4):
        at = sum(numbers[hands[:, column], place] for place, column in enumerate(chosen))
        np.maximum(found, order[at], out=found)
    return found


def rows_of(cards: Array, count: int) -> Array:
    """Every choice of so many of the cards, which ascend."""
    total = comb(len(cards), count)
    chosen = np.fromiter((c for hand in combinations(cards.tolist(), count) for c in hand), np.uint8, total * count)
    return chosen.reshape(total, count)


def beaten_and_tied(player: slow_version.Hand, up: int | None = None) -> tuple[int, int]:
    """How many dealer hands of six beat five cards, and how many tie, each of them dealt."""
    own = int(best_four(np.array([sorted(player)], dtype=np.uint8))[0])
    left = np.array([card for card in range(52) if card not in player and card != up], dtype=np.uint8)
    beaten = tied = 0
    # One of the dealer's cards at a time, so that the rows fit into memory: his lowest, or the one in sight.
    for place, first in enumerate(left.tolist() if up is None else [up]):
        others = rows_of(left[place + 1 :] if up is None else left, 5)
        hands = np.sort(np.column_stack([np.full(len(others), first, dtype=np.uint8), others]), axis=1)
        dealer = best_four(hands)
        beaten += int(np.count_nonzero(dealer > own))
        tied += int(np.count_nonzero(dealer == own))
    return beaten, tied
