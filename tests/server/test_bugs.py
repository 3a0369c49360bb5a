"""A bug: the request that hits it gets a 500, the log has it, and other requests, tables and timers go on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from croupier.client import Client
from croupier.core.errors import InvariantError
from croupier.server.clock import JUMP_MILLISECONDS
from croupier.server.config import TimerSettings
from croupier.server.errors import SERVER_ERROR_REASON
from croupier.server.services import play_table
from croupier.server.tables import timers
from croupier.server.workers.analysis import AnalysisWorker
from croupier.storage import CommandEnvelope, Store
from croupier.table import SYSTEM, Phase
from croupier.table.model import commands as c
from croupier.table.model.events import BetsClosed, PatronSeated, WagerPlaced
from croupier.table.model.roles import Role
from tests.server.servers import TEST_CONFIG, TIMEOUT_SECONDS, Server, expect_refusal, run_server
from tests.support import break_event, run_in_thread

MONEY = 1_000_00
CONFIG = replace(TEST_CONFIG, clocks=TimerSettings(betting_seconds=1, decision_seconds=60, idle_minutes=15))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with run_server(str(tmp_path / "house.db"), CONFIG) as instance:
        yield instance


def open_tables(server: Server) -> dict[str, Client]:
    """Tables one and two, each with a patron in seat 1."""
    patrons = {}
    for name in ("one", "two"):
        server.open_table(replace(play_table("pa-682a"), name=name))
        patrons[name] = server.add_person(f"Pat {name}", Role.PATRON, cents=MONEY)
        patrons[name].sit(name, 1, chips=500_00)
    return patrons


def take_errors(server: Server) -> str:
    """The errors logged so far, which are expected and removed."""
    errors = "\n".join(server.logs.errors())
    server.logs.records.clear()
    return errors


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_command_gets_500_and_the_table_is_unchanged(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    patrons = open_tables(server)
    seq = server.state("one")[1]
    message = break_event(monkeypatch, WagerPlaced, "one")
    wager = {"command": "PlaceWager", "seat": 1, "wager": "ante", "amount": 5_00, "key": "a", "seq": seq}
    refusal = expect_refusal(patrons["one"], "POST", "/api/tables/one/commands", wager)
    assert (refusal.status, refusal.reason, refusal.clause, refusal.code) == (500, SERVER_ERROR_REASON, "", "")
    assert server.state("one")[1] == seq
    assert f"InvariantError: {message}" in take_errors(server)
    patrons["two"].command("two", "PlaceWager", seat=1, wager="ante", amount=5_00)


def test_a_request_gets_500_and_the_next_one_an_answer(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    open_tables(server)
    sam = server.add_person("Sam", Role.PATRON, cents=MONEY)
    with monkeypatch.context() as patch:
        message = break_event(patch, PatronSeated, "one")
        request = {"seats": [2], "chips_cents": 5_00, "key": "a"}
        refusal = expect_refusal(sam, "POST", "/api/tables/one/sit", request)
        assert (refusal.status, refusal.reason) == (500, SERVER_ERROR_REASON)
        errors = take_errors(server)
        assert f"InvariantError: {message}" in errors
        assert "a request failed" in errors
    sam.sit("one", 2, chips=5_00)
    assert server.state("one")[0].seats == {1: "Pat one", 2: "Sam"}


def test_a_watcher_is_refused_and_watchers_of_other_tables_are_not(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_tables(server)
    server.store.executor._tables.clear()  # so that the tables are loaded again
    message = break_event(monkeypatch, PatronSeated, "one")
    address = f"ws://127.0.0.1:{server.port}/api/tables"
    with pytest.raises(InvalidStatus) as raised, connect(f"{address}/one/watch"):
        pass
    assert raised.value.response.status_code == 500
    assert f"InvariantError: {message}" in take_errors(server)
    with connect(f"{address}/two/watch") as socket:
        assert '"table":"two"' in str(socket.recv())


def test_a_timer_acts_although_another_fails(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    patrons = open_tables(server)
    message = break_event(monkeypatch, BetsClosed, "one")
    for name, patron in patrons.items():
        patron.command(name, "PlaceWager", seat=1, wager="ante", amount=5_00)
    wait_until(lambda: bool(server.logs.errors()) and server.state("two")[0].phase is Phase.DECIDING)
    assert server.state("one")[0].phase is Phase.BETTING
    errors = take_errors(server)
    assert "an expired timer could not act" in errors
    assert f"InvariantError: {message}" in errors


def test_a_sweep_reaches_every_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = replace(CONFIG, clocks=replace(CONFIG.clocks, betting_seconds=60))
    with run_server(str(tmp_path / "house.db"), slow) as server:
        for name, patron in open_tables(server).items():
            patron.command(name, "PlaceWager", seat=1, wager="ante", amount=5_00)
        message = break_event(monkeypatch, BetsClosed, "one")
        server.clock.advance(seconds=61)
        server.run_on_loop(server.tables.timers.sweep())
        assert server.state("one")[0].phase is Phase.BETTING
        assert server.state("two")[0].phase is Phase.DECIDING
        assert f"InvariantError: {message}" in take_errors(server)


def test_a_failed_sweep_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timers, "SWEEP_SECONDS", 0.01)
    notes: list[str] = []

    def write(kind: str, data: object) -> None:
        notes.append(kind)
        if len(notes) < 3:
            raise InvariantError("the journal has no last line")

    with run_server(str(tmp_path / "house.db"), CONFIG) as server:
        server.tables.write_journal = write
        server.tables.timers._clock_deviation += 10 * JUMP_MILLISECONDS
        wait_until(lambda: len(notes) == 3)
        assert take_errors(server).count("InvariantError: the journal has no last line") == 2
    assert notes == ["clock_changed"] * 3, "it is noted once, however often that fails"


def test_changes_by_another_process_reach_the_other_tables(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    open_tables(server)
    server.tables.shared = True
    for name in ("one", "two"):
        server.run_on_loop(server.tables.feed(name))
    with closing(Store(server.store.database.name)) as other_process:
        wager = c.PlaceWager(by=SYSTEM, at=server.clock(), seat=1, wager="ante", amount=5_00)
        outcomes = other_process.executor.submit_all([CommandEnvelope(name, wager) for name in ("one", "two")])
    message = break_event(monkeypatch, WagerPlaced, "one")
    positions = [
        (server.tables.get(outcome.table).number, outcome.seq)
        for outcome in outcomes
        if not isinstance(outcome, Exception)
    ]
    assert len(positions) == 2
    server.run_on_loop(server.tables.receive_changes(positions))
    feed = server.tables.get("two").feed
    assert feed is not None
    assert feed.seq == positions[1][1]
    errors = take_errors(server)
    assert "a change by another process was not received" in errors
    assert f"InvariantError: {message}" in errors


def test_tables_without_the_bug_are_served_after_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path / "house.db")
    with run_server(path, CONFIG) as server:
        open_tables(server)
    message = break_event(monkeypatch, PatronSeated, "one")
    with run_server(path, CONFIG) as server:
        assert f"InvariantError: {message}" in take_errors(server)
        assert [name for name, _, _ in server.run_on_loop(server.tables.states())] == ["two"]
        assert "a table is out of order" in take_errors(server)


def test_the_analysis_process_reports_a_bug_and_goes_on(capfd: pytest.CaptureFixture[str]) -> None:
    async def ask_twice() -> list[int]:
        worker, processes = AnalysisWorker(), []
        for _ in range(2):
            with pytest.raises(InvariantError, match="KeyError"):
                await worker.run("a kind of work that does not exist", {})
            assert worker._process is not None
            processes.append(worker._process.pid)
        await worker.stop()
        return processes

    first, second = run_in_thread(ask_twice())
    assert first == second
    assert "KeyError: 'a kind of work that does not exist'" in capfd.readouterr().err
