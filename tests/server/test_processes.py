"""Server processes: killed in mid-round, stopped with requests in flight, several on one database."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier.client import Client, NoResponse, RequestFailed
from croupier.server.config import GuestSettings
from croupier.server.services import play_table
from croupier.server.tables.service import default_settings
from croupier.storage import Store, reconciliation
from croupier.storage.currency import Currency
from croupier.table.model.roles import Role
from tests.progressive.test_links import CLAUSE, METER
from tests.progressive.test_links import setup_of as linked_setup
from tests.server.processes import Process, ServerDatabase, connect_client
from tests.server.servers import TEST_CONFIG, run_server
from tests.server.test_commands import assert_reconciled, try_post
from tests.storage.postgres import Cluster
from tests.storage.test_linked_meters import assert_exact

TABLE = "Table 1"
MONEY = 1_000_00
NO_GUESTS = {"CROUPIER_GUESTS_ALLOWED": "false"}


def new_database(kind: str, cluster: Cluster, folder: Path) -> str:
    return cluster.new_database() if kind == "postgresql" else str(folder / "house.db")


def open_tables(database_url: str, *names: str, link: str = "") -> None:
    """Opens tables before the server starts."""
    database = ServerDatabase(database_url)
    tables = database.table_service(TEST_CONFIG)
    for name in names:
        setup = linked_setup(name) if link else replace(play_table("pa-682a"), name=name)
        tables.open_table(setup, default_settings(TEST_CONFIG), at=1_700_000_000_000, link=link)
    tables.writer.close()
    database.close()


def views(address: str, tokens: dict[str, str]) -> dict[str, Any]:
    """The table as seen by each person, without the time of day."""
    views_by_name = {}
    for name, token in {**tokens, "nobody": ""}.items():
        with connect_client(address, token) as viewer:
            view = viewer.table(TABLE)
            clock = view.pop("clock")
            views_by_name[name] = {**view, "clock": clock and (clock["what"], clock["seat"])}
    return views_by_name


def test_GAM_3_a_round_resumes_at_the_exact_point_after_a_kill(tmp_path: Path) -> None:
    database_url = str(tmp_path / "house.db")
    open_tables(database_url, TABLE)
    database = ServerDatabase(database_url)
    tokens = {name: database.add_person(name, Role.PATRON, MONEY) for name in ("Ann", "Bob")}
    tokens |= {str(role): database.add_person(f"the {role}", role) for role in (Role.DEALER, Role.REGULATOR)}
    process = Process(database_url, tmp_path, environment=NO_GUESTS)
    with connect_client(process.address, tokens["Ann"]) as ann, connect_client(process.address, tokens["Bob"]) as bob:
        for seat, person in ((1, ann), (2, bob)):
            person.sit(TABLE, seat, chips=500_00)
            person.command(TABLE, "PlaceWager", seat=seat, wager="ante", amount=5_00)
        assert [person.ready(TABLE)["closed"] for person in (ann, bob)] == [False, True]
        decision = ann.command(TABLE, "Decide", seat=1, amount=10_00, key="ann decides")
    before = views(process.address, tokens)
    assert before["Ann"]["waiting"] == [2]
    process.kill()
    restarted = Process(database_url, tmp_path, environment=NO_GUESTS)
    assert views(restarted.address, tokens) == before
    with (
        connect_client(restarted.address, tokens["Ann"]) as ann,
        connect_client(restarted.address, tokens["Bob"]) as bob,
    ):
        repeated = ann.command(TABLE, "Decide", seat=1, amount=10_00, key="ann decides", seq=0)
        assert (repeated["seq"], repeated["repeated"]) == (decision["seq"], True)
        bob.command(TABLE, "Decide", seat=2, amount=None)
        assert bob.table(TABLE)["last"]["round"] == 1
    assert restarted.stop() == 0
    restarted.assert_clean()
    assert_reconciled(database.store)
    database.close()


def test_a_half_opened_table_is_completed_at_startup(tmp_path: Path) -> None:
    """As if the server was killed after storing the table but before storing its settings."""
    database_url = str(tmp_path / "house.db")
    setup = play_table("pa-682a")
    with closing(Store(database_url)) as store:
        store.create(setup, at=0, currency=Currency.PLAY)
    config = replace(TEST_CONFIG, guests=GuestSettings(allowed=True), open=("pa-682a",))
    with run_server(database_url, config) as server:
        guest = server.anonymous_client()
        guest.guest()
        assert [summary["table"] for summary in guest.tables()] == [setup.name]
        guest.sit(setup.name, 1, chips=100_00)
        assert guest.table(setup.name)["phase"] == "betting"


def test_requests_in_flight_at_shutdown_are_answered_or_not_executed(tmp_path: Path) -> None:
    database_url = str(tmp_path / "house.db")
    names = [f"Table {number}" for number in range(6)]
    open_tables(database_url, *names)
    database = ServerDatabase(database_url)
    tokens = {name: database.add_person(f"P {name}", Role.PATRON, MONEY) for name in names}
    process = Process(database_url, tmp_path, environment=NO_GUESTS)
    acknowledged: dict[str, int] = {}
    errors: list[NoResponse | RequestFailed] = []
    is_playing = threading.Event()

    def play(name: str) -> None:
        with connect_client(process.address, tokens[name]) as person:
            seq = person.sit(name, 1, chips=500_00)["seq"]
            for number in range(100_000):
                amount = 5_00 + 100 * (number % 2)
                try:
                    result = person.command(name, "PlaceWager", seat=1, wager="ante", amount=amount, seq=seq)
                except (NoResponse, RequestFailed) as error:
                    errors.append(error)
                    return
                seq = acknowledged[name] = result["seq"]
                if number == 20:
                    is_playing.set()

    with ThreadPoolExecutor(len(names)) as pool:
        futures = [pool.submit(play, name) for name in names]
        assert is_playing.wait(60)
        assert process.stop() == 0
        for future in futures:
            future.result()
    process.assert_clean()
    assert all(isinstance(error, NoResponse) or error.status == 503 for error in errors), errors
    for name in names:
        assert database.store.seq(name) >= acknowledged[name]
        assert database.store.seq(name) <= acknowledged[name] + 1
    assert_reconciled(database.store)
    database.close()


@pytest.mark.parametrize("kind", [pytest.param("sqlite", marks=pytest.mark.slow), "postgresql"])
def test_two_processes_serve_the_same_tables(kind: str, cluster: Cluster, tmp_path: Path) -> None:
    """Commands sent to one process reach watchers of the other; both accept commands for both tables."""
    database_url = new_database(kind, cluster, tmp_path)
    options = ("--workers", "2") if kind == "sqlite" else ()
    with closing(Store(database_url)) as store:
        store.create_link("west", "Valley Forge", CLAUSE)
    open_tables(database_url, "one", "two", link="west")
    database = ServerDatabase(database_url)
    tokens = {name: database.add_person(name, Role.PATRON, MONEY) for name in ("Ann", "Bob", "Cid", "Dot")}
    processes = [Process(database_url, tmp_path, *options, environment=NO_GUESTS) for _ in range(2)]
    first, second = (process.address for process in processes)
    with ExitStack() as stack:
        everybody = [
            stack.enter_context(connect_client(address, tokens[name]))
            for name, address in zip(tokens, (first, second, second, first), strict=True)
        ]
        ann, bob, cid, dot = everybody
        messages = iter(stack.enter_context(ann.watch("one")))
        last_seen = next(messages)["seq"]
        ann.sit("one", 1, chips=500_00)
        bob.sit("one", 2, chips=500_00)
        cid.sit("two", 1, chips=500_00)
        dot.sit("two", 2, chips=500_00)
        for _ in range(3):
            with ThreadPoolExecutor(4) as pool:
                places = (("one", 1), ("one", 2), ("two", 1), ("two", 2))
                list(
                    pool.map(
                        lambda pair: _place_wagers_and_get_ready(pair[0], *pair[1]), zip(everybody, places, strict=True)
                    )
                )
                list(pool.map(lambda pair: _decide(pair[0], *pair[1]), zip(everybody, places, strict=True)))
        last = database.store.seq("one")
        numbers: list[int] = []
        while last_seen < last:
            message = next(messages)
            assert not message["missed"]
            numbers += [event["seq"] for event in message["events"]]
            last_seen = message["seq"]
        assert numbers == sorted(set(numbers))
        assert ann.table("one")["meters"] == bob.table("one")["meters"]
    assert_exact(database.store)
    link, _ = database.store.link("west")
    contributed = 29 * 3 * 4  # 29 of 100 cents of each of twelve wagers
    owed = sum(sum(database.store.table(name).owed.values()) for name in ("one", "two"))
    if not owed and not link.meters[METER].hits:
        assert link.meters[METER].display == 5_000_00 + contributed
    for name in ("one", "two"):
        assert database.store.table(name).rounds == 3
        assert not list(reconciliation.find_disagreements(database.store.database, name))
    assert_reconciled(database.store)
    database.close()
    assert [process.stop() for process in processes] == [0, 0]
    for process in processes:
        process.assert_clean()


def _wait_for_view(person: Client, table: str, condition: Any) -> Any:
    for _ in range(2_000):
        view = person.table(table)
        if condition(view):
            return view
    raise AssertionError(f"never reached at table {table}: {view}")


def _place_wagers_and_get_ready(person: Client, table: str, seat: int) -> None:
    """Places the Ante and the progressive wager, retrying after conflicts, and reports ready."""
    path = f"/api/tables/{table}/commands"
    rounds = person.table(table)["round"]
    for wager, amount in (("ante", 5_00), (METER, 100)):
        for attempt in range(200):
            view = person.table(table)
            if any(placed["seat"] == seat and placed["wager"] == wager for placed in view["wagers"]):
                break
            command = {"command": "PlaceWager", "seat": seat, "wager": wager, "amount": amount}
            command |= {"key": f"{seat} {rounds} {wager} {attempt}", "seq": view["seq"]}
            refusal = try_post(person, path, command)
            assert refusal is None or refusal.status == 409, refusal
    _wait_for_view(person, table, lambda view: len(view["wagers"]) == 4)
    refusal = try_post(person, f"/api/tables/{table}/ready", {})
    assert refusal is None or refusal.status == 422, refusal


def _decide(person: Client, table: str, seat: int) -> None:
    """Stays in on every street until the round is over."""
    path = f"/api/tables/{table}/commands"
    for _ in range(2_000):
        view = person.table(table)
        if view["phase"] == "betting" and not view["wagers"]:
            return
        if view["phase"] == "betting":
            try_post(person, f"/api/tables/{table}/ready", {})
        if view["waiting"][:1] == [seat]:
            command = {"command": "Decide", "seat": seat, "amount": 5_00}
            refusal = try_post(person, path, {**command, "key": f"{seat} at {view['seq']}", "seq": view["seq"]})
            assert refusal is None or refusal.status == 409, refusal
    raise AssertionError(f"the round at table {table} never ended: {view}")


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def test_several_workers_share_one_port(kind: str, cluster: Cluster, tmp_path: Path) -> None:
    database_url = new_database(kind, cluster, tmp_path)
    process = Process(database_url, tmp_path, "--workers", "2", environment={"CROUPIER_OPEN": "pa-682a"})
    with ExitStack() as stack:
        guests = [stack.enter_context(Client(process.address)) for _ in range(8)]
        for guest in guests:
            guest.guest()
        (table,) = [summary["table"] for summary in guests[0].tables()]
        seats = dict(enumerate(guests[:6], 1))
        for seat, guest in seats.items():
            guest.sit(table, seat, chips=100_00)
            guest.command(table, "PlaceWager", seat=seat, wager="ante", amount=5_00)
        watches = [iter(stack.enter_context(guest.watch(table))) for guest in guests]
        seqs = [next(watch)["seq"] for watch in watches]
        closed = [guest.ready(table)["closed"] for guest in seats.values()]
        assert closed == [False] * 5 + [True]
        last = guests[0].table(table)["seq"]
        for number, watch in enumerate(watches):
            while seqs[number] < last:
                seqs[number] = next(watch)["seq"]
    assert process.stop() == 0
    process.assert_clean()
    database = ServerDatabase(database_url)
    assert_reconciled(database.store)
    database.close()
