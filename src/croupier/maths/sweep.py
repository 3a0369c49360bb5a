"""How often the dealer beats each player hand, without dealing a single dealer hand twice.

For a player's cards P of strength v, the dealer hands that avoid P and beat v number, by inclusion
and exclusion,

    sum over subsets S of P of (-1)^|S| N(S, v),

where N(S, v) is how many dealer hands contain S and beat v. Going through the strengths from the
top down, one counter for each suit class of S holds N(S, v): at each strength the players of that
strength read their counters, then the dealer hands of that strength add themselves to the
counters of their subsets. With a dealer card u in sight, S and u take the place of S.

A subset's counter is found by a perfect hash of a sum: each set of ranks has a 64-bit key, the sum
of the keys of the four suits names the class, and a displacement makes it a slot of its own. Subsets
of up to four cards are few and asked for most, so they have counters apart, which stay in the cache.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Any

import numba
import numpy as np
from numpy import int64, uint64

from croupier.errors import BrokenInvariant
from croupier.hands.kernels import tables_of
from croupier.hands.ranking import Ranking
from croupier.hands.tables import RANK_KEYS, Array
from croupier.maths.classes import Classes, class_strengths, hand_classes, mask_table

PLAYER_CARDS = 5
DEALER_CARDS = 6
SMALL_CARDS = 4
SMALL_SLOTS, SMALL_BUCKETS = uint64((1 << 15) - 1), uint64(64 - 12)
FIVE_SLOTS, FIVE_BUCKETS = uint64((1 << 18) - 1), uint64(64 - 15)
SLOT_SHIFT = uint64(4)
"""A sum is shifted by `..._BUCKETS` for its bucket and by `SLOT_SHIFT` for its slot before the displacement."""


@dataclass(frozen=True)
class Slots:
    """Where the counters of some subsets are."""

    displacements: Array
    """uint8 [buckets]"""
    multipliers: Array
    """uint8 [slots]: 24 over the size of the class, which makes an incidence a count for one subset, times 24"""


@dataclass(frozen=True)
class SubsetHash:
    """Finds the counter of a subset from the masks of its suits."""

    keys: Array
    """uint64 [8192]: the key of each set of ranks; the empty set's is 0"""
    small: Slots
    """Subsets of up to four cards."""
    fives: Slots
    """Subsets of five cards."""

    def arrays(self) -> tuple[Array, Array, Array, Array, Array, Array]:
        """As the kernels take them, with how many ranks each set holds."""
        small, fives = self.small, self.fives
        slots = small.displacements, small.multipliers, fives.displacements, fives.multipliers
        return self.keys, mask_table(), *slots


@cache
def subset_hash() -> SubsetHash:
    """The hash for subsets of up to five cards; found once a process, the same every time."""
    generator = np.random.Generator(np.random.PCG64(20190504))
    keys = generator.integers(0, 1 << 63, 8192, dtype=np.uint64) * uint64(2) + uint64(1)
    keys[0] = 0
    small = _slots(keys, range(SMALL_CARDS + 1), SMALL_BUCKETS, SMALL_SLOTS)
    return SubsetHash(keys, small, _slots(keys, range(PLAYER_CARDS, PLAYER_CARDS + 1), FIVE_BUCKETS, FIVE_SLOTS))


def _slots(keys: Array, counts: range, bucket_shift: uint64, last: uint64) -> Slots:
    classes = [hand_classes(count) for count in counts]
    masks = np.concatenate([group.masks for group in classes])
    sizes = np.concatenate([group.sizes for group in classes])
    sums = keys[masks].sum(axis=1, dtype=np.uint64)
    order = np.argsort(sums >> bucket_shift, kind="stable")
    displacements, slots = _displace(sums, order, bucket_shift, last)
    if displacements.max() > 255:
        raise BrokenInvariant("the keys of the subsets give no perfect hash")
    multipliers = np.zeros(int(last) + 1, dtype=np.uint8)
    multipliers[slots] = 24 // sizes
    return Slots(displacements.astype(np.uint8), multipliers)


@numba.njit(nogil=True, cache=True)
def _displace(sums: Any, order: Any, bucket_shift: Any, last: Any) -> Any:
    """Displacements that give every sum a slot of its own, fullest buckets first; 256 where there is none."""
    buckets = 1 << (uint64(64) - bucket_shift)
    starts = np.zeros(buckets + 1, dtype=np.int64)
    for key in sums:
        starts[(key >> bucket_shift) + uint64(1)] += 1
    fullest = starts.max()
    for bucket in range(buckets):
        starts[bucket + 1] += starts[bucket]
    taken = np.zeros(last + uint64(1), dtype=np.uint8)
    displacements = np.zeros(buckets, dtype=np.uint32)
    slots = np.zeros(len(sums), dtype=np.int64)
    for wanted in range(fullest, 0, -1):
        for bucket in range(buckets):
            if starts[bucket + 1] - starts[bucket] != wanted:
                continue
            shift = uint64(0)
            while shift < uint64(256):
                placed = 0
                for place in range(starts[bucket], starts[bucket + 1]):
                    slot = ((sums[order[place]] >> SLOT_SHIFT) + shift) & last
                    if taken[slot]:
                        break
                    taken[slot] = 1
                    slots[order[place]] = slot
                    placed += 1
                if placed == wanted:
                    break
                for place in range(starts[bucket], starts[bucket] + placed):
                    taken[slots[order[place]]] = 0
                shift += uint64(1)
            displacements[bucket] = shift
    return displacements, slots


@dataclass(frozen=True)
class Ordered:
    """Suit classes sorted by strength, weakest first, with where each strength begins."""

    classes: Classes
    strengths: Array
    starts: Array


@cache
def ordered(ranking: Ranking) -> Ordered:
    """The suit classes of the hands that a ranking takes, in order of strength."""
    classes = hand_classes(ranking.cards)
    tables = tables_of(ranking)
    keys = RANK_KEYS[ranking.cards]
    bits = np.arange(8192)[:, None] >> np.arange(13) & 1
    key_of_mask = np.where(mask_table() <= DEALER_CARDS, bits @ np.array(keys, dtype=np.int64), 0)
    strengths = class_strengths(
        classes.masks, key_of_mask, tables.by_ranks, tables.by_suit[0], mask_table(), ranking.size
    )
    order = np.argsort(strengths, kind="stable")
    sorted_strengths = strengths[order]
    starts = np.searchsorted(sorted_strengths, np.arange(len(ranking) + 1))
    return Ordered(Classes(classes.masks[order], classes.sizes[order]), sorted_strengths, starts)


@dataclass(frozen=True)
class Beaten:
    """For each class of player hands: how many dealer hands beat it and how many tie, of `total`."""

    players: Ordered
    beaten: Array
    """int64 [classes]"""
    tied: Array
    """int64 [classes]"""
    total: int


@dataclass(frozen=True)
class BeatenSeeing:
    """As `Beaten`, for each class of player hands and each dealer card in sight (0 to 51)."""

    players: Ordered
    beaten: Array
    """int32 [classes, 52]; -1 where the card is the player's own"""
    total: int


@cache
def sweep(player: Ranking, dealer: Ranking) -> Beaten:
    """The dealer's cards all hidden."""
    players, dealers, hash_ = ordered(player), ordered(dealer), subset_hash()
    beaten = np.zeros(len(players.classes), dtype=np.int64)
    tied = np.zeros(len(players.classes), dtype=np.int64)
    _sweep_hidden(*_arrays(players), *_arrays(dealers), *hash_.arrays(), beaten, tied)
    return Beaten(players, beaten, tied, comb(52 - PLAYER_CARDS, DEALER_CARDS))


def sweep_seeing(player: Ranking, dealer: Ranking, threads: int = 2) -> BeatenSeeing:
    """One dealer card in sight."""
    players, dealers, hash_ = ordered(player), ordered(dealer), subset_hash()
    beaten = np.full((len(players.classes), 52), -1, dtype=np.int32)
    tables, keys = tables_of(dealer), RANK_KEYS[dealer.cards]
    rank_keys = np.array(keys, dtype=np.int64)

    def work(share: int) -> None:
        _sweep_seeing(
            *_arrays(players),
            *_arrays(dealers),
            *hash_.arrays(),
            rank_keys,
            tables.by_ranks,
            tables.by_suit[0],
            dealer.size,
            share,
            threads,
            beaten,
        )

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, range(threads)))
    return BeatenSeeing(players, beaten, comb(52 - PLAYER_CARDS - 1, DEALER_CARDS - 1))


def sweep_at(player: Ranking, dealer: Ranking, thresholds: tuple[int, ...]) -> Array:
    """For each threshold and player class: the dealer hands that avoid the player and reach the threshold.

    Only for players above the threshold; int64 [thresholds, classes]. Thresholds descend.
    """
    players, dealers, hash_ = ordered(player), ordered(dealer), subset_hash()
    found = np.zeros((len(thresholds), len(players.classes)), dtype=np.int64)
    wanted = np.array(thresholds, dtype=np.int64)
    _sweep_at(*_arrays(players), *_arrays(dealers), *hash_.arrays(), wanted, found)
    return found


@numba.njit(nogil=True, cache=True)
def _sweep_at(
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
    thresholds: Any,
    found: Any,
) -> None:
    counters = np.zeros(len(small_multipliers), dtype=np.int32)
    fives = np.zeros(len(five_multipliers), dtype=np.int32)
    strength = len(starts) - 1
    for number in range(len(thresholds)):
        while strength > thresholds[number]:
            strength -= 1
            for row in range(dealer_starts[strength], dealer_starts[strength + 1]):
                _add(
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
            found[number, row] = _avoiding(masks, row, counters, fives, keys, small, five) // 24


def _arrays(hands: Ordered) -> tuple[Array, Array, Array]:
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
    beaten: Any,
    tied: Any,
) -> None:
    counters = np.zeros(len(small_multipliers), dtype=np.int32)
    fives = np.zeros(len(five_multipliers), dtype=np.int32)
    for strength in range(len(starts) - 2, -1, -1):
        for row in range(starts[strength], starts[strength + 1]):
            beaten[row] = _avoiding(masks, row, counters, fives, keys, small, five) // 24
        for row in range(dealer_starts[strength], dealer_starts[strength + 1]):
            _add(
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
            tied[row] = _avoiding(masks, row, counters, fives, keys, small, five) // 24 - beaten[row]


@numba.njit(nogil=True, cache=True)
def _add(
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
                    if n1 + lengths[s0] <= SMALL_CARDS:
                        key = k1 + keys[s0]
                        slot = ((key >> SLOT_SHIFT) + uint64(small[key >> SMALL_BUCKETS])) & SMALL_SLOTS
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
    every = keys[m0] + keys[m1] + keys[m2] + keys[m3]
    for suit in range(4):
        mask = int64(masks[row, suit])
        left = mask
        while left:
            fewer = left & (left - 1)
            key = every - keys[mask] + keys[mask ^ (left ^ fewer)]
            slot = ((key >> SLOT_SHIFT) + uint64(five[key >> FIVE_BUCKETS])) & FIVE_SLOTS
            fives[slot] += size * five_multipliers[slot]
            left = fewer


@numba.njit(nogil=True, cache=True)
def _avoiding(masks: Any, row: Any, counters: Any, fives: Any, keys: Any, small: Any, five: Any) -> Any:
    """24 times the number of dealer hands counted so far that avoid a player's cards."""
    m0, m1, m2, m3 = int64(masks[row, 0]), int64(masks[row, 1]), int64(masks[row, 2]), int64(masks[row, 3])
    key = keys[m0] + keys[m1] + keys[m2] + keys[m3]
    total = -int64(fives[((key >> SLOT_SHIFT) + uint64(five[key >> FIVE_BUCKETS])) & FIVE_SLOTS])
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
                        slot = ((key >> SLOT_SHIFT) + uint64(small[key >> SMALL_BUCKETS])) & SMALL_SLOTS
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


@numba.njit(nogil=True, cache=True)
def _parity(mask: Any) -> Any:
    mask ^= mask >> 8
    mask ^= mask >> 4
    mask ^= mask >> 2
    mask ^= mask >> 1
    return mask & 1


@numba.njit(nogil=True, cache=True)
def _sweep_seeing(
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
    rank_keys: Any,
    by_ranks: Any,
    by_suit: Any,
    long: Any,
    share: Any,
    shares: Any,
    beaten: Any,
) -> None:
    """Each share goes through all dealer hands and reads every so-manieth player."""
    counters = np.zeros(len(small_multipliers), dtype=np.int32)
    fives = np.zeros(len(five_multipliers), dtype=np.int32)
    sums = np.zeros(13, dtype=np.int64)
    grown = np.zeros(13, dtype=np.uint64)
    held = np.zeros(4, dtype=np.uint16)
    for strength in range(len(starts) - 2, -1, -1):
        for row in range(starts[strength], starts[strength + 1]):
            if row % shares != share:
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
                    held[other] = masks[row, other]
                held[suit] = masks[row, 3]
                held[3] = masks[row, suit]
                _seeing(held, counters, fives, keys, lengths, small, five, grown, sums)
                own = masks[row, suit]
                for rank in range(13):
                    if own >> rank & 1:
                        continue
                    best = by_ranks[total_key + rank_keys[rank]]
                    for other in range(4):
                        mask = masks[row, other]
                        if other == suit:
                            mask |= 1 << rank
                        if lengths[mask] >= long:
                            best = max(best, by_suit[mask] & 16383)
                    itself = int64(24) if best > strength else int64(0)
                    beaten[row, suit * 13 + rank] = (sums[rank] - itself) // 24
        for row in range(dealer_starts[strength], dealer_starts[strength + 1]):
            _add(
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


@numba.njit(nogil=True, cache=True)
def _seeing(
    held: Any, counters: Any, fives: Any, keys: Any, lengths: Any, small: Any, five: Any, grown: Any, sums: Any
) -> None:
    """For each rank of the last suit that the player lacks: 24 times the dealer hands with that card.

    All subsets of the player's cards but the whole of them, whose hand is the player's and that card.
    """
    m0, m1, m2, m3 = int64(held[0]), int64(held[1]), int64(held[2]), int64(held[3])
    for rank in range(13):
        sums[rank] = 0
    s3 = m3
    while True:
        for rank in range(13):
            grown[rank] = keys[s3 | (1 << rank)]
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
                    if cards == SMALL_CARDS:
                        for rank in range(13):
                            if not m3 >> rank & 1:
                                key = k2 + grown[rank]
                                slot = ((key >> SLOT_SHIFT) + uint64(five[key >> FIVE_BUCKETS])) & FIVE_SLOTS
                                sums[rank] += fives[slot]
                    elif cards < SMALL_CARDS:
                        sign = int64(-1) if cards & 1 else int64(1)
                        for rank in range(13):
                            if not m3 >> rank & 1:
                                key = k2 + grown[rank]
                                slot = ((key >> SLOT_SHIFT) + uint64(small[key >> SMALL_BUCKETS])) & SMALL_SLOTS
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
