"""Suit classes of hands in bulk, as arrays: what `croupier.cards.suit_classes` lists, a hundred times faster.

A class is four sets of ranks (13-bit masks), one a suit, longest first; suits of the same length
in ascending order of mask. `size` is the number of hands of the class.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, groupby
from typing import Any

import numba
import numpy as np

from croupier.hands.tables import Array


@dataclass(frozen=True)
class Classes:
    """Every suit class of hands of so many cards."""

    masks: Array
    """uint16 [classes, 4]"""
    sizes: Array
    """uint8 [classes]: 1, 4, 6, 12 or 24"""

    def __len__(self) -> int:
        return len(self.sizes)


@cache
def hand_classes(count: int) -> Classes:
    """The classes of hands of `count` cards."""
    parts = [_of_lengths(lengths) for lengths in _lengths(count, 4, count)]
    masks = np.concatenate(parts)
    return Classes(masks, _sizes(masks))


def _lengths(count: int, suits: int, most: int) -> list[tuple[int, ...]]:
    if suits == 0:
        return [()] if count == 0 else []
    return [
        (held, *rest)
        for held in range(min(count, most, 13), -1, -1)
        for rest in _lengths(count - held, suits - 1, held)
    ]


def _of_lengths(lengths: tuple[int, ...]) -> Array:
    """All classes whose suits have these lengths: a product, ascending where suits are as long."""
    found = np.zeros((1, 0), dtype=np.uint16)
    for held, suits in groupby(lengths):
        group = _ascending(_rank_sets(held), len(list(suits)))
        left = np.repeat(found, len(group), axis=0)
        right = np.tile(group, (len(found), 1))
        found = np.concatenate([left, right], axis=1)
    return found


def _ascending(sets: Array, suits: int) -> Array:
    """Every multiset of so many rank sets, in ascending order."""
    found = np.arange(len(sets)).reshape(-1, 1)
    for _ in range(suits - 1):
        following = len(sets) - found[:, -1]
        left = np.repeat(found, following, axis=0)
        starts = np.repeat(np.cumsum(following) - following, following)
        added = np.arange(len(left)) - starts + left[:, -1]
        found = np.column_stack([left, added])
    return sets[found]


def _rank_sets(size: int) -> Array:
    sets = [sum(1 << rank for rank in ranks) for ranks in combinations(range(13), size)]
    return np.array(sorted(sets), dtype=np.uint16)


def _sizes(masks: Array) -> Array:
    """24 over the number of ways to permute equal suits."""
    a, b, c, d = masks.T
    ab, bc, cd = a == b, b == c, c == d
    run = ab.astype(np.int64) + bc + cd
    sizes = np.full(len(masks), 24, dtype=np.uint8)
    sizes[run == 1] = 12
    sizes[(run == 2) & (ab & cd)] = 6
    sizes[(run == 2) & ~(ab & cd)] = 4
    sizes[run == 3] = 1
    return sizes


@cache
def one_of_each_class(count: int) -> Array:
    """One hand of each suit class, as card numbers: uint8 [classes, count]."""
    masks = hand_classes(count).masks
    bits = (masks[:, :, None] >> np.arange(13)) & 1
    found: Array = np.nonzero(bits.reshape(len(masks), 52))[1].reshape(len(masks), count).astype(np.uint8)
    return found


def class_numbers(hands: Array) -> Array:
    """The number of the class that each hand belongs to."""
    masks = np.zeros((len(hands), 4), dtype=np.int64)
    for column in hands.T:
        bits = np.left_shift(1, (column % 13).astype(np.int64))
        for suit in range(4):
            masks[:, suit] |= np.where(column // 13 == suit, bits, 0)
    return numbers_of_masks(masks, hands.shape[1])


def numbers_of_masks(masks: Array, count: int) -> Array:
    """The same for hands of `count` cards given as the ranks held in each suit, int64 [hands, 4]."""
    order, sorted_keys = _order_of_keys(count)
    found: Array = order[np.searchsorted(sorted_keys, _keys(masks))]
    return found


@cache
def _order_of_keys(count: int) -> tuple[Array, Array]:
    keys = _keys(hand_classes(count).masks.astype(np.int64))
    order = np.argsort(keys)
    return order, keys[order]


def _keys(masks: Array) -> Array:
    ascending: Array = np.sort(masks, axis=1)
    keys: Array = ascending[:, 0] | ascending[:, 1] << 13 | ascending[:, 2] << 26 | ascending[:, 3] << 39
    return keys


@cache
def grown(count: int) -> Array:
    """For each class of so many cards and each card: the class of both, int64 [classes, 52]; -1 for a card it has."""
    cards = one_of_each_class(count)
    hands = np.column_stack([np.repeat(cards, 52, axis=0), np.tile(np.arange(52, dtype=np.uint8), len(cards))])
    fresh = (hands[:, :-1] != hands[:, -1:]).all(axis=1)
    found = np.full(len(hands), -1, dtype=np.int64)
    found[fresh] = class_numbers(hands[fresh])
    return found.reshape(len(cards), 52)


@cache
def mask_table() -> Array:
    """For every set of ranks, how many it holds."""
    return np.array([mask.bit_count() for mask in range(8192)], dtype=np.uint8)


@numba.njit(nogil=True, cache=True)
def class_strengths(masks: Any, keys: Any, by_ranks: Any, by_suit: Any, lengths: Any, long: int) -> Any:
    """The strength of each class, from the tables of a ranking; `keys` is the sum of rank keys of a mask."""
    found = np.empty(len(masks), dtype=np.int16)
    for row in range(len(masks)):
        total = 0
        for suit in range(4):
            total += keys[masks[row, suit]]
        strength = by_ranks[total]
        for suit in range(4):
            mask = masks[row, suit]
            if lengths[mask] >= long:
                suited = by_suit[mask]
                strength = max(strength, suited) & 16383
        found[row] = strength
    return found
