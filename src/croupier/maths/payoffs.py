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
FORBIDDEN = -1000
"""Antes that stand for a raise that the rules do not allow: more than any round can lose."""


def tables_of_contest(contest: Contest) -> list[str]:
    """The tables that the strength of the player's hand is looked up in."""
    bonuses = [bonus.name for bonus in contest.bonuses]
    return [*bonuses, *contest.by_table.values(), *contest.always_by_table.values()]


@dataclass(frozen=True, eq=False)
class Payoffs:
    """Net results per Ante of a contest, by segment of strengths, outcome and size of the raise."""

    elected: Elected
    contest: Contest

    @cached_property
    def base(self) -> int:
        """How many Antes lie before the deal: the Ante itself, and the wagers placed with it."""
        return sum(not self.elected.edition.wagers[wager].made_in_play for wager in self.contest.wagers)

    @property
    def fold(self) -> int:
        """What a fold comes to, times `scale`."""
        return -self.base * self.scale

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the choices are called, the fold first."""
        return ("fold", *("play" if self.choices == (1,) else f"{multiple}x" for multiple in self.choices))

    def allows(self, segment: int, multiple: int) -> bool:
        """Whether hands of a segment may raise so much."""
        needed = self.elected.edition.wagers[self.contest.wagers[-1]].needs_hand.get(multiple, "")
        ranking = ranking_named(self.contest.player_ranking)
        return not needed or self.segments[1][segment] >= ranking.span(needed).start

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
        rows = [self.elected.paytable(name).row_numbers for name in tables_of_contest(self.contest)]
        needed = self.elected.edition.wagers[self.contest.wagers[-1]].needs_hand.values()
        starts = sorted({ranking.span(hand).start for hand in needed})
        seen: dict[tuple[int, ...], int] = {}
        of_strength = np.zeros(len(ranking), dtype=np.int64)
        examples: list[int] = []
        for strength in range(len(ranking)):
            key = (*(numbers[strength] for numbers in rows), sum(strength >= start for start in starts))
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
        wagers = dict.fromkeys(self.contest.wagers, UNIT)
        wagers[self.contest.wagers[-1]] = multiple * UNIT
        round_ = Round(
            number=1,
            deck=1,
            dealt=(1,),
            wagers={1: wagers},
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
        return np.array(self.nets(outcome, multiple), dtype=np.int64)[self.segments[0]]

    def nets(self, outcome: str, multiple: int) -> list[int]:
        """Net results times `scale`, for each segment.

        A raise that a hand does not allow is worth less than any fold, so that nothing chooses it.
        """
        return [
            int(self.net(segment, outcome, multiple) * self.scale)
            if self.allows(segment, multiple)
            else FORBIDDEN * self.scale
            for segment in range(len(self.segments[1]))
        ]
