"""Timers: betting and decision time, idle patrons, cards due for a change, tables that close in mid-round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from croupier.client import Client, RequestFailed
from croupier.server.clock import SteadyClock
from croupier.server.config import Config, TimerSettings
from croupier.server.services import play_table
from croupier.server.tables.service import TableSettings, default_settings
from croupier.storage.currency import Currency
from croupier.storage.repositories import journal
from croupier.table import Phase
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from croupier.table.model.setup import Setup
from tests.server.accounts.services import Clock
from tests.server.servers import TEST_CONFIG, Server, expect_refusal, run_server
from tests.server.test_leaks import PATRONS, STAFFED_SETTINGS, close_betting, place_wagers, sit_down
from tests.server.watched_table import WatchedTable

MONEY = 1_000_00
CONFIG: Config = replace(TEST_CONFIG, clocks=TimerSettings(betting_seconds=20, decision_seconds=30, idle_minutes=15))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with run_server(str(tmp_path / "house.db"), CONFIG) as instance:
        yield instance


def seat_patrons(
    server: Server, *names: str, setup: Setup | None = None, settings: TableSettings | None = None
) -> tuple[str, list[Client]]:
    table = server.open_table(setup or play_table("pa-682a"), settings)
    people = [server.add_person(name, Role.PATRON, cents=MONEY) for name in names]
    for seat, person in enumerate(people, 1):
        person.sit(table, seat, chips=500_00)
    return table, people


def advance(server: Server, seconds: float) -> None:
    """Advances the clock and sweeps the timers."""
    server.clock.advance(seconds=seconds)
    server.run_on_loop(server.tables.timers.sweep())


def place_bets(client: Client, table: str, seat: int, **wagers: int) -> None:
    for name, amount in {"ante": 5_00, **wagers}.items():
        client.command(table, "PlaceWager", seat=seat, wager=name, amount=amount)


def event_kinds(server: Server, table: str) -> list[str]:
    return [type(event).__name__ for _, event in server.store.events(table)]


def test_betting_time_starts_with_the_first_wager_and_expires(server: Server) -> None:
    table, (ann, bob) = seat_patrons(server, "Ann", "Bob")
    assert ann.table(table)["clock"] is None
    place_bets(ann, table, 1)
    began = server.clock()
    assert ann.table(table)["clock"] == {"what": "betting", "at": began + 20_000, "seat": 0, "now": began}
    advance(server, 15)
    place_bets(bob, table, 2)  # does not extend the time
    assert ann.table(table)["clock"]["at"] == began + 20_000
    advance(server, 4)
    assert server.state(table)[0].phase is Phase.BETTING
    advance(server, 1)
    assert server.state(table)[0].phase is Phase.DECIDING


def test_betting_ends_when_all_patrons_are_ready(server: Server) -> None:
    table, (ann, bob, _) = seat_patrons(server, "Ann", "Bob", "Cid")
    place_bets(ann, table, 1)
    place_bets(bob, table, 2)
    assert ann.ready(table)["waiting_for"] == ["Bob"]
    assert ann.ready(table)["waiting_for"] == ["Bob"]
    assert bob.ready(table) == {"closed": True, "waiting_for": [], "seq": server.state(table)[1]}
    assert server.state(table)[0].phase is Phase.DECIDING


def test_being_ready_counts_for_one_round_only(server: Server) -> None:
    table, (ann, bob) = seat_patrons(server, "Ann", "Bob")
    for _ in range(2):
        place_bets(ann, table, 1)
        place_bets(bob, table, 2)
        assert not ann.ready(table)["closed"]
        assert bob.ready(table)["closed"]
        for seat, person in ((1, ann), (2, bob)):
            person.command(table, "Decide", seat=seat, amount=None)


def test_AMB_57_a_patron_who_does_not_decide_folds_as_the_chapter_says(server: Server) -> None:
    table, (ann, bob) = seat_patrons(server, "Ann", "Bob")
    place_bets(ann, table, 1, prime=5_00)
    place_bets(bob, table, 2)
    ann.ready(table)
    bob.ready(table)
    assert ann.table(table)["clock"]["seat"] == 1
    advance(server, 29)
    assert server.state(table)[0].round is not None
    advance(server, 1)
    folded = [event for _, event in server.store.events(table) if isinstance(event, e.Folded)]
    assert [(event.seat, event.forfeits, event.by.role) for event in folded] == [(1, ("ante",), Role.SYSTEM)]
    assert ann.table(table)["clock"]["seat"] == 2
    bob.command(table, "Decide", seat=2, amount=5_00)
    settled = [event for _, event in server.store.events(table) if isinstance(event, e.WagerSettled)]
    outcomes = {(event.seat, event.wager): event.outcome for event in settled}
    assert outcomes[1, "ante"] == "forfeit"
    assert outcomes[1, "prime"] in ("win", "lose", "push")  # 682a.11(b): settled on its merits


def test_a_decision_in_time_stops_the_clock(server: Server) -> None:
    table, (ann, bob) = seat_patrons(server, "Ann", "Bob")
    place_bets(ann, table, 1)
    place_bets(bob, table, 2)
    ann.ready(table)
    bob.ready(table)
    advance(server, 29)
    ann.command(table, "Decide", seat=1, amount=5_00)
    advance(server, 29)
    assert "Folded" not in event_kinds(server, table)
    advance(server, 1)
    assert event_kinds(server, table).count("Folded") == 1


@pytest.fixture
def guest_server(tmp_path: Path) -> Iterator[Server]:
    config = replace(CONFIG, guests=replace(CONFIG.guests, allowed=True))
    with run_server(str(tmp_path / "house.db"), config) as instance:
        yield instance


def seat_guest(server: Server, table: str, seat: int) -> Client:
    """A new guest, with play money, at a seat."""
    guest = server.anonymous_client()
    guest.guest()
    guest.sit(table, seat, chips=100_00)
    return guest


def play_money_table(server: Server) -> str:
    """One of the tables that a house with guests opens for them."""
    name = play_table("pa-682a").name
    assert server.tables.get(name).settings.currency is Currency.PLAY
    return name


def test_nobody_who_plays_alone_with_play_money_has_a_clock(guest_server: Server) -> None:
    table = play_money_table(guest_server)
    ann = seat_guest(guest_server, table, 1)
    place_bets(ann, table, 1)
    assert ann.table(table)["clock"] is None
    ann.ready(table)
    assert guest_server.state(table)[0].phase is Phase.DECIDING
    advance(guest_server, 10 * 60)
    assert ann.table(table)["clock"] is None
    assert "Folded" not in event_kinds(guest_server, table)
    # Somebody else sits down and waits: from then on there is a clock.
    seat_guest(guest_server, table, 2)
    assert ann.table(table)["clock"] == {
        "what": "decision",
        "at": guest_server.clock() + 30_000,
        "seat": 1,
        "now": guest_server.clock(),
    }
    advance(guest_server, 30)
    assert event_kinds(guest_server, table).count("Folded") == 1


def test_a_hand_abandoned_alone_is_folded_after_the_idle_time(guest_server: Server) -> None:
    table = play_money_table(guest_server)
    ann = seat_guest(guest_server, table, 1)
    place_bets(ann, table, 1)
    ann.ready(table)
    advance(guest_server, 15 * 60)
    assert "Folded" not in event_kinds(guest_server, table)
    advance(guest_server, 1)
    assert event_kinds(guest_server, table).count("Folded") == 1


def test_somebody_alone_with_real_money_has_a_clock(server: Server) -> None:
    table, (ann,) = seat_patrons(server, "Ann")
    place_bets(ann, table, 1)
    assert ann.table(table)["clock"]["what"] == "betting"


def test_AMB_57_nothing_happens_if_the_operator_elects_to_wait(server: Server) -> None:
    """At an electronic table that waits, a floorperson decides, here by voiding the round."""
    settings = replace(default_settings(CONFIG), on_time_out="wait")
    table, (ann,) = seat_patrons(server, "Ann", settings=settings)
    place_bets(ann, table, 1)
    ann.ready(table)
    seq = server.state(table)[1]
    with ann.watch(table) as messages:
        stream = iter(messages)
        first = next(stream)
        advance(server, 31)
        _fire_timer(server, table)
        second = next(stream)
        assert second["view"]["clock"]["now"] > first["view"]["clock"]["at"] == second["view"]["clock"]["at"]
        assert second["events"] == []
    assert server.state(table)[1] == seq
    floor = server.add_person("Flo", Role.FLOORPERSON)
    floor.command(table, "DecideOnTheFloor", outcome="void", reason="the patron does not answer")
    assert server.state(table)[0].round is None


def _fire_timer(server: Server, table: str) -> None:
    """Does what the timer does when it expires: these tests do not run in real time."""
    timers = server.tables.timers
    server.run_on_loop(timers._expire(table, timers._since[table][0]))


def test_AMB_57_at_a_staffed_table_consoles_are_notified_and_a_floorperson_decides(server: Server) -> None:
    table = WatchedTable(
        server, server.open_table(replace(play_table("pa-682a"), name="Table 1"), STAFFED_SETTINGS), PATRONS
    )
    try:
        sit_down(table)
        table.advance(Phase.BETTING)
        for seat in (1, 2, 3):
            place_wagers(table, seat, all_wagers=False)
        advance(server, 100)
        assert table.state.phase is Phase.BETTING  # the dealer closes the betting
        close_betting(table)
        seq = server.state(table.name)[1]
        dealer = server.add_person("Dana", Role.DEALER)
        with dealer.watch(table.name) as messages:
            stream = iter(messages)
            assert next(stream)["view"]["clock"]["what"] == "decision"
            advance(server, 31)
            _fire_timer(server, table.name)
            message = next(stream)
            assert message["view"]["clock"]["now"] >= message["view"]["clock"]["at"]
        assert server.state(table.name)[1] == seq
        table.send_accepted("Ann", "Leave", patron="Ann")
        table.send_accepted("the floorperson", "DecideOnAbsence", patron="Ann", abandoned=True, reason="left")
        assert table.state.round is not None
        assert table.state.round.abandoned == {"Ann"}
    finally:
        table.close()


def test_idle_patrons_lose_their_seat_and_their_chips_go_to_their_account(server: Server) -> None:
    table, (ann, bob) = seat_patrons(server, "Ann", "Bob")
    place_bets(ann, table, 1)
    ann.ready(table)
    advance(server, 14 * 60)  # Ann is idle, so their hand is folded
    bob.post(f"/api/tables/{quote(table)}/chips", {"amount_cents": 1_00, "key": "k"})
    ann_has = server.state(table)[0].balances["Ann"]
    advance(server, 0)
    advance(server, 2 * 60)
    advance(server, 0)
    assert server.state(table)[0].seats == {2: "Bob"}
    assert server.store.wallet("Ann") == MONEY - 500_00 + ann_has
    assert server.state(table)[0].balances.get("Ann", 0) == 0


def test_idle_minutes_of_0_disable_the_timer(tmp_path: Path) -> None:
    config = replace(CONFIG, clocks=replace(CONFIG.clocks, idle_minutes=0))
    with run_server(str(tmp_path / "house.db"), config) as server:
        table, _ = seat_patrons(server, "Ann")
        advance(server, 10_000 * 60)
        assert server.state(table)[0].seats == {1: "Ann"}


def test_a_patron_who_leaves_in_mid_round_folds_at_their_turn_and_leaves_after_it(server: Server) -> None:
    table, (ann, bob) = seat_patrons(server, "Ann", "Bob")
    place_bets(ann, table, 1)
    place_bets(bob, table, 2)
    ann.ready(table)
    bob.ready(table)
    path, seq = f"/api/tables/{quote(table)}/commands", server.state(table)[1]
    leave: dict[str, Any] = {"command": "Leave", "key": "leave", "seq": seq, "patron": "Bob"}
    assert expect_refusal(bob, "POST", path, {**leave, "seq": seq - 1}).status == 409
    assert not server.state(table)[0].leaving
    result = bob.post(path, leave)
    assert [event["event"] for event in result["events"]] == ["LeavingAnnounced"], "it is Ann's turn to decide"
    assert bob.post(path, leave)["repeated"]
    ann.command(table, "Decide", seat=1, amount=5_00)
    state = server.state(table)[0]
    assert state.round is None
    assert state.seats == {1: "Ann"}
    assert state.balances.get("Bob", 0) == 0
    assert server.store.wallet("Bob") == MONEY - 5_00
    assert not state.leaving


def test_a_patron_who_leaves_at_their_turn_folds_at_once(server: Server) -> None:
    table, (ann, bob) = seat_patrons(server, "Ann", "Bob")
    place_bets(ann, table, 1)
    place_bets(bob, table, 2)
    ann.ready(table)
    bob.ready(table)
    leave = {"command": "Leave", "key": "k", "seq": server.state(table)[1], "patron": "Ann"}
    ann.post(f"/api/tables/{quote(table)}/commands", leave)
    round_ = server.state(table)[0].round
    assert round_ is not None
    assert round_.folded == {1}
    bob.command(table, "Decide", seat=2, amount=5_00)
    assert server.state(table)[0].seats == {2: "Bob"}


def test_a_patron_who_leaves_between_rounds_takes_wagers_and_chips(server: Server) -> None:
    table, (ann,) = seat_patrons(server, "Ann")
    place_bets(ann, table, 1)
    ann.command(table, "Leave", patron="Ann")
    state = server.state(table)[0]
    assert (state.seats, state.wagers, state.balances.get("Ann", 0)) == ({}, {}, 0)
    assert server.store.wallet("Ann") == MONEY


def test_cards_due_for_a_change_are_replaced_and_the_round_continues(server: Server) -> None:
    """The deck is due while wagers are on the table: it is changed first, then the betting time ends."""
    table, (ann,) = seat_patrons(server, "Ann")
    received_count = event_kinds(server, table).count("CardsReceived")
    hours = 24
    server.clock.advance(minutes=60 * hours)
    server.run_on_loop(server.tables.timers.sweep())
    server.run_on_loop(server.tables.timers.sweep())
    assert event_kinds(server, table).count("CardsReceived") > received_count
    if 1 not in server.state(table)[0].seats:  # the sweep has removed Ann from their seat
        ann = server.new_session(_person("Ann"))
        ann.sit(table, 1, chips=100_00)
    place_bets(ann, table, 1)
    server.clock.advance(minutes=60 * hours)
    for _ in range(3):
        server.run_on_loop(server.tables.timers.sweep())
    assert server.state(table)[0].rounds == 1


def _person(name: str) -> Any:
    from croupier.server.accounts.users import Person

    return Person(name, Role.PATRON, guest=False)


def test_GAM_5_a_table_closes_after_the_round_in_progress(server: Server) -> None:
    table, (ann, bob) = seat_patrons(server, "Ann", "Bob")
    place_bets(ann, table, 1)
    place_bets(bob, table, 2)
    ann.ready(table)
    bob.ready(table)
    floor = server.add_person("Flo", Role.FLOORPERSON)
    floor.command(table, "CloseTable")
    assert ann.table(table)["closing"]
    olga = server.add_person("Olga", Role.PATRON, cents=MONEY)
    assert expect_refusal(olga, "POST", f"/api/tables/{quote(table)}/sit", {"seats": [4], "key": "k"}).status == 422
    ann.command(table, "Decide", seat=1, amount=5_00)
    bob.command(table, "Decide", seat=2, amount=None)
    state = server.state(table)[0]
    assert state.phase is Phase.CLOSED
    assert state.rounds == 1
    assert len([event for _, event in server.store.events(table) if isinstance(event, e.SeatSettled)]) == 2


def test_watchers_are_told_when_a_table_is_retired(server: Server) -> None:
    table, (ann,) = seat_patrons(server, "Ann")
    floor, manager = server.add_person("Flo", Role.FLOORPERSON), server.add_person("Mia", Role.SHIFT_MANAGER)
    path = f"/api/tables/{quote(table)}/retire"
    assert expect_refusal(manager, "POST", path, {}).status == 422
    floor.command(table, "CloseTable")
    with ann.watch(table) as messages:
        stream = iter(messages)
        next(stream)
        if any(server.state(table)[0].balances.values()):
            ann.post(f"/api/tables/{quote(table)}/chips", {"amount_cents": -500_00, "key": "k"})
        manager.post(path, {})
        with pytest.raises(RequestFailed, match="has been closed") as raised:
            list(stream)
        assert raised.value.status == 404
    assert expect_refusal(ann, "GET", f"/api/tables/{quote(table)}").status == 404
    assert expect_refusal(ann, "POST", path, {}).status == 403
    advance(server, 60)
    assert server.store.wallet("Ann") == MONEY


def test_LOG_1_a_clock_change_is_recorded(server: Server) -> None:
    before = server.tables.monotonic
    server.tables.monotonic = lambda: before() - 3_600_000
    server.run_on_loop(server.tables.timers.sweep())
    server.run_on_loop(server.tables.timers.sweep())
    entries = [entry for entry in journal.read(server.store) if entry.kind == "clock_changed"]
    assert [entry.data for entry in entries] == [{"milliseconds": 3_600_000}]
    server.tables.monotonic = before
    server.run_on_loop(server.tables.timers.sweep())
    entries = [entry for entry in journal.read(server.store) if entry.kind == "clock_changed"]
    assert [entry.data["milliseconds"] for entry in entries] == [3_600_000, -3_600_000]


@pytest.mark.parametrize("days", [2, -2])
def test_a_clock_that_jumps_does_not_change_the_gaming_day(server: Server, days: int) -> None:
    """The system clock jumps by two days while people play; events, journal and reports stay in today."""
    table, (ann,) = seat_patrons(server, "Ann")
    cash, morgan = server.add_person("Cash", Role.ACCOUNTING), server.add_person("Morgan", Role.SHIFT_MANAGER)
    today, real_monotonic = server.clock(), server.tables.monotonic
    jump = days * 86_400_000
    server.clock.time += jump
    server.tables.monotonic = lambda: real_monotonic() - jump
    ann.command(table, "PlaceWager", seat=1, wager="ante", amount=5_00)
    cash.post("/api/requests", {"id": "deposit-1", "kind": "deposit", "amount_cents": 10_00, "patron": "Ann"})
    morgan.post("/api/requests/deposit-1/approve", {})
    assert server.state(table)[0].at == today
    *_, deposit = [entry for entry in journal.read(server.store) if entry.kind == "deposit"]
    assert deposit.at == today
    server.clock.time -= jump  # somebody sets the clock right again
    server.tables.monotonic = real_monotonic
    server.clock.advance(seconds=1)
    ann.command(table, "PlaceWager", seat=1, wager="ante", amount=10_00)
    assert server.state(table)[0].at == today + 1_000, "the table is not held in the future"


def test_the_clock_follows_a_slow_drift_and_a_suspended_machine() -> None:
    system, monotonic = Clock(), Clock()
    clock = SteadyClock(system, monotonic)
    for _ in range(100):  # 150 s in all, a second and a half at a time
        system.advance(seconds=61.5)
        monotonic.advance(seconds=60)
        assert clock() == system()
        assert clock.deviation() == 0
    system.advance(minutes=600)
    monotonic.advance(minutes=600)
    assert clock() == system()
    system.advance(minutes=1)
    assert clock() == system() - 60_000
    assert clock.deviation() == 60_000
