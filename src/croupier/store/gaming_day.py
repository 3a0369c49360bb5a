"""The gaming day: inventory, drop, win and hold of every table, and handle and win of every wager.

Chips that a dealer sells for cash come out of the table inventory, and the cash goes into the drop box; all other
chips are bought and cashed at the cage. So the inventory should close with what it opened with, plus fills, less
credits, less chips sold, plus what the settlements brought in; and the drop should be what was sold.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import sqlalchemy as sa

from croupier.errors import Malformed, NotPermitted
from croupier.store import schema as s
from croupier.store.ledger import Account
from croupier.store.store import Store
from croupier.table import events as e
from croupier.table.codec import decode_event, decode_setup
from croupier.table.setup import Setup

HOUR = 3_600_000
DAY = 24 * HOUR


@dataclass(frozen=True, slots=True)
class Day:
    """A gaming day: from a moment on, and up to another one."""

    start: int
    end: int


def day_of(at: int, *, start_hour: int = 6, offset_minutes: int = 0) -> Day:
    """The gaming day of a moment. It starts at an hour of the clock that is so many minutes ahead of UTC."""
    if not 0 <= start_hour <= 23:
        raise Malformed("start_hour", f"{start_hour} is not an hour from 0 to 23")
    if not -14 * 60 <= offset_minutes <= 14 * 60:
        raise Malformed("offset_minutes", f"{offset_minutes} is more than 14 hours from UTC")
    shift = start_hour * HOUR - offset_minutes * 60_000
    start = (at - shift) // DAY * DAY + shift
    return Day(start, start + DAY)


@dataclass(frozen=True, slots=True)
class TableDay:
    """A table's figures, in cents. `closing` is `None` while nobody has counted, and so are what follows from it."""

    table: str
    opening: int
    fills: int
    credits: int
    closing: int | None
    drop: int
    sold: int
    """Chips that the dealer sold for cash: what should be in the drop box."""
    settled: int
    """What the settlements brought into the table inventory, less than nothing for what they took out."""
    fund: int
    """The same for the progressive and electronic systems."""

    @property
    def expected_closing(self) -> int:
        """What should be in the table inventory."""
        return self.opening + self.fills - self.credits - self.sold + self.settled

    @property
    def variance(self) -> int | None:
        """What was counted above what should be there."""
        return None if self.closing is None else self.closing - self.expected_closing

    @property
    def drop_variance(self) -> int:
        """What was in the drop box above what should be."""
        return self.drop - self.sold

    @property
    def win(self) -> int | None:
        """What is there at the end and in the drop box, above what was brought."""
        if self.closing is None:
            return None
        return self.closing - self.opening - self.fills + self.credits + self.drop

    @property
    def hold(self) -> Fraction | None:
        """Win in parts of the drop; `None` where there is no drop."""
        return None if self.win is None or not self.drop else Fraction(self.win, self.drop)


@dataclass(slots=True)
class WagerDay:
    """What was made of a wager under one paytable, in cents; what the electronic and progressive fund did is apart."""

    edition: str
    game: str
    wager: str
    letter: str
    """The paytable elected for it, empty where there is none to elect."""
    entries: int = 0
    handle: int = 0
    returned: int = 0
    paid: int = 0
    fund_handle: int = 0
    fund_paid: int = 0
    """What the fund gave, stakes returned included."""

    @property
    def win(self) -> int:
        return self.handle - self.returned - self.paid

    @property
    def fund_win(self) -> int:
        return self.fund_handle - self.fund_paid

    @property
    def held(self) -> Fraction | None:
        """Win in parts of the handle; `None` where nothing was staked."""
        return Fraction(self.win, self.handle) if self.handle else None


@dataclass(frozen=True, slots=True)
class Report:
    """A gaming day of the house."""

    day: Day
    tables: tuple[TableDay, ...]
    wagers: tuple[WagerDay, ...]


def report(store: Store, day: Day) -> Report:
    """The figures of a day, from events, ledger and journal; refused where a record it needs is in its archive."""
    tables, wagers = [], dict[tuple[str, ...], WagerDay]()
    with store.database.reading() as connection:
        moved = _journal(connection, day)
        for row in connection.execute(sa.select(s.tables).order_by(s.tables.c.id)):
            if row.opened_at >= day.end:
                continue
            if row.status == "archived":
                _require_before(connection, row.id, row.name, day)
                continue
            first, last = (_first_at(connection, row.id, at) for at in (day.start, day.end))
            tables.append(_table(connection, row.id, row.name, (first, last), moved[row.name]))
            setup = decode_setup(json.loads(row.setup))
            for event in _settlements(connection, row.id, first, last):
                _add(wagers, setup, event)
    found = tuple(wagers[key] for key in sorted(wagers))
    return Report(day, tuple(tables), found)


def _require_before(connection: sa.Connection, table_id: int, name: str, day: Day) -> None:
    last = connection.execute(sa.select(s.archives.c.last_at).where(s.archives.c.table_id == table_id)).scalar()
    if last is not None and last >= day.start:
        raise NotPermitted("", f"the record of table {name} is in its archive, and this day needs it")


def _journal(connection: sa.Connection, day: Day) -> dict[str, dict[str, list[int]]]:
    """What was brought to and from each table, kind by kind, in cents."""
    column = s.journal.c
    kinds = ("opening_inventory", "fill", "credit", "closing_inventory", "drop")
    query = sa.select(column.table_name, column.kind, column.data).where(
        column.kind.in_(kinds), column.at >= day.start, column.at < day.end
    )
    found: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for row in connection.execute(query):
        found[row.table_name][row.kind].append(int(json.loads(row.data)["cents"]))
    return found


def _first_at(connection: sa.Connection, table_id: int, at: int) -> int:
    """The number of a table's first event from a time on, or one above its last. Time never runs back at a table."""
    column = s.events.c
    known = connection.execute(sa.select(sa.func.max(column.seq)).where(column.table_id == table_id)).scalar() or 0
    low, high = 1, known + 1
    while low < high:
        middle = (low + high) // 2
        query = sa.select(column.at).where(column.table_id == table_id, column.seq == middle)
        if connection.execute(query).scalar_one() < at:
            low = middle + 1
        else:
            high = middle
    return low


def _table(
    connection: sa.Connection, table_id: int, name: str, numbers: tuple[int, int], moved: dict[str, list[int]]
) -> TableDay:
    column, cents = s.ledger.c, sa.func.sum(s.ledger.c.amount)
    first, last = numbers
    query = sa.select(column.account, cents.label("cents")).where(
        column.table_id == table_id, column.seq >= first, column.seq < last
    )
    booked = {row.account: int(row.cents) for row in connection.execute(query.group_by(column.account))}
    return TableDay(
        name,
        opening=sum(moved["opening_inventory"]),
        fills=sum(moved["fill"]),
        credits=sum(moved["credit"]),
        closing=sum(moved["closing_inventory"]) if moved["closing_inventory"] else None,
        drop=sum(moved["drop"]),
        sold=-booked.get(Account.DROP.value, 0),
        settled=booked.get(Account.TRAY.value, 0),
        fund=booked.get(Account.FUND.value, 0),
    )


def _settlements(
    connection: sa.Connection, table_id: int, first: int, last: int
) -> Iterator[e.WagerSettled | e.PaymentCorrected]:
    column = s.events.c
    kinds = (e.WagerSettled.__name__, e.PaymentCorrected.__name__)
    query = sa.select(column.data).where(
        column.table_id == table_id, column.seq >= first, column.seq < last, column.kind.in_(kinds)
    )
    for data in connection.execute(query.order_by(column.seq)).scalars():
        event = decode_event(json.loads(data))
        if isinstance(event, e.WagerSettled | e.PaymentCorrected):
            yield event


def _add(wagers: dict[tuple[str, ...], WagerDay], setup: Setup, event: e.WagerSettled | e.PaymentCorrected) -> None:
    rules = setup.elected.edition
    letter = setup.choice(setup.game.table_of(event.wager))
    key = (rules.name, event.wager, letter)
    one = wagers.setdefault(key, WagerDay(rules.name, rules.game, event.wager, letter))
    if isinstance(event, e.PaymentCorrected):
        returned, paid = event.returned - event.old_returned, event.paid - event.old_paid
        if event.account:
            one.fund_paid += returned + paid
        else:
            one.returned, one.paid = one.returned + returned, one.paid + paid
        return
    one.entries += 1
    if event.account:
        one.fund_handle += event.staked
    else:
        one.handle += event.staked
    if event.account or event.meter:
        one.fund_paid += event.returned + event.paid
    else:
        one.returned, one.paid = one.returned + event.returned, one.paid + event.paid
