"""What the required wagers of a contest come to, from the very settlement that the table uses.

Strengths that no table tells apart are one segment, so a handful of settlements stand for all.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from croupier.games.definition import Contest
from croupier.hands import ranking_named
from croupier.hands.kernels import tables_of
from croupier.hands.tables import Array
from croupier.rules import Elected
from croupier.table.settlement import Read, SeatSettlement
from croupier.table.setup import Setup
from croupier.table.state import Round

UNIT = 1000
"""Cents of the Ante that a settlement is asked about: large enough that no odds leave a fraction."""
OUTCOMES = ("unqualified", "win", "tie", "lose")


@dataclass(frozen=True, eq=False)
class Payoffs:
    """Net results per Ante of a contest, by segment of strengths, outcome and size of the raise."""

    elected: Elected
    contest: Contest

    @cached_property
    def choices(self) -> tuple[int, ...]:
        """The multiples of the Ante that can be raised: in between, nothing is ever better."""
        wager = self.elected.edition.wagers[self.contest.wagers[-1]]
        if wager.between is not None:
            return tuple(range(wager.between[0], wager.between[1] + 1))
        return wager.multiples

    @cached_property
    def segments(self) -> tuple[Array, list[int]]:
        """For each strength its segment, and for each segment one of its strengths."""
        ranking = ranking_named(self.contest.player_ranking)
        tables_of(ranking)  # brings the spans of the ranking along, if they were worked out before
        names = [bonus.name for bonus in self.contest.bonuses] + list(self.contest.by_table.values())
        rows = [self.elected.paytable(name).row_numbers for name in names]
        seen: dict[tuple[int, ...], int] = {}
        of_strength = np.zeros(len(ranking), dtype=np.int64)
        examples: list[int] = []
        for strength in range(len(ranking)):
            key = tuple(numbers[strength] for numbers in rows)
            if key not in seen:
                seen[key] = len(examples)
                examples.append(strength)
            of_strength[strength] = seen[key]
        return of_strength, examples

    def net(self, segment: int, outcome: str, multiple: int) -> Fraction:
        """What one Ante and a raise of so many come to."""
        player = Read(self.segments[1][segment], "")
        settlement = self._settlement(multiple)
        paid = [(bonus, entry) for bonus in self.contest.bonuses for entry in settlement.bonus(bonus, outcome, player)]
        saved = {wager for bonus, _ in paid for wager in settlement.saved_by(bonus)}
        entries = [entry for _, entry in paid]
        entries += [
            settlement.contest_wager(self.contest, wager, outcome, player, saved, "") for wager in self.contest.wagers
        ]
        return Fraction(sum(entry.returned + entry.paid - entry.staked for entry in entries), UNIT)

    def _settlement(self, multiple: int) -> SeatSettlement:
        ante, raised = self.contest.wagers
        round_ = Round(
            number=1,
            deck=1,
            dealt=(1,),
            wagers={1: {ante: UNIT, raised: multiple * UNIT}},
            patrons={1: ""},
            slots=(),
        )
        return SeatSettlement(Setup.open(self.elected), round_, 1)

    @cached_property
    def scale(self) -> int:
        """A number that makes every net result whole."""
        denominators = {
            self.net(segment, outcome, multiple).denominator
            for segment in range(len(self.segments[1]))
            for outcome in self.outcomes
            for multiple in self.choices
        }
        return int(np.lcm.reduce(list(denominators)))

    @property
    def outcomes(self) -> tuple[str, ...]:
        return OUTCOMES if self.contest.qualifies else OUTCOMES[1:]

    def table(self, multiple: int, outcome: str) -> Array:
        """Net results times `scale`, for each strength, int64."""
        nets = [int(self.net(segment, outcome, multiple) * self.scale) for segment in range(len(self.segments[1]))]
        return np.array(nets, dtype=np.int64)[self.segments[0]]
