"""The plan for code generation: the cards to draw, the hands to evaluate, the wagers to count in one group.

It is derived from the game's definition and the edition's paytables; no game is named here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from croupier.analysis.boards.solution import board_shape
from croupier.core.errors import InputError
from croupier.games.definition import (
    COMMUNITY,
    DEALER,
    DISCARD,
    PLAYER,
    ByLosingHand,
    ByTable,
    Cards,
    Contest,
)
from croupier.hands import Ranking, ranking_named
from croupier.hands.kernels import tables_of
from croupier.hands.lookup_tables import Array
from croupier.regulations.paytables import Paytable
from croupier.simulation.bets import BetPlan
from croupier.table.settlement import PER_SEAT


@dataclass(frozen=True, slots=True)
class CardLayout:
    """The positions of the drawn cards: common cards first, then seat by seat."""

    common: Mapping[str, tuple[int, ...]]
    seat_places: Mapping[str, tuple[int, ...]]
    """The places of a seat, as offsets from its first card."""
    first_seat_card: int
    seat_cards: int
    cards: int
    upcard: int | None
    """The position of the dealer's upcard, if there is one."""
    positions: tuple[int | None, ...]
    """For each card from the top of the deck its drawn position; `None` for a discard."""

    def at(self, place: str, seat: int) -> tuple[int, ...]:
        """The positions of a place's cards; seats count from 0."""
        if place in self.common:
            return self.common[place]
        start = self.first_seat_card + seat * self.seat_cards
        return tuple(start + offset for offset in self.seat_places.get(place, ()))


def lay_out(bets: BetPlan) -> CardLayout:
    """The layout of the cards of a deal."""
    slots = bets.slots()
    common: dict[str, list[int]] = {}
    seat_places: dict[str, list[int]] = {}
    upcard, count = None, 0
    for slot in slots:
        if slot.place != DISCARD and slot.seat == 0:
            common.setdefault(slot.place, []).append(count)
            upcard = count if slot.place == DEALER and slot.face_up else upcard
            count += 1
    first_seat_card, seat_cards = count, 0
    for slot in slots:
        if slot.seat == 1:
            seat_places.setdefault(slot.place, []).append(seat_cards)
            seat_cards += 1
    layout = CardLayout(
        {place: tuple(offsets) for place, offsets in common.items()},
        {place: tuple(offsets) for place, offsets in seat_places.items()},
        first_seat_card,
        seat_cards,
        first_seat_card + seat_cards * bets.seats,
        upcard,
        (),
    )
    counts: dict[tuple[str, int], int] = {}
    positions: list[int | None] = []
    for slot in slots:
        if slot.place == DISCARD:
            positions.append(None)
            continue
        number = counts.get((slot.place, slot.seat), 0)
        counts[slot.place, slot.seat] = number + 1
        positions.append(layout.at(slot.place, slot.seat - 1)[number])
    return CardLayout(
        layout.common, layout.seat_places, first_seat_card, seat_cards, layout.cards, upcard, tuple(positions)
    )


RANK_LETTERS = "23456789TJQKA"
OUTCOMES = ("unqualified", "win", "tie", "lose")


@dataclass(frozen=True, slots=True)
class HandLookup:
    """Cards to evaluate with a ranking. Wagers that share a hand share its evaluation."""

    ranking: str
    cards: Cards

    @property
    def is_per_seat(self) -> bool:
        """Whether the hand differs by seat."""
        return any(place in PER_SEAT for place in self.cards.places)


@dataclass(frozen=True, eq=False)
class Segments:
    """Groups strengths that no paytable distinguishes."""

    of_strength: Array
    """uint8 [strengths]"""
    examples: tuple[int, ...]
    """One strength of each segment."""


def segments(ranking: Ranking, tables: list[Paytable]) -> Segments:
    """The segments of a ranking's strengths under some paytables."""
    tables_of(ranking)  # loads the cached spans of the ranking
    numbers: dict[tuple[int, ...], int] = {}
    examples: list[int] = []
    of_strength = np.zeros(len(ranking), dtype=np.uint8)
    for strength in range(len(ranking)):
        key = tuple(table.row_numbers[strength] for table in tables)
        if key not in numbers:
            numbers[key] = len(examples)
            examples.append(strength)
        of_strength[strength] = numbers[key]
    return Segments(of_strength, tuple(examples))


@dataclass(frozen=True, eq=False)
class Group:
    """Wagers on one hand, counted in shared cells: one per segment and whatever else decides a payout."""

    name: str
    hand: HandLookup
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
    dealer: HandLookup
    qualifies: int
    choices: tuple[int, ...]
    """Multiples of the Ante, the fold as 0."""
    game: str

    @property
    def cells(self) -> int:
        return len(self.segments.examples) * len(OUTCOMES) * len(self.choices)


@dataclass(frozen=True, eq=False)
class BoardGroup(Group):
    """Cell: segment of the hand, and the raises on each street."""

    multiples: tuple[tuple[int, ...], ...]
    """The permitted raises on each street."""
    cards_known: tuple[int, ...]
    """The number of known cards on each street."""
    pulls_back: tuple[bool, ...]
    """For each street whether a wager is pulled back (0) or rides (1), with no fold."""
    street_wagers: tuple[str, ...]
    """The wager of each street."""

    @cached_property
    def paths(self) -> tuple[tuple[int, ...], ...]:
        """The sequences of raises: those that end in a fold, by street, then complete ones; last raise fastest."""
        folded_paths: list[tuple[int, ...]] = []
        open_paths: list[tuple[int, ...]] = [()]
        for street, pulls_back in zip(self.multiples, self.pulls_back, strict=True):
            folded_paths += [] if pulls_back else open_paths
            open_paths = [(*path, raised) for path in open_paths for raised in street]
        return (*folded_paths, *open_paths)

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
    """Cell: segment of the holder's hand, and whether the holder folded."""

    on: str

    @property
    def cells(self) -> int:
        return len(self.segments.examples) * 2


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything that code generation needs to know about a game and its wagers."""

    bets: BetPlan
    layout: CardLayout
    groups: tuple[Group, ...]

    @property
    def required(self) -> ContestGroup | BoardGroup:
        group = self.groups[0]
        if not isinstance(group, ContestGroup | BoardGroup):
            raise InputError("", f"the simulator does not support the decisions of {self.bets.elected.edition.title}")
        return group

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Where the cells of each group start, and the end of the last."""
        return tuple(int(n) for n in np.cumsum([0, *(group.cells for group in self.groups)]))


def make_plan(bets: BetPlan) -> Plan:
    """The plan of a game with its wagers."""
    layout = lay_out(bets)
    return Plan(bets, layout, (_required_group(bets), *_optional_groups(bets, layout), *_envy_groups(bets)))


def forfeited_wagers(bets: BetPlan) -> tuple[str, ...]:
    """The wagers that a fold forfeits, by the table's rules."""
    from croupier.table.evolve import new_table
    from croupier.table.procedure.decisions import forfeited_by_fold

    return forfeited_by_fold(new_table(bets.setup))


def _required_group(bets: BetPlan) -> Group:
    elected, game = bets.elected, bets.setup.game
    edition = elected.edition
    shape = board_shape(elected)
    if shape is not None:
        settlements = [s for s in game.settlements if isinstance(s, ByTable) and s.wager in edition.required]
        table = elected.paytable(settlements[0].table_name)
        return BoardGroup(
            "ante",
            HandLookup(table.ranking.name, settlements[0].cards),
            segments(table.ranking, [table]),
            tuple(s.wager for s in settlements),
            {s.wager: s.table_name for s in settlements},
            shape.choices,
            shape.cards_known,
            shape.pulls_back,
            tuple(street.wager for street in game.streets),
        )
    contest = game.contest
    if contest is None or len(game.streets) != 1:
        raise InputError("", f"the simulator does not support the decisions of {edition.title}")
    from croupier.analysis.payoffs import Payoffs, tables_of_contest

    player, dealer = ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking)
    tables_of(dealer)
    names = tables_of_contest(contest)
    return ContestGroup(
        "ante",
        HandLookup(contest.player_ranking, contest.player),
        segments(player, [elected.paytable(name) for name in names]),
        contest.wagers,
        {},
        contest,
        HandLookup(contest.dealer_ranking, contest.dealer),
        dealer.span(contest.qualifies).start if contest.qualifies else 0,
        (0, *Payoffs(elected, contest).choices),
        game.name,
    )


def _optional_groups(bets: BetPlan, layout: CardLayout) -> list[Group]:
    elected, contest, forfeited = bets.elected, bets.setup.game.contest, forfeited_wagers(bets)
    by_hand: dict[tuple[HandLookup, tuple[str, str] | None], list[ByTable]] = {}
    groups: list[Group] = []
    for settlement in bets.setup.game.settlements:
        if isinstance(settlement, Contest) or settlement.wager in elected.edition.required:
            continue
        if settlement.wager not in bets.stakes:
            continue
        table = elected.paytable(settlement.table_name)
        if isinstance(settlement, ByTable):
            key = (HandLookup(table.ranking.name, settlement.cards), settlement.decided_by)
            by_hand.setdefault(key, []).append(settlement)
        elif contest is not None:
            hand = HandLookup(contest.player_ranking, contest.player)
            wager = settlement.wager
            hand_segments = segments(ranking_named(contest.player_ranking), [table])
            groups.append(
                LosingGroup(wager, hand, hand_segments, (wager,), {wager: table.name}, settlement, wager in forfeited)
            )
    for (hand, decided_by), settlements in by_hand.items():
        names = [name for s in settlements for name in (s.table_name, s.otherwise) if name]
        tables = [elected.paytable(name) for name in dict.fromkeys(names)]
        if any(table.ranking.name != hand.ranking for table in tables):
            raise InputError("", f"{settlements[0].wager} is paid by paytables with different rankings")
        wagers = tuple(s.wager for s in settlements)
        place, rank = decided_by if decided_by else ("", "")
        groups.append(
            TableGroup(
                "_".join(wagers) if len(wagers) == 1 else f"{wagers[0]}_and_more",
                hand,
                segments(ranking_named(hand.ranking), tables),
                wagers,
                {s.wager: s.table_name for s in settlements},
                tuple(settlements),
                RANK_LETTERS.index(rank) if rank else None,
                (place if layout.at(place, 0) else COMMUNITY) if place else "",
                any(wager in forfeited for wager in wagers),
            )
        )
    return groups


def _envy_groups(bets: BetPlan) -> list[Group]:
    if bets.seats == 1:
        return []
    groups: list[Group] = []
    for name, envy in bets.elected.edition.envies.items():
        if envy.on in bets.stakes:
            table = bets.elected.envy_table(name, bets.stakes[envy.on] // 100)
            hand = HandLookup(table.ranking.name, Cards((PLAYER,)))
            hand_segments = segments(table.ranking, [table])
            groups.append(EnvyGroup(name, hand, hand_segments, (name,), {name: name}, envy.on))
    return groups
