"""The gaming-day report: every figure is derived a second time, from the session's events and the movements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction

import pytest

from croupier.core.errors import InputError, RuleViolation
from croupier.storage import Store
from croupier.storage.approvals import approve, create_request
from croupier.storage.archive import Retention, archive
from croupier.storage.repositories import journal
from croupier.storage.repositories.gaming_day import (
    DAY_MS,
    HOUR_MS,
    GamingDay,
    TableDay,
    WagerDay,
    build_report,
    gaming_day_at,
)
from croupier.table import SYSTEM, Event
from croupier.table.automation import Automation
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.procedure.shuffle import SeededShuffle
from tests.progressive import rounds as meter_rounds
from tests.storage.databases import new_sqlite_file
from tests.storage.postgres import Cluster
from tests.storage.rounds import StoredTableSession, make_setup

DANA, FLO, CASH = Actor("Dana", Role.DEALER), Actor("Flo", Role.FLOORPERSON), Actor("Cash", Role.ACCOUNTING)
MORGAN = Actor("Morgan", Role.SHIFT_MANAGER)
FIRST = gaming_day_at(1_700_000_000_000, start_hour=6, offset_minutes=-300)
SECOND = GamingDay(FIRST.end, FIRST.end + DAY_MS)
NAME = "table 1"


class TimedSession(StoredTableSession):
    """A session that stamps commands with its own clock."""

    clock = FIRST.end - HOUR_MS  # late, so that the cards need no change on the second day

    def send(self, command: c.Command) -> tuple[Event, ...]:
        self.clock += 1_000
        return super().send(replace(command, at=self.clock))


class MeteredTable:
    """A table with meters and electronic wagers, with its play and its movements of money."""

    def __init__(self, store: Store) -> None:
        self.store, self.movements = store, 0
        store.create(meter_rounds.setup_with_meters("pa-641a"), at=FIRST.start)
        self.session, self.automation = TimedSession(store, NAME), Automation(SeededShuffle("day"))
        self.session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))

    def seat(self, seat: int, cash_cents: int, cage_cents: int) -> None:
        patron = f"Pat {seat}"
        self.session.send(c.Sit(by=SYSTEM, at=0, patron=patron, seats=(seat,)))
        self.session.send(c.BuyIn(by=DANA, at=0, patron=patron, amount=cash_cents))
        self.session.send(c.BuyIn(by=CASH, at=0, patron=patron, amount=cage_cents))
        self.session.send(c.FundAccount(by=SYSTEM, at=0, patron=patron, amount=100_00))

    def play(self, count: int) -> None:
        for _ in range(count):
            meter_rounds.play_round(self.session, self.automation, 3)
            self.automation.advance(self.session, at=0)

    def move(self, kind: str, by: Actor, second: Actor, cents: int) -> None:
        self.movements += 1
        self.session.clock += 1_000
        create_request(
            self.store, identifier=str(self.movements), at=self.session.clock, kind=kind, by=by, cents=cents, table=NAME
        )
        assert approve(self.store, str(self.movements), by=second, at=self.session.clock).refusal is None


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def metered_store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    if request.param == "sqlite":
        store = Store(new_sqlite_file(tmp_path_factory.mktemp("day") / "store.db"))
    else:
        cluster: Cluster = request.getfixturevalue("cluster")
        store = Store(cluster.new_database())
    yield store
    store.close()


@pytest.fixture(scope="module")
def metered_table(metered_store: Store) -> MeteredTable:
    """A table after two days; on the first, the count is $3 short, the drop $5 over, and a payment was corrected."""
    table = MeteredTable(metered_store)
    table.move("opening_inventory", DANA, FLO, 9_000_00)
    for seat in (1, 2, 3):
        table.seat(seat, cash_cents=400_00, cage_cents=900_00)
    table.play(15)
    table.move("fill", FLO, CASH, 500_00)
    table.move("fill", FLO, MORGAN, 250_00)
    table.play(5)
    table.move("credit", FLO, CASH, 125_00)
    correct_payment(table)
    tray = table.session.table.tray
    table.move("closing_inventory", DANA, FLO, 9_000_00 + 750_00 - 125_00 - 3 * 400_00 + tray - 3_00)
    table.move("drop", CASH, MORGAN, 3 * 400_00 + 5_00)
    table.session.clock = SECOND.start
    table.session.send(c.BuyIn(by=DANA, at=0, patron="Pat 1", amount=77_00))
    table.play(4)
    return table


def correct_payment(table: MeteredTable) -> None:
    """Pays one dollar more, or less if it won, on the Ante of seat 1 in the last round."""
    last = table.session.table.history[-1]
    entry = next(entry for entry in last.entries if (entry.seat, entry.wager) == (1, "ante"))
    table.session.send(
        c.CorrectPayment(
            by=FLO,
            at=0,
            round=last.number,
            seat=1,
            wager="ante",
            old_returned=entry.returned,
            old_paid=entry.paid,
            returned=entry.returned,
            paid=abs(entry.paid - 1_00),
            reason="x",
            approved_by=MORGAN,
        )
    )


def events_on(day: GamingDay, table: MeteredTable) -> list[Event]:
    return [event for event in table.session.events if day.start <= event.at < day.end]


def test_a_tables_day_follows_from_movements_and_settlements(metered_table: MeteredTable) -> None:
    (table,) = build_report(metered_table.store, FIRST).tables
    before = metered_table.store.record(NAME)
    after = replace(before, events=tuple(events_on(FIRST, metered_table))).table()
    assert after.tray != 0
    expected = 9_000_00 + 750_00 - 125_00 - 1_200_00 + after.tray
    assert table == TableDay(
        NAME, 9_000_00, 750_00, 125_00, expected - 3_00, 1_205_00, 1_200_00, after.tray, after.fund
    )
    assert (table.expected_closing, table.variance, table.drop_variance) == (expected, -3_00, 5_00)
    win = (expected - 3_00) - 9_000_00 - 750_00 + 125_00 + 1_205_00
    assert table.win == win == after.tray - 3_00 + 5_00, "the win from settlements plus both variances"
    assert table.hold == Fraction(win, 1_205_00)


def test_a_day_without_a_closing_count_has_no_win(metered_table: MeteredTable) -> None:
    (table,) = build_report(metered_table.store, SECOND).tables
    before = replace(metered_table.store.record(NAME), events=tuple(events_on(FIRST, metered_table))).table()
    now = metered_table.session.table
    assert table == TableDay(NAME, 0, 0, 0, None, 0, 77_00, now.tray - before.tray, now.fund - before.fund)
    assert (table.win, table.hold, table.variance) == (None, None, None)
    assert table.expected_closing == -77_00 + now.tray - before.tray


@pytest.mark.parametrize("day", [FIRST, SECOND])
def test_handle_and_win_per_wager_and_paytable(metered_table: MeteredTable, day: GamingDay) -> None:
    sums: dict[str, list[int]] = defaultdict(lambda: [0] * 6)
    for event in events_on(day, metered_table):
        if isinstance(event, e.WagerSettled):
            payout = event.returned + event.paid
            if event.account:
                figures = [1, 0, 0, 0, event.staked, payout]
            elif event.meter:
                figures = [1, event.staked, 0, 0, 0, payout]
            else:
                figures = [1, event.staked, event.returned, event.paid, 0, 0]
            sums[event.wager] = [total + figure for total, figure in zip(sums[event.wager], figures, strict=True)]
    if day == FIRST:
        sums["ante"][3] += 1_00
    setup = metered_table.session.table.setup
    choices = setup.elected.choices
    report = build_report(metered_table.store, day)
    assert list(report.wagers) == [
        WagerDay(
            "pa-641a", setup.elected.edition.game, wager, choices.get(setup.game.table_of(wager), ""), *sums[wager]
        )
        for wager in sorted(sums)
    ]
    assert any(wager_day.fund_handle for wager_day in report.wagers), "electronic wagers were placed"
    assert any(wager_day.letter == "A" for wager_day in report.wagers)
    (table,) = report.tables
    assert sum(wager_day.win for wager_day in report.wagers) == table.settled, (
        "no round was in progress when the day started or ended"
    )
    assert sum(wager_day.fund_win for wager_day in report.wagers) == table.fund
    ante = next(wager_day for wager_day in report.wagers if wager_day.wager == "ante")
    assert ante.hold == Fraction(ante.handle - ante.returned - ante.paid, ante.handle)


def test_days_without_play_are_empty(metered_table: MeteredTable) -> None:
    before = build_report(metered_table.store, GamingDay(FIRST.start - DAY_MS, FIRST.start))
    assert (before.tables, before.wagers) == ((), ()), "the table did not exist yet"
    (later,) = build_report(metered_table.store, GamingDay(SECOND.end, SECOND.end + DAY_MS)).tables
    assert later == TableDay(NAME, 0, 0, 0, None, 0, 0, 0, 0)


def test_a_report_refuses_a_day_whose_record_is_archived(
    store: Store, tmp_path_factory: pytest.TempPathFactory
) -> None:
    store.create(make_setup("one"), at=0)
    session = TimedSession(store, "one")
    session.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    session.send(c.CloseTable(by=SYSTEM, at=0))
    store.close_table("one")
    archive(store, tmp_path_factory.mktemp("archive"), now=SECOND.end, retention=Retention(archive_after_days=0))
    with pytest.raises(RuleViolation, match="the record of table one is in the archive"):
        build_report(store, FIRST)
    assert build_report(store, SECOND).tables == ()
    assert journal.read(store) == []


@pytest.mark.parametrize(("hour", "minutes"), [(0, 0), (6, 0), (6, -300), (23, 840), (4, 330), (0, -840)])
def test_a_gaming_day_starts_at_its_local_hour(hour: int, minutes: int) -> None:
    zone = timezone(timedelta(minutes=minutes))
    for at in (0, 1, 1_700_000_000_000, FIRST.start, FIRST.start - 1, FIRST.end - 1, FIRST.end):
        day = gaming_day_at(at, start_hour=hour, offset_minutes=minutes)
        assert day.start <= at < day.end == day.start + 24 * HOUR_MS
        start = datetime.fromtimestamp(day.start // 1_000, UTC).astimezone(zone)
        assert (start.hour, start.minute, start.second, day.start % 1_000) == (hour, 0, 0, 0)


@pytest.mark.parametrize("settings", [{"start_hour": 24}, {"start_hour": -1}, {"offset_minutes": 841}])
def test_bad_start_hours_and_offsets_are_refused(settings: dict[str, int]) -> None:
    with pytest.raises(InputError):
        gaming_day_at(0, **settings)
