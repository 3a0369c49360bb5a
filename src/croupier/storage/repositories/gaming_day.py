"""The gaming day: inventory, drop, win and hold of every table, and handle and win of every wager.

Chips that a dealer sells for cash come out of the table inventory, and the cash goes into the drop box; all other
chips are bought and cashed at the cage. So the closing inventory should be the opening inventory, plus fills, less
credits, less chips sold, plus the net result of the settlements; and the drop should equal the chips sold.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, field, replace
from fractions import Fraction

import sqlalchemy as sa

from croupier.core.errors import InputError, RuleViolation
from croupier.storage.currency import Currency
from croupier.storage.event_store import Store
from croupier.storage.ledger import Account
from croupier.storage.repositories.settlements import settlements_of
from croupier.storage.sql import schema as s
from croupier.table.model import events as e
from croupier.table.model.setup import Setup
from croupier.table.record.codec import decode_setup

HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS


@dataclass(frozen=True, slots=True)
class GamingDay:
    """A gaming day: from `start` up to but not including `end`."""

    start: int
    end: int


def gaming_day_at(at: int, *, start_hour: int = 6, offset_minutes: int = 0) -> GamingDay:
    """The gaming day of a moment. It starts at `start_hour` local time, `offset_minutes` ahead of UTC."""
    if not 0 <= start_hour <= 23:
        raise InputError("start_hour", f"{start_hour} is not an hour from 0 to 23")
    if not -14 * 60 <= offset_minutes <= 14 * 60:
        raise InputError("offset_minutes", f"{offset_minutes} is more than 14 hours from UTC")
    shift = start_hour * HOUR_MS - offset_minutes * 60_000
    start = (at - shift) // DAY_MS * DAY_MS + shift
    return GamingDay(start, start + DAY_MS)


@dataclass(frozen=True, slots=True)
class TableDay:
    """A table's figures, in cents. `closing`, and what depends on it, is `None` until the inventory is counted."""

    table: str
    opening: int
    fills: int
    credits: int
    closing: int | None
    drop: int
    sold: int
    """Chips that the dealer sold for cash: the expected drop."""
    settled: int
    """The net result of the settlements for the table inventory; negative if patrons won."""
    fund: int
    """The same for the progressive and electronic systems."""
    currency: Currency = Currency.REAL

    @property
    def expected_closing(self) -> int:
        """The expected closing inventory."""
        return self.opening + self.fills - self.credits - self.sold + self.settled

    @property
    def variance(self) -> int | None:
        """The counted inventory less the expected inventory."""
        return None if self.closing is None else self.closing - self.expected_closing

    @property
    def drop_variance(self) -> int:
        """The counted drop less the expected drop."""
        return self.drop - self.sold

    @property
    def win(self) -> int | None:
        """Closing inventory, credits and drop, less opening inventory and fills."""
        if self.closing is None:
            return None
        return self.closing - self.opening - self.fills + self.credits + self.drop

    @property
    def hold(self) -> Fraction | None:
        """Win as a fraction of the drop; `None` if there is no drop."""
        return None if self.win is None or not self.drop else Fraction(self.win, self.drop)


@dataclass(slots=True)
class WagerDay:
    """Handle and win of a wager under one paytable, in cents; the electronic and progressive fund is separate."""

    edition: str
    game: str
    wager: str
    letter: str
    """The paytable elected for it, empty if there is none to elect."""
    entries: int = 0
    handle: int = 0
    returned: int = 0
    paid: int = 0
    fund_handle: int = 0
    fund_paid: int = 0
    """Payments from the fund, including stakes returned."""
    currency: Currency = field(default=Currency.REAL, kw_only=True)

    @property
    def win(self) -> int:
        return self.handle - self.returned - self.paid

    @property
    def fund_win(self) -> int:
        return self.fund_handle - self.fund_paid

    @property
    def hold(self) -> Fraction | None:
        """Win as a fraction of the handle; `None` if nothing was staked."""
        return Fraction(self.win, self.handle) if self.handle else None


@dataclass(frozen=True, slots=True)
class GamingDayReport:
    """A gaming day of the house."""

    day: GamingDay
    tables: tuple[TableDay, ...]
    wagers: tuple[WagerDay, ...]


def build_report(store: Store, day: GamingDay) -> GamingDayReport:
    """The figures of a day, from events, ledger and journal; refused if a record it needs is archived."""
    tables, wagers = [], dict[tuple[str, ...], WagerDay]()
    with store.database.read_transaction() as connection:
        movements = _load_movements(connection, day)
        for row in connection.execute(sa.select(s.tables).order_by(s.tables.c.id)):
            if row.opened_at >= day.end:
                continue
            if row.status == "archived":
                _require_record(connection, row.id, row.name, day)
                continue
            first, last = (_first_event_since(connection, row.id, at) for at in (day.start, day.end))
            currency = Currency(row.currency)
            table_day = _load_table_day(connection, row.id, row.name, (first, last), movements[row.name])
            tables.append(replace(table_day, currency=currency))
            setup = decode_setup(json.loads(row.setup))
            numbers = (s.events.c.seq >= first) & (s.events.c.seq < last)
            for _, event in settlements_of(connection, row.id, numbers):
                _add_settlement(wagers, currency, setup, event)
    return GamingDayReport(day, tuple(tables), tuple(wagers[key] for key in sorted(wagers)))


def _require_record(connection: sa.Connection, table_id: int, name: str, day: GamingDay) -> None:
    last = connection.execute(sa.select(s.archives.c.last_at).where(s.archives.c.table_id == table_id)).scalar()
    if last is not None and last >= day.start:
        raise RuleViolation("", f"the record of table {name} is in the archive, and this gaming day needs it")


def _load_movements(connection: sa.Connection, day: GamingDay) -> dict[str, dict[str, list[int]]]:
    """Fills, credits, drops and inventories of each table by kind, in cents."""
    column = s.journal.c
    kinds = ("opening_inventory", "fill", "credit", "closing_inventory", "drop")
    query = sa.select(column.table_name, column.kind, column.data).where(
        column.kind.in_(kinds), column.at >= day.start, column.at < day.end
    )
    movements: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for row in connection.execute(query):
        movements[row.table_name][row.kind].append(int(json.loads(row.data)["cents"]))
    return movements


def _first_event_since(connection: sa.Connection, table_id: int, at: int) -> int:
    """The number of a table's first event since a time, or one above its last.

    A binary search: times never decrease.
    """
    column = s.events.c
    last = connection.execute(sa.select(sa.func.max(column.seq)).where(column.table_id == table_id)).scalar() or 0
    low, high = 1, last + 1
    while low < high:
        middle = (low + high) // 2
        query = sa.select(column.at).where(column.table_id == table_id, column.seq == middle)
        if connection.execute(query).scalar_one() < at:
            low = middle + 1
        else:
            high = middle
    return low


def _load_table_day(
    connection: sa.Connection, table_id: int, name: str, numbers: tuple[int, int], movements: dict[str, list[int]]
) -> TableDay:
    column, cents = s.ledger.c, sa.func.sum(s.ledger.c.amount)
    first, last = numbers
    query = sa.select(column.account, cents.label("cents")).where(
        column.table_id == table_id, column.seq >= first, column.seq < last
    )
    totals = {row.account: int(row.cents) for row in connection.execute(query.group_by(column.account))}
    return TableDay(
        name,
        opening=sum(movements["opening_inventory"]),
        fills=sum(movements["fill"]),
        credits=sum(movements["credit"]),
        closing=sum(movements["closing_inventory"]) if movements["closing_inventory"] else None,
        drop=sum(movements["drop"]),
        sold=-totals.get(Account.DROP.value, 0),
        settled=totals.get(Account.TRAY.value, 0),
        fund=totals.get(Account.FUND.value, 0),
    )


def _add_settlement(
    wagers: dict[tuple[str, ...], WagerDay],
    currency: Currency,
    setup: Setup,
    event: e.WagerSettled | e.PaymentCorrected,
) -> None:
    rules = setup.elected.edition
    letter = setup.choice(setup.game.table_of(event.wager))
    key = (currency.value, rules.name, event.wager, letter)
    day = wagers.setdefault(key, WagerDay(rules.name, rules.game, event.wager, letter, currency=currency))
    if isinstance(event, e.PaymentCorrected):
        returned, paid = event.returned - event.old_returned, event.paid - event.old_paid
        if event.account:
            day.fund_paid += returned + paid
        else:
            day.returned, day.paid = day.returned + returned, day.paid + paid
        return
    day.entries += 1
    if event.account:
        day.fund_handle += event.staked
    else:
        day.handle += event.staked
    if event.account or event.meter:
        day.fund_paid += event.returned + event.paid
    else:
        day.returned, day.paid = day.returned + event.returned, day.paid + event.paid
