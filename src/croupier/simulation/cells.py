"""What every cell of a group comes to in cents, asked from the very settlement that the table uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from croupier.errors import BrokenInvariant, Malformed
from croupier.hands.tables import Array
from croupier.maths.analysis import REQUIRED
from croupier.progressive.meters import Meters, new_meter
from croupier.rules.payouts import OfMeter
from croupier.simulation.plan import (
    OUTCOMES,
    BoardGroup,
    ContestGroup,
    EnvyGroup,
    Group,
    LosingGroup,
    Plan,
    TableGroup,
    forfeits,
)
from croupier.table.settlement import Entry, Read, SeatSettlement, amounts

LARGEST = 3_000_000_000
"""Cents that a whole table may win or lose in a round: squares of more would not fit a machine word."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A cell that is paid from a meter."""

    wager: str
    table: str
    payout: OfMeter


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of one group: for each wager the cents that a seat gains, and what it is called."""

    group: Group
    nets: Mapping[str, Array]
    """int64 [cells] by wager; the required wagers and their bonuses are together"""
    staked: Array
    """int64 [cells]: cents of all wagers of the group"""
    rows: Mapping[str, tuple[str, ...]]
    """For each wager the name of what every cell is: the row of its table, or how the contest ended."""
    hits: Mapping[int, tuple[Hit, ...]]
    """Cells that are paid from a meter."""

    @cached_property
    def net(self) -> Array:
        """int64 [cells]: all wagers of the group together."""
        found: Array = np.zeros(len(self.staked), dtype=np.int64)
        for nets in self.nets.values():
            found += nets
        return found


def all_cells(plan: Plan) -> tuple[Cells, ...]:
    """The cells of every group, in order."""
    found = tuple(_Asking(plan).cells(group) for group in plan.groups)
    widest = sum(int(np.abs(cells.net).max()) for cells in found) * plan.bets.seats
    if widest > LARGEST:
        raise Malformed("wager", "wagers of this size could win more in a round than the simulator can count")
    return found


class _Asking:
    """Asks the settlement of a plan's table."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.bets = plan, plan.bets
        self.elected = plan.bets.elected
        self.gone = [
            name for name in forfeits(plan.bets) if name in (*plan.bets.stakes, *plan.bets.elected.edition.required)
        ]

    def cells(self, group: Group) -> Cells:
        match group:
            case ContestGroup():
                return self._contest(group)
            case BoardGroup():
                return self._board(group)
            case TableGroup():
                return self._tables(group)
            case LosingGroup():
                return self._losing(group)
            case EnvyGroup():
                return self._envy(group)
        raise BrokenInvariant(f"{group.name} is a group of no known kind")

    def _settlement(self, raises: Mapping[str, int] | None = None, *, folded: bool = False) -> SeatSettlement:
        books = {name: new_meter(plan) for name, plan in self.bets.plans.items()}
        meters = Meters(books, self.bets.setup.choice("reserve"))
        round_ = self.bets.round(raises, folded=self.gone if folded else None)
        return SeatSettlement(self.bets.setup, round_, self.bets.seats, meters)

    def _contest(self, group: ContestGroup) -> Cells:
        contest, ante = group.contest, self.bets.ante
        base = 1 + len(self.elected.edition.placed_with(REQUIRED))
        nets, staked, rows = [], [], []
        for strength in group.segments.examples:
            player = Read(strength, "")
            for outcome in OUTCOMES:
                for multiple in group.choices:
                    if not multiple:
                        nets.append(-base * ante)
                        staked.append(base * ante)
                        rows.append("fold")
                        continue
                    settled = self._settlement({contest.wagers[-1]: multiple * ante})
                    paid = [(b, e) for b in contest.bonuses for e in settled.bonus(b, outcome, player)]
                    saved = {wager for bonus, _ in paid for wager in settled.saved_by(bonus)}
                    entries = [entry for _, entry in paid]
                    # A hand below every winning row cannot win: its cell stays empty.
                    try:
                        entries += [
                            settled.contest_wager(contest, wager, outcome, player, saved, "")
                            for wager in contest.wagers
                        ]
                    except BrokenInvariant:
                        entries = []
                    nets.append(sum(_gain(entry) for entry in entries))
                    staked.append((base + multiple) * ante)
                    rows.append(f"{outcome}_{multiple}x")
        return _cells(group, {REQUIRED: nets}, staked, {REQUIRED: rows}, {})

    def _board(self, group: BoardGroup) -> Cells:
        ante, table = self.bets.ante, self.elected.paytable(group.tables[REQUIRED])
        raised = group.decided
        base = [wager for wager in group.wagers if wager not in raised]
        nets, staked, rows = [], [], []
        for strength in group.segments.examples:
            row = table.row_of(strength)
            for path in group.paths:
                stakes = {wager: multiple * ante for wager, multiple in zip(raised, path, strict=False)}
                total = len(base) * ante + sum(stakes.values())
                staked.append(total)
                if len(path) < len(raised):
                    nets.append(-total)
                    rows.append("fold")
                    continue
                settled = self._settlement(stakes)
                staying = [wager for wager in group.wagers if wager in base or stakes[wager]]
                entries = [settled.on_row(wager, table, row, Read(strength, "")) for wager in staying]
                nets.append(sum(_gain(entry) for entry in entries))
                rows.append(row.hand if row else "all_others")
        return _cells(group, {REQUIRED: nets}, staked, {REQUIRED: rows}, {})

    def _tables(self, group: TableGroup) -> Cells:
        nets: dict[str, list[int]] = {wager: [] for wager in group.wagers}
        rows: dict[str, list[str]] = {wager: [] for wager in group.wagers}
        staked: list[int] = []
        hits: dict[int, list[Hit]] = {}
        for cell, (strength, decided, folded) in enumerate(self._of_tables(group)):
            for settlement in group.settlements:
                wager = settlement.wager
                name = settlement.table_name if decided else settlement.otherwise
                table = self.elected.paytable(name)
                row, settled = table.row_of(strength), self._settlement(folded=folded)
                if folded and wager in self.gone:
                    nets[wager].append(-self.bets.stakes[wager])
                    rows[wager].append("forfeit")
                    continue
                entry = settled.on_row(wager, table, row, Read(strength, ""))
                nets[wager].append(_gain(entry))
                suffix = f"_with_a_{settlement.decided_by[1]}" if settlement.decided_by and decided else ""
                rows[wager].append((row.hand if row else "all_others") + suffix)
                if row is not None and isinstance(row.pays, OfMeter):
                    hits.setdefault(cell, []).append(Hit(wager, table.name, row.pays))
            staked.append(sum(self.bets.stakes[wager] for wager in group.wagers))
        return _cells(group, nets, staked, rows, hits)

    def _of_tables(self, group: TableGroup) -> Iterator[tuple[int, bool, bool]]:
        """Strength, whether the wager's own table pays, and whether the seat folded: cell by cell."""
        for strength in group.segments.examples:
            for decided in (True,) if group.by_rank is None else (False, True):
                for folded in (False, True) if group.by_fold else (False,):
                    yield strength, decided, folded

    def _losing(self, group: LosingGroup) -> Cells:
        wager = group.settlement.wager
        table, stake = self.elected.paytable(group.settlement.table_name), self.bets.stakes[wager]
        nets, rows = [], []
        for strength in (None, *group.segments.examples):
            row = None if strength is None else table.row_of(strength)
            for folded in (False, True) if group.by_fold else (False,):
                if folded:
                    nets.append(-stake)
                    rows.append("forfeit")
                    continue
                nets.append(_gain(self._settlement().on_row(wager, table, row, Read(strength or 0, ""))))
                rows.append(row.hand if row else "all_others")
        return _cells(group, {wager: nets}, [stake] * len(nets), {wager: rows}, {})

    def _envy(self, group: EnvyGroup) -> Cells:
        """What a holder's hand is worth to each of the others."""
        stake = self.bets.stakes[group.on]
        table = self.elected.envy_table(group.name, stake // 100)
        nets, rows = [], []
        for strength in group.segments.examples:
            row = table.row_of(strength)
            for folded in (False, True):
                holds = self._settlement(folded=folded).holds_a_hand()
                nets.append(int(amounts(row.pays, stake)[1]) if row is not None and holds else 0)
                rows.append(row.hand if row is not None and holds else "all_others")
        return _cells(group, {group.name: nets}, [0] * len(nets), {group.name: rows}, {})


def _cells(
    group: Group,
    nets: Mapping[str, list[int]],
    staked: list[int],
    rows: Mapping[str, list[str]],
    hits: Mapping[int, list[Hit]],
) -> Cells:
    if len(staked) != group.cells:
        raise BrokenInvariant(f"{group.name} has {group.cells} cells and was asked about {len(staked)}")
    return Cells(
        group,
        {wager: np.array(cents, dtype=np.int64) for wager, cents in nets.items()},
        np.array(staked, dtype=np.int64),
        {wager: tuple(names) for wager, names in rows.items()},
        {cell: tuple(found) for cell, found in hits.items()},
    )


def _gain(entry: Entry) -> int:
    return entry.returned + entry.paid - entry.staked
