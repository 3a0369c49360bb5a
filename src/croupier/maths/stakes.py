"""A wager as covariances see it: its cards, and what they gain, added up over all hands that hold some of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from math import comb

import numpy as np

from croupier.games import game
from croupier.games.definition import ByTable
from croupier.hands.kernels import evaluate, tables_of
from croupier.hands.ranking import Ranking
from croupier.hands.tables import DECISIVE, Array
from croupier.maths.classes import grown, hand_classes, mask_table, one_of_each_class
from croupier.maths.histogram import is_by_colour
from croupier.maths.side_wagers import net_of
from croupier.rules import Elected

VIEWS = tuple(permutations(range(4)))
"""Every way to name the suits."""


@dataclass(frozen=True, slots=True)
class _Everybody:
    """One seat that made every wager."""

    choices: Mapping[str, str]

    @property
    def seats_dealt(self) -> Sequence[int]:
        return (1,)

    def bettors(self, wager: str) -> Sequence[int]:
        del wager
        return (1,)

    def elected(self, election: str) -> str:
        return self.choices.get(election, "")


def cards_dealt(elected: Elected) -> Mapping[str, int]:
    """How many cards one seat with every wager sees in each place."""
    steps = next(iter(game(elected.edition.game).deals.values()))
    found: dict[str, int] = {}
    for step in steps:
        for slot in step.slots(_Everybody(elected.choices)):
            found[slot.place] = found.get(slot.place, 0) + 1
    return found


def places_of(elected: Elected, settled: ByTable) -> Mapping[str, int]:
    """The places that a wager looks at, and how many cards of each."""
    dealt = cards_dealt(elected)
    return {place: settled.cards.first or dealt[place] for place in settled.cards.places}


@dataclass(frozen=True, eq=False)
class Stake:
    """A wager on a set of cards. `nets` is what each strength gains, times `scale`."""

    wager: str
    places: Mapping[str, int]
    ranking: Ranking
    scale: int
    nets: Array

    @property
    def cards(self) -> int:
        return self.ranking.cards

    @cached_property
    def is_blind(self) -> bool:
        """Whether the names of the suits are all the same to it."""
        return not is_by_colour(self.ranking) and not self._telling.any()

    @cached_property
    def _telling(self) -> Array:
        """Bool [8192]: sets of ranks in one suit that gain differently in another."""
        by_suit = tables_of(self.ranking).by_suit  # negative where a suit is too short to matter
        gains = np.where(by_suit < 0, 0, self.nets[np.where(by_suit < 0, 0, by_suit & (DECISIVE - 1))])
        found: Array = (gains != gains[:1]).any(axis=0) & (mask_table() <= self.cards)
        return found

    @cached_property
    def weight(self) -> int:
        """How many times each hand counts in `sums`: once, or once for every way to name the suits."""
        return self.scale * (1 if self.is_blind else len(VIEWS))

    @cached_property
    def _levels(self) -> dict[int, Array]:
        return {}

    def sums(self, held: int) -> Array:
        """For each class of `held` cards: the gains of all hands of this wager that hold them, int64.

        Times `weight`; averaged over the names of the suits where those matter.
        """
        if held not in self._levels:
            if held >= self.cards - 1:
                self._levels[held] = self.gains(one_of_each_class(held))
            else:
                following, more = grown(held), self.sums(held + 1)
                added = np.where(following >= 0, more[following], 0).sum(axis=1)
                self._levels[held] = added // (self.cards - held)
        return self._levels[held]

    def gains(self, hands: Array) -> Array:
        """What hands gain, times `weight`; of hands that lack a card, added up over that card."""
        if self.is_blind:
            return self._gains(hands)
        found = self._gains(hands) * len(VIEWS)
        telling = np.ones(len(hands), dtype=bool)
        if not is_by_colour(self.ranking):  # only where a suit has enough cards
            shortest = int(mask_table()[self._telling].min()) - (self.cards - hands.shape[1])
            telling = np.any([(hands // 13 == suit).sum(axis=1) >= shortest for suit in range(4)], axis=0)
        found[telling] = sum(self._gains(renamed(hands[telling], view)) for view in VIEWS)
        return found

    def _gains(self, hands: Array) -> Array:
        """The same with the suits as they are, times `scale`."""
        if hands.shape[1] == self.cards:
            found: Array = self.nets[evaluate(self.ranking, hands)]
            return found
        found = np.zeros(len(hands), dtype=np.int64)
        for card in range(52):
            fresh = (hands != card).all(axis=1)
            more = np.column_stack([hands[fresh], np.full(int(fresh.sum()), card, dtype=np.uint8)])
            found[fresh] += self.nets[evaluate(self.ranking, more)]
        return found

    @cached_property
    def mean(self) -> Fraction:
        """What one unit gains."""
        return Fraction(int(self.sums(0)[0]), self.weight * comb(52, self.cards))


def renamed(hands: Array, view: Sequence[int]) -> Array:
    """Hands with their suits called otherwise."""
    found: Array = (np.array(view, dtype=np.uint8)[hands // 13] * 13 + hands % 13).astype(np.uint8)
    return found


def whole_nets(elected: Elected, table: str, stake: Fraction, seeds: Mapping[str, Fraction]) -> tuple[int, Array]:
    """What each strength of a table gains, as whole numbers, and the scale that makes them so."""
    paid = elected.paytable(table)
    tables_of(paid.ranking)  # brings the spans of the ranking along, if they were worked out before
    nets = [net_of(paid.payout(strength), stake, seeds) for strength in range(len(paid.ranking))]
    scale = int(np.lcm.reduce([net.denominator for net in nets]))
    return scale, np.array([int(net * scale) for net in nets], dtype=np.int64)


def mean_product(first: Stake, second: Stake, shared: int) -> Fraction:
    """The mean of the product of two gains that have so many cards in common, at most one of them telling suits apart.

    Pairs of hands with exactly those cards in common are counted by inclusion and exclusion over
    the cards that both hold.
    """
    total = 0
    for held in range(shared, min(first.cards, second.cards) + 1):
        products = first.sums(held).astype(object) * second.sums(held) * hand_classes(held).sizes.astype(np.int64)
        total += (-1) ** (held - shared) * comb(held, shared) * int(products.sum())
    pairs = comb(52, first.cards) * comb(first.cards, shared) * comb(52 - first.cards, second.cards - shared)
    return Fraction(total, first.weight * second.weight * pairs)
