"""Estimates of board games with many known cards: random hands, and every board counted.

The control is the best play without the knowledge: its value given the known cards is counted too, and its mean is the
exact value of the game.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numba
import numpy as np
from numpy import uint64

from croupier.analysis.protection.boards import BoardEngine, BoardQuestion, BoardRecursion
from croupier.analysis.protection.contests import FULL_DECK, Advance
from croupier.analysis.protection.samples import BLOCK_DEALS, Moments, SampledValue
from croupier.analysis.protection.symmetry import ascending_sets, binomials
from croupier.analysis.results import RequiredResult
from croupier.analysis.side_wagers import net_of
from croupier.analysis.whole_numbers import scale_to_integers
from croupier.hands.kernels import tables_of
from croupier.hands.lookup_tables import Array
from croupier.hands.plain_tables import COUNTER_BITS, COUNTER_TOP, DECISIVE, KEY_BITS, LONG_SUIT
from croupier.regulations import ElectedEdition

_KEY_MASK = uint64((1 << KEY_BITS) - 1)
_LONG_SUIT_BITS = uint64(LONG_SUIT)
_SUIT_COUNTER_BITS = tuple(uint64(COUNTER_TOP << (KEY_BITS + COUNTER_BITS * suit)) for suit in range(4))
_STRENGTH_MASK = DECISIVE - 1


def sample_board(
    elected: ElectedEdition,
    question: BoardQuestion,
    share: int,
    without: RequiredResult,
    seed: int,
    advance: Advance | None = None,
    threads: int = 2,
) -> SampledValue:
    """Random hands of `share` seats and cards out of play, with the value of each hand over every board."""
    engine = BoardEngine(elected)
    board = engine.total_cards - engine.hole_cards
    out = question.out_of_play - (share - 1) * engine.hole_cards
    left = 52 - share * engine.hole_cards - out
    sets = np.concatenate([_padded(ascending_sets(left, count), board) for count in range(board + 1)])
    starts = np.cumsum([0, *(len(ascending_sets(left, count)) for count in range(board + 1))]).astype(np.int64)
    table = elected.paytable(engine.shape.table)
    nets = [net_of(table.payout(strength), Fraction(1), {}) for strength in range(len(table.ranking))]
    arguments = (
        sets,
        starts,
        binomials(engine.total_cards),
        *tables_of(table.ranking).flat(),
        scale_to_integers(nets, engine.scale),
        *_policy(engine),
        engine.shape.base,
        float(engine.scale),
    )
    generator = np.random.Generator(np.random.PCG64(seed))
    moments = Moments()

    def value_share(decks: Array) -> Array:
        rows = np.zeros((len(decks), 4))
        _value_boards(decks, share, engine.hole_cards, out, *arguments, rows)
        return rows

    with ThreadPoolExecutor(threads) as pool:
        while not moments.is_enough():
            decks = generator.permuted(np.tile(np.arange(52, dtype=np.int64), (BLOCK_DEALS, 1)), axis=1)
            for rows in pool.map(value_share, np.array_split(decks, threads)):
                moments.add(rows)
            if advance is not None:
                advance(*moments.progress())
    return moments.sample(-float(without.house_edge))


def _padded(sets: Array, width: int) -> Array:
    padded = np.zeros((len(sets), max(width, 1)), dtype=np.int64)
    padded[:, : sets.shape[1]] = sets
    return padded


def _policy(engine: BoardEngine) -> tuple[Array, Array, Array, Array, Array]:
    """The best play without knowledge, flat; where each street and stake begins; and the options of each street.

    The options are the multiples [streets, options], their number, and whether a street pulls back instead of folding.
    """
    board = engine.total_cards - engine.hole_cards
    recursion = BoardRecursion(engine, BoardQuestion(), 0)
    recursion.street((FULL_DECK,) * board, 0, engine.shape.base)
    shape = engine.shape
    most = 1 + sum(max(choices) for choices in shape.choices)
    starts = np.full((board, most), -1, dtype=np.int64)
    parts, length = [], 0
    for (_, street, staked), (_, chosen) in recursion.solved.items():
        starts[street, staked - shape.base] = length
        parts.append(chosen.astype(np.int8))
        length += len(chosen)
    options = np.zeros((board, max(len(choices) for choices in shape.choices)), dtype=np.int64)
    for street, choices in enumerate(shape.choices):
        options[street, : len(choices)] = choices
    counts = np.array([len(choices) for choices in shape.choices], dtype=np.int64)
    return np.concatenate(parts), starts, options, counts, np.array(shape.pulls_back, dtype=np.bool_)


@numba.njit(nogil=True, cache=True)
def _value_boards(
    decks: Any,
    share: Any,
    hole_cards: Any,
    out: Any,
    sets: Any,
    set_starts: Any,
    binomials_: Any,
    words: Any,
    by_ranks: Any,
    by_suit: Any,
    nets: Any,
    policy: Any,
    policy_starts: Any,
    options: Any,
    option_counts: Any,
    pulls_back: Any,
    base: Any,
    scale: Any,
    rows: Any,
) -> None:
    """For each deal, averaged over its seats: the difference to the control, the gain, its square and the stake."""
    board, stakes = options.shape[0], policy_starts.shape[1]
    # By stake (above the base) and set of board cards: best gain, its square and stake, and the control's gain.
    values = np.zeros((4, stakes, len(sets)))
    sums = np.zeros((4, stakes))
    for deal in range(len(decks)):
        left = np.sort(decks[deal, share * hole_cards + out :])
        for seat in range(share):
            hole = np.sort(decks[deal, seat * hole_cards : (seat + 1) * hole_cards])
            _rank_boards(hole, left, sets, set_starts[board], words, by_ranks, by_suit, nets, scale, values)
            for street in range(board - 1, -1, -1):
                for row in range(set_starts[street], set_starts[street + 1]):
                    next_start = set_starts[street + 1]
                    is_last = street == board - 1
                    _sum_next(sets, row, street, len(left), next_start, binomials_, values, base, is_last, sums)
                    known_row = _row_of_known(hole, left, sets, row, street, binomials_)
                    for stake in range(stakes):
                        start = policy_starts[street, stake]
                        if start < 0:
                            continue
                        staked = float(base + stake)
                        best, control = -1, -staked
                        gain = -np.inf if pulls_back[street] else -staked
                        for number in range(option_counts[street]):
                            after = stake + options[street, number]
                            if sums[0, after] >= gain:
                                best, gain = after, sums[0, after]
                            if options[street, number] == policy[start + known_row]:
                                control = sums[3, after]
                        values[0, stake, row] = gain
                        values[1, stake, row] = sums[1, best] if best >= 0 else staked * staked
                        values[2, stake, row] = sums[2, best] if best >= 0 else staked
                        values[3, stake, row] = control
            rows[deal, 0] += (values[0, 0, 0] - values[3, 0, 0]) / share
            for column in range(3):
                rows[deal, 1 + column] += values[column, 0, 0] / share


@numba.njit(nogil=True, cache=True)
def _rank_boards(
    hole: Any,
    left: Any,
    sets: Any,
    first: Any,
    words: Any,
    by_ranks: Any,
    by_suit: Any,
    nets: Any,
    scale: Any,
    values: Any,
) -> None:
    """The net result of one unit with each complete board."""
    hole_count = len(hole)
    hole_sum, hole_bits = uint64(0), uint64(0)
    for place in range(hole_count):
        hole_sum += words[place * 52 + hole[place]]
        hole_bits |= uint64(1) << uint64(hole[place])
    for row in range(first, len(sets)):
        total, bits = hole_sum, hole_bits
        for place in range(sets.shape[1]):
            card = left[sets[row, place]]
            total += words[(hole_count + place) * 52 + card]
            bits |= uint64(1) << uint64(card)
        strength = by_ranks[total & _KEY_MASK]
        if total & _LONG_SUIT_BITS:
            for suit in range(4):
                if total & _SUIT_COUNTER_BITS[suit]:
                    ranks = bits >> uint64(13 * suit) & uint64(8191)
                    strength = max(strength, by_suit[uint64(suit * 8192) + ranks]) & _STRENGTH_MASK
        values[0, 0, row] = nets[strength] / scale


@numba.njit(nogil=True, cache=True)
def _sum_next(
    sets: Any,
    row: Any,
    street: Any,
    left: Any,
    next_start: Any,
    binomials_: Any,
    values: Any,
    base: Any,
    is_last: Any,
    sums: Any,
) -> None:
    """Means over the next card of all columns [4, stakes]; after the last street a hand is worth its net result."""
    sums[:] = 0
    below, higher = np.int64(0), np.int64(0)
    for index in range(street):
        higher += binomials_[sets[row, index], index + 2]
    unit, square, index = 0.0, 0.0, 0
    for card in range(left):
        while index < street and sets[row, index] < card:
            below += binomials_[sets[row, index], index + 1]
            higher -= binomials_[sets[row, index], index + 2]
            index += 1
        if index < street and sets[row, index] == card:
            continue
        next_row = next_start + below + binomials_[card, index + 1] + higher
        if is_last:
            unit += values[0, 0, next_row]
            square += values[0, 0, next_row] ** 2
        else:
            for stake in range(sums.shape[1]):
                for column in range(4):
                    sums[column, stake] += values[column, stake, next_row]
    cards = left - street
    for stake in range(sums.shape[1]):
        if is_last:
            staked = float(base + stake)
            sums[0, stake] = sums[3, stake] = staked * unit / cards
            sums[1, stake] = staked * staked * square / cards
            sums[2, stake] = staked
        else:
            for column in range(4):
                sums[column, stake] /= cards


@numba.njit(nogil=True, cache=True)
def _row_of_known(hole: Any, left: Any, sets: Any, row: Any, street: Any, binomials_: Any) -> Any:
    """The row of the hand and a set of board cards among all sets of known cards."""
    total, index, hole_count = np.int64(0), 0, 0
    while index < street or hole_count < len(hole):
        takes_hole = index == street or (hole_count < len(hole) and hole[hole_count] < left[sets[row, index]])
        card = hole[hole_count] if takes_hole else left[sets[row, index]]
        total += binomials_[card, hole_count + index + 1]
        if takes_hole:
            hole_count += 1
        else:
            index += 1
    return total
