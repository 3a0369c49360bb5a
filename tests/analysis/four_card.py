"""The sweeps of the four-card games, and where in them a hand is found."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from croupier.analysis.counting.sweep import SweepCounts, UpcardSweepCounts, sweep, sweep_with_upcard
from croupier.hands.rankings import FOUR_CARD_OF_FIVE, FOUR_CARD_OF_SIX


@cache
def hidden() -> SweepCounts:
    return sweep(FOUR_CARD_OF_FIVE, FOUR_CARD_OF_SIX)


@cache
def seeing() -> UpcardSweepCounts:
    return sweep_with_upcard(FOUR_CARD_OF_FIVE, FOUR_CARD_OF_SIX)


def masks_of(hand: Sequence[int]) -> list[int]:
    """The set of ranks in each suit."""
    return [sum(1 << card % 13 for card in hand if card // 13 == suit) for suit in range(4)]


def suits_in_order(hand: Sequence[int]) -> list[int]:
    """The suits of a hand as a class has them: longest first, then by mask."""
    masks = masks_of(hand)
    return sorted(range(4), key=lambda suit: (-masks[suit].bit_count(), masks[suit]))


@cache
def _rows() -> dict[tuple[int, ...], int]:
    return {tuple(masks): row for row, masks in enumerate(hidden().players.classes.masks.tolist())}


def row_of(hand: Sequence[int]) -> int:
    """The number of the class that five cards belong to; the same in both sweeps."""
    masks = masks_of(hand)
    return _rows()[tuple(masks[suit] for suit in suits_in_order(hand))]


def seen_as(hand: Sequence[int], up: int) -> int:
    """The number of the up card when the suits of the hand are put in order."""
    return suits_in_order(hand).index(up // 13) * 13 + up % 13
