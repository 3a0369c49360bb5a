"""The sweeps of the four-card games, and the index of a hand in them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from croupier.analysis.counting.sweep import SweepCounts, UpcardSweepCounts, sweep, sweep_with_upcard
from croupier.hands.rankings import FOUR_CARD_OF_FIVE, FOUR_CARD_OF_SIX


@cache
def hidden_sweep() -> SweepCounts:
    return sweep(FOUR_CARD_OF_FIVE, FOUR_CARD_OF_SIX)


@cache
def upcard_sweep() -> UpcardSweepCounts:
    return sweep_with_upcard(FOUR_CARD_OF_FIVE, FOUR_CARD_OF_SIX)


def masks_of(hand: Sequence[int]) -> list[int]:
    """The set of ranks in each suit."""
    return [sum(1 << card % 13 for card in hand if card // 13 == suit) for suit in range(4)]


def suits_in_order(hand: Sequence[int]) -> list[int]:
    """The suits of a hand in the order of its class: longest first, then by mask."""
    masks = masks_of(hand)
    return sorted(range(4), key=lambda suit: (-masks[suit].bit_count(), masks[suit]))


@cache
def _rows() -> dict[tuple[int, ...], int]:
    return {tuple(masks): row for row, masks in enumerate(hidden_sweep().players.classes.masks.tolist())}


def row_of(hand: Sequence[int]) -> int:
    """The number of the class of five cards; the same in both sweeps."""
    masks = masks_of(hand)
    return _rows()[tuple(masks[suit] for suit in suits_in_order(hand))]


def canonical_upcard(hand: Sequence[int], up: int) -> int:
    """The number of the upcard after the suits of the hand are put in order."""
    return suits_in_order(hand).index(up // 13) * 13 + up % 13
