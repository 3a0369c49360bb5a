"""Exact outcome counts for contests of any small hand size, with or without an upcard or a qualifying hand.

As in `croupier.analysis.counting.sweep`, the dealer hands of some kind that are disjoint from a player's cards P
(and contain the upcard u) are counted by inclusion-exclusion,

    sum over subsets S of P of (-1)^|S| N(S with u),

where N(A) is the number of dealer hands of that kind that contain A. Here every set of up to five cards has a
counter, indexed by its combinatorial rank. This is slower than one counter per suit class, but works for every
ranking with up to five player cards and six dealer cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

import numba
import numpy as np

from croupier.analysis.counting.suit_classes import SuitClasses
from croupier.analysis.counting.sweep import sorted_classes
from croupier.hands.kernels import evaluate
from croupier.hands.lookup_tables import Array
from croupier.hands.ranking import Ranking

MAX_PLAYER_CARDS = 5
MAX_DEALER_CARDS = 6
MAX_SET_SIZE = 5


@dataclass(frozen=True, eq=False)
class OutcomeCounts:
    """Dealer hands by outcome, for each class of player hands and each upcard if there is one."""

    classes: SuitClasses
    strengths: Array
    """int64 [classes]"""
    lose: Array
    """int32 [classes], or [classes, 52] with an upcard; -1 if the player has that card"""
    tie: Array
    qualified: Array
    total: int
    """The number of dealer hands in each spot."""


def count_outcomes(player: Ranking, dealer: Ranking, qualifies: int, *, has_upcard: bool) -> OutcomeCounts:
    """Counts every player class against every dealer hand; `qualifies` is the lowest qualifying strength."""
    players = sorted_classes(player)
    hands, starts = _dealer_hands(dealer)
    shape = (len(players.classes), 52) if has_upcard else (len(players.classes), 1)
    lose, tie, qualified = (np.full(shape, -1, dtype=np.int32) for _ in range(3))
    _sweep(
        _class_cards(players.classes),
        players.starts,
        hands,
        starts,
        qualifies,
        has_upcard,
        _binomials(),
        lose,
        tie,
        qualified,
    )
    unseen, hidden_cards = 52 - player.cards - has_upcard, dealer.cards - has_upcard
    if not has_upcard:
        lose, tie, qualified = lose[:, 0], tie[:, 0], qualified[:, 0]
    return OutcomeCounts(
        players.classes, players.strengths.astype(np.int64), lose, tie, qualified, comb(unseen, hidden_cards)
    )


def _dealer_hands(dealer: Ranking) -> tuple[Array, Array]:
    """Every dealer hand sorted by strength, uint8 [hands, cards], and the start of each strength."""
    count = comb(52, dealer.cards)
    hands = np.empty((count, dealer.cards), dtype=np.uint8)
    _fill_hands(hands)
    strengths = evaluate(dealer, hands)
    order = np.argsort(strengths, kind="stable")
    starts = np.searchsorted(strengths[order], np.arange(len(dealer) + 1))
    return np.ascontiguousarray(hands[order]), starts


@numba.njit(nogil=True, cache=True)
def _fill_hands(hands: Any) -> None:
    """Fills in every combination, in lexicographic order."""
    cards = hands.shape[1]
    combination = np.arange(cards)
    for row in range(len(hands)):
        for place in range(cards):
            hands[row, place] = combination[place]
        place = cards - 1
        while place >= 0 and combination[place] == 52 - cards + place:
            place -= 1
        if place >= 0:
            combination[place] += 1
            for after in range(place + 1, cards):
                combination[after] = combination[after - 1] + 1


def _class_cards(classes: SuitClasses) -> Array:
    """A representative hand of each class as ascending card numbers."""
    bits = (classes.masks[:, :, None] >> np.arange(13)) & 1
    flat = np.nonzero(bits.reshape(len(classes), 52))[1]
    return flat.reshape(len(classes), -1).astype(np.int64)


def _binomials() -> Array:
    """int64 [52, MAX_SET_SIZE + 1]: the number of sets of each size below a card."""
    return np.array([[comb(card, size) for size in range(MAX_SET_SIZE + 1)] for card in range(52)], dtype=np.int64)


@numba.njit(nogil=True, cache=True)
def _sweep(
    players: Any,
    player_starts: Any,
    hands: Any,
    starts: Any,
    qualifies: Any,
    has_upcard: Any,
    binomials: Any,
    lose: Any,
    tie: Any,
    qualified: Any,
) -> None:
    """Descends the strengths: players read the counters, then dealer hands of the same strength are added."""
    offsets = np.zeros(MAX_SET_SIZE + 2, dtype=np.int64)
    next_offset = 0
    for size in range(MAX_SET_SIZE + 1):
        offsets[size] = next_offset
        count = 1
        for n in range(size):
            count = count * (52 - n) // (n + 1)
        next_offset += count
    counters = np.zeros(next_offset, dtype=np.int32)
    largest = min(MAX_SET_SIZE, hands.shape[1], players.shape[1] + (1 if has_upcard else 0))
    for strength in range(len(starts) - 2, -1, -1):
        if strength >= qualifies:
            _read_counters(
                players,
                player_starts[strength],
                player_starts[strength + 1],
                has_upcard,
                counters,
                offsets,
                binomials,
                largest,
                lose,
            )
        for row in range(starts[strength], starts[strength + 1]):
            _add_hand(hands, row, counters, offsets, binomials, largest)
        if strength >= qualifies:
            _read_counters(
                players,
                player_starts[strength],
                player_starts[strength + 1],
                has_upcard,
                counters,
                offsets,
                binomials,
                largest,
                tie,
            )
        if strength == qualifies:
            _read_counters(players, 0, len(players), has_upcard, counters, offsets, binomials, largest, qualified)
            break
    for row in range(len(players)):
        for column in range(lose.shape[1]):
            if row < player_starts[qualifies]:  # every qualifying hand beats it
                lose[row, column] = qualified[row, column]
                tie[row, column] = 0 if qualified[row, column] >= 0 else -1
            elif lose[row, column] >= 0:
                tie[row, column] -= lose[row, column]


@numba.njit(nogil=True, cache=True)
def _add_hand(hands: Any, row: Any, counters: Any, offsets: Any, binomials: Any, largest: Any) -> None:
    cards = hands.shape[1]
    for subset in range(1 << cards):
        size, index = 0, np.int64(0)
        for place in range(cards):
            if subset >> place & 1:
                size += 1
                if size > largest:
                    break
                index += binomials[hands[row, place], size]
        if size <= largest:
            counters[offsets[size] + index] += 1


@numba.njit(nogil=True, cache=True)
def _read_counters(
    players: Any,
    first: Any,
    last: Any,
    has_upcard: Any,
    counters: Any,
    offsets: Any,
    binomials: Any,
    largest: Any,
    counts: Any,
) -> None:
    """Counts the dealer hands so far that are disjoint from each player's, for each upcard if there is one."""
    cards = players.shape[1]
    totals = np.zeros(52, dtype=np.int64)
    subset_cards = np.zeros(cards + 1, dtype=np.int64)
    below, above = np.zeros(cards + 1, dtype=np.int64), np.zeros(cards + 1, dtype=np.int64)
    for row in range(first, last):
        totals[:] = 0
        for subset in range(1 << cards):
            size = 0
            for place in range(cards):
                if subset >> place & 1:
                    subset_cards[size] = players[row, place]
                    size += 1
            if size + has_upcard > largest:
                continue
            # Rank of the set with one more card: lower cards keep their positions, higher cards move up by one.
            below[0], above[size] = 0, 0
            for index in range(size):
                below[index + 1] = below[index] + binomials[subset_cards[index], index + 1]
            if not has_upcard:
                count = counters[offsets[size] + below[size]]
                totals[0] += -count if size & 1 else count
                continue
            for index in range(size - 1, -1, -1):
                above[index] = above[index + 1] + binomials[subset_cards[index], index + 2]
            index = 0
            for upcard in range(52):
                while index < size and subset_cards[index] < upcard:
                    index += 1
                if index < size and subset_cards[index] == upcard:
                    continue
                count = counters[offsets[size + 1] + below[index] + binomials[upcard, index + 1] + above[index]]
                totals[upcard] += -count if size & 1 else count
        for index in range(counts.shape[1]):
            counts[row, index] = totals[index]
        if has_upcard:
            for place in range(cards):
                counts[row, players[row, place]] = -1
