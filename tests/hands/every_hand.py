"""Every hand of a given number of cards, and the suit class of each, as arrays."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import comb
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from croupier.submissions.largest_win import SuitClass, suit_classes

Array = npt.NDArray[Any]


@cache
def every_hand(count: int) -> Array:
    """Every hand of `count` cards once, in the order of `itertools.combinations(range(52), count)`."""
    hands = np.empty((comb(52, count), count), dtype=np.uint8)
    _fill(hands, np.arange(count))
    return hands


@numba.njit(cache=True)
def _fill(hands: Any, cards: Any) -> None:
    count = len(cards)
    for row in range(len(hands)):
        for place in range(count):
            hands[row, place] = cards[place]
        last = count - 1
        while last > 0 and cards[last] == 52 - count + last:
            last -= 1
        cards[last] += 1
        for place in range(last + 1, count):
            cards[place] = cards[place - 1] + 1


def every_deal_of_three_and_three() -> Iterator[Array]:
    """All deals of three cards to the player and three to the dealer, one player hand at a time."""
    deals = np.empty((comb(49, 3), 6), dtype=np.uint8)
    for player in every_hand(3):
        _deal(deals, player, every_hand(3))
        yield deals


@numba.njit(cache=True)
def _deal(deals: Any, player: Any, threes: Any) -> None:
    """Combines the player's hand with every disjoint dealer hand."""
    row = 0
    for place in range(len(threes)):
        disjoint = True
        for first in range(3):
            for second in range(3):
                disjoint &= player[first] != threes[place, second]
        if disjoint:
            for first in range(3):
                deals[row, first] = player[first]
                deals[row, 3 + first] = threes[place, first]
            row += 1


@numba.njit(cache=True)
def class_keys(hands: Any) -> Any:
    """A number for the suit class of each hand: the rank sets of its suits, smallest first, 13 bits each."""
    keys = np.empty(len(hands), dtype=np.uint64)
    for row in range(len(hands)):
        ranks = np.zeros(4, dtype=np.uint64)
        for card in hands[row]:
            ranks[card // 13] |= np.uint64(1) << np.uint64(card % 13)
        ranks.sort()
        keys[row] = ranks[0] | ranks[1] << np.uint64(13) | ranks[2] << np.uint64(26) | ranks[3] << np.uint64(39)
    return keys


@cache
def classes(count: int) -> tuple[SuitClass, ...]:
    """Every suit class of hands of `count` cards."""
    return tuple(suit_classes(count))


@cache
def class_of_every_hand(count: int) -> Array:
    """For each of `every_hand`, the index of its class in `classes`; raises `ValueError` for a hand without one."""
    keys = class_keys(
        np.array([[card.index for card in suit_class.cards] for suit_class in classes(count)], dtype=np.uint8)
    )
    order = np.argsort(keys)
    hands = every_hand(count)
    places = np.empty(len(hands), dtype=np.int32)
    for start in range(0, len(hands), 1 << 20):
        part = slice(start, start + (1 << 20))
        hand_keys = class_keys(hands[part])
        matches = order[np.minimum(np.searchsorted(keys, hand_keys, sorter=order), len(keys) - 1)]
        if not np.array_equal(keys[matches], hand_keys):
            raise ValueError("a hand is in no class")
        places[part] = matches
    return places
