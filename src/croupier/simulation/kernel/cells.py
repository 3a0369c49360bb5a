"""The net result of every cell of a group in cents, from the settlement that the table uses.

The simulator reproduces the table, so each wager is rounded to cents; the exact analysis does not round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from croupier.analysis.wagers import REQUIRED
from croupier.core.errors import InputError, InvariantError
from croupier.hands.lookup_tables import Array
from croupier.progressive.meters import SettlementMeters, new_meter
from croupier.regulations.payouts import OfMeter
from croupier.simulation.kernel.plan import (
    OUTCOMES,
    BoardGroup,
    ContestGroup,
    EnvyGroup,
    Group,
    LosingGroup,
    Plan,
    TableGroup,
    forfeited_wagers,
)
from croupier.table.settlement import (
    RankedHand,
    SeatSettlement,
    SettlementEntry,
    amounts_due,
    can_occur,
    round_to_cents,
)

MAX_ROUND_CENTS = 3_000_000_000
"""Largest net result of a round over all seats, in cents: larger squares would overflow 64 bits."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A payment from a meter."""

    wager: str
    table: str
    payout: OfMeter


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of one group: the net result in cents and the row name, by wager."""

    group: Group
    nets: Mapping[str, Array]
    """int64 [cells] by wager; the required wagers and their bonuses are combined"""
    staked: Array
    """int64 [cells]: cents of all wagers of the group"""
    rows: Mapping[str, tuple[str, ...]]
    """For each wager the name of every cell: the paytable row, or the outcome of the contest."""
    hits: Mapping[int, tuple[Hit, ...]]
    """The cells that pay from a meter."""

    @cached_property
    def net(self) -> Array:
        """int64 [cells]: all wagers of the group combined."""
        total: Array = np.zeros(len(self.staked), dtype=np.int64)
        for nets in self.nets.values():
            total += nets
        return total


def build_cells(plan: Plan) -> tuple[Cells, ...]:
    """The cells of every group, in order."""
    all_cells = tuple(_CellBuilder(plan).cells(group) for group in plan.groups)
    max_net = sum(int(np.abs(cells.net).max()) for cells in all_cells) * plan.bets.seats
    if max_net > MAX_ROUND_CENTS:
        raise InputError("wager", "wagers of this size could win more in a round than the simulator can count")
    return all_cells


class _CellBuilder:
    """Builds cells with the settlement of a plan's table."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.bets = plan, plan.bets
        self.elected = plan.bets.elected
        self.forfeited = [
            name
            for name in forfeited_wagers(plan.bets)
            if name in (*plan.bets.stakes, *plan.bets.elected.edition.required)
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
        raise InvariantError(f"{group.name} is a group of an unknown kind")

    def _settlement(self, raises: Mapping[str, int] | None = None, *, folded: bool = False) -> SeatSettlement:
        new_meters = {name: new_meter(plan) for name, plan in self.bets.plans.items()}
        meters = SettlementMeters(new_meters, self.bets.setup.choice("reserve"))
        round_ = self.bets.round(raises, folded=self.forfeited if folded else None)
        return SeatSettlement(self.bets.setup, round_, self.bets.seats, meters)

    def _contest(self, group: ContestGroup) -> Cells:
        contest, ante = group.contest, self.bets.ante
        base = 1 + len(self.elected.edition.placed_with(REQUIRED))
        nets, staked, rows = [], [], []
        for strength in group.segments.examples:
            player = RankedHand(strength, "")
            for outcome in OUTCOMES:
                for multiple in group.choices:
                    if not multiple:
                        nets.append(-base * ante)
                        staked.append(base * ante)
                        rows.append("fold")
                        continue
                    seat_settlement = self._settlement({contest.wagers[-1]: multiple * ante})
                    is_possible = can_occur(self.elected, contest, outcome, strength)
                    entries = seat_settlement.contest_entries(contest, outcome, player) if is_possible else ()
                    nets.append(sum(_gain(entry) for entry in entries))
                    staked.append((base + multiple) * ante)
                    rows.append(f"{outcome}_{multiple}x")
        return _cells(group, {REQUIRED: nets}, staked, {REQUIRED: rows}, {})

    def _board(self, group: BoardGroup) -> Cells:
        ante, table = self.bets.ante, self.elected.paytable(group.tables[REQUIRED])
        street_wagers = group.street_wagers
        base = [wager for wager in group.wagers if wager not in street_wagers]
        nets, staked, rows = [], [], []
        for strength in group.segments.examples:
            row = table.row_of(strength)
            for path in group.paths:
                stakes = {wager: multiple * ante for wager, multiple in zip(street_wagers, path, strict=False)}
                total = len(base) * ante + sum(stakes.values())
                staked.append(total)
                if len(path) < len(street_wagers):
                    nets.append(-total)
                    rows.append("fold")
                    continue
                seat_settlement = self._settlement(stakes)
                live_wagers = [wager for wager in group.wagers if wager in base or stakes[wager]]
                entries = [
                    seat_settlement.row_entry(wager, table, row, RankedHand(strength, "")) for wager in live_wagers
                ]
                nets.append(sum(_gain(entry) for entry in entries))
                rows.append(row.hand if row else "all_others")
        return _cells(group, {REQUIRED: nets}, staked, {REQUIRED: rows}, {})

    def _tables(self, group: TableGroup) -> Cells:
        nets: dict[str, list[int]] = {wager: [] for wager in group.wagers}
        rows: dict[str, list[str]] = {wager: [] for wager in group.wagers}
        staked: list[int] = []
        hits: dict[int, list[Hit]] = {}
        for cell, (strength, is_primary, folded) in enumerate(self._table_cells(group)):
            for settlement in group.settlements:
                wager = settlement.wager
                name = settlement.table_name if is_primary else settlement.otherwise
                table = self.elected.paytable(name)
                row, seat_settlement = table.row_of(strength), self._settlement(folded=folded)
                if folded and wager in self.forfeited:
                    nets[wager].append(-self.bets.stakes[wager])
                    rows[wager].append("forfeit")
                    continue
                entry = seat_settlement.row_entry(wager, table, row, RankedHand(strength, ""))
                nets[wager].append(_gain(entry))
                suffix = f"_with_a_{settlement.decided_by[1]}" if settlement.decided_by and is_primary else ""
                rows[wager].append((row.hand if row else "all_others") + suffix)
                if row is not None and isinstance(row.pays, OfMeter):
                    hits.setdefault(cell, []).append(Hit(wager, table.name, row.pays))
            staked.append(sum(self.bets.stakes[wager] for wager in group.wagers))
        return _cells(group, nets, staked, rows, hits)

    def _table_cells(self, group: TableGroup) -> Iterator[tuple[int, bool, bool]]:
        """For each cell: strength, whether the wager's primary paytable applies, and whether the seat folded."""
        for strength in group.segments.examples:
            for is_primary in (True,) if group.by_rank is None else (False, True):
                for folded in (False, True) if group.by_fold else (False,):
                    yield strength, is_primary, folded

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
                nets.append(_gain(self._settlement().row_entry(wager, table, row, RankedHand(strength or 0, ""))))
                rows.append(row.hand if row else "all_others")
        return _cells(group, {wager: nets}, [stake] * len(nets), {wager: rows}, {})

    def _envy(self, group: EnvyGroup) -> Cells:
        """The Envy Bonus that a hand earns each other seat."""
        stake = self.bets.stakes[group.on]
        table = self.elected.envy_table(group.name, stake // 100)
        nets, rows = [], []
        for strength in group.segments.examples:
            row = table.row_of(strength)
            for folded in (False, True):
                has_envy_hand = self._settlement(folded=folded).has_envy_hand()
                bonus = amounts_due(row.pays, stake)[1] if row is not None and has_envy_hand else 0
                nets.append(round_to_cents(bonus, self.bets.setup.odd_cents))
                rows.append(row.hand if row is not None and has_envy_hand else "all_others")
        return _cells(group, {group.name: nets}, [0] * len(nets), {group.name: rows}, {})


def _cells(
    group: Group,
    nets: Mapping[str, list[int]],
    staked: list[int],
    rows: Mapping[str, list[str]],
    hits: Mapping[int, list[Hit]],
) -> Cells:
    if len(staked) != group.cells:
        raise InvariantError(f"{group.name} has {group.cells} cells, but {len(staked)} were built")
    return Cells(
        group,
        {wager: np.array(cents, dtype=np.int64) for wager, cents in nets.items()},
        np.array(staked, dtype=np.int64),
        {wager: tuple(names) for wager, names in rows.items()},
        {cell: tuple(cell_hits) for cell, cell_hits in hits.items()},
    )


def _gain(entry: SettlementEntry) -> int:
    return entry.returned + entry.paid - entry.staked
