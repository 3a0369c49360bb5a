"""A game with its wagers as a plan for the compiler: which cards are drawn, read and counted together.

The plan is derived from the game's definition and the edition's tables; nothing here names a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from croupier.errors import Malformed
from croupier.games.definition import (
    COMMUNITY,
    PLAYER,
    ByLosingHand,
    ByTable,
    Cards,
    Contest,
)
from croupier.hands import Ranking, ranking_named
from croupier.hands.kernels import tables_of
from croupier.hands.tables import Array
from croupier.maths.boards import board_shape
from croupier.rules.paytables import Paytable
from croupier.simulation.bets import Bets
from croupier.simulation.layout import Layout, lay_out
from croupier.table.settlement import PER_SEAT

RANKS = "23456789TJQKA"
OUTCOMES = ("unqualified", "win", "tie", "lose")


@dataclass(frozen=True, slots=True)
class Reading:
    """Cards that are read by a ranking. A hand that several wagers are on is read once."""

    ranking: str
    cards: Cards

    @property
    def is_own(self) -> bool:
        """Whether every seat has its own."""
        return any(place in PER_SEAT for place in self.cards.places)


@dataclass(frozen=True, eq=False)
class Segments:
    """Strengths that none of some tables tells apart are one segment."""

    of_strength: Array
    """uint8 [strengths]"""
    examples: tuple[int, ...]
    """One strength of each segment."""


def segments(ranking: Ranking, tables: list[Paytable]) -> Segments:
    """The segments of a ranking's strengths under some tables."""
    tables_of(ranking)  # brings the spans of the ranking along
    seen: dict[tuple[int, ...], int] = {}
    examples: list[int] = []
    of_strength = np.zeros(len(ranking), dtype=np.uint8)
    for strength in range(len(ranking)):
        key = tuple(table.row_numbers[strength] for table in tables)
        if key not in seen:
            seen[key] = len(examples)
            examples.append(strength)
        of_strength[strength] = seen[key]
    return Segments(of_strength, tuple(examples))


@dataclass(frozen=True, eq=False)
class Group:
    """What is counted together: one cell for each segment of strengths and whatever else decides a pay."""

    name: str
    reading: Reading
    segments: Segments
    wagers: tuple[str, ...]
    tables: Mapping[str, str]
    """The table of each wager."""

    @property
    def cells(self) -> int:
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class ContestGroup(Group):
    """Cell: segment of the player's hand, outcome, choice."""

    contest: Contest
    dealer: Reading
    qualifies: int
    choices: tuple[int, ...]
    """Multiples of the Ante, the fold as 0."""
    game: str

    @property
    def cells(self) -> int:
        return len(self.segments.examples) * len(OUTCOMES) * len(self.choices)


@dataclass(frozen=True, eq=False)
class BoardGroup(Group):
    """Cell: segment of the hand, and what was done on each street."""

    multiples: tuple[tuple[int, ...], ...]
    """For each street the raises that there are."""
    known: tuple[int, ...]
    """How many cards are known at each street."""
    stays: tuple[bool, ...]
    """At each street whether nobody can fold there: its raises are 0, a wager pulled back, and 1."""
    decided: tuple[str, ...]
    """The wager of each street."""

    @cached_property
    def paths(self) -> tuple[tuple[int, ...], ...]:
        """The raises made: of those who fold on each street, then of those who stay; the last raise fastest."""
        found: list[tuple[int, ...]] = []
        reached: list[tuple[int, ...]] = [()]
        for street, stays in zip(self.multiples, self.stays, strict=True):
            found += [] if stays else reached
            reached = [(*path, raised) for path in reached for raised in street]
        return (*found, *reached)

    @property
    def cells(self) -> int:
        return len(self.segments.examples) * len(self.paths)


@dataclass(frozen=True, eq=False)
class TableGroup(Group):
    """Cell: segment of the hand, whether a card of some rank decides, and whether the seat folded."""

    settlements: tuple[ByTable, ...]
    by_rank: int | None
    by_place: str
    by_fold: bool

    @property
    def cells(self) -> int:
        return len(self.segments.examples) * (1 if self.by_rank is None else 2) * (2 if self.by_fold else 1)


@dataclass(frozen=True, eq=False)
class LosingGroup(Group):
    """Cell: segment of the losing hand (after one for ties), and whether the seat folded."""

    settlement: ByLosingHand
    by_fold: bool

    @property
    def cells(self) -> int:
        return (len(self.segments.examples) + 1) * (2 if self.by_fold else 1)


@dataclass(frozen=True, eq=False)
class EnvyGroup(Group):
    """Cell: segment of the holder's hand, and whether he folded."""

    on: str

    @property
    def cells(self) -> int:
        return len(self.segments.examples) * 2


@dataclass(frozen=True, eq=False)
class Plan:
    """All that the compiler needs to know of a game with its wagers."""

    bets: Bets
    layout: Layout
    groups: tuple[Group, ...]

    @property
    def required(self) -> ContestGroup | BoardGroup:
        found = self.groups[0]
        if not isinstance(found, ContestGroup | BoardGroup):
            raise Malformed("", f"how {self.bets.elected.edition.title} is decided is not known to the simulator")
        return found

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Where the cells of each group start, and the end of the last."""
        return tuple(int(n) for n in np.cumsum([0, *(group.cells for group in self.groups)]))


def make_plan(bets: Bets) -> Plan:
    """The plan of a game with its wagers."""
    layout = lay_out(bets)
    return Plan(bets, layout, (_required(bets), *_optional(bets, layout), *_envies(bets)))


def forfeits(bets: Bets) -> tuple[str, ...]:
    """The wagers that a fold forfeits, as the table has it."""
    from croupier.table.evolve import new_table
    from croupier.table.playing import forfeited_by_fold

    return forfeited_by_fold(new_table(bets.setup))


def _required(bets: Bets) -> Group:
    elected, game = bets.elected, bets.setup.game
    edition = elected.edition
    shape = board_shape(elected)
    if shape is not None:
        settled = [s for s in game.settlements if isinstance(s, ByTable) and s.wager in edition.required]
        table = elected.paytable(settled[0].table_name)
        return BoardGroup(
            "ante",
            Reading(table.ranking.name, settled[0].cards),
            segments(table.ranking, [table]),
            tuple(s.wager for s in settled),
            {s.wager: s.table_name for s in settled},
            shape.choices,
            shape.known,
            shape.stays,
            tuple(street.wager for street in game.streets),
        )
    contest = game.contest
    if contest is None or len(game.streets) != 1:
        raise Malformed("", f"how {edition.title} is decided is not known to the simulator")
    from croupier.maths.payoffs import Payoffs, tables_of_contest

    player, dealer = ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking)
    tables_of(dealer)
    names = tables_of_contest(contest)
    return ContestGroup(
        "ante",
        Reading(contest.player_ranking, contest.player),
        segments(player, [elected.paytable(name) for name in names]),
        contest.wagers,
        {},
        contest,
        Reading(contest.dealer_ranking, contest.dealer),
        dealer.span(contest.qualifies).start if contest.qualifies else 0,
        (0, *Payoffs(elected, contest).choices),
        game.name,
    )


def _optional(bets: Bets, layout: Layout) -> list[Group]:
    elected, contest, gone = bets.elected, bets.setup.game.contest, forfeits(bets)
    together: dict[tuple[Reading, tuple[str, str] | None], list[ByTable]] = {}
    found: list[Group] = []
    for settlement in bets.setup.game.settlements:
        if isinstance(settlement, Contest) or settlement.wager in elected.edition.required:
            continue
        if settlement.wager not in bets.stakes:
            continue
        table = elected.paytable(settlement.table_name)
        if isinstance(settlement, ByTable):
            key = (Reading(table.ranking.name, settlement.cards), settlement.decided_by)
            together.setdefault(key, []).append(settlement)
        elif contest is not None:
            reading = Reading(contest.player_ranking, contest.player)
            wager = settlement.wager
            parts = segments(ranking_named(contest.player_ranking), [table])
            found.append(LosingGroup(wager, reading, parts, (wager,), {wager: table.name}, settlement, wager in gone))
    for (reading, decided_by), settled in together.items():
        names = [name for s in settled for name in (s.table_name, s.otherwise) if name]
        tables = [elected.paytable(name) for name in dict.fromkeys(names)]
        if any(table.ranking.name != reading.ranking for table in tables):
            raise Malformed("", f"{settled[0].wager} is paid by tables on different rankings")
        wagers = tuple(s.wager for s in settled)
        place, rank = decided_by if decided_by else ("", "")
        found.append(
            TableGroup(
                "_".join(wagers) if len(wagers) == 1 else f"{wagers[0]}_and_more",
                reading,
                segments(ranking_named(reading.ranking), tables),
                wagers,
                {s.wager: s.table_name for s in settled},
                tuple(settled),
                RANKS.index(rank) if rank else None,
                (place if layout.at(place, 0) else COMMUNITY) if place else "",
                any(wager in gone for wager in wagers),
            )
        )
    return found


def _envies(bets: Bets) -> list[Group]:
    if bets.seats == 1:
        return []
    found: list[Group] = []
    for name, envy in bets.elected.edition.envies.items():
        if envy.on in bets.stakes:
            table = bets.elected.envy_table(name, bets.stakes[envy.on] // 100)
            reading = Reading(table.ranking.name, Cards((PLAYER,)))
            parts = segments(table.ranking, [table])
            found.append(EnvyGroup(name, reading, parts, (name,), {name: name}, envy.on))
    return found
