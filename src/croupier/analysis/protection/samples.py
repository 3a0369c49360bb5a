"""Estimates of knowledge that has too many cards to count: random deals, with exact values at the leaves.

Each sampled deal fixes everything that the seats know; the values of all choices are then counted exactly over what
they do not know. The estimate is the exact value of a strategy that is known, plus the mean difference to it, which
varies far less than the game itself: the best play without the knowledge, whose value knowledge cannot change, or a
player who also knows the outcome.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numba
import numpy as np

from croupier.analysis.contests import DecisionSpots, decision_spots, net_table
from croupier.analysis.counting.suit_classes import popcounts
from croupier.analysis.payoffs import Payoffs
from croupier.analysis.protection.contest_kernel import rank_completions
from croupier.analysis.protection.contests import Advance, ContestEngine, ContestQuestion
from croupier.analysis.protection.symmetry import ascending_sets
from croupier.analysis.results import RequiredResult
from croupier.hands.kernels import evaluate, tables_of
from croupier.hands.lookup_tables import Array

TARGET_STANDARD_ERROR = 0.00018
"""Sampling stops at this standard error, in Antes; the figure promised to readers is 0.02 % of the Ante."""
BLOCK_DEALS = 500
MIN_BLOCKS = 4


@dataclass(frozen=True, slots=True)
class SampledValue:
    """An estimate, in Antes."""

    mean: float
    standard_error: float
    variance: float
    """Of one seat's result."""
    average_wager: float
    deals: int


@dataclass(slots=True)
class Moments:
    """Sums over sampled deals: of the difference to the control, and of a seat's gain, its square and its stake."""

    deals: int = 0
    difference: float = 0.0
    square: float = 0.0
    gain: float = 0.0
    gain_square: float = 0.0
    staked: float = 0.0

    def add(self, rows: Array) -> None:
        self.deals += len(rows)
        self.difference += float(rows[:, 0].sum())
        self.square += float((rows[:, 0] ** 2).sum())
        self.gain += float(rows[:, 1].sum())
        self.gain_square += float(rows[:, 2].sum())
        self.staked += float(rows[:, 3].sum())

    @property
    def standard_error(self) -> float:
        mean = self.difference / self.deals
        return sqrt(max(self.square / self.deals - mean * mean, 0.0) / (self.deals - 1))

    def is_enough(self) -> bool:
        return self.deals >= MIN_BLOCKS * BLOCK_DEALS and 0 < self.standard_error <= TARGET_STANDARD_ERROR

    def progress(self) -> tuple[int, int]:
        """Finished and expected deals; the expectation follows the variance so far."""
        if self.deals < 2:
            return 0, MIN_BLOCKS * BLOCK_DEALS
        needed = self.deals * (self.standard_error / TARGET_STANDARD_ERROR) ** 2
        return self.deals, max(self.deals, int(needed), MIN_BLOCKS * BLOCK_DEALS)

    def sample(self, control: float) -> SampledValue:
        mean = self.gain / self.deals
        return SampledValue(
            control + self.difference / self.deals,
            self.standard_error,
            self.gain_square / self.deals - mean * mean,
            self.staked / self.deals,
            self.deals,
        )


def sample_contest(
    engine: ContestEngine,
    question: ContestQuestion,
    share: int,
    upcards: int,
    without: RequiredResult,
    seed: int,
    advance: Advance | None = None,
) -> SampledValue:
    """Random hands, known dealer cards and cards out of play; every completion of the dealer's hand is counted.

    All seats of a deal share one count of the dealer's hands. With a single seat the control is a player who knows
    the outcome, because such a question comes from many known dealer cards.
    """
    player, known_cards = engine.player.cards, question.known_cards
    out = question.out_of_play - (share - 1) * player
    control = -float(without.house_edge)
    if share == 1:
        control = float(engine.play(ContestQuestion(known_cards=engine.dealer.cards)).mean)
    generator = np.random.Generator(np.random.PCG64(seed))
    base_choices = _base_choices(engine.payoffs, decision_spots(engine.elected.edition.game))
    table = _SpotTable(decision_spots(engine.elected.edition.game), upcards)
    unseen = engine.dealer.cards - known_cards
    completions = ascending_sets(52 - share * player - known_cards - out, unseen)
    moments = Moments()
    while not moments.is_enough():
        decks = generator.permuted(np.tile(np.arange(52, dtype=np.uint8), (BLOCK_DEALS, 1)), axis=1)
        hands = decks[:, : share * player].reshape(-1, player)
        dealer = decks[:, share * player : share * player + known_cards]
        up = np.repeat(dealer[:, 0], share) if upcards else None
        chosen = base_choices[table.rows(np.sort(hands, axis=1), up)].reshape(BLOCK_DEALS, share)
        strengths = evaluate(engine.player, np.sort(hands, axis=1)).astype(np.int64).reshape(BLOCK_DEALS, share)
        rows = np.zeros((BLOCK_DEALS, 4))
        _value_deals(
            np.sort(decks[:, share * player + known_cards + out :], axis=1).astype(np.int64),
            np.sort(dealer, axis=1).astype(np.int64),
            completions,
            *tables_of(engine.dealer).flat(),
            strengths,
            chosen,
            engine.payoffs.segments[0],
            engine.qualifies,
            len(engine.dealer),
            engine.nets,
            engine.payoffs.fold,
            float(engine.payoffs.scale),
            np.array((0, *engine.payoffs.choices), dtype=np.float64) + engine.payoffs.base,
            share == 1,
            rows,
        )
        moments.add(rows)
        if advance is not None:
            advance(*moments.progress())
    return moments.sample(control)


@numba.njit(nogil=True, cache=True)
def _value_deals(
    decks: Any,
    dealers: Any,
    completions: Any,
    words: Any,
    by_ranks: Any,
    by_suit: Any,
    strengths: Any,
    chosen: Any,
    segment_of: Any,
    qualifies: Any,
    strength_count: Any,
    nets: Any,
    fold: Any,
    scale: Any,
    stakes: Any,
    from_outcome: Any,
    rows: Any,
) -> None:
    """For each deal, averaged over its seats: the difference to the control, the gain, its square and the stake."""
    total = len(completions)
    dealer_strengths = np.zeros(total, dtype=np.int16)
    at_least = np.zeros(strength_count + 2, dtype=np.int64)
    outcomes = np.zeros(4, dtype=np.int64)
    seats = strengths.shape[1]
    for deal in range(len(decks)):
        rank_completions(completions, decks[deal], dealers[deal], words, by_ranks, by_suit, dealer_strengths)
        at_least[:] = 0
        for dealer_strength in dealer_strengths:
            at_least[dealer_strength] += 1
        for strength in range(strength_count - 1, -1, -1):
            at_least[strength] += at_least[strength + 1]
        for seat in range(seats):
            strength = strengths[deal, seat]
            outcomes[0] = total - at_least[qualifies]
            outcomes[3] = at_least[max(strength + 1, qualifies)]
            outcomes[2] = at_least[strength] - at_least[strength + 1] if strength >= qualifies else 0
            outcomes[1] = total - outcomes[0] - outcomes[2] - outcomes[3]
            segment = segment_of[strength]
            best, choice, control = fold * total, 0, fold * total
            for place in range(nets.shape[2]):
                value = np.int64(0)
                for outcome in range(4):
                    value += nets[segment, outcome, place] * outcomes[outcome]
                if value >= best:
                    best, choice = value, place + 1
                if chosen[deal, seat] == place + 1:
                    control = value
            if from_outcome:
                control = 0
                for outcome in range(4):
                    highest = np.int64(fold)
                    for place in range(nets.shape[2]):
                        highest = max(highest, nets[segment, outcome, place])
                    control += highest * outcomes[outcome]
            square = 0.0
            for outcome in range(4):
                net = float(fold) if choice == 0 else float(nets[segment, outcome, choice - 1])
                square += net * net * outcomes[outcome]
            rows[deal, 0] += (best - control) / (scale * total) / seats
            rows[deal, 1] += best / (scale * total) / seats
            rows[deal, 2] += square / (scale * scale * total) / seats
            rows[deal, 3] += stakes[choice] / seats


def _base_choices(payoffs: Payoffs, spots: DecisionSpots) -> Array:
    """The best choice in every spot without the knowledge: 0 for a fold; ties go to the larger wager."""
    nets, segments = net_table(payoffs), payoffs.segments[0][spots.strengths]
    best = np.full(len(segments), payoffs.fold * spots.dealer_hands, dtype=np.int64)
    chosen = np.zeros(len(segments), dtype=np.int64)
    order = ("unqualified", "win", "tie", "lose")
    for place in range(nets.shape[2]):
        value = np.zeros(len(segments), dtype=np.int64)
        for outcome, counts in spots.outcomes.items():
            value += nets[segments, order.index(outcome), place] * counts
        is_better = value >= best
        best[is_better], chosen[is_better] = value[is_better], place + 1
    return chosen


class _SpotTable:
    """Finds the spot of a hand and an upcard in the exact analysis."""

    def __init__(self, spots: DecisionSpots, upcards: int) -> None:
        masks = spots.classes.masks.astype(np.int64)
        keys = _mask_keys(masks)
        self._order = np.argsort(keys)
        self._keys = keys[self._order]
        self._masks = masks
        self._has_upcard = bool(upcards)

    def rows(self, hands: Array, up: Array | None) -> Array:
        """The spot of each hand, with its upcard if the game has one."""
        masks = np.zeros((len(hands), 4), dtype=np.int64)
        for column in hands.T:
            for suit in range(4):
                masks[:, suit] |= np.where(column // 13 == suit, 1 << (column % 13).astype(np.int64), 0)
        lengths = popcounts()[masks].astype(np.int64)
        order = np.argsort(masks - (lengths << 20), axis=1, kind="stable")  # longest suit first, then by ranks
        canonical = np.take_along_axis(masks, order, axis=1)
        rows = self._order[np.searchsorted(self._keys, _mask_keys(canonical))]
        if up is None or not self._has_upcard:
            return rows
        up_suits = np.argmax(order == (up // 13)[:, None], axis=1)
        up_card = up_suits * 13 + up % 13
        hand_bits = sum(self._masks[rows][:, suit] << 13 * suit for suit in range(4))
        lower = hand_bits & ((np.int64(1) << up_card.astype(np.int64)) - 1)
        below = sum(popcounts()[(lower >> 13 * suit) & 8191].astype(np.int64) for suit in range(4))
        spots_per_hand = 52 - hands.shape[1]
        spot_rows: Array = rows * spots_per_hand + up_card - below
        return spot_rows


def _mask_keys(masks: Array) -> Array:
    keys: Array = masks[:, 0] | masks[:, 1] << 13 | masks[:, 2] << 26 | masks[:, 3] << 39
    return keys
