"""Sets of cards up to the permutations of suits that leave a question unchanged.

A symmetry is one of the 24 permutations of the suits. Dead cards and groups of cards allow only the symmetries
that map each of them to itself. A set of known cards stands for its whole orbit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from math import comb
from typing import Any

import numba
import numpy as np

from croupier.hands.kernels import evaluate
from croupier.hands.lookup_tables import Array
from croupier.hands.ranking import Ranking

SUIT_PERMUTATIONS = tuple(permutations(range(4)))
_SUIT_MASK = (1 << 13) - 1

Symmetry = tuple[tuple[int, ...], ...]
"""The permutations of suits that leave a question unchanged; a group."""


def mask_of(cards: Iterable[int]) -> int:
    """Cards as a 52-bit set."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_of(mask: int) -> list[int]:
    """The cards of a 52-bit set, in ascending order."""
    return [card for card in range(52) if mask >> card & 1]


def permute(mask: int, permutation: Sequence[int]) -> int:
    """A set of cards after a permutation of the suits."""
    return sum((mask >> 13 * suit & _SUIT_MASK) << 13 * permutation[suit] for suit in range(4))


def stabilizer(masks: Iterable[int], symmetry: Symmetry = SUIT_PERMUTATIONS) -> Symmetry:
    """The symmetries that map each of some sets to itself."""
    sets = list(masks)
    return tuple(p for p in symmetry if all(permute(mask, p) == mask for mask in sets))


@dataclass(frozen=True, slots=True)
class Orbit:
    """A set of cards that stands for `size` equivalent ones; `symmetry` maps the set to itself."""

    mask: int
    size: int
    symmetry: Symmetry


def orbits(deck: int, count: int, symmetry: Symmetry) -> list[Orbit]:
    """Every set of `count` cards of a deck, up to symmetry."""
    cards = cards_of(deck)
    if count == 0:
        return [Orbit(0, 1, symmetry)]
    sets = np.array(cards, dtype=np.uint64)[ascending_sets(len(cards), count)]
    masks = np.bitwise_or.reduce(np.left_shift(np.uint64(1), sets), axis=1)
    smallest, stabilizers = _canonical(masks, np.array(symmetry, dtype=np.uint64))
    representatives = masks[smallest]
    groups: dict[int, Symmetry] = {}
    results = []
    for mask, bits in zip(representatives.tolist(), stabilizers[smallest].tolist(), strict=True):
        if bits not in groups:
            groups[bits] = tuple(p for number, p in enumerate(symmetry) if bits >> number & 1)
        results.append(Orbit(mask, len(symmetry) // len(groups[bits]), groups[bits]))
    return results


@numba.njit(nogil=True, cache=True)
def _canonical(masks: Any, permutations_: Any) -> Any:
    """Which sets are the smallest of their orbits, and the permutations that map each to itself, as bits."""
    smallest = np.ones(len(masks), dtype=np.bool_)
    stabilizers = np.zeros(len(masks), dtype=np.int64)
    suit_mask = np.uint64(8191)
    for row in range(len(masks)):
        mask = masks[row]
        for number in range(len(permutations_)):
            image = np.uint64(0)
            for suit in range(4):
                bits = (mask >> np.uint64(13 * suit)) & suit_mask
                image |= bits << (np.uint64(13) * permutations_[number, suit])
            if image < mask:
                smallest[row] = False
                break
            if image == mask:
                stabilizers[row] |= 1 << number
    return smallest, stabilizers


@dataclass(frozen=True, eq=False)
class Hands:
    """Hands up to symmetry, sorted by strength."""

    cards: Array
    """uint8 [hands, cards], ascending"""
    masks: Array
    """uint64 [hands]"""
    strengths: Array
    """int64 [hands]"""
    weights: Array
    """int64 [hands]: the number of equivalent hands"""
    starts: Array
    """int64 [strengths + 1]: the first hand of each strength"""


@cache
def hands_up_to(ranking: Ranking, symmetry: Symmetry, deck: int) -> Hands:
    """Every hand of a ranking from a deck up to symmetry."""
    deck_cards = np.array(cards_of(deck), dtype=np.uint8)
    cards = deck_cards[ascending_sets(len(deck_cards), ranking.cards)]
    masks = np.bitwise_or.reduce(np.left_shift(np.uint64(1), cards.astype(np.uint64)), axis=1)
    smallest, stabilizers = _canonical(masks, np.array(symmetry, dtype=np.uint64))
    cards, masks, stabilizers = cards[smallest], masks[smallest], stabilizers[smallest]
    fixed_by = np.zeros(len(masks), dtype=np.int64)
    for number in range(len(symmetry)):
        fixed_by += stabilizers >> number & 1
    weights = len(symmetry) // fixed_by
    strengths = evaluate(ranking, cards).astype(np.int64)
    order = np.argsort(strengths, kind="stable")
    starts = np.searchsorted(strengths[order], np.arange(len(ranking) + 1))
    return Hands(np.ascontiguousarray(cards[order]), masks[order], strengths[order], weights[order], starts)


@cache
def ascending_sets(deck_size: int, count: int) -> Array:
    """Every set of `count` numbers below `deck_size`, uint8 [sets, count], in colexicographic order.

    The row of a set {a < b < c ...} is C(a, 1) + C(b, 2) + C(c, 3) + ...
    """
    sets = np.zeros((comb(deck_size, count), count), dtype=np.uint8)
    if count:
        _fill_sets(sets)
    return sets


@numba.njit(nogil=True, cache=True)
def _fill_sets(sets: Any) -> None:
    count = sets.shape[1]
    current = np.arange(count + 1)
    current[count] = 1 << 20
    for row in range(len(sets)):
        for place in range(count):
            sets[row, place] = current[place]
        place = 0
        while current[place] + 1 == current[place + 1]:
            current[place] = place
            place += 1
        current[place] += 1


@cache
def binomials(largest: int) -> Array:
    """int64 [53, largest + 2]: the number of sets of each size below a card."""
    return np.array([[comb(card, size) for size in range(largest + 2)] for card in range(53)], dtype=np.int64)
