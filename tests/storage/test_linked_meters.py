"""Linked meters of stored tables: exact under concurrency, pending wins paid in order, every change in the journal."""

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
from tests.progressive.test_links import CLAUSE, DANA, FLO, FOUR_ACES, METER, StackedShuffle, setup_of
from tests.storage.rounds import StoredTableSession, assert_consistent, sit_down, state_of


def open_linked_tables(store: Store, *names: str) -> list[StoredTableSession]:
    store.create_link("west", "Valley Forge", CLAUSE)
    for name in names:
        store.create(setup_of(name), at=0, link="west")
    return [StoredTableSession(store, name) for name in names]


def bet_and_close(session: StoredTableSession, seats: int = 1) -> None:
    for seat in range(1, seats + 1):
        session.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager="ante", amount=5_00))
        session.send(c.PlaceWager(by=SYSTEM, at=0, seat=seat, wager=METER, amount=100))
    session.send(c.AnnounceNoMoreBets(by=SYSTEM, at=0))


def finish_round(session: StoredTableSession, automation: Automation) -> None:
    automation.advance(session, at=0)
    while session.table.phase is Phase.DECIDING and session.table.round:
        seat = session.table.round.waiting[0]
        session.send(c.Decide(by=SYSTEM, at=0, seat=seat, amount=session.table.round.staked(seat, "ante")))
        automation.advance(session, at=0)


def assert_exact(store: Store) -> None:
    """Recomputes the meters from the journal alone."""
    link, journal = store.link("west")
    meters = {name: new_meter(meter.plan) for name, meter in link.meters.items()}
    for entry in journal:
        meters[entry.meter] = apply_entry(meters[entry.meter], entry)
    assert meters == link.meters
    assert all(meter.is_balanced for meter in meters.values())


def test_both_tables_feed_and_show_one_meter(store: Store, tmp_path: pathlib.Path) -> None:
    one, two = open_linked_tables(store, "one", "two")
    for session in (one, two):
        sit_down(session, Automation(SeededShuffle("links")), seats=1)
    bet_and_close(one)
    bet_and_close(two)
    link, journal = store.link("west")
    assert link.meters[METER].display == two.table.meters[METER].display == 5_000_00 + 2 * 29
    assert [entry.table for entry in journal] == ["one", "two"]
    assert_exact(store)
    for name in ("one", "two"):
        assert_consistent(store, name, tmp_path)


def test_a_refused_command_reads_no_meter(store: Store) -> None:
    """A refusal changes nothing, although the table reads the meters first."""
    one, two = open_linked_tables(store, "one", "two")
    for session in (one, two):
        sit_down(session, Automation(SeededShuffle("links")), seats=1)
    bet_and_close(one)
    before, seq = state_of(two.table), two.seq
    with pytest.raises(RuleViolation):
        two.send(c.Deal(by=SYSTEM, at=0))
    assert (state_of(store.table("two")), store.seq("two")) == (before, seq)


def test_prg_8_a_pending_win_locks_the_meter_until_it_is_paid(database_url: str) -> None:
    """As in memory, but with a separate store for each table."""
    first, second = Store(database_url), Store(database_url)
    first.create_link("west", "Valley Forge", CLAUSE)
    for name in ("one", "two"):
        first.create(setup_of(name), at=0, link="west")
    one, two = StoredTableSession(first, "one"), StoredTableSession(second, "two")
    automation = Automation(
        StackedShuffle(FOUR_ACES), set(AUTOMATABLE_STEPS) - {"VerifyWin", "ValidateWin", "SettleSeat"}
    )
    for session in (one, two):
        sit_down(session, automation, seats=1)
    bet_and_close(one)
    finish_round(one, automation)
    one.send(c.VerifyWin(by=DANA, at=0, seat=1))
    locked = first.link("west")[0].meters[METER]
    assert [claim.table for claim in locked.claims] == ["one"]
    bet_and_close(two)
    finish_round(two, automation)
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


def test_concurrent_tables_lose_no_contribution(database_url: str) -> None:
    """Four tables, each in a thread with its own store, on one link."""
    names, rounds, seats = [f"table {number}" for number in range(4)], 3, 2
    stores = [Store(database_url) for _ in names]
    stores[0].create_link("west", "Valley Forge", CLAUSE)
    for name in names:
        stores[0].create(setup_of(name), at=0, link="west")
    errors: list[BaseException] = []

    def run(store: Store, name: str) -> None:
        try:
            session, automation = StoredTableSession(store, name), Automation(SeededShuffle(name))
            sit_down(session, automation, seats)
            for _ in range(rounds):
                bet_and_close(session, seats)
                finish_round(session, automation)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=pair) for pair in zip(stores, names, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    link, journal = stores[0].link("west")
    assert link.meters[METER].contributed == Fraction(29, 100) * 100 * len(names) * rounds * seats
    assert sum(entry.kind == "feed" for entry in journal) == len(names) * rounds
    assert_exact(stores[0])
    for name in names:
        assert not list(reconciliation.find_disagreements(stores[0].database, name))
    for store in stores:
        store.close()


def test_every_process_sees_a_table_that_joins_later(database_url: str) -> None:
    first, second = Store(database_url), Store(database_url)
    (one,) = open_linked_tables(first, "one")
    sit_down(one, Automation(SeededShuffle("links")), seats=1)
    other = StoredTableSession(second, "one")
    bet_and_close(other)
    first.create(setup_of("two"), at=0, link="west")
    two = StoredTableSession(second, "two")
    sit_down(two, Automation(SeededShuffle("links")), seats=1)
    bet_and_close(two)
    assert second.link("west")[0].meters[METER].display == 5_000_00 + 2 * 29
    assert_exact(first)
    first.close()
    second.close()


def test_641a_2_c_who_may_join_a_stored_link(store: Store) -> None:
    open_linked_tables(store, "one")
    with pytest.raises(RuleViolation, match="a link named west already exists"):
        store.create_link("west", "Chester")
    with pytest.raises(RuleViolation, match="have different amounts or rates"):
        store.create(setup_of("two", {METER: "B"}), at=0, link="west")
    with pytest.raises(InputError, match="there is no link 'east'"):
        store.create(setup_of("two"), at=0, link="east")
    assert store.tables() == ["one"]
