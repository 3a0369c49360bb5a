"""Fast evaluation of hands in bulk: one compiled kernel for each number of cards.

The ranking is data (see `croupier.hands.lookup_tables`); the kernel is the same for all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numba
import numpy as np
from numpy import uint64

from croupier.core.errors import InputError
from croupier.hands.lookup_cache import load_tables
from croupier.hands.lookup_tables import Array, Tables, as_arrays
from croupier.hands.plain_tables import COUNTER_BITS, DECISIVE, KEY_BITS, LONG_SUIT
from croupier.hands.ranking import Ranking

_KEY_MASK = uint64((1 << KEY_BITS) - 1)
_LONG_SUIT_BITS = uint64(LONG_SUIT)
_STRENGTH_MASK = np.int16(DECISIVE - 1)
_LONG_BELOW = tuple(uint64(LONG_SUIT & ((1 << (KEY_BITS + COUNTER_BITS * (suit + 1))) - 1)) for suit in range(4))
"""The bits that are set if this suit or an earlier one is long."""


def evaluate(ranking: Ranking, hands: Array) -> Array:
    """The strength of every hand: `hands` is an array of card numbers (0 to 51), one row per hand.

    Refuses an array of another shape, or with a number that is not a card. Does not check for duplicate
    cards in a hand.
    """
    hands = np.asarray(hands)
    if hands.ndim != 2 or hands.shape[1] != ranking.cards:
        raise InputError("", f"{ranking.name} takes rows of {ranking.cards} cards, not an array of {hands.shape}")
    if hands.size and not (hands.max() <= 51 and (hands.dtype == np.uint8 or hands.min() >= 0)):
        raise InputError("", "a hand contains a number that is not a card: cards are 0 to 51")
    strengths = np.empty(len(hands), dtype=np.int16)
    tables = tables_of(ranking)
    kernel(ranking.cards)(np.ascontiguousarray(hands, dtype=np.uint8), *tables.flat(), strengths)
    return strengths


@cache
def tables_of(ranking: Ranking) -> Tables:
    """The tables of a ranking, loaded or built once per process."""
    return as_arrays(load_tables(ranking))


@cache
def kernel(cards: int) -> Callable[..., None]:
    """The compiled kernel for hands of `cards` cards, a compile-time constant.

    All indices are unsigned, which avoids a check for negative ones. The strength by ranks is stored
    before the rare branch, which uses few registers: otherwise the common path would reload the table
    addresses from the stack.
    """
    row_length = uint64(cards)

    @numba.njit(nogil=True, cache=True)
    def evaluate_hands(hands: Any, words: Any, by_ranks: Any, by_suit: Any, strengths: Any) -> None:
        card_at = hands.reshape(-1)
        first = uint64(0)
        for row in range(hands.shape[0]):
            total = uint64(0)
            for place in range(cards):
                total += words[uint64(place * 52) + uint64(card_at[first + uint64(place)])]
            strengths[row] = by_ranks[total & _KEY_MASK]
            if total & _LONG_SUIT_BITS:
                suit = uint64(0)
                if not total & _LONG_BELOW[0]:
                    suit = uint64(1)
                if not total & _LONG_BELOW[1]:
                    suit = uint64(2)
                if not total & _LONG_BELOW[2]:
                    suit = uint64(3)
                card_bits = uint64(0)
                for place in range(cards):
                    card_bits |= uint64(1) << uint64(card_at[first + uint64(place)])
                ranks = card_bits >> suit * uint64(13) & uint64(8191)
                strengths[row] = max(strengths[row], by_suit[suit * uint64(8192) + ranks]) & _STRENGTH_MASK
            first += row_length

    return evaluate_hands
