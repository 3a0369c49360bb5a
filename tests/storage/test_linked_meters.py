"""Meters that stored tables share: exact under concurrent tables, pending wins in their turn, the journal kept."""

from __future__ import annotations

import pathlib
import threading
from fractions import Fraction

import pytest

from croupier.core.errors import InputError, RuleViolation
from croupier.progressive.links import apply_entry
from croupier.progressive.meters import new_meter
from croupier.storage import Store, reconciliation
from croupier.table import SYSTEM, Phase
from croupier.table.automation import AUTOMATABLE_STEPS, Automation
from croupier.table.model import commands as c
from croupier.table.procedure.shuffle import SeededShuffle
from tests.progressive.test_links import CLAUSE, DANA, FLO, FOUR_ACES, METER, Stacked, setup_of
from tests.storage.rounds import StoredDriver, assert_whole, sit_down, state_of


def linked(store: Store, *names: str) -> list[StoredDriver]:
    store.create_link("west", "Valley Forge", CLAUSE)
    for name in names:
        store.create(setup_of(name), at=0, link="west")
    return [StoredDriver(store, name) for name in names]


def bet_and_close(driver: StoredDriver, seats: int = 1) -> None:
    for seat in range(1, seats + 1):
        driver.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager="ante", amount=5_00))
        driver.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager=METER, amount=100))
    driver.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))


def play_to_the_end(driver: StoredDriver, automation: Automation) -> None:
    automation.advance(driver, at=0)
    while driver.table.phase is Phase.DECIDING and driver.table.round:
        seat = driver.table.round.waiting[0]
        driver.send(c.Decide(by=SYSTEM, at=0, seat=seat, amount=driver.table.round.staked(seat, "ante")))
        automation.advance(driver, at=0)


def assert_exact(store: Store) -> None:
    """The meters are what the journal alone makes of them."""
    link, journal = store.link("west")
    meters = {name: new_meter(meter.plan) for name, meter in link.meters.items()}
    for entry in journal:
        meters[entry.meter] = apply_entry(meters[entry.meter], entry)
    assert meters == link.meters
    assert all(meter.conserved for meter in meters.values())


def test_both_tables_feed_one_meter_and_see_it(store: Store, tmp_path: pathlib.Path) -> None:
    one, two = linked(store, "one", "two")
    for driver in (one, two):
        sit_down(driver, Automation(SeededShuffle("links")), seats=1)
    bet_and_close(one)
    bet_and_close(two)
    link, journal = store.link("west")
    assert link.meters[METER].display == two.table.meters[METER].display == 5_000_00 + 2 * 29
    assert [entry.table for entry in journal] == ["one", "two"]
    assert_exact(store)
    for name in ("one", "two"):
        assert_whole(store, name, tmp_path)


def test_a_refused_command_reads_no_meter(store: Store) -> None:
    """A refusal changes nothing, although the table would have read the meters first."""
    one, two = linked(store, "one", "two")
    for driver in (one, two):
        sit_down(driver, Automation(SeededShuffle("links")), seats=1)
    bet_and_close(one)
    before, seq = state_of(two.table), two.seq
    with pytest.raises(RuleViolation):
        two.send(c.Deal(by=SYSTEM, at=0))
    assert (state_of(store.table("two")), store.seq("two")) == (before, seq)


def test_prg_8_a_pending_win_locks_the_meter_and_the_next_one_waits_its_turn(where: str) -> None:
    """As in memory; but each table has a process of its own."""
    first, second = Store(where), Store(where)
    first.create_link("west", "Valley Forge", CLAUSE)
    for name in ("one", "two"):
        first.create(setup_of(name), at=0, link="west")
    one, two = StoredDriver(first, "one"), StoredDriver(second, "two")
    by_hand = Automation(Stacked(FOUR_ACES), set(AUTOMATABLE_STEPS) - {"VerifyWin", "ValidateWin", "SettleSeat"})
    for driver in (one, two):
        sit_down(driver, by_hand, seats=1)
    bet_and_close(one)
    play_to_the_end(one, by_hand)
    one.send(c.VerifyWin(by=DANA, at=0, seat=1))
    locked = first.link("west")[0].meters[METER]
    assert [claim.table for claim in locked.claims] == ["one"]
    bet_and_close(two)
    play_to_the_end(two, by_hand)
    two.send(c.VerifyWin(by=DANA, at=0, seat=1))
    two.send(c.ValidateWin(by=FLO, at=0, seat=1))
    with pytest.raises(RuleViolation, match="locked for the win at table one, seat 1, which is paid first"):
        two.send(c.SettleSeat(by=DANA, at=0, seat=1))
    one.send(c.ValidateWin(by=FLO, at=0, seat=1))
    one.send(c.SettleSeat(by=DANA, at=0, seat=1))
    two.send(c.SettleSeat(by=DANA, at=0, seat=1))
    assert one.table.owed == two.table.owed == {"Pat 1": 5_000_00 + 29}
    assert_exact(first)
    for name in ("one", "two"):
        assert not list(reconciliation.find_disagreements(first.database, name))
    first.close()
    second.close()


def test_many_tables_of_several_processes_lose_nothing(where: str) -> None:
    """Four tables, each in a thread with its own store, on one link."""
    names, rounds, seats = [f"table {number}" for number in range(4)], 3, 2
    stores = [Store(where) for _ in names]
    stores[0].create_link("west", "Valley Forge", CLAUSE)
    for name in names:
        stores[0].create(setup_of(name), at=0, link="west")
    failed: list[BaseException] = []

    def run(store: Store, name: str) -> None:
        try:
            driver, automation = StoredDriver(store, name), Automation(SeededShuffle(name))
            sit_down(driver, automation, seats)
            for _ in range(rounds):
                bet_and_close(driver, seats)
                play_to_the_end(driver, automation)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=run, args=pair) for pair in zip(stores, names, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    link, journal = stores[0].link("west")
    assert link.meters[METER].contributed == Fraction(29, 100) * 100 * len(names) * rounds * seats
    assert sum(entry.kind == "feed" for entry in journal) == len(names) * rounds
    assert_exact(stores[0])
    for name in names:
        assert not list(reconciliation.find_disagreements(stores[0].database, name))
    for store in stores:
        store.close()


def test_a_table_that_joins_later_is_known_to_every_process(where: str) -> None:
    first, second = Store(where), Store(where)
    (one,) = linked(first, "one")
    sit_down(one, Automation(SeededShuffle("links")), seats=1)
    other = StoredDriver(second, "one")
    bet_and_close(other)
    first.create(setup_of("two"), at=0, link="west")
    two = StoredDriver(second, "two")
    sit_down(two, Automation(SeededShuffle("links")), seats=1)
    bet_and_close(two)
    assert second.link("west")[0].meters[METER].display == 5_000_00 + 2 * 29
    assert_exact(first)
    first.close()
    second.close()


def test_641a_2_c_who_may_join_a_stored_link(store: Store) -> None:
    linked(store, "one")
    with pytest.raises(RuleViolation, match="a link named west already exists"):
        store.create_link("west", "Chester")
    with pytest.raises(RuleViolation, match="have different amounts or rates"):
        store.create(setup_of("two", {METER: "B"}), at=0, link="west")
    with pytest.raises(InputError, match="there is no link 'east'"):
        store.create(setup_of("two"), at=0, link="east")
    assert store.tables() == ["one"]
