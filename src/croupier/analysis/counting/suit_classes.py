"""Suit isomorphism classes of hands, as arrays.

A class is four sets of ranks (13-bit masks), one per suit, longest first; suits of equal length are in
ascending order of mask. `size` is the number of hands in the class.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, groupby

import numpy as np

from croupier.hands.lookup_tables import Array


@dataclass(frozen=True)
class SuitClasses:
    """Every suit class of hands of one size."""

    masks: Array
    """uint16 [classes, 4]"""
    sizes: Array
    """uint8 [classes]: 1, 4, 6, 12 or 24"""

    def __len__(self) -> int:
        return len(self.sizes)


@cache
def hand_classes(count: int) -> SuitClasses:
    """The classes of hands of `count` cards."""
    parts = [_classes_of_lengths(lengths) for lengths in _suit_lengths(count, 4, count)]
    masks = np.concatenate(parts)
    return SuitClasses(masks, _sizes(masks))


def _suit_lengths(count: int, suits: int, longest: int) -> list[tuple[int, ...]]:
    if suits == 0:
        return [()] if count == 0 else []
    return [
        (length, *rest)
        for length in range(min(count, longest, 13), -1, -1)
        for rest in _suit_lengths(count - length, suits - 1, length)
    ]


def _classes_of_lengths(lengths: tuple[int, ...]) -> Array:
    """All classes with these suit lengths, masks ascending among suits of equal length."""
    masks = np.zeros((1, 0), dtype=np.uint16)
    for length, suits in groupby(lengths):
        group = _ascending_multisets(_rank_sets(length), len(list(suits)))
        left = np.repeat(masks, len(group), axis=0)
        right = np.tile(group, (len(masks), 1))
        masks = np.concatenate([left, right], axis=1)
    return masks


def _ascending_multisets(sets: Array, suits: int) -> Array:
    """Every multiset of `suits` rank sets, in ascending order."""
    indices = np.arange(len(sets)).reshape(-1, 1)
    for _ in range(suits - 1):
        choices = len(sets) - indices[:, -1]
        prefixes = np.repeat(indices, choices, axis=0)
        group_starts = np.repeat(np.cumsum(choices) - choices, choices)
        last_indices = np.arange(len(prefixes)) - group_starts + prefixes[:, -1]
        indices = np.column_stack([prefixes, last_indices])
    return sets[indices]


def _rank_sets(size: int) -> Array:
    sets = [sum(1 << rank for rank in ranks) for ranks in combinations(range(13), size)]
    return np.array(sorted(sets), dtype=np.uint16)


def _sizes(masks: Array) -> Array:
    """24 divided by the number of permutations of equal suits."""
    a, b, c, d = masks.T
    ab, bc, cd = a == b, b == c, c == d
    equal_pairs = ab.astype(np.int64) + bc + cd
    sizes = np.full(len(masks), 24, dtype=np.uint8)
    sizes[equal_pairs == 1] = 12
    sizes[(equal_pairs == 2) & (ab & cd)] = 6
    sizes[(equal_pairs == 2) & ~(ab & cd)] = 4
    sizes[equal_pairs == 3] = 1
    return sizes


@cache
def class_representatives(count: int) -> Array:
    """A representative hand of each suit class, as card numbers: uint8 [classes, count]."""
    masks = hand_classes(count).masks
    bits = (masks[:, :, None] >> np.arange(13)) & 1
    cards: Array = np.nonzero(bits.reshape(len(masks), 52))[1].reshape(len(masks), count).astype(np.uint8)
    return cards


def class_numbers(hands: Array) -> Array:
    """The class index of each hand."""
    masks = np.zeros((len(hands), 4), dtype=np.int64)
    for column in hands.T:
        bits = np.left_shift(1, (column % 13).astype(np.int64))
        for suit in range(4):
            masks[:, suit] |= np.where(column // 13 == suit, bits, 0)
    return class_numbers_of_masks(masks, hands.shape[1])


def class_numbers_of_masks(masks: Array, count: int) -> Array:
    """The class index of hands of `count` cards given as rank masks per suit, int64 [hands, 4]."""
    order, sorted_keys = _order_of_keys(count)
    numbers: Array = order[np.searchsorted(sorted_keys, _keys(masks))]
    return numbers


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
def next_classes(count: int) -> Array:
    """The class after adding each card to each class, int64 [classes, 52]; -1 for a card already in the hand."""
    cards = class_representatives(count)
    hands = np.column_stack([np.repeat(cards, 52, axis=0), np.tile(np.arange(52, dtype=np.uint8), len(cards))])
    is_new_card = (hands[:, :-1] != hands[:, -1:]).all(axis=1)
    next_class = np.full(len(hands), -1, dtype=np.int64)
    next_class[is_new_card] = class_numbers(hands[is_new_card])
    return next_class.reshape(len(cards), 52)


@cache
def popcounts() -> Array:
    """The number of ranks in every 13-bit mask."""
    return np.array([mask.bit_count() for mask in range(8192)], dtype=np.uint8)


def class_strengths(
    masks: Array, keys: Array, by_ranks: Array, by_suit: Array, lengths: Array, min_long_suit: int
) -> Array:
    """The strength of each class, from the tables of a ranking; `keys` has the sum of rank keys per mask."""
    strengths: Array = by_ranks[keys[masks].sum(axis=1)]
    for suit in range(4):
        mask = masks[:, suit]
        suited = np.maximum(strengths, by_suit[mask]) & 16383
        strengths = np.where(lengths[mask] >= min_long_suit, suited, strengths)
    return strengths.astype(np.int16)
