"""A strategy as small arrays that the compiled simulator reads.

Against a dealer most decisions follow from the strength of the hand (and the rank of the dealer's
card in sight); the first table has those. Where hands of one strength decide differently the suit
class of the hand is looked up. Classes are found by the perfect hash of `croupier.maths.sweep`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numba
import numpy as np
from numpy import uint64

from croupier.errors import BrokenInvariant, Malformed
from croupier.hands import ranking_named
from croupier.hands.tables import Array
from croupier.maths.boards import solve
from croupier.maths.classes import Classes, hand_classes, mask_table
from croupier.maths.contests import Spots, net_table, spots
from croupier.maths.payoffs import Payoffs
from croupier.maths.sweep import (
    FIVE_BUCKETS,
    FIVE_SLOTS,
    PLAYER_CARDS,
    SLOT_SHIFT,
    SMALL_BUCKETS,
    SMALL_SLOTS,
    Slots,
    subset_hash,
)
from croupier.rules import Elected
from croupier.simulation.plan import BoardGroup, ContestGroup, Plan

BY_CLASS = 255
"""In the first table: the suit class decides."""
CHOICE_BITS = 2
"""On a board: bits of a choice; 0 folds, others number the raises."""


@dataclass(frozen=True, eq=False)
class ContestDecisions:
    """Choices against a dealer, by their numbers: 0 folds, others number the raises."""

    first: Array
    """uint8 [strengths], or [strengths * 13] with the rank of the card in sight"""
    pattern_of: Array
    """uint16 [slots]: for each class of hands a row of `patterns`"""
    patterns: Array
    """uint8 [patterns], or [patterns * 52] with the card in sight, the suits of the hand in order"""

    @property
    def by_class(self) -> bool:
        """Whether classes are ever looked up."""
        return bool((self.first == BY_CLASS).any())


@dataclass(frozen=True, eq=False)
class BoardDecisions:
    """Choices on a growing board."""

    packed: Array
    """uint32 [slots]: for each class of known cards the choices after every path of raises"""


Decisions = ContestDecisions | BoardDecisions


@dataclass(frozen=True, eq=False)
class Held:
    """The hands of a contest's player as classes, in the order in which their spots are listed."""

    classes: Classes
    strengths: Array


def player_hands(group: ContestGroup) -> Held:
    """The classes of player hands, as the exact analysis has them."""
    found = spots_of(group)
    each = len(found.strengths) // len(found.classes)  # spots of one hand: one for each card in sight
    return Held(found.classes, found.strengths[::each].astype(np.int64))


@cache
def _spots(game: str) -> Spots:
    return spots(game)


def spots_of(group: ContestGroup) -> Spots:
    """The spots of a group's game."""
    return _spots(group.game)


def slots_of(classes: Classes) -> Array:
    """Where the perfect hash puts each class."""
    found = subset_hash()
    cards = int(mask_table()[classes.masks[0]].sum())
    small = cards < PLAYER_CARDS
    slots: Slots = found.small if small else found.fives
    shift, last = (SMALL_BUCKETS, SMALL_SLOTS) if small else (FIVE_BUCKETS, FIVE_SLOTS)
    sums = found.keys[classes.masks].sum(axis=1, dtype=np.uint64)
    at: Array = ((sums >> SLOT_SHIFT) + slots.displacements[sums >> shift].astype(np.uint64)) & last
    return at.astype(np.int64)


def optimal(plan: Plan) -> Decisions:
    """Perfect play, from the exact analysis; the larger wager where two are equal."""
    group = plan.required
    if isinstance(group, BoardGroup):
        return board_decisions(group, optimal_board_choices(plan.bets.elected, group))
    return contest_decisions(group, optimal_choices(plan.bets.elected, group), sees=plan.layout.up is not None)


def optimal_choices(elected: Elected, group: ContestGroup) -> Array:
    """The best choice in every spot of the exact analysis, uint8 [spots]."""
    payoffs, found = Payoffs(elected, group.contest), spots_of(group)
    empty = np.zeros(0, dtype=np.int64)
    chosen = np.zeros(len(found.weights), dtype=np.uint8)
    _choose(
        payoffs.segments[0],
        found.strengths,
        empty if found.unqualified is None else found.unqualified,
        empty if found.tie is None else found.tie,
        found.lose,
        found.dealer_hands,
        net_table(payoffs),
        payoffs.fold,
        chosen,
    )
    return chosen


@numba.njit(nogil=True, cache=True)
def _choose(
    segment_of: Any,
    strengths: Any,
    unqualified: Any,
    tie: Any,
    lose: Any,
    dealer_hands: Any,
    nets: Any,
    fold: Any,
    chosen: Any,
) -> None:
    for spot in range(len(chosen)):
        none = np.int64(unqualified[spot]) if len(unqualified) else np.int64(0)
        even = np.int64(tie[spot]) if len(tie) else np.int64(0)
        lost = np.int64(lose[spot])
        won = dealer_hands - none - even - lost
        segment = segment_of[strengths[spot]]
        best, choice = fold * dealer_hands, 0
        for place in range(nets.shape[2]):
            value = (
                nets[segment, 0, place] * none
                + nets[segment, 1, place] * won
                + nets[segment, 2, place] * even
                + nets[segment, 3, place] * lost
            )
            if value >= best:
                best, choice = value, place + 1
        chosen[spot] = choice


def contest_decisions(group: ContestGroup, chosen: Array, *, sees: bool) -> ContestDecisions:
    """The arrays of a strategy that says what to do in every spot of the exact analysis."""
    held = player_hands(group)
    strengths = len(ranking_named(group.contest.player_ranking))
    if not sees:
        first = _unanimous(held.strengths, chosen, strengths)
        slots = slots_of(held.classes)
        pattern_of = np.zeros(1 << 18 if slots.max() >= 1 << 15 else 1 << 15, dtype=np.uint16)
        pattern_of[slots] = chosen
        return ContestDecisions(first, pattern_of, np.arange(len(group.choices), dtype=np.uint8))
    seen = spots_of(group).seen
    if seen is None:
        raise BrokenInvariant("the analysis of this game sees no card of the dealer")
    own = spots_of(group).strengths.astype(np.int64) * 13 + seen
    first = _unanimous(own, chosen, strengths * 13)
    rows = np.zeros((len(held.classes), 52), dtype=np.uint8)
    bits = (held.classes.masks[:, :, None] >> np.arange(13)) & 1
    rows[bits.reshape(len(rows), 52) == 0] = chosen
    # Only classes that are ever looked up need their own pattern.
    doubtful = (first == BY_CLASS).reshape(strengths, 13).any(axis=1)[held.strengths]
    rows[~doubtful] = 0
    packed = np.ascontiguousarray(rows).view(np.dtype((np.void, 52))).reshape(-1)
    patterns, pattern_numbers = np.unique(packed, return_inverse=True)
    if len(patterns) > np.iinfo(np.uint16).max:
        raise Malformed("strategy", "tells more hands apart than the simulator can keep")
    slots = slots_of(held.classes)
    pattern_of = np.zeros(1 << 18, dtype=np.uint16)
    pattern_of[slots] = pattern_numbers.astype(np.uint16)
    return ContestDecisions(first, pattern_of, patterns.view(np.uint8).reshape(-1).copy())


def _unanimous(keys: Array, chosen: Array, count: int) -> Array:
    """For each key the choice that all its spots make, `BY_CLASS` where they differ."""
    low, high = np.full(count, 255, dtype=np.uint8), np.zeros(count, dtype=np.uint8)
    _bounds(keys, chosen, low, high)
    low[low == 255] = 0
    found: Array = np.where(low == high, low, BY_CLASS).astype(np.uint8)
    return found


@numba.njit(nogil=True, cache=True)
def _bounds(keys: Any, chosen: Any, low: Any, high: Any) -> None:
    for spot in range(len(keys)):
        key = keys[spot]
        low[key] = min(low[key], chosen[spot])
        high[key] = max(high[key], chosen[spot])


def by_strength(table: Array) -> ContestDecisions:
    """A strategy that looks at the strength alone, or at it and the rank of the card in sight."""
    return ContestDecisions(table.astype(np.uint8), np.zeros(1, dtype=np.uint16), np.zeros(1, dtype=np.uint8))


def optimal_board_choices(elected: Elected, group: BoardGroup) -> list[Array]:
    """For each street the best choice of every class after every path of raises, uint8 [paths, classes]."""
    solution = solve(elected)
    found = []
    reached: list[tuple[int, ...]] = [()]
    for street, multiples in enumerate(group.multiples):
        of_street = []
        for path in reached:
            best, values = solution.street(street, solution.shape.base + sum(path))
            chosen = np.zeros(len(best), dtype=np.uint8)
            for number, multiple in enumerate(multiples, start=1):
                chosen[values[multiple] == best] = number
            of_street.append(chosen)
        found.append(np.array(of_street))
        reached = [(*path, multiple) for path in reached for multiple in multiples]
    return found


def board_decisions(group: BoardGroup, chosen: list[Array]) -> BoardDecisions:
    """The packed choices of a strategy on a board."""
    packed = np.zeros(int(SMALL_SLOTS) + 1, dtype=np.uint32)
    for cards, of_street in zip(group.known, chosen, strict=True):
        slots = slots_of(hand_classes(cards))
        for path, choices in enumerate(of_street):
            packed[slots] |= choices.astype(np.uint32) << np.uint32(CHOICE_BITS * path)
    return BoardDecisions(packed)


def suit_order() -> Array:
    """For each set of ranks a number by which the suits of a hand stand in order, the first the highest."""
    masks = np.arange(8192)
    found: Array = (mask_table().astype(np.int64) << 13 | (8191 - masks)).astype(np.uint32)
    return found


def hash_constants(cards: int) -> tuple[Slots, uint64, uint64]:
    """The slots of hands of so many cards, and the constants that find them."""
    found = subset_hash()
    if cards < PLAYER_CARDS:
        return found.small, SMALL_BUCKETS, SMALL_SLOTS
    return found.fives, FIVE_BUCKETS, FIVE_SLOTS
