"""The server as processes: killed in mid-round, stopped with requests in flight, several on one database."""

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
from croupier.server.tables.settings import default_settings
from croupier.storage import Store, reconciliation
from croupier.table.model.roles import Role
from tests.progressive.test_links import CLAUSE, METER
from tests.progressive.test_links import setup_of as linked_setup
from tests.server.processes import Books, Process, client
from tests.server.table_services import QUIET, serving
from tests.server.test_commands import assert_sums, tried
from tests.storage.conftest import cluster
from tests.storage.postgres import Cluster
from tests.storage.test_linked_meters import assert_exact

__all__ = ["cluster"]
TABLE = "Table 1"
MONEY = 1_000_00
KINDS = ("sqlite", "postgresql")
NO_GUESTS = {"CROUPIER_GUESTS_ALLOWED": "false"}


def database(kind: str, cluster: Cluster, folder: Path) -> str:
    return cluster.new_database() if kind == "postgresql" else str(folder / "house.db")


def opened(where: str, *names: str, link: str = "") -> None:
    """Tables that were opened before the server starts."""
    with_people = Books(where)
    tables = with_people.tables(QUIET)
    for name in names:
        setup = linked_setup(name) if link else replace(play_table("pa-682a"), name=name)
        tables.open_table(setup, default_settings(QUIET), at=1_700_000_000_000, link=link)
    tables.writer.close()
    with_people.close()


def views(address: str, tokens: dict[str, str]) -> dict[str, Any]:
    """The table as everybody sees it, but for the time of day."""
    found = {}
    for name, token in {**tokens, "nobody": ""}.items():
        with client(address, token) as viewer:
            view = viewer.table(TABLE)
            clock = view.pop("clock")
            found[name] = {**view, "clock": clock and (clock["what"], clock["seat"])}
    return found


def test_GAM_3_killed_in_mid_round_it_goes_on_at_the_exact_point(tmp_path: Path) -> None:
    where = str(tmp_path / "house.db")
    opened(where, TABLE)
    outside = Books(where)
    tokens = {name: outside.token(name, Role.PATRON, MONEY) for name in ("Ann", "Bob")}
    tokens |= {str(role): outside.token(f"the {role}", role) for role in (Role.DEALER, Role.REGULATOR)}
    process = Process(where, tmp_path, environment=NO_GUESTS)
    with client(process.address, tokens["Ann"]) as ann, client(process.address, tokens["Bob"]) as bob:
        for seat, person in ((1, ann), (2, bob)):
            person.sit(TABLE, seat, chips=500_00)
            person.command(TABLE, "PlaceWager", seat=seat, wager="ante", amount=5_00)
        assert [person.ready(TABLE)["closed"] for person in (ann, bob)] == [False, True]
        decided = ann.command(TABLE, "Decide", seat=1, amount=10_00, key="ann decides")
    before = views(process.address, tokens)
    assert before["Ann"]["waiting"] == [2]
    process.kill()
    again = Process(where, tmp_path, environment=NO_GUESTS)
    assert views(again.address, tokens) == before
    with client(again.address, tokens["Ann"]) as ann, client(again.address, tokens["Bob"]) as bob:
        repeated = ann.command(TABLE, "Decide", seat=1, amount=10_00, key="ann decides", seq=0)
        assert (repeated["seq"], repeated["repeated"]) == (decided["seq"], True)
        bob.command(TABLE, "Decide", seat=2, amount=None)
        assert bob.table(TABLE)["last"]["round"] == 1
    assert again.stop() == 0
    again.assert_clean()
    assert_sums(outside.store)
    outside.close()


def test_a_table_that_was_half_opened_is_opened_wholly(tmp_path: Path) -> None:
    """Killed after the table was stored and before anything else about it was."""
    where = str(tmp_path / "house.db")
    setup = play_table("pa-682a")
    with closing(Store(where)) as store:
        store.create(setup, at=0)
    config = replace(QUIET, guests=GuestSettings(allowed=True), open=("pa-682a",))
    with serving(where, config) as server:
        guest = server.nobody()
        guest.guest()
        assert [found["table"] for found in guest.tables()] == [setup.name]
        guest.sit(setup.name, 1, chips=100_00)
        assert guest.table(setup.name)["phase"] == "betting"


def test_what_is_in_flight_when_the_server_stops_is_answered_or_did_not_happen(tmp_path: Path) -> None:
    where = str(tmp_path / "house.db")
    names = [f"Table {number}" for number in range(6)]
    opened(where, *names)
    outside = Books(where)
    tokens = {name: outside.token(f"P {name}", Role.PATRON, MONEY) for name in names}
    process = Process(where, tmp_path, environment=NO_GUESTS)
    acknowledged: dict[str, int] = {}
    ends: list[NoResponse | RequestFailed] = []
    going = threading.Event()

    def play(name: str) -> None:
        with client(process.address, tokens[name]) as person:
            seq = person.sit(name, 1, chips=500_00)["seq"]
            for number in range(100_000):
                amount = 5_00 + 100 * (number % 2)
                try:
                    said = person.command(name, "PlaceWager", seat=1, wager="ante", amount=amount, seq=seq)
                except (NoResponse, RequestFailed) as end:
                    ends.append(end)
                    return
                seq = acknowledged[name] = said["seq"]
                if number == 20:
                    going.set()

    with ThreadPoolExecutor(len(names)) as pool:
        done = [pool.submit(play, name) for name in names]
        assert going.wait(60)
        assert process.stop() == 0
        for one in done:
            one.result()
    process.assert_clean()
    assert all(isinstance(end, NoResponse) or end.status == 503 for end in ends), ends
    for name in names:
        assert outside.store.seq(name) >= acknowledged[name]
        assert outside.store.seq(name) <= acknowledged[name] + 1
    assert_sums(outside.store)
    outside.close()


@pytest.mark.parametrize("kind", KINDS)
def test_two_processes_serve_the_same_tables(kind: str, cluster: Cluster, tmp_path: Path) -> None:
    """Commands through one reach those who watch at the other; both take commands for both tables."""
    where = database(kind, cluster, tmp_path)
    options = ("--workers", "2") if kind == "sqlite" else ()
    with closing(Store(where)) as store:
        store.create_link("west", "Valley Forge", CLAUSE)
    opened(where, "one", "two", link="west")
    outside = Books(where)
    tokens = {name: outside.token(name, Role.PATRON, MONEY) for name in ("Ann", "Bob", "Cid", "Dot")}
    processes = [Process(where, tmp_path, *options, environment=NO_GUESTS) for _ in range(2)]
    first, second = (process.address for process in processes)
    with ExitStack() as stack:
        everybody = [
            stack.enter_context(client(address, tokens[name]))
            for name, address in zip(tokens, (first, second, second, first), strict=True)
        ]
        ann, bob, cid, dot = everybody
        said = iter(stack.enter_context(ann.watch("one")))
        seen = next(said)["seq"]
        ann.sit("one", 1, chips=500_00)
        bob.sit("one", 2, chips=500_00)
        cid.sit("two", 1, chips=500_00)
        dot.sit("two", 2, chips=500_00)
        for _ in range(3):
            with ThreadPoolExecutor(4) as pool:
                places = (("one", 1), ("one", 2), ("two", 1), ("two", 2))
                list(pool.map(lambda who: _bet(who[0], *who[1]), zip(everybody, places, strict=True)))
                list(pool.map(lambda who: _decide(who[0], *who[1]), zip(everybody, places, strict=True)))
        last = outside.store.seq("one")
        numbers: list[int] = []
        while seen < last:
            message = next(said)
            assert not message["missed"]
            numbers += [event["seq"] for event in message["events"]]
            seen = message["seq"]
        assert numbers == sorted(set(numbers))
        assert ann.table("one")["meters"] == bob.table("one")["meters"]
    assert_exact(outside.store)
    link, _ = outside.store.link("west")
    fed = 29 * 3 * 4  # 29 of 100 cents of each of twelve wagers
    won = sum(sum(outside.store.table(name).owed.values()) for name in ("one", "two"))
    if not won and not link.meters[METER].hits:
        assert link.meters[METER].display == 5_000_00 + fed
    for name in ("one", "two"):
        assert outside.store.table(name).rounds == 3
        assert not list(reconciliation.find_disagreements(outside.store.database, name))
    assert_sums(outside.store)
    outside.close()
    assert [process.stop() for process in processes] == [0, 0]
    for process in processes:
        process.assert_clean()


def _deadline_of(person: Client, table: str, done: Any) -> Any:
    for _ in range(2_000):
        view = person.table(table)
        if done(view):
            return view
    raise AssertionError(f"never at table {table}: {view}")


def _bet(person: Client, table: str, seat: int) -> None:
    """The Ante and the progressive wager, again where somebody else was quicker; then no more time is needed."""
    path = f"/api/tables/{table}/commands"
    rounds = person.table(table)["round"]
    for wager, amount in (("ante", 5_00), (METER, 100)):
        for attempt in range(200):
            view = person.table(table)
            if any(one["seat"] == seat and one["wager"] == wager for one in view["wagers"]):
                break
            said = {"command": "PlaceWager", "seat": seat, "wager": wager, "amount": amount}
            said |= {"key": f"{seat} {rounds} {wager} {attempt}", "seq": view["seq"]}
            problem = tried(person, path, said)
            assert problem is None or problem.status == 409, problem
    _deadline_of(person, table, lambda view: len(view["wagers"]) == 4)
    problem = tried(person, f"/api/tables/{table}/ready", {})
    assert problem is None or problem.status == 422, problem


def _decide(person: Client, table: str, seat: int) -> None:
    """Stays on every street, until the round is over."""
    path = f"/api/tables/{table}/commands"
    for _ in range(2_000):
        view = person.table(table)
        if view["phase"] == "betting" and not view["wagers"]:
            return
        if view["phase"] == "betting":
            tried(person, f"/api/tables/{table}/ready", {})
        if view["waiting"][:1] == [seat]:
            said = {"command": "Decide", "seat": seat, "amount": 5_00}
            problem = tried(person, path, {**said, "key": f"{seat} at {view['seq']}", "seq": view["seq"]})
            assert problem is None or problem.status == 409, problem
    raise AssertionError(f"the round at table {table} never ended: {view}")


@pytest.mark.parametrize("kind", KINDS)
def test_several_workers_behind_one_port(kind: str, cluster: Cluster, tmp_path: Path) -> None:
    where = database(kind, cluster, tmp_path)
    process = Process(where, tmp_path, "--workers", "2", environment={"CROUPIER_OPEN": "pa-682a"})
    with ExitStack() as stack:
        guests = [stack.enter_context(Client(process.address)) for _ in range(8)]
        for guest in guests:
            guest.guest()
        (table,) = [found["table"] for found in guests[0].tables()]
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
    outside = Books(where)
    assert_sums(outside.store)
    outside.close()
