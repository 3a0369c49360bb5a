"""A wager on a set of cards: its gains, summed over all hands that contain given cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from math import comb

import numpy as np

from croupier.analysis.counting.histogram import histogram
from croupier.analysis.counting.suit_classes import class_representatives, hand_classes, next_classes, popcounts
from croupier.analysis.side_wagers import net_of
from croupier.analysis.whole_numbers import common_denominator, require_fit, scale_to_integers
from croupier.games import game
from croupier.games.definition import ByTable
from croupier.hands.kernels import evaluate, tables_of
from croupier.hands.lookup_tables import Array
from croupier.hands.plain_tables import DECISIVE, is_by_color
from croupier.hands.ranking import Ranking
from croupier.regulations import ElectedEdition

SUIT_PERMUTATIONS = tuple(permutations(range(4)))
"""Every permutation of the suits."""


@dataclass(frozen=True, slots=True)
class _EveryWagerSeat:
    """A table with one seat that has made every wager."""

    choices: Mapping[str, str]

    @property
    def seats_dealt(self) -> Sequence[int]:
        return (1,)

    def bettors(self, wager: str) -> Sequence[int]:
        del wager
        return (1,)

    def elected(self, election: str) -> str:
        return self.choices.get(election, "")


def dealt_card_counts(elected: ElectedEdition) -> Mapping[str, int]:
    """The number of cards dealt to each place for one seat with every wager."""
    steps = next(iter(game(elected.edition.game).deals.values()))
    counts: dict[str, int] = {}
    for step in steps:
        for slot in step.slots(_EveryWagerSeat(elected.choices)):
            counts[slot.place] = counts.get(slot.place, 0) + 1
    return counts


def card_places(elected: ElectedEdition, settlement: ByTable) -> Mapping[str, int]:
    """The places that a wager depends on, and the number of cards of each."""
    dealt = dealt_card_counts(elected)
    return {place: settlement.cards.first or dealt[place] for place in settlement.cards.places}


@dataclass(frozen=True, eq=False)
class CardWager:
    """A wager on a set of cards. `nets` is the net gain of each strength, times `scale`."""

    wager: str
    places: Mapping[str, int]
    ranking: Ranking
    scale: int
    nets: Array

    @property
    def cards(self) -> int:
        return self.ranking.cards

    @cached_property
    def ignores_suits(self) -> bool:
        """Whether permuting the suits never changes the result."""
        return not is_by_color(self.ranking) and not self._suit_sensitive.any()

    @cached_property
    def _suit_sensitive(self) -> Array:
        """Bool [8192]: sets of ranks whose gain depends on the suit."""
        by_suit = tables_of(self.ranking).by_suit  # negative if a suit is too short to matter
        gains = np.where(by_suit < 0, 0, self.nets[np.where(by_suit < 0, 0, by_suit & (DECISIVE - 1))])
        sensitive: Array = (gains != gains[:1]).any(axis=0) & (popcounts() <= self.cards)
        return sensitive

    @cached_property
    def weight(self) -> int:
        """The divisor of `sums`: `scale`, times the number of suit permutations if suits matter."""
        return self.scale * (1 if self.ignores_suits else len(SUIT_PERMUTATIONS))

    @cached_property
    def _sums_by_count(self) -> dict[int, Array]:
        return {}

    def sums(self, count: int) -> Array:
        """For each class of `count` cards the total gain of all hands of this wager that contain them, int64.

        Times `weight`; averaged over suit permutations if suits matter.
        """
        if count not in self._sums_by_count:
            if count >= self.cards - 1:
                self._sums_by_count[count] = self.gains(class_representatives(count))
            else:
                next_class, next_sums = next_classes(count), self.sums(count + 1)
                total = np.where(next_class >= 0, next_sums[next_class], 0).sum(axis=1)
                self._sums_by_count[count] = total // (self.cards - count)
        return self._sums_by_count[count]

    def gains(self, hands: Array) -> Array:
        """The gains of hands, times `weight`; a hand that lacks one card is summed over that card."""
        if self.ignores_suits:
            return self._gains(hands)
        gains = self._gains(hands) * len(SUIT_PERMUTATIONS)
        sensitive = np.ones(len(hands), dtype=bool)
        if not is_by_color(self.ranking):  # only if a suit has enough cards
            min_length = int(popcounts()[self._suit_sensitive].min()) - (self.cards - hands.shape[1])
            sensitive = np.any([(hands // 13 == suit).sum(axis=1) >= min_length for suit in range(4)], axis=0)
        gains[sensitive] = sum(
            self._gains(permute_suits(hands[sensitive], permutation)) for permutation in SUIT_PERMUTATIONS
        )
        return gains

    def _gains(self, hands: Array) -> Array:
        """The gains without permuting suits, times `scale`."""
        if hands.shape[1] == self.cards:
            gains: Array = self.nets[evaluate(self.ranking, hands)]
            return gains
        gains = np.zeros(len(hands), dtype=np.int64)
        for card in range(52):
            is_new_card = (hands != card).all(axis=1)
            full_hands = np.column_stack([hands[is_new_card], np.full(int(is_new_card.sum()), card, dtype=np.uint8)])
            gains[is_new_card] += self.nets[evaluate(self.ranking, full_hands)]
        return gains

    @cached_property
    def mean(self) -> Fraction:
        """The expected gain of one unit."""
        return Fraction(int(self.sums(0)[0]), self.weight * comb(52, self.cards))


def permute_suits(hands: Array, permutation: Sequence[int]) -> Array:
    """Hands with their suits permuted."""
    permuted: Array = (np.array(permutation, dtype=np.uint8)[hands // 13] * 13 + hands % 13).astype(np.uint8)
    return permuted


def integer_nets(
    elected: ElectedEdition, table: str, stake: Fraction, seeds: Mapping[str, Fraction]
) -> tuple[int, Array]:
    """The scale of a paytable, and the net gain of each strength times that scale, as integers."""
    paytable = elected.paytable(table)
    tables_of(paytable.ranking)  # loads the cached spans of the ranking, if any
    nets = [net_of(paytable.payout(strength), stake, seeds) for strength in range(len(paytable.ranking))]
    scale = common_denominator(nets)
    total_gain = sum(
        (abs(net) * count for net, count in zip(nets, histogram(paytable.ranking), strict=True)), Fraction(0)
    )
    require_fit(total_gain * len(SUIT_PERMUTATIONS), scale)
    return scale, scale_to_integers(nets, scale)


def mean_product(first: CardWager, second: CardWager, shared: int) -> Fraction:
    """The mean product of two gains that share `shared` cards, at most one of them depending on suits.

    Pairs of hands with exactly those cards in common are counted by inclusion-exclusion over the shared cards.
    """
    total = 0
    for count in range(shared, min(first.cards, second.cards) + 1):
        products = first.sums(count).astype(object) * second.sums(count) * hand_classes(count).sizes.astype(np.int64)
        total += (-1) ** (count - shared) * comb(count, shared) * int(products.sum())
    pairs = comb(52, first.cards) * comb(first.cards, shared) * comb(52 - first.cards, second.cards - shared)
    return Fraction(total, first.weight * second.weight * pairs)
