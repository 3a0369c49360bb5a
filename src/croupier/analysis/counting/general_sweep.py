"""Exact outcome counts for contests of any small hand size, with or without an upcard or a qualifying hand.

The idea is that of `croupier.analysis.counting.sweep`: for a player's cards P, the dealer hands of some kind that
avoid P (and contain the upcard u) are counted by inclusion-exclusion,

    sum over subsets S of P of (-1)^|S| N(S with u),

where N(A) is the number of dealer hands of that kind that contain A. Here every set of up to five cards has
its own counter, indexed by its combinatorial rank: slower than counters per suit class, but valid for every
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
    """int32 [classes], or [classes, 52] with an upcard; -1 if the player holds that card"""
    tie: Array
    qualified: Array
    total: int
    """The number of dealer hands in each spot."""


def count_outcomes(player: Ranking, dealer: Ranking, qualifies: int, *, sees: bool) -> OutcomeCounts:
    """Counts every player class against every dealer hand; `qualifies` is the lowest qualifying strength."""
    players = sorted_classes(player)
    hands, starts = _dealer_hands(dealer)
    shape = (len(players.classes), 52) if sees else (len(players.classes), 1)
    lose, tie, qualified = (np.full(shape, -1, dtype=np.int32) for _ in range(3))
    _sweep(
        _class_cards(players.classes),
        players.starts,
        hands,
        starts,
        qualifies,
        sees,
        _binomials(),
        lose,
        tie,
        qualified,
    )
    left, hidden = 52 - player.cards - sees, dealer.cards - sees
    if not sees:
        lose, tie, qualified = lose[:, 0], tie[:, 0], qualified[:, 0]
    return OutcomeCounts(players.classes, players.strengths.astype(np.int64), lose, tie, qualified, comb(left, hidden))


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


def _class_cards(classes: SuitClasses) -> Array:
    """A representative hand of each class as ascending card numbers."""
    bits = (classes.masks[:, :, None] >> np.arange(13)) & 1
    flat = np.nonzero(bits.reshape(len(classes), 52))[1]
    return flat.reshape(len(classes), -1).astype(np.int64)


def _binomials() -> Array:
    """int64 [52, LARGEST_SET + 1]: the number of sets of each size below a card."""
    return np.array([[comb(card, size) for size in range(MAX_SET_SIZE + 1)] for card in range(52)], dtype=np.int64)


@numba.njit(nogil=True, cache=True)
def _sweep(
    players: Any,
    player_starts: Any,
    hands: Any,
    starts: Any,
    qualifies: Any,
    sees: Any,
    choose: Any,
    lose: Any,
    tie: Any,
    qualified: Any,
) -> None:
    """Descends the strengths: players read the counters, then dealer hands of the same strength are added."""
    sizes = np.zeros(MAX_SET_SIZE + 2, dtype=np.int64)
    offset = 0
    for size in range(MAX_SET_SIZE + 1):
        sizes[size] = offset
        count = 1
        for n in range(size):
            count = count * (52 - n) // (n + 1)
        offset += count
    counters = np.zeros(offset, dtype=np.int32)
    largest = min(MAX_SET_SIZE, hands.shape[1], players.shape[1] + (1 if sees else 0))
    for strength in range(len(starts) - 2, -1, -1):
        if strength >= qualifies:
            _read(
                players,
                player_starts[strength],
                player_starts[strength + 1],
                sees,
                counters,
                sizes,
                choose,
                largest,
                lose,
            )
        for row in range(starts[strength], starts[strength + 1]):
            _add(hands, row, counters, sizes, choose, largest)
        if strength >= qualifies:
            _read(
                players,
                player_starts[strength],
                player_starts[strength + 1],
                sees,
                counters,
                sizes,
                choose,
                largest,
                tie,
            )
        if strength == qualifies:
            _read(players, 0, len(players), sees, counters, sizes, choose, largest, qualified)
            break
    for row in range(len(players)):
        for at in range(lose.shape[1]):
            if row < player_starts[qualifies]:  # below every qualifying hand: all of those beat it
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
    players: Any,
    first: Any,
    last: Any,
    sees: Any,
    counters: Any,
    sizes: Any,
    choose: Any,
    largest: Any,
    counts: Any,
) -> None:
    """The dealer hands counted so far that avoid each player's cards, for each upcard if there is one."""
    cards = players.shape[1]
    totals = np.zeros(52, dtype=np.int64)
    chosen_cards = np.zeros(cards + 1, dtype=np.int64)
    below, above = np.zeros(cards + 1, dtype=np.int64), np.zeros(cards + 1, dtype=np.int64)
    for row in range(first, last):
        totals[:] = 0
        for chosen in range(1 << cards):
            size = 0
            for place in range(cards):
                if chosen >> place & 1:
                    chosen_cards[size] = players[row, place]
                    size += 1
            if size + sees > largest:
                continue
            # Rank of the set with one more card: lower cards keep their positions, higher cards move up by one.
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
        for at in range(counts.shape[1]):
            counts[row, at] = totals[at]
        if sees:
            for place in range(cards):
                counts[row, players[row, place]] = -1
