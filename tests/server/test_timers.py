"""Clocks: betting and decision time, patrons who are gone, cards that are due, a table that closes in mid-round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from croupier.client import Client, RequestFailed
from croupier.server.config import Config, TimerSettings
from croupier.server.services import play_table
from croupier.server.tables.settings import TableSettings, default_settings
from croupier.storage.repositories import journal
from croupier.table import Phase
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from croupier.table.model.setup import Setup
from tests.server.pits import Pit
from tests.server.table_services import QUIET, Server, refused, serving
from tests.server.test_leaks import BY_PEOPLE, PATRONS, close, sit_down, wager

MONEY = 1_000_00
CONFIG: Config = replace(QUIET, clocks=TimerSettings(betting_seconds=20, decision_seconds=30, idle_minutes=15))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(str(tmp_path / "house.db"), CONFIG) as up:
        yield up


def at_the_table(
    server: Server, *names: str, setup: Setup | None = None, running: TableSettings | None = None
) -> tuple[str, list[Client]]:
    table = server.open(setup or play_table("pa-682a"), running)
    people = [server.person(name, Role.PATRON, cents=MONEY) for name in names]
    for seat, person in enumerate(people, 1):
        person.sit(table, seat, chips=500_00)
    return table, people


def later(server: Server, seconds: float) -> None:
    """So much time goes by, and the clocks look."""
    server.clock.later(seconds=seconds)
    server.on_loop(server.tables.timers.sweep())


def bet(client: Client, table: str, seat: int, **wagers: int) -> None:
    for name, amount in {"ante": 5_00, **wagers}.items():
        client.command(table, "PlaceWager", seat=seat, wager=name, amount=amount)


def kinds(server: Server, table: str) -> list[str]:
    return [type(event).__name__ for _, event in server.store.events(table)]


def test_betting_time_begins_with_the_first_wager_and_ends_by_itself(server: Server) -> None:
    table, (ann, bob) = at_the_table(server, "Ann", "Bob")
    assert ann.table(table)["clock"] is None
    bet(ann, table, 1)
    began = server.clock()
    assert ann.table(table)["clock"] == {"what": "betting", "at": began + 20_000, "seat": 0, "now": began}
    later(server, 15)
    bet(bob, table, 2)  # gives nobody more time
    assert ann.table(table)["clock"]["at"] == began + 20_000
    later(server, 4)
    assert server.state(table)[0].phase is Phase.BETTING
    later(server, 1)
    assert server.state(table)[0].phase is Phase.DECIDING


def test_betting_time_ends_when_nobody_wants_more(server: Server) -> None:
    table, (ann, bob, _) = at_the_table(server, "Ann", "Bob", "Cid")
    bet(ann, table, 1)
    bet(bob, table, 2)
    assert ann.ready(table)["waiting_for"] == ["Bob"]
    assert ann.ready(table)["waiting_for"] == ["Bob"]
    assert bob.ready(table) == {"closed": True, "waiting_for": [], "seq": server.state(table)[1]}
    assert server.state(table)[0].phase is Phase.DECIDING


def test_ready_for_one_round_is_not_ready_for_the_next(server: Server) -> None:
    table, (ann, bob) = at_the_table(server, "Ann", "Bob")
    for _ in range(2):
        bet(ann, table, 1)
        bet(bob, table, 2)
        assert not ann.ready(table)["closed"]
        assert bob.ready(table)["closed"]
        for seat, person in ((1, ann), (2, bob)):
            person.command(table, "Decide", seat=seat, amount=None)


def test_AMB_57_who_does_not_decide_folds_and_keeps_what_the_chapter_keeps(server: Server) -> None:
    table, (ann, bob) = at_the_table(server, "Ann", "Bob")
    bet(ann, table, 1, prime=5_00)
    bet(bob, table, 2)
    ann.ready(table)
    bob.ready(table)
    assert ann.table(table)["clock"]["seat"] == 1
    later(server, 29)
    assert server.state(table)[0].round is not None
    later(server, 1)
    folded = [event for _, event in server.store.events(table) if isinstance(event, e.Folded)]
    assert [(event.seat, event.forfeits, event.by.role) for event in folded] == [(1, ("ante",), Role.SYSTEM)]
    assert ann.table(table)["clock"]["seat"] == 2
    bob.command(table, "Decide", seat=2, amount=5_00)
    settled = [event for _, event in server.store.events(table) if isinstance(event, e.WagerSettled)]
    outcomes = {(event.seat, event.wager): event.outcome for event in settled}
    assert outcomes[1, "ante"] == "forfeit"
    assert outcomes[1, "prime"] in ("win", "lose", "push")  # 682a.11(b): settled on its merits


def test_a_decision_in_time_stops_the_clock(server: Server) -> None:
    table, (ann, bob) = at_the_table(server, "Ann", "Bob")
    bet(ann, table, 1)
    bet(bob, table, 2)
    ann.ready(table)
    bob.ready(table)
    later(server, 29)
    ann.command(table, "Decide", seat=1, amount=5_00)
    later(server, 29)
    assert "Folded" not in kinds(server, table)
    later(server, 1)
    assert kinds(server, table).count("Folded") == 1


def test_AMB_57_where_the_operator_elects_to_wait_nothing_happens(server: Server) -> None:
    """At an electronic table that waits: a floorperson decides, here by voiding the round."""
    running = replace(default_settings(CONFIG), on_time_out="wait")
    table, (ann,) = at_the_table(server, "Ann", running=running)
    bet(ann, table, 1)
    ann.ready(table)
    seq = server.state(table)[1]
    with ann.watch(table) as messages:
        said = iter(messages)
        first = next(said)
        later(server, 31)
        _wake(server, table)
        second = next(said)
        assert second["view"]["clock"]["now"] > first["view"]["clock"]["at"] == second["view"]["clock"]["at"]
        assert second["events"] == []
    assert server.state(table)[1] == seq
    floor = server.person("Flo", Role.FLOORPERSON)
    floor.command(table, "DecideOnTheFloor", outcome="void", reason="the patron does not answer")
    assert server.state(table)[0].round is None


def _wake(server: Server, table: str) -> None:
    """What the timer does when it goes off: the time in these tests goes by without it."""
    clocks = server.tables.timers
    server.on_loop(clocks._expire(table, clocks._since[table][0]))


def test_AMB_57_at_a_staffed_table_consoles_are_told_and_a_floorperson_decides(server: Server) -> None:
    pit = Pit(server, server.open(replace(play_table("pa-682a"), name="Table 1"), BY_PEOPLE), PATRONS)
    try:
        sit_down(pit)
        pit.procedure(Phase.BETTING)
        for seat in (1, 2, 3):
            wager(pit, seat, everything=False)
        later(server, 100)
        assert pit.state.phase is Phase.BETTING  # the dealer announces
        close(pit)
        seq = server.state(pit.table)[1]
        dealer = server.person("Dana", Role.DEALER)
        with dealer.watch(pit.table) as messages:
            said = iter(messages)
            assert next(said)["view"]["clock"]["what"] == "decision"
            later(server, 31)
            _wake(server, pit.table)
            told = next(said)
            assert told["view"]["clock"]["now"] >= told["view"]["clock"]["at"]
        assert server.state(pit.table)[1] == seq
        pit.must("Ann", "Leave", patron="Ann")
        pit.must("the floorperson", "DecideOnAbsence", patron="Ann", abandoned=True, reason="left")
        assert pit.state.round is not None
        assert pit.state.round.abandoned == {"Ann"}
    finally:
        pit.close()


def test_idle_patrons_get_up_and_their_chips_go_to_their_account(server: Server) -> None:
    table, (ann, bob) = at_the_table(server, "Ann", "Bob")
    bet(ann, table, 1)
    ann.ready(table)
    later(server, 14 * 60)  # Ann's hand is folded; she does nothing
    bob.post(f"/api/tables/{quote(table)}/chips", {"amount_cents": 1_00, "key": "k"})
    ann_has = server.state(table)[0].balances["Ann"]
    later(server, 0)
    later(server, 2 * 60)
    later(server, 0)
    assert server.state(table)[0].seats == {2: "Bob"}
    assert server.store.wallet("Ann") == MONEY - 500_00 + ann_has
    assert server.state(table)[0].balances.get("Ann", 0) == 0


def test_idle_minutes_of_0_are_for_ever(tmp_path: Path) -> None:
    config = replace(CONFIG, clocks=replace(CONFIG.clocks, idle_minutes=0))
    with serving(str(tmp_path / "house.db"), config) as server:
        table, _ = at_the_table(server, "Ann")
        later(server, 10_000 * 60)
        assert server.state(table)[0].seats == {1: "Ann"}


def test_who_leaves_in_mid_round_folds_at_his_turn_and_is_gone_after_it(server: Server) -> None:
    table, (ann, bob) = at_the_table(server, "Ann", "Bob")
    bet(ann, table, 1)
    bet(bob, table, 2)
    ann.ready(table)
    bob.ready(table)
    path, seq = f"/api/tables/{quote(table)}/commands", server.state(table)[1]
    leave: dict[str, Any] = {"command": "Leave", "key": "leave", "seq": seq, "patron": "Bob"}
    assert refused(bob, "POST", path, {**leave, "seq": seq - 1}).status == 409
    assert not server.state(table)[0].leaving
    answer = bob.post(path, leave)
    assert [event["event"] for event in answer["events"]] == ["LeavingAnnounced"], "it is Ann's turn"
    assert bob.post(path, leave)["repeated"]
    ann.command(table, "Decide", seat=1, amount=5_00)
    state = server.state(table)[0]
    assert state.round is None
    assert state.seats == {1: "Ann"}
    assert state.balances.get("Bob", 0) == 0
    assert server.store.wallet("Bob") == MONEY - 5_00
    assert not state.leaving


def test_who_leaves_at_his_turn_folds_at_once(server: Server) -> None:
    table, (ann, bob) = at_the_table(server, "Ann", "Bob")
    bet(ann, table, 1)
    bet(bob, table, 2)
    ann.ready(table)
    bob.ready(table)
    leave = {"command": "Leave", "key": "k", "seq": server.state(table)[1], "patron": "Ann"}
    ann.post(f"/api/tables/{quote(table)}/commands", leave)
    round_ = server.state(table)[0].round
    assert round_ is not None
    assert round_.folded == {1}
    bob.command(table, "Decide", seat=2, amount=5_00)
    assert server.state(table)[0].seats == {2: "Bob"}


def test_who_leaves_between_rounds_takes_wagers_and_chips_along(server: Server) -> None:
    table, (ann,) = at_the_table(server, "Ann")
    bet(ann, table, 1)
    ann.command(table, "Leave", patron="Ann")
    state = server.state(table)[0]
    assert (state.seats, state.wagers, state.balances.get("Ann", 0)) == ({}, {}, 0)
    assert server.store.wallet("Ann") == MONEY


def test_cards_that_are_due_are_changed_and_the_round_goes_on(server: Server) -> None:
    """Wagers lie on the table when the deck is due for a change: it is changed, and the betting time ends after it."""
    table, (ann,) = at_the_table(server, "Ann")
    received = kinds(server, table).count("CardsReceived")
    hours = 24
    server.clock.later(minutes=60 * hours)
    server.on_loop(server.tables.timers.sweep())
    server.on_loop(server.tables.timers.sweep())
    assert kinds(server, table).count("CardsReceived") > received
    if 1 not in server.state(table)[0].seats:  # the sweep stood her up meanwhile
        ann = server.again(_person("Ann"))
        ann.sit(table, 1, chips=100_00)
    bet(ann, table, 1)
    server.clock.later(minutes=60 * hours)
    for _ in range(3):
        server.on_loop(server.tables.timers.sweep())
    assert server.state(table)[0].rounds == 1


def _person(name: str) -> Any:
    from croupier.server.accounts.users import Person

    return Person(name, Role.PATRON, guest=False)


def test_GAM_5_a_table_is_closed_and_the_round_in_flight_finishes(server: Server) -> None:
    table, (ann, bob) = at_the_table(server, "Ann", "Bob")
    bet(ann, table, 1)
    bet(bob, table, 2)
    ann.ready(table)
    bob.ready(table)
    floor = server.person("Flo", Role.FLOORPERSON)
    floor.command(table, "CloseTable")
    assert ann.table(table)["closing"]
    olga = server.person("Olga", Role.PATRON, cents=MONEY)
    assert refused(olga, "POST", f"/api/tables/{quote(table)}/sit", {"seats": [4], "key": "k"}).status == 422
    ann.command(table, "Decide", seat=1, amount=5_00)
    bob.command(table, "Decide", seat=2, amount=None)
    state = server.state(table)[0]
    assert state.phase is Phase.CLOSED
    assert state.rounds == 1
    assert len([event for _, event in server.store.events(table) if isinstance(event, e.SeatSettled)]) == 2


def test_a_closed_table_is_retired_and_those_who_watch_it_are_told(server: Server) -> None:
    table, (ann,) = at_the_table(server, "Ann")
    floor, manager = server.person("Flo", Role.FLOORPERSON), server.person("Mia", Role.SHIFT_MANAGER)
    path = f"/api/tables/{quote(table)}/retire"
    assert refused(manager, "POST", path, {}).status == 422
    floor.command(table, "CloseTable")
    with ann.watch(table) as messages:
        said = iter(messages)
        next(said)
        if any(server.state(table)[0].balances.values()):
            ann.post(f"/api/tables/{quote(table)}/chips", {"amount_cents": -500_00, "key": "k"})
        manager.post(path, {})
        with pytest.raises(RequestFailed, match="has been closed") as told:
            list(said)
        assert told.value.status == 404
    assert refused(ann, "GET", f"/api/tables/{quote(table)}").status == 404
    assert refused(ann, "POST", path, {}).status == 403
    later(server, 60)
    assert server.store.wallet("Ann") == MONEY


def test_LOG_1_a_clock_that_is_set_is_noted(server: Server) -> None:
    before = server.tables.monotonic
    server.tables.monotonic = lambda: before() - 3_600_000
    server.on_loop(server.tables.timers.sweep())
    server.on_loop(server.tables.timers.sweep())
    write_journal = [entry for entry in journal.read(server.store) if entry.kind == "clock_changed"]
    assert [entry.data for entry in write_journal] == [{"milliseconds": 3_600_000}]
    server.tables.monotonic = before
