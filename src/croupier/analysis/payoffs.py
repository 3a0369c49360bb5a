"""Exact net results of a contest's required wagers, from the settlement that the table uses.

Amounts are exact multiples of the Ante; only a table rounds to cents. Strengths that no paytable
distinguishes form one segment, so a few settlements cover all hands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, factorial

import numpy as np

from croupier.analysis.whole_numbers import common_denominator, require_fit, scale_to_integers
from croupier.core.errors import InputError
from croupier.games.definition import Contest
from croupier.hands import ranking_named
from croupier.hands.kernels import tables_of
from croupier.hands.lookup_tables import Array
from croupier.regulations import ElectedEdition
from croupier.regulations.payouts import Dollars, ForOne, ToOne
from croupier.table.settlement import settle_contest

DOLLAR_IN_ANTES = Fraction(1, 10)
"""A dollar in Antes: the Ante is $10. It matters only to a row that pays a fixed sum."""
SUIT_COUNT = 4
OUTCOMES = ("unqualified", "win", "tie", "lose")
FORBIDDEN_RAISE_ANTES = -1000
"""Net result of a raise that the rules do not allow: worse than any possible loss."""


def tables_of_contest(contest: Contest) -> list[str]:
    """The paytables that apply to the player's hand."""
    bonuses = [bonus.name for bonus in contest.bonuses]
    return [*bonuses, *contest.by_table.values(), *contest.always_by_table.values()]


@dataclass(frozen=True, eq=False)
class Payoffs:
    """Net results per Ante of a contest, by segment of strengths, outcome and size of the raise."""

    elected: ElectedEdition
    contest: Contest

    @cached_property
    def base(self) -> int:
        """Antes staked before the deal: the Ante itself and the wagers placed with it."""
        return sum(not self.elected.edition.wagers[wager].made_in_play for wager in self.contest.wagers)

    @property
    def fold(self) -> int:
        """The net result of a fold, times `scale`."""
        return -self.base * self.scale

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the choices, fold first."""
        return ("fold", *("play" if self.choices == (1,) else f"{multiple}x" for multiple in self.choices))

    def allows(self, segment: int, multiple: int) -> bool:
        """Whether hands of a segment may raise this multiple."""
        needed = self.elected.edition.wagers[self.contest.wagers[-1]].needs_hand.get(multiple, "")
        ranking = ranking_named(self.contest.player_ranking)
        return not needed or self.segments[1][segment] >= ranking.span(needed).start

    @cached_property
    def choices(self) -> tuple[int, ...]:
        """The permitted raises in whole Antes; amounts in between are never better."""
        wager = self.elected.edition.wagers[self.contest.wagers[-1]]
        if wager.between is not None:
            return tuple(range(wager.between[0], wager.between[1] + 1))
        return wager.multiples

    @cached_property
    def segments(self) -> tuple[Array, list[int]]:
        """The segment of each strength, and one strength of each segment.

        Refuses a row that pays a contest's wager anything but odds or a fixed sum.
        """
        ranking = ranking_named(self.contest.player_ranking)
        tables_of(ranking)  # loads the cached spans of the ranking, if any
        tables = [self.elected.paytable(name) for name in tables_of_contest(self.contest)]
        for table in tables:
            for row in table.rows:
                if not isinstance(row.pays, ToOne | ForOne | Dollars):
                    raise InputError("", f"table {table.name}: {row.hand} cannot pay {row.pays} in a contest")
        rows = [table.row_numbers for table in tables]
        needed_hands = self.elected.edition.wagers[self.contest.wagers[-1]].needs_hand.values()
        starts = sorted({ranking.span(hand).start for hand in needed_hands})
        segment_numbers: dict[tuple[int, ...], int] = {}
        of_strength = np.zeros(len(ranking), dtype=np.int64)
        examples: list[int] = []
        for strength in range(len(ranking)):
            key = (*(numbers[strength] for numbers in rows), sum(strength >= start for start in starts))
            if key not in segment_numbers:
                segment_numbers[key] = len(examples)
                examples.append(strength)
            of_strength[strength] = segment_numbers[key]
        return of_strength, examples

    def net(self, segment: int, outcome: str, multiple: int) -> Fraction:
        """The net result of one Ante and a raise of `multiple` Antes."""
        stakes = dict.fromkeys(self.contest.wagers, 1)
        stakes[self.contest.wagers[-1]] = multiple
        strength = self.segments[1][segment]
        entries = settle_contest(self.elected, self.contest, outcome, strength, stakes, DOLLAR_IN_ANTES)
        return Fraction(sum(entry.net for entry in entries))

    @cached_property
    def _nets(self) -> Mapping[tuple[str, int], list[Fraction]]:
        """Net results for each segment, by outcome and multiple.

        A raise that a hand does not permit is worse than any fold, so it is never chosen.
        """
        return {
            (outcome, multiple): [
                self.net(segment, outcome, multiple)
                if self.allows(segment, multiple)
                else Fraction(FORBIDDEN_RAISE_ANTES)
                for segment in range(len(self.segments[1]))
            ]
            for outcome in self.outcomes
            for multiple in self.choices
        }

    @cached_property
    def scale(self) -> int:
        """The common denominator of all net results; refuses results whose sums would overflow."""
        scale = common_denominator(net for nets in self._nets.values() for net in nets)
        largest = max(abs(net) for nets in self._nets.values() for net in nets)
        require_fit(max(largest, Fraction(self.base)) * self._max_deals_per_class, scale)
        return scale

    @cached_property
    def _max_deals_per_class(self) -> int:
        """The most deals that a kernel sums in one word: every dealer hand against every hand of a suit class."""
        player, dealer = (ranking_named(n).cards for n in (self.contest.player_ranking, self.contest.dealer_ranking))
        return comb(52 - player, dealer) * factorial(SUIT_COUNT)

    @property
    def outcomes(self) -> tuple[str, ...]:
        return OUTCOMES if self.contest.qualifies else OUTCOMES[1:]

    def table(self, multiple: int, outcome: str) -> Array:
        """Net results times `scale`, for each strength, int64."""
        nets: Array = self.nets(outcome, multiple)[self.segments[0]]
        return nets

    def nets(self, outcome: str, multiple: int) -> Array:
        """Net results times `scale`, for each segment, int64; a forbidden raise is worse than any fold."""
        return scale_to_integers(self._nets[outcome, multiple], self.scale)
