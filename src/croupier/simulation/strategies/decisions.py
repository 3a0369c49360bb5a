"""Strategies as lookup arrays for the compiled simulator.

Against a dealer, most decisions depend only on the strength of the hand (and the rank of the upcard); the
first table has those. If hands of one strength differ, the suit class of the hand decides, looked up by the
perfect hash of `croupier.analysis.counting.sweep`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numba
import numpy as np
from numpy import uint64

from croupier.analysis.boards.solution import solve
from croupier.analysis.contests import DecisionSpots, decision_spots, net_table
from croupier.analysis.counting.suit_classes import SuitClasses, hand_classes, popcounts
from croupier.analysis.counting.sweep import (
    FIVE_BUCKET_SHIFT,
    FIVE_SLOT_MASK,
    PLAYER_CARDS,
    SLOT_SHIFT,
    SMALL_BUCKET_SHIFT,
    SMALL_SLOT_MASK,
    HashSlots,
    subset_hash,
)
from croupier.analysis.payoffs import Payoffs
from croupier.core.errors import InputError, InvariantError
from croupier.hands import ranking_named
from croupier.hands.lookup_tables import Array
from croupier.regulations import ElectedEdition
from croupier.simulation.kernel.plan import BoardGroup, ContestGroup

BY_CLASS = 255
"""Marks entries of the first table where the suit class decides."""
CHOICE_BITS = 2
"""Bits per choice in a board game; 0 is a fold, other values number the raises."""


@dataclass(frozen=True, eq=False)
class ContestDecisions:
    """Choices against a dealer by number: 0 is a fold, other values number the raises."""

    first_choices: Array
    """uint8 [strengths], or [strengths * 13] with the rank of the upcard"""
    pattern_of: Array
    """uint16 [slots]: for each class of hands a row of `patterns`"""
    patterns: Array
    """uint8 [patterns], or [patterns * 52] with the upcard, suits in the hand's canonical order"""

    @property
    def by_class(self) -> bool:
        """Whether any decision depends on the suit class."""
        return bool((self.first_choices == BY_CLASS).any())


@dataclass(frozen=True, eq=False)
class BoardDecisions:
    """Choices in a board game."""

    packed: Array
    """uint32 [slots]: for each class of known cards the choices after every sequence of raises"""


Decisions = ContestDecisions | BoardDecisions


@dataclass(frozen=True, eq=False)
class ClassifiedHands:
    """The player hands of a contest by class, in the order of their spots."""

    classes: SuitClasses
    strengths: Array


def player_hands(group: ContestGroup) -> ClassifiedHands:
    """The classes of player hands, as in the exact analysis."""
    spots = group_spots(group)
    spots_per_hand = len(spots.strengths) // len(spots.classes)  # one spot for each upcard
    return ClassifiedHands(spots.classes, spots.strengths[::spots_per_hand].astype(np.int64))


@cache
def _spots(game: str) -> DecisionSpots:
    return decision_spots(game)


def group_spots(group: ContestGroup) -> DecisionSpots:
    """The spots of a group's game."""
    return _spots(group.game)


def slots_of(classes: SuitClasses) -> Array:
    """The hash slot of each class."""
    subsets = subset_hash()
    cards = int(popcounts()[classes.masks[0]].sum())
    is_small = cards < PLAYER_CARDS
    slots: HashSlots = subsets.small if is_small else subsets.fives
    bucket_shift, slot_mask = (SMALL_BUCKET_SHIFT, SMALL_SLOT_MASK) if is_small else (FIVE_BUCKET_SHIFT, FIVE_SLOT_MASK)
    sums = subsets.keys[classes.masks].sum(axis=1, dtype=np.uint64)
    slot_numbers: Array = (
        (sums >> SLOT_SHIFT) + slots.displacements[sums >> bucket_shift].astype(np.uint64)
    ) & slot_mask
    return slot_numbers.astype(np.int64)


def optimal_choices(elected: ElectedEdition, group: ContestGroup) -> Array:
    """The best choice in every spot of the exact analysis, uint8 [spots]; ties go to the larger wager."""
    payoffs, spots = Payoffs(elected, group.contest), group_spots(group)
    empty = np.zeros(0, dtype=np.int64)
    choices = np.zeros(len(spots.weights), dtype=np.uint8)
    _choose_best(
        payoffs.segments[0],
        spots.strengths,
        empty if spots.unqualified is None else spots.unqualified,
        empty if spots.tie is None else spots.tie,
        spots.lose,
        spots.dealer_hands,
        net_table(payoffs),
        payoffs.fold,
        choices,
    )
    return choices


@numba.njit(nogil=True, cache=True)
def _choose_best(
    segment_of: Any,
    strengths: Any,
    unqualified: Any,
    tie: Any,
    lose: Any,
    dealer_hands: Any,
    nets: Any,
    fold: Any,
    choices: Any,
) -> None:
    for spot in range(len(choices)):
        unqualified_count = np.int64(unqualified[spot]) if len(unqualified) else np.int64(0)
        tie_count = np.int64(tie[spot]) if len(tie) else np.int64(0)
        lose_count = np.int64(lose[spot])
        win_count = dealer_hands - unqualified_count - tie_count - lose_count
        segment = segment_of[strengths[spot]]
        best, choice = fold * dealer_hands, 0
        for place in range(nets.shape[2]):
            value = (
                nets[segment, 0, place] * unqualified_count
                + nets[segment, 1, place] * win_count
                + nets[segment, 2, place] * tie_count
                + nets[segment, 3, place] * lose_count
            )
            if value >= best:
                best, choice = value, place + 1
        choices[spot] = choice


def contest_decisions(group: ContestGroup, choices: Array, *, upcard: bool) -> ContestDecisions:
    """The lookup arrays of a strategy given as a choice for every spot."""
    hands = player_hands(group)
    strengths = len(ranking_named(group.contest.player_ranking))
    if not upcard:
        first_choices = _common_choices(hands.strengths, choices, strengths)
        slots = slots_of(hands.classes)
        pattern_of = np.zeros(1 << 18 if slots.max() >= 1 << 15 else 1 << 15, dtype=np.uint16)
        pattern_of[slots] = choices
        return ContestDecisions(first_choices, pattern_of, np.arange(len(group.choices), dtype=np.uint8))
    upcards = group_spots(group).upcard_ranks
    if upcards is None:
        raise InvariantError("the analysis of this game has no upcard")
    keys = group_spots(group).strengths.astype(np.int64) * 13 + upcards
    first_choices = _common_choices(keys, choices, strengths * 13)
    rows = np.zeros((len(hands.classes), 52), dtype=np.uint8)
    bits = (hands.classes.masks[:, :, None] >> np.arange(13)) & 1
    rows[bits.reshape(len(rows), 52) == 0] = choices
    # Only classes that are looked up need a pattern.
    needs_pattern = (first_choices == BY_CLASS).reshape(strengths, 13).any(axis=1)[hands.strengths]
    rows[~needs_pattern] = 0
    packed = np.ascontiguousarray(rows).view(np.dtype((np.void, 52))).reshape(-1)
    patterns, pattern_numbers = np.unique(packed, return_inverse=True)
    if len(patterns) > np.iinfo(np.uint16).max:
        raise InputError("strategy", "distinguishes more hands than the simulator can store")
    slots = slots_of(hands.classes)
    pattern_of = np.zeros(1 << 18, dtype=np.uint16)
    pattern_of[slots] = pattern_numbers.astype(np.uint16)
    return ContestDecisions(first_choices, pattern_of, patterns.view(np.uint8).reshape(-1).copy())


def _common_choices(keys: Array, choices: Array, count: int) -> Array:
    """The choice that all spots of each key share; `BY_CLASS` if they differ."""
    low, high = np.full(count, 255, dtype=np.uint8), np.zeros(count, dtype=np.uint8)
    _bounds(keys, choices, low, high)
    low[low == 255] = 0
    common: Array = np.where(low == high, low, BY_CLASS).astype(np.uint8)
    return common


@numba.njit(nogil=True, cache=True)
def _bounds(keys: Any, choices: Any, low: Any, high: Any) -> None:
    for spot in range(len(keys)):
        key = keys[spot]
        low[key] = min(low[key], choices[spot])
        high[key] = max(high[key], choices[spot])


def optimal_board_choices(elected: ElectedEdition, group: BoardGroup) -> list[Array]:
    """For each street the best choice of every class after every sequence of raises, uint8 [paths, classes]."""
    solution = solve(elected)
    choices = []
    paths: list[tuple[int, ...]] = [()]
    for street, multiples in enumerate(group.multiples):
        street_choices = []
        for path in paths:
            best, values = solution.street(street, solution.shape.base + sum(path))
            chosen = np.zeros(len(best), dtype=np.uint8)
            for number, multiple in enumerate(multiples, start=1):
                chosen[values[multiple] == best] = number
            street_choices.append(chosen)
        choices.append(np.array(street_choices))
        paths = [(*path, multiple) for path in paths for multiple in multiples]
    return choices


def board_decisions(group: BoardGroup, chosen: list[Array]) -> BoardDecisions:
    """Packs the choices of a strategy for a board game."""
    packed = np.zeros(int(SMALL_SLOT_MASK) + 1, dtype=np.uint32)
    for cards, street_choices in zip(group.cards_known, chosen, strict=True):
        slots = slots_of(hand_classes(cards))
        for path, choices in enumerate(street_choices):
            packed[slots] |= choices.astype(np.uint32) << np.uint32(CHOICE_BITS * path)
    return BoardDecisions(packed)


def suit_order() -> Array:
    """A sort key for each set of ranks: the canonical order of suits, highest first."""
    masks = np.arange(8192)
    order: Array = (popcounts().astype(np.int64) << 13 | (8191 - masks)).astype(np.uint32)
    return order


def hash_constants(cards: int) -> tuple[HashSlots, uint64, uint64]:
    """The hash slots of hands of a size, and the constants of the hash."""
    subsets = subset_hash()
    if cards < PLAYER_CARDS:
        return subsets.small, SMALL_BUCKET_SHIFT, SMALL_SLOT_MASK
    return subsets.fives, FIVE_BUCKET_SHIFT, FIVE_SLOT_MASK
