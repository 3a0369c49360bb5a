"""Counts the dealer hands that beat each player hand, in one pass over the dealer hands.

For a player's cards P of strength v, the dealer hands that are disjoint from P and beat v are counted by
inclusion-exclusion,

    sum over subsets S of P of (-1)^|S| N(S, v),

where N(S, v) is the number of dealer hands that contain S and beat v. The sweep descends the
strengths with one counter per suit class of S for N(S, v): at each strength the players of that
strength read their counters, then the dealer hands of that strength increment the counters of
their subsets. With an upcard u, S is replaced by S and u.

A perfect hash finds the counter of a subset: each set of ranks has a 64-bit key, the sum of the four
suits' keys identifies the class, and a displacement maps it to a unique slot. Subsets of up to four
cards are few and read most often, so their counters are separate and stay in the CPU cache.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy import int64, uint64

from croupier.analysis.counting.suit_classes import SuitClasses, class_strengths, hand_classes, popcounts
from croupier.core.errors import InvariantError
from croupier.hands.kernels import tables_of
from croupier.hands.lookup_tables import Array
from croupier.hands.plain_tables import RANK_KEYS
from croupier.hands.ranking import Ranking

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

PLAYER_CARDS = 5
DEALER_CARDS = 6
MAX_SMALL_SUBSET = 4
SMALL_SLOT_MASK, SMALL_BUCKET_SHIFT = uint64((1 << 15) - 1), uint64(64 - 12)
FIVE_SLOT_MASK, FIVE_BUCKET_SHIFT = uint64((1 << 18) - 1), uint64(64 - 15)
SLOT_SHIFT = uint64(4)
"""A sum is shifted by `..._BUCKETS` for its bucket and by `SLOT_SHIFT` for its slot before the displacement."""


@dataclass(frozen=True)
class HashSlots:
    """The hash slots of subsets of some sizes."""

    displacements: Array
    """uint8 [buckets]"""
    multipliers: Array
    """uint8 [slots]: 24 / class size; scales an incidence to 24 times the count for one subset"""


@dataclass(frozen=True)
class SubsetHash:
    """Maps the suit masks of a subset to its counter."""

    keys: Array
    """uint64 [8192]: the key of each set of ranks; the empty set's is 0"""
    small: HashSlots
    """Subsets of up to four cards."""
    fives: HashSlots
    """Subsets of five cards."""

    def arrays(self) -> tuple[Array, Array, Array, Array, Array, Array]:
        """The arrays in kernel argument order, with the popcounts."""
        small, fives = self.small, self.fives
        slots = small.displacements, small.multipliers, fives.displacements, fives.multipliers
        return self.keys, popcounts(), *slots

    def counters(self) -> tuple[Array, Array]:
        """New counters; kernels that allocate no arrays are compiled in less time."""
        return tuple(np.zeros(len(slots.multipliers), dtype=np.int32) for slots in (self.small, self.fives))  # type: ignore[return-value]


@cache
def subset_hash() -> SubsetHash:
    """The hash for subsets of up to five cards; deterministic, built once per process."""
    generator = np.random.Generator(np.random.PCG64(20190504))
    keys = generator.integers(0, 1 << 63, 8192, dtype=np.uint64) * uint64(2) + uint64(1)
    keys[0] = 0
    small = _build_slots(keys, range(MAX_SMALL_SUBSET + 1), SMALL_BUCKET_SHIFT, SMALL_SLOT_MASK)
    return SubsetHash(
        keys, small, _build_slots(keys, range(PLAYER_CARDS, PLAYER_CARDS + 1), FIVE_BUCKET_SHIFT, FIVE_SLOT_MASK)
    )


def _build_slots(keys: Array, counts: range, bucket_shift: uint64, slot_mask: uint64) -> HashSlots:
    classes = [hand_classes(count) for count in counts]
    masks = np.concatenate([group.masks for group in classes])
    sizes = np.concatenate([group.sizes for group in classes])
    sums = keys[masks].sum(axis=1, dtype=np.uint64)
    order = np.argsort(sums >> bucket_shift, kind="stable")
    buckets = 1 << (64 - int(bucket_shift))
    sizes_of_buckets = np.bincount((sums >> bucket_shift).astype(np.int64), minlength=buckets)
    starts = np.concatenate([[0], np.cumsum(sizes_of_buckets)])
    displacements, slots = np.zeros(buckets, dtype=np.uint32), np.zeros(len(sums), dtype=np.int64)
    occupied = np.zeros(int(slot_mask) + 1, dtype=np.uint8)
    _displace(sums, order, starts, int(sizes_of_buckets.max()), slot_mask, occupied, displacements, slots)
    if displacements.max() > 255:
        raise InvariantError("the keys of the subsets give no perfect hash")
    multipliers = np.zeros(int(slot_mask) + 1, dtype=np.uint8)
    multipliers[slots] = 24 // sizes
    return HashSlots(displacements.astype(np.uint8), multipliers)


def kernel_part(function: Kernel) -> Kernel:
    """Compiles a kernel that only other kernels call, in about half the time: nothing else can call it."""
    compiled = numba.njit(nogil=True, cache=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)  # type: ignore[call-overload]
    return cast("Kernel", compiled)


@numba.njit(nogil=True, cache=True)
def _displace(
    sums: Any, order: Any, starts: Any, fullest: Any, slot_mask: Any, occupied: Any, displacements: Any, slots: Any
) -> None:
    """Displacements that give every sum a unique slot, fullest buckets first; 256 if there is none."""
    buckets = len(displacements)
    for bucket_size in range(fullest, 0, -1):
        for bucket in range(buckets):
            if starts[bucket + 1] - starts[bucket] != bucket_size:
                continue
            displacement = uint64(0)
            while displacement < uint64(256):
                placed_count = 0
                for place in range(starts[bucket], starts[bucket + 1]):
                    slot = ((sums[order[place]] >> SLOT_SHIFT) + displacement) & slot_mask
                    if occupied[slot]:
                        break
                    occupied[slot] = 1
                    slots[order[place]] = slot
                    placed_count += 1
                if placed_count == bucket_size:
                    break
                for place in range(starts[bucket], starts[bucket] + placed_count):
                    occupied[slots[order[place]]] = 0
                displacement += uint64(1)
            displacements[bucket] = displacement


@dataclass(frozen=True)
class SortedClasses:
    """Suit classes sorted by strength, weakest first, with the start of each strength."""

    classes: SuitClasses
    strengths: Array
    starts: Array


@cache
def sorted_classes(ranking: Ranking) -> SortedClasses:
    """The suit classes of a ranking's hands, sorted by strength."""
    classes = hand_classes(ranking.cards)
    tables = tables_of(ranking)
    keys = RANK_KEYS[ranking.cards]
    bits = np.arange(8192)[:, None] >> np.arange(13) & 1
    key_of_mask = np.where(popcounts() <= DEALER_CARDS, bits @ np.array(keys, dtype=np.int64), 0)
    strengths = class_strengths(
        classes.masks, key_of_mask, tables.by_ranks, tables.by_suit[0], popcounts(), ranking.size
    )
    order = np.argsort(strengths, kind="stable")
    sorted_strengths = strengths[order]
    starts = np.searchsorted(sorted_strengths, np.arange(len(ranking) + 1))
    return SortedClasses(SuitClasses(classes.masks[order], classes.sizes[order]), sorted_strengths, starts)


@dataclass(frozen=True)
class SweepCounts:
    """Dealer hands that beat or tie each class of player hands, out of `total`."""

    players: SortedClasses
    beaten: Array
    """int64 [classes]"""
    tied: Array
    """int64 [classes]"""
    total: int


@dataclass(frozen=True)
class UpcardSweepCounts:
    """Dealer hands that beat each class of player hands, for each dealer upcard (0 to 51)."""

    players: SortedClasses
    beaten: Array
    """int32 [classes, 52]; -1 if the player has the card"""
    total: int


@cache
def sweep(player: Ranking, dealer: Ranking) -> SweepCounts:
    """Counts with all dealer cards hidden."""
    players, dealers, hash_ = sorted_classes(player), sorted_classes(dealer), subset_hash()
    beaten = np.zeros(len(players.classes), dtype=np.int64)
    tied = np.zeros(len(players.classes), dtype=np.int64)
    _sweep_hidden(*_kernel_arrays(players), *_kernel_arrays(dealers), *hash_.arrays(), *hash_.counters(), beaten, tied)
    return SweepCounts(players, beaten, tied, comb(52 - PLAYER_CARDS, DEALER_CARDS))


def sweep_with_upcard(player: Ranking, dealer: Ranking, threads: int = 2) -> UpcardSweepCounts:
    """Counts with one dealer upcard."""
    players, dealers, hash_ = sorted_classes(player), sorted_classes(dealer), subset_hash()
    beaten = np.full((len(players.classes), 52), -1, dtype=np.int32)
    tables, keys = tables_of(dealer), RANK_KEYS[dealer.cards]
    rank_keys = np.array(keys, dtype=np.int64)

    def sweep_share(offset: int) -> None:
        _sweep_with_upcard(
            *_kernel_arrays(players),
            *_kernel_arrays(dealers),
            *hash_.arrays(),
            *hash_.counters(),
            np.zeros(13, dtype=np.int64),
            np.zeros(13, dtype=np.uint64),
            np.zeros(4, dtype=np.uint16),
            rank_keys,
            tables.by_ranks,
            tables.by_suit[0],
            dealer.size,
            offset,
            threads,
            beaten,
        )

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(sweep_share, range(threads)))
    return UpcardSweepCounts(players, beaten, comb(52 - PLAYER_CARDS - 1, DEALER_CARDS - 1))


def sweep_thresholds(player: Ranking, dealer: Ranking, thresholds: tuple[int, ...]) -> Array:
    """The dealer hands that are disjoint from the player's and reach each threshold, int64 [thresholds, classes].

    Counted only for player classes above the threshold. Thresholds descend.
    """
    players, dealers, hash_ = sorted_classes(player), sorted_classes(dealer), subset_hash()
    counts = np.zeros((len(thresholds), len(players.classes)), dtype=np.int64)
    descending = np.array(thresholds, dtype=np.int64)
    _sweep_thresholds(
        *_kernel_arrays(players), *_kernel_arrays(dealers), *hash_.arrays(), *hash_.counters(), descending, counts
    )
    return counts


@numba.njit(nogil=True, cache=True)
def _sweep_thresholds(
    masks: Any,
    sizes: Any,
    starts: Any,
    dealer_masks: Any,
    dealer_sizes: Any,
    dealer_starts: Any,
    keys: Any,
    lengths: Any,
    small: Any,
    small_multipliers: Any,
    five: Any,
    five_multipliers: Any,
    counters: Any,
    fives: Any,
    thresholds: Any,
    counts: Any,
) -> None:
    strength = len(starts) - 1
    for number in range(len(thresholds)):
        while strength > thresholds[number]:
            strength -= 1
            for row in range(dealer_starts[strength], dealer_starts[strength + 1]):
                _add_class(
                    dealer_masks,
                    row,
                    int64(dealer_sizes[row]),
                    counters,
                    fives,
                    keys,
                    lengths,
                    small,
                    small_multipliers,
                    five,
                    five_multipliers,
                )
        for row in range(starts[thresholds[number] + 1], len(masks)):
            counts[number, row] = _count_disjoint(masks, row, counters, fives, keys, small, five) // 24


def _kernel_arrays(hands: SortedClasses) -> tuple[Array, Array, Array]:
    return hands.classes.masks, hands.classes.sizes, hands.starts


@numba.njit(nogil=True, cache=True)
def _sweep_hidden(
    masks: Any,
    sizes: Any,
    starts: Any,
    dealer_masks: Any,
    dealer_sizes: Any,
    dealer_starts: Any,
    keys: Any,
    lengths: Any,
    small: Any,
    small_multipliers: Any,
    five: Any,
    five_multipliers: Any,
    counters: Any,
    fives: Any,
    beaten: Any,
    tied: Any,
) -> None:
    for strength in range(len(starts) - 2, -1, -1):
        for row in range(starts[strength], starts[strength + 1]):
            beaten[row] = _count_disjoint(masks, row, counters, fives, keys, small, five) // 24
        for row in range(dealer_starts[strength], dealer_starts[strength + 1]):
            _add_class(
                dealer_masks,
                row,
                int64(dealer_sizes[row]),
                counters,
                fives,
                keys,
                lengths,
                small,
                small_multipliers,
                five,
                five_multipliers,
            )
        for row in range(starts[strength], starts[strength + 1]):
            tied[row] = _count_disjoint(masks, row, counters, fives, keys, small, five) // 24 - beaten[row]


@kernel_part
def _add_class(
    masks: Any,
    row: Any,
    size: Any,
    counters: Any,
    fives: Any,
    keys: Any,
    lengths: Any,
    small: Any,
    small_multipliers: Any,
    five: Any,
    five_multipliers: Any,
) -> None:
    """Adds a class of dealer hands to the counters of its subsets; the longest suit is innermost."""
    m0, m1, m2, m3 = int64(masks[row, 0]), int64(masks[row, 1]), int64(masks[row, 2]), int64(masks[row, 3])
    s3 = m3
    while True:
        k3 = keys[s3]
        n3 = lengths[s3]
        s2 = m2
        while True:
            k2 = k3 + keys[s2]
            n2 = n3 + lengths[s2]
            s1 = m1
            while True:
                k1 = k2 + keys[s1]
                n1 = n2 + lengths[s1]
                s0 = m0
                while True:
                    if n1 + lengths[s0] <= MAX_SMALL_SUBSET:
                        key = k1 + keys[s0]
                        slot = ((key >> SLOT_SHIFT) + uint64(small[key >> SMALL_BUCKET_SHIFT])) & SMALL_SLOT_MASK
                        counters[slot] += size * small_multipliers[slot]
                    if s0 == 0:
                        break
                    s0 = (s0 - 1) & m0
                if s1 == 0:
                    break
                s1 = (s1 - 1) & m1
            if s2 == 0:
                break
            s2 = (s2 - 1) & m2
        if s3 == 0:
            break
        s3 = (s3 - 1) & m3
    hand_key = keys[m0] + keys[m1] + keys[m2] + keys[m3]
    for suit in range(4):
        mask = int64(masks[row, suit])
        remaining = mask
        while remaining:
            rest = remaining & (remaining - 1)
            key = hand_key - keys[mask] + keys[mask ^ (remaining ^ rest)]
            slot = ((key >> SLOT_SHIFT) + uint64(five[key >> FIVE_BUCKET_SHIFT])) & FIVE_SLOT_MASK
            fives[slot] += size * five_multipliers[slot]
            remaining = rest


@kernel_part
def _count_disjoint(masks: Any, row: Any, counters: Any, fives: Any, keys: Any, small: Any, five: Any) -> Any:
    """24 times the number of dealer hands so far that are disjoint from a player's."""
    m0, m1, m2, m3 = int64(masks[row, 0]), int64(masks[row, 1]), int64(masks[row, 2]), int64(masks[row, 3])
    key = keys[m0] + keys[m1] + keys[m2] + keys[m3]
    total = -int64(fives[((key >> SLOT_SHIFT) + uint64(five[key >> FIVE_BUCKET_SHIFT])) & FIVE_SLOT_MASK])
    s3 = m3
    while True:
        k3 = keys[s3]
        s2 = m2
        while True:
            k2 = k3 + keys[s2]
            s1 = m1
            while True:
                k1 = k2 + keys[s1]
                p1 = s3 ^ s2 ^ s1
                s0 = m0
                while True:
                    if s0 != m0 or s1 != m1 or s2 != m2 or s3 != m3:
                        key = k1 + keys[s0]
                        slot = ((key >> SLOT_SHIFT) + uint64(small[key >> SMALL_BUCKET_SHIFT])) & SMALL_SLOT_MASK
                        value = int64(counters[slot])
                        total += -value if _parity(p1 ^ s0) else value
                    if s0 == 0:
                        break
                    s0 = (s0 - 1) & m0
                if s1 == 0:
                    break
                s1 = (s1 - 1) & m1
            if s2 == 0:
                break
            s2 = (s2 - 1) & m2
        if s3 == 0:
            break
        s3 = (s3 - 1) & m3
    return total


@kernel_part
def _parity(mask: Any) -> Any:
    mask ^= mask >> 8
    mask ^= mask >> 4
    mask ^= mask >> 2
    mask ^= mask >> 1
    return mask & 1


@numba.njit(nogil=True, cache=True)
def _sweep_with_upcard(
    masks: Any,
    sizes: Any,
    starts: Any,
    dealer_masks: Any,
    dealer_sizes: Any,
    dealer_starts: Any,
    keys: Any,
    lengths: Any,
    small: Any,
    small_multipliers: Any,
    five: Any,
    five_multipliers: Any,
    counters: Any,
    fives: Any,
    sums: Any,
    extended_keys: Any,
    suits: Any,
    rank_keys: Any,
    by_ranks: Any,
    by_suit: Any,
    min_long_suit: Any,
    offset: Any,
    stride: Any,
    beaten: Any,
) -> None:
    """Sweeps all dealer hands for every `stride`-th player class, starting at `offset`."""
    for strength in range(len(starts) - 2, -1, -1):
        for row in range(starts[strength], starts[strength + 1]):
            if row % stride != offset:
                continue
            total_key = int64(0)
            for suit in range(4):
                mask = masks[row, suit]
                for rank in range(13):
                    if mask >> rank & 1:
                        total_key += rank_keys[rank]
            for suit in range(4):
                if suit and masks[row, suit] == masks[row, suit - 1]:
                    for rank in range(13):
                        beaten[row, suit * 13 + rank] = beaten[row, suit * 13 - 13 + rank]
                    continue
                for other in range(4):
                    suits[other] = masks[row, other]
                suits[suit] = masks[row, 3]
                suits[3] = masks[row, suit]
                _count_with_upcard(suits, counters, fives, keys, lengths, small, five, extended_keys, sums)
                suit_mask = masks[row, suit]
                for rank in range(13):
                    if suit_mask >> rank & 1:
                        continue
                    best = by_ranks[total_key + rank_keys[rank]]
                    for other in range(4):
                        mask = masks[row, other]
                        if other == suit:
                            mask |= 1 << rank
                        if lengths[mask] >= min_long_suit:
                            best = max(best, by_suit[mask] & 16383)
                    player_hand = int64(24) if best > strength else int64(0)
                    beaten[row, suit * 13 + rank] = (sums[rank] - player_hand) // 24
        for row in range(dealer_starts[strength], dealer_starts[strength + 1]):
            _add_class(
                dealer_masks,
                row,
                int64(dealer_sizes[row]),
                counters,
                fives,
                keys,
                lengths,
                small,
                small_multipliers,
                five,
                five_multipliers,
            )


@kernel_part
def _count_with_upcard(
    suits: Any, counters: Any, fives: Any, keys: Any, lengths: Any, small: Any, five: Any, extended_keys: Any, sums: Any
) -> None:
    """24 times the number of dealer hands with each card of the last suit that the player lacks.

    Sums over all proper subsets of the player's cards; the full set corresponds to one hand, the player's cards
    plus that card.
    """
    m0, m1, m2, m3 = int64(suits[0]), int64(suits[1]), int64(suits[2]), int64(suits[3])
    for rank in range(13):
        sums[rank] = 0
    s3 = m3
    while True:
        for rank in range(13):
            extended_keys[rank] = keys[s3 | (1 << rank)]
        n3 = lengths[s3]
        s0 = m0
        while True:
            k0 = keys[s0]
            n0 = n3 + lengths[s0]
            s1 = m1
            while True:
                k1 = k0 + keys[s1]
                n1 = n0 + lengths[s1]
                s2 = m2
                while True:
                    k2 = k1 + keys[s2]
                    cards = n1 + lengths[s2]
                    if cards == MAX_SMALL_SUBSET:
                        for rank in range(13):
                            if not m3 >> rank & 1:
                                key = k2 + extended_keys[rank]
                                slot = ((key >> SLOT_SHIFT) + uint64(five[key >> FIVE_BUCKET_SHIFT])) & FIVE_SLOT_MASK
                                sums[rank] += fives[slot]
                    elif cards < MAX_SMALL_SUBSET:
                        sign = int64(-1) if cards & 1 else int64(1)
                        for rank in range(13):
                            if not m3 >> rank & 1:
                                key = k2 + extended_keys[rank]
                                slot = (
                                    (key >> SLOT_SHIFT) + uint64(small[key >> SMALL_BUCKET_SHIFT])
                                ) & SMALL_SLOT_MASK
                                sums[rank] += sign * counters[slot]
                    if s2 == 0:
                        break
                    s2 = (s2 - 1) & m2
                if s1 == 0:
                    break
                s1 = (s1 - 1) & m1
            if s0 == 0:
                break
            s0 = (s0 - 1) & m0
        if s3 == 0:
            break
        s3 = (s3 - 1) & m3
