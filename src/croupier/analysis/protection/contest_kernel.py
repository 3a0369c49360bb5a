"""Compiled counting of contests with known cards.

For one set of known dealer cards, every completion of the dealer's hand is ranked. A player's cards P then lose to

    sum over subsets S of P of (-1)^|S| N(S, v)

completions, where N(S, v) is the weight of the completions that contain S and beat the strength v. The sweep
descends the strengths: players read the counters of their subsets, then completions of the same strength are added.
Counters are numbered by position in what is left of the deck, so that they stay in the CPU cache.

The loops are written out in one function: helpers that take arrays would count references in the innermost loop.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numpy import uint64

from croupier.hands.plain_tables import COUNTER_BITS, COUNTER_TOP, DECISIVE, KEY_BITS, LONG_SUIT

LOSE, TIE, QUALIFIED, TOTAL = range(4)
"""The rows of the counts: completions that beat the player's hand, tie it, qualify, or are possible at all."""
UNREADABLE = -1
"""The count of a player's hand that contains a known card."""
MAX_DEALER_CARDS = 6
MAX_PLAYER_CARDS = 5

_KEY_MASK = uint64((1 << KEY_BITS) - 1)
_LONG_SUIT_BITS = uint64(LONG_SUIT)
_SUIT_COUNTER_BITS = tuple(uint64(COUNTER_TOP << (KEY_BITS + COUNTER_BITS * suit)) for suit in range(4))
_STRENGTH_MASK = DECISIVE - 1
_SIZES = np.array([number.bit_count() for number in range(64)], dtype=np.int64)


@numba.njit(nogil=True, cache=True)
def rank_completions(
    completions: Any, deck: Any, known_cards: Any, words: Any, by_ranks: Any, by_suit: Any, strengths: Any
) -> None:
    """The strength of the known cards with each completion, whose cards are positions in the deck."""
    first = len(known_cards)
    free = completions.shape[1]
    known_sum, known_bits = uint64(0), uint64(0)
    for place in range(first):
        known_sum += words[place * 52 + known_cards[place]]
        known_bits |= uint64(1) << uint64(known_cards[place])
    for row in range(len(completions)):
        total, bits = known_sum, known_bits
        for place in range(free):
            card = deck[completions[row, place]]
            total += words[(first + place) * 52 + card]
            bits |= uint64(1) << uint64(card)
        strength = by_ranks[total & _KEY_MASK]
        if total & _LONG_SUIT_BITS:
            for suit in range(4):
                if total & _SUIT_COUNTER_BITS[suit]:
                    ranks = bits >> uint64(13 * suit) & uint64(8191)
                    strength = max(strength, by_suit[uint64(suit * 8192) + ranks]) & _STRENGTH_MASK
        strengths[row] = strength


@numba.njit(nogil=True, cache=True)
def sort_by_strength(strengths: Any, starts: Any, order: Any) -> None:
    """A counting sort: `order` has the rows by ascending strength, `starts` the first of each strength."""
    starts[:] = 0
    for strength in strengths:
        starts[strength + 1] += 1
    for strength in range(len(starts) - 1):
        starts[strength + 1] += starts[strength]
    ends = starts.copy()
    for row in range(len(strengths)):
        order[ends[strengths[row]]] = row
        ends[strengths[row]] += 1


@numba.njit(nogil=True, cache=True)
def sweep_known(
    completions: Any,
    weights: Any,
    order: Any,
    starts: Any,
    position: Any,
    unavailable: Any,
    cards: Any,
    masks: Any,
    player_starts: Any,
    qualifies: Any,
    reads_ties: Any,
    reads_totals: Any,
    binomials: Any,
    offsets: Any,
    largest: Any,
    counters: Any,
    counts: Any,
) -> None:
    """Fills `counts`, int32 [4, players]: see `LOSE`, `TIE`, `QUALIFIED` and `TOTAL`.

    `weights` has the weight of each completion, or nothing if all count once. `position` maps cards to positions in
    the deck. `largest` is the size of the largest subset that a completion can share with a player's hand. Totals
    are read only if `reads_totals`; qualified completions only if there is a lowest qualifying strength above 0.
    """
    counters[:] = 0
    free, hand_size = completions.shape[1], cards.shape[1]
    indices = np.zeros(64, dtype=np.int64)
    is_weighted = len(weights) > 0
    for strength in range(len(starts) - 2, -1, -1):
        for phase in range(4):
            first, last = player_starts[strength], player_starts[strength + 1]
            if phase == 0 and strength < qualifies:
                continue
            if phase == 1:
                for index in range(starts[strength], starts[strength + 1]):
                    row = order[index]
                    weight = np.int32(weights[row]) if is_weighted else np.int32(1)
                    if weight == 0:
                        continue
                    counters[0] += weight
                    for place in range(free):
                        card = np.int64(completions[row, place])
                        for subset in range(1 << place):
                            size = _SIZES[subset] + 1
                            if size <= largest:
                                value = indices[subset] + binomials[card, size]
                                indices[(1 << place) + subset] = value
                                counters[offsets[size] + value] += weight
                if not reads_ties or strength < qualifies:
                    continue
            if phase == 2:
                if strength != qualifies or qualifies == 0:
                    continue
                first, last = 0, len(cards)
            if phase == 3:
                if strength != 0 or not reads_totals:
                    continue
                first, last = 0, len(cards)
            for row in range(first, last):
                if masks[row] & unavailable:
                    counts[phase, row] = UNREADABLE
                    continue
                total = np.int64(counters[0])
                if largest <= 2:  # the general loop would skip most subsets
                    for place in range(hand_size if largest else 0):
                        card = position[cards[row, place]]
                        total -= counters[1 + card]
                        for other in range(place if largest > 1 else 0):
                            total += counters[offsets[2] + position[cards[row, other]] + binomials[card, 2]]
                    counts[phase, row] = total
                    continue
                for place in range(hand_size):
                    card = position[cards[row, place]]
                    for subset in range(1 << place):
                        size = _SIZES[subset] + 1
                        if size <= largest:
                            value = indices[subset] + binomials[card, size]
                            indices[(1 << place) + subset] = value
                            count = np.int64(counters[offsets[size] + value])
                            total += -count if size & 1 else count
                counts[phase, row] = total
        if strength <= qualifies and not reads_totals:
            break


@numba.njit(nogil=True, cache=True)
def tally_known(
    counts: Any,
    strengths: Any,
    weights: Any,
    masks: Any,
    required: Any,
    segment_of: Any,
    qualifies: Any,
    reads_ties: Any,
    total: Any,
    nets: Any,
    fold: Any,
    knows_outcome: Any,
    side_results: Any,
    side_nets: Any,
    ways: Any,
    choice_counts: Any,
    side_ways: Any,
) -> None:
    """Adds the deals of every hand under its best choice to `ways` [segments, outcomes, raises] and `choice_counts`.

    `total` is the number of completions for every hand, or 0 if `counts` has it. With `knows_outcome` the player
    decides after the outcome is known. Only hands with all `required` cards count. If `side_results` is not empty,
    a raise also keeps a wager alive that pays `side_nets` of its result and that a fold forfeits; `side_ways` counts
    the deals in which it is alive by result.
    """
    outcomes = np.zeros(4, dtype=np.int64)
    has_side = len(side_results) > 0
    for row in range(len(strengths)):
        strength = strengths[row]
        is_below = strength < qualifies
        first = counts[QUALIFIED, row] if is_below else counts[LOSE, row]
        if first == UNREADABLE or masks[row] & required != required:
            continue
        deals = np.int64(total) if total else np.int64(counts[TOTAL, row])
        if deals == 0:
            continue
        outcomes[0] = deals - counts[QUALIFIED, row] if qualifies else 0
        outcomes[3] = first
        outcomes[2] = 0 if is_below or not reads_ties else counts[TIE, row] - counts[LOSE, row]
        outcomes[1] = deals - outcomes[0] - outcomes[2] - outcomes[3]
        segment, weight = segment_of[strength], weights[row]
        side = side_nets[side_results[row]] if has_side else np.int64(0)
        folded = fold + side_nets[0] if has_side else fold
        for outcome in range(4 if knows_outcome else 1):
            low, high = (outcome, outcome + 1) if knows_outcome else (0, 4)
            measure = outcomes[outcome] if knows_outcome else deals
            if measure == 0:
                continue
            best, choice = folded * measure, -1
            for place in range(nets.shape[2]):
                value = side * measure
                for number in range(low, high):
                    value += nets[segment, number, place] * outcomes[number]
                if value >= best:
                    best, choice = value, place
            choice_counts[choice + 1] += measure * weight
            if choice >= 0:
                if has_side:
                    side_ways[side_results[row]] += measure * weight
                for number in range(low, high):
                    ways[segment, number, choice] += outcomes[number] * weight
