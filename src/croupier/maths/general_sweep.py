"""Contests of any few cards, counted exactly: hidden dealer cards or one in sight, with or without qualifying.

The idea is that of `croupier.maths.sweep`: for a player's cards P, the dealer hands of some kind that
avoid P (and hold a card u in sight) number, by inclusion and exclusion,

    sum over subsets S of P of (-1)^|S| N(S with u),

where N(A) is how many dealer hands of that kind hold A. Here every set of up to five cards has its own
counter, found by its number among the sets of its size: slower than counters of suit classes, and right
for every ranking and every number of cards up to five for the player and six for the dealer.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

import numba
import numpy as np

from croupier.hands.kernels import evaluate
from croupier.hands.ranking import Ranking
from croupier.hands.tables import Array
from croupier.maths.classes import Classes
from croupier.maths.sweep import ordered

MOST_PLAYER_CARDS = 5
MOST_DEALER_CARDS = 6
LARGEST_SET = 5


@dataclass(frozen=True, eq=False)
class Counted:
    """For each class of player hands, and each card in sight where there is one: dealer hands by outcome."""

    classes: Classes
    strengths: Array
    """int64 [classes]"""
    lose: Array
    """int32 [classes], or [classes, 52] with a card in sight, -1 where it is the player's own"""
    tie: Array
    qualified: Array
    total: int
    """Dealer hands in every spot."""


def count_outcomes(player: Ranking, dealer: Ranking, qualifies: int, *, sees: bool) -> Counted:
    """Every player class against every dealer hand; `qualifies` is the lowest strength that does."""
    own = ordered(player)
    hands, starts = _dealer_hands(dealer)
    shape = (len(own.classes), 52) if sees else (len(own.classes), 1)
    lose, tie, qualified = (np.full(shape, -1, dtype=np.int32) for _ in range(3))
    _sweep(_cards(own.classes), own.starts, hands, starts, qualifies, sees, _binomials(), lose, tie, qualified)
    left, hidden = 52 - player.cards - sees, dealer.cards - sees
    if not sees:
        lose, tie, qualified = lose[:, 0], tie[:, 0], qualified[:, 0]
    return Counted(own.classes, own.strengths.astype(np.int64), lose, tie, qualified, comb(left, hidden))


def _dealer_hands(dealer: Ranking) -> tuple[Array, Array]:
    """Every hand of the dealer in order of strength, uint8 [hands, cards], and where each strength begins."""
    count = comb(52, dealer.cards)
    hands = np.empty((count, dealer.cards), dtype=np.uint8)
    _every_hand(hands)
    strengths = evaluate(dealer, hands)
    order = np.argsort(strengths, kind="stable")
    starts = np.searchsorted(strengths[order], np.arange(len(dealer) + 1))
    return np.ascontiguousarray(hands[order]), starts


@numba.njit(nogil=True, cache=True)
def _every_hand(hands: Any) -> None:
    """Fills in every set of so many cards, in ascending order."""
    cards = hands.shape[1]
    chosen = np.arange(cards)
    for row in range(len(hands)):
        for place in range(cards):
            hands[row, place] = chosen[place]
        place = cards - 1
        while place >= 0 and chosen[place] == 52 - cards + place:
            place -= 1
        if place >= 0:
            chosen[place] += 1
            for at in range(place + 1, cards):
                chosen[at] = chosen[at - 1] + 1


def _cards(classes: Classes) -> Array:
    """One hand of each class as card numbers in ascending order."""
    bits = (classes.masks[:, :, None] >> np.arange(13)) & 1
    flat = np.nonzero(bits.reshape(len(classes), 52))[1]
    return flat.reshape(len(classes), -1).astype(np.int64)


def _binomials() -> Array:
    """int64 [52, LARGEST_SET + 1]: how many sets of so many cards below a card there are."""
    return np.array([[comb(card, size) for size in range(LARGEST_SET + 1)] for card in range(52)], dtype=np.int64)


@numba.njit(nogil=True, cache=True)
def _sweep(
    own: Any,
    own_starts: Any,
    hands: Any,
    starts: Any,
    qualifies: Any,
    sees: Any,
    choose: Any,
    lose: Any,
    tie: Any,
    qualified: Any,
) -> None:
    """From the highest strength down: players read who beats them, then those of their strength are added."""
    sizes = np.zeros(LARGEST_SET + 2, dtype=np.int64)
    offset = 0
    for size in range(LARGEST_SET + 1):
        sizes[size] = offset
        count = 1
        for n in range(size):
            count = count * (52 - n) // (n + 1)
        offset += count
    counters = np.zeros(offset, dtype=np.int32)
    largest = min(LARGEST_SET, hands.shape[1], own.shape[1] + (1 if sees else 0))
    for strength in range(len(starts) - 2, -1, -1):
        if strength >= qualifies:
            _read(own, own_starts[strength], own_starts[strength + 1], sees, counters, sizes, choose, largest, lose)
        for row in range(starts[strength], starts[strength + 1]):
            _add(hands, row, counters, sizes, choose, largest)
        if strength >= qualifies:
            _read(own, own_starts[strength], own_starts[strength + 1], sees, counters, sizes, choose, largest, tie)
        if strength == qualifies:
            _read(own, 0, len(own), sees, counters, sizes, choose, largest, qualified)
            break
    for row in range(len(own)):
        for at in range(lose.shape[1]):
            if row < own_starts[qualifies]:  # below every hand that qualifies: all of those beat it
                lose[row, at] = qualified[row, at]
                tie[row, at] = 0 if qualified[row, at] >= 0 else -1
            elif lose[row, at] >= 0:
                tie[row, at] -= lose[row, at]


@numba.njit(nogil=True, cache=True)
def _add(hands: Any, row: Any, counters: Any, sizes: Any, choose: Any, largest: Any) -> None:
    cards = hands.shape[1]
    for chosen in range(1 << cards):
        size, number = 0, np.int64(0)
        for place in range(cards):
            if chosen >> place & 1:
                size += 1
                if size > largest:
                    break
                number += choose[hands[row, place], size]
        if size <= largest:
            counters[sizes[size] + number] += 1


@numba.njit(nogil=True, cache=True)
def _read(
    own: Any,
    first: Any,
    last: Any,
    sees: Any,
    counters: Any,
    sizes: Any,
    choose: Any,
    largest: Any,
    found: Any,
) -> None:
    """The dealer hands counted so far that avoid each player's cards, with each card in sight where there is one."""
    cards = own.shape[1]
    totals = np.zeros(52, dtype=np.int64)
    chosen_cards = np.zeros(cards + 1, dtype=np.int64)
    below, above = np.zeros(cards + 1, dtype=np.int64), np.zeros(cards + 1, dtype=np.int64)
    for row in range(first, last):
        totals[:] = 0
        for chosen in range(1 << cards):
            size = 0
            for place in range(cards):
                if chosen >> place & 1:
                    chosen_cards[size] = own[row, place]
                    size += 1
            if size + sees > largest:
                continue
            # The number of a set with one more card: those below it keep their places, those above move up by one.
            below[0], above[size] = 0, 0
            for at in range(size):
                below[at + 1] = below[at] + choose[chosen_cards[at], at + 1]
            if not sees:
                count = counters[sizes[size] + below[size]]
                totals[0] += -count if size & 1 else count
                continue
            for at in range(size - 1, -1, -1):
                above[at] = above[at + 1] + choose[chosen_cards[at], at + 2]
            at = 0
            for up in range(52):
                while at < size and chosen_cards[at] < up:
                    at += 1
                if at < size and chosen_cards[at] == up:
                    continue
                count = counters[sizes[size + 1] + below[at] + choose[up, at + 1] + above[at]]
                totals[up] += -count if size & 1 else count
        for at in range(found.shape[1]):
            found[row, at] = totals[at]
        if sees:
            for place in range(cards):
                found[row, own[row, place]] = -1
