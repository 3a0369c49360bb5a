"""A played day: every figure of the report is derived a second time, from the driver's events and the movements."""

from __future__ import annotations

from collections import defaultdict
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
    DAY,
    HOUR,
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
from tests.progressive import rounds as with_meters
from tests.storage.rounds import StoredDriver, setup_of

DANA, FLO, CASH = Actor("Dana", Role.DEALER), Actor("Flo", Role.FLOORPERSON), Actor("Cash", Role.ACCOUNTING)
MORGAN = Actor("Morgan", Role.SHIFT_MANAGER)
FIRST = gaming_day_at(1_700_000_000_000, start_hour=6, offset_minutes=-300)
SECOND = GamingDay(FIRST.end, FIRST.end + DAY)
NAME = "table 1"


class Timed(StoredDriver):
    """A driver whose commands happen by its own clock."""

    clock = FIRST.end - HOUR  # so late that the cards are not due for a change on the second day

    def send(self, command: c.Command) -> tuple[Event, ...]:
        self.clock += 1_000
        return super().send(replace(command, at=self.clock))


class House:
    """A table with meters and electronic wagers that is played on two days."""

    def __init__(self, store: Store) -> None:
        self.store, self.count = store, 0
        store.create(with_meters.setup_with_meters("pa-641a"), at=FIRST.start)
        self.driver, self.automation = Timed(store, NAME), Automation(SeededShuffle("day"))
        self.driver.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))

    def seat(self, seat: int, cash: int, at_the_cage: int) -> None:
        patron = f"Pat {seat}"
        self.driver.send(c.Sit(by=SYSTEM, at=0, patron=patron, seats=(seat,)))
        self.driver.send(c.BuyIn(by=DANA, at=0, patron=patron, amount=cash))
        self.driver.send(c.BuyIn(by=CASH, at=0, patron=patron, amount=at_the_cage))
        self.driver.send(c.FundAccount(by=SYSTEM, at=0, patron=patron, amount=100_00))

    def play(self, count: int) -> None:
        for _ in range(count):
            with_meters.play_round(self.driver, self.automation, 3)
            self.automation.advance(self.driver, at=0)

    def move(self, kind: str, by: Actor, second: Actor, cents: int) -> None:
        self.count += 1
        self.driver.clock += 1_000
        create_request(
            self.store, identifier=str(self.count), at=self.driver.clock, kind=kind, by=by, cents=cents, table=NAME
        )
        assert approve(self.store, str(self.count), by=second, at=self.driver.clock).refusal is None


@pytest.fixture
def played(store: Store) -> House:
    """Two days; the closing count of the first is $3 short, its drop $5 over, and a payment was corrected."""
    house = House(store)
    house.move("opening_inventory", DANA, FLO, 9_000_00)
    for seat in (1, 2, 3):
        house.seat(seat, cash=400_00, at_the_cage=900_00)
    house.play(15)
    house.move("fill", FLO, CASH, 500_00)
    house.move("fill", FLO, MORGAN, 250_00)
    house.play(5)
    house.move("credit", FLO, CASH, 125_00)
    correct(house)
    tray = house.driver.table.tray
    house.move("closing_inventory", DANA, FLO, 9_000_00 + 750_00 - 125_00 - 3 * 400_00 + tray - 3_00)
    house.move("drop", CASH, MORGAN, 3 * 400_00 + 5_00)
    house.driver.clock = SECOND.start
    house.driver.send(c.BuyIn(by=DANA, at=0, patron="Pat 1", amount=77_00))
    house.play(4)
    return house


def correct(house: House) -> None:
    """The Ante of seat 1 in the last round is paid a dollar more."""
    last = house.driver.table.history[-1]
    entry = next(entry for entry in last.entries if (entry.seat, entry.wager) == (1, "ante"))
    house.driver.send(
        c.CorrectPayment(
            by=FLO,
            at=0,
            round=last.number,
            seat=1,
            wager="ante",
            returned=entry.returned,
            paid=entry.paid + 1_00,
            reason="x",
        )
    )


def on(day: GamingDay, house: House) -> list[Event]:
    return [event for event in house.driver.events if day.start <= event.at < day.end]


def test_a_tables_day_is_what_was_moved_and_settled(played: House) -> None:
    (table,) = build_report(played.store, FIRST).tables
    before = played.store.record(NAME)
    after = replace(before, events=tuple(on(FIRST, played))).table()
    assert after.tray != 0
    expected = 9_000_00 + 750_00 - 125_00 - 1_200_00 + after.tray
    assert table == TableDay(
        NAME, 9_000_00, 750_00, 125_00, expected - 3_00, 1_205_00, 1_200_00, after.tray, after.fund
    )
    assert (table.expected_closing, table.variance, table.drop_variance) == (expected, -3_00, 5_00)
    win = (expected - 3_00) - 9_000_00 - 750_00 + 125_00 + 1_205_00
    assert table.win == win == after.tray - 3_00 + 5_00, "what the settlements brought, and both variances"
    assert table.hold == Fraction(win, 1_205_00)


def test_a_day_without_a_count_has_no_win_yet(played: House) -> None:
    (table,) = build_report(played.store, SECOND).tables
    before = replace(played.store.record(NAME), events=tuple(on(FIRST, played))).table()
    now = played.driver.table
    assert table == TableDay(NAME, 0, 0, 0, None, 0, 77_00, now.tray - before.tray, now.fund - before.fund)
    assert (table.win, table.hold, table.variance) == (None, None, None)
    assert table.expected_closing == -77_00 + now.tray - before.tray


@pytest.mark.parametrize("day", [FIRST, SECOND])
def test_handle_and_win_of_every_wager_and_paytable(played: House, day: GamingDay) -> None:
    sums: dict[str, list[int]] = defaultdict(lambda: [0] * 6)
    for event in on(day, played):
        if isinstance(event, e.WagerSettled):
            given = event.returned + event.paid
            if event.account:
                figures = [1, 0, 0, 0, event.staked, given]
            elif event.meter:
                figures = [1, event.staked, 0, 0, 0, given]
            else:
                figures = [1, event.staked, event.returned, event.paid, 0, 0]
            sums[event.wager] = [one + more for one, more in zip(sums[event.wager], figures, strict=True)]
    if day == FIRST:
        sums["ante"][3] += 1_00
    setup = played.driver.table.setup
    choices = setup.elected.choices
    found = build_report(played.store, day)
    assert list(found.wagers) == [
        WagerDay(
            "pa-641a", setup.elected.edition.game, wager, choices.get(setup.game.table_of(wager), ""), *sums[wager]
        )
        for wager in sorted(sums)
    ]
    assert any(one.fund_handle for one in found.wagers), "electronic wagers were made"
    assert any(one.letter == "A" for one in found.wagers)
    (table,) = found.tables
    assert sum(one.win for one in found.wagers) == table.settled, "rounds were over at both ends of the day"
    assert sum(one.fund_win for one in found.wagers) == table.fund
    ante = next(one for one in found.wagers if one.wager == "ante")
    assert ante.hold == Fraction(ante.handle - ante.returned - ante.paid, ante.handle)


def test_days_before_and_after_are_empty(played: House) -> None:
    before = build_report(played.store, GamingDay(FIRST.start - DAY, FIRST.start))
    assert (before.tables, before.wagers) == ((), ()), "the table was not there yet"
    (later,) = build_report(played.store, GamingDay(SECOND.end, SECOND.end + DAY)).tables
    assert later == TableDay(NAME, 0, 0, 0, None, 0, 0, 0, 0)


def test_a_record_in_its_archive_is_asked_for(store: Store, tmp_path_factory: pytest.TempPathFactory) -> None:
    store.create(setup_of("one"), at=0)
    driver = Timed(store, "one")
    driver.send(c.ReceiveCards(by=SYSTEM, at=0, decks=(1,)))
    driver.send(c.CloseTable(by=SYSTEM, at=0))
    store.close_table("one")
    archive(store, tmp_path_factory.mktemp("archive"), now=SECOND.end, retention=Retention(archive_after_days=0))
    with pytest.raises(RuleViolation, match="the record of table one is in the archive"):
        build_report(store, FIRST)
    assert build_report(store, SECOND).tables == ()
    assert journal.read(store) == []


@pytest.mark.parametrize(("hour", "minutes"), [(0, 0), (6, 0), (6, -300), (23, 840), (4, 330), (0, -840)])
def test_the_day_of_a_moment_by_the_local_clock(hour: int, minutes: int) -> None:
    zone = timezone(timedelta(minutes=minutes))
    for at in (0, 1, 1_700_000_000_000, FIRST.start, FIRST.start - 1, FIRST.end - 1, FIRST.end):
        day = gaming_day_at(at, start_hour=hour, offset_minutes=minutes)
        assert day.start <= at < day.end == day.start + 24 * HOUR
        start = datetime.fromtimestamp(day.start // 1_000, UTC).astimezone(zone)
        assert (start.hour, start.minute, start.second, day.start % 1_000) == (hour, 0, 0, 0)


@pytest.mark.parametrize("wrong", [{"start_hour": 24}, {"start_hour": -1}, {"offset_minutes": 841}])
def test_a_clock_that_there_is_not(wrong: dict[str, int]) -> None:
    with pytest.raises(InputError):
        gaming_day_at(0, **wrong)
