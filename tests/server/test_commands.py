"""Every command is executed at most once: duplicates, stale and reordered commands, concurrent connections."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from croupier.client import Client, RequestFailed
from croupier.server.accounts.users import Person
from croupier.server.services import play_table
from croupier.server.tables import service
from croupier.server.tables.service import STAFFED, TableSettings, default_settings, load_settings
from croupier.storage import Store, reconciliation
from croupier.table import Phase
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from tests.server.leaks import Recipient, Search
from tests.server.servers import TEST_CONFIG, Server, expect_refusal, run_server
from tests.server.test_leaks import PATRONS, STAFFED_SETTINGS, close_betting, decide, place_wagers, sit_down
from tests.server.watched_table import WatchedTable

MONEY = 1_000_00


@pytest.fixture
def server(database_url: str) -> Iterator[Server]:
    """On SQLite and on PostgreSQL."""
    with run_server(database_url) as instance:
        yield instance
        assert_reconciled(instance.store)


@pytest.fixture
def sqlite_server(tmp_path: Path) -> Iterator[Server]:
    with run_server(str(tmp_path / "house.db")) as instance:
        yield instance
        assert_reconciled(instance.store)


def assert_reconciled(store: Store) -> None:
    """The ledger is balanced, and all accounts follow from its entries."""
    assert reconciliation.ledger_total(store.database) == 0
    assert not reconciliation.find_unbalanced(store.database)
    assert not reconciliation.find_wrong_wallets(store.database)
    for name in store.tables():
        assert not list(reconciliation.find_disagreements(store.database, name))


def open_table(server: Server, name: str = "Table 1") -> str:
    return server.open_table(replace(play_table("pa-682a"), name=name))


def test_the_same_key_gets_the_same_response(server: Server) -> None:
    table, ann = open_table(server), server.add_person("Ann", Role.PATRON, cents=MONEY)
    responses = [
        ann.sit(table, 1, chips=MONEY, key="sit") for _ in range(3)
    ]  # all their money: a second purchase would fail
    assert responses[0] == responses[1] == responses[2]
    seq = responses[0]["seq"]
    results = [
        ann.command(table, "PlaceWager", seat=1, wager="ante", amount=5_00, seq=seq, key="bet") for _ in range(3)
    ]
    assert [result["repeated"] for result in results] == [False, True, True]
    assert len({str({**result, "repeated": None}) for result in results}) == 1
    path = f"/api/tables/{quote(table)}/chips"
    first = ann.post(path, {"amount_cents": -400_00, "key": "out"})
    assert ann.post(path, {"amount_cents": -400_00, "key": "out"}) == first
    assert server.store.wallet("Ann") == 400_00
    assert ann.table(table)["you"]["chips_cents"] == MONEY - 405_00


def test_a_refusal_is_repeated_for_the_same_key(server: Server) -> None:
    table, ann = open_table(server), server.add_person("Ann", Role.PATRON, cents=MONEY)
    seq = ann.sit(table, 1, chips=MONEY)["seq"]
    path = f"/api/tables/{quote(table)}/commands"
    command = {"command": "PlaceWager", "key": "bet", "seq": seq, "seat": 1, "wager": "ante", "amount": 1}
    refusals = [expect_refusal(ann, "POST", path, command) for _ in range(2)]
    assert [(refusal.status, refusal.clause) for refusal in refusals] == [(422, "682a.7(d)(1)")] * 2
    assert refusals[0].reason == refusals[1].reason


def test_a_refusal_that_pages_handle_has_a_code(server: Server) -> None:
    table, ann = open_table(server), server.add_person("Ann", Role.PATRON, cents=MONEY)
    bob = server.add_person("Bob", Role.PATRON, cents=MONEY)
    ann.sit(table, 1, chips=500_00)
    path = f"/api/tables/{quote(table)}"
    requests: list[tuple[str, dict[str, object]]] = [
        ("sit", {"seats": [1], "chips_cents": 500_00, "key": "sit"}),
        (
            "commands",
            {"command": "Sit", "patron": "Bob", "seats": [1], "key": "command", "seq": server.state(table)[1]},
        ),
    ]
    for part, payload in requests:
        for _ in range(2):  # the second time from the database
            refusal = expect_refusal(bob, "POST", f"{path}/{part}", payload)
            assert (refusal.status, refusal.code) == (422, "occupied"), part
    other = expect_refusal(bob, "POST", f"{path}/sit", {"seats": [99], "chips_cents": 500_00, "key": "none"})
    assert (other.status, other.code) == (422, "")


def test_the_same_key_with_other_content_is_refused(server: Server) -> None:
    table, ann = open_table(server), server.add_person("Ann", Role.PATRON, cents=MONEY)
    bob = server.add_person("Bob", Role.PATRON, cents=MONEY)
    ann.sit(table, 1, chips=500_00, key="a")
    bob.sit(table, 2, chips=500_00, key="b")
    seq = server.state(table)[1]
    ann.command(table, "PlaceWager", seat=1, wager="ante", amount=5_00, seq=seq, key="bet")
    before = server.state(table)[1], server.store.wallet("Ann"), server.store.wallet("Bob")
    path = f"/api/tables/{quote(table)}"
    bet = {"command": "PlaceWager", "key": "bet", "seq": seq, "seat": 1, "wager": "ante", "amount": 5_00}
    for part, payload in (
        ("commands", {**bet, "amount": 6_00}),
        ("commands", {"command": "Leave", "key": "bet", "seq": seq, "patron": "Ann"}),
        ("sit", {"seats": [3], "chips_cents": 500_00, "key": "a"}),
        ("sit", {"seats": [1], "chips_cents": 400_00, "key": "a"}),
        ("chips", {"amount_cents": 5_00, "key": "a"}),
    ):
        refusal = expect_refusal(ann, "POST", f"{path}/{part}", payload)
        assert refusal.status == 422, (payload, refusal)
        assert refusal.reason.endswith(f"the key {payload['key']!r} belongs to another command")
    assert (server.state(table)[1], server.store.wallet("Ann"), server.store.wallet("Bob")) == before


def test_nobody_can_use_up_the_keys_of_another(server: Server) -> None:
    table = open_table(server)
    people = [server.add_person(name, Role.PATRON, cents=MONEY) for name in ("Ann", "Bob")]
    for seat, person in enumerate(people, 1):
        person.sit(table, seat, chips=500_00, key="a")
    path, bet = f"/api/tables/{quote(table)}/commands", {"wager": "ante", "amount": 5_00, "key": "b"}
    seq = server.state(table)[1]
    foreign = {"command": "PlaceWager", "seat": 2, "seq": seq, **bet}
    assert expect_refusal(people[0], "POST", path, foreign).reason == "Ann cannot act for Bob"
    people[1].post(path, foreign)
    assert people[1].post(path, foreign)["seq"] == server.state(table)[1] == seq + 1


def test_a_patron_cannot_block_an_approval(server: Server) -> None:
    """A patron who learns the identifier of a waiting request uses it as a key in every way they can."""
    table, ann = open_table(server), server.add_person("Ann", Role.PATRON, cents=MONEY)
    ann.sit(table, 1, chips=500_00, key="7f")
    staff = {role: server.add_person(f"the {role}", role) for role in (Role.ACCOUNTING, Role.FLOORPERSON)}
    request = {"id": "7f", "kind": "buy_in", "table": table, "patron": "Ann", "amount_cents": 100_00}
    staff[Role.ACCOUNTING].post("/api/requests", request)
    ann.post(f"/api/tables/{quote(table)}/chips", {"amount_cents": 5_00, "key": "8f"})
    staff[Role.ACCOUNTING].post("/api/requests", {**request, "id": "8f"})
    for identifier in ("7f", "8f"):
        approved = staff[Role.FLOORPERSON].post(f"/api/requests/{identifier}/approve", {})
        assert approved["status"] == "approved"
    assert ann.table(table)["you"]["chips_cents"] == 705_00


def test_one_key_from_many_connections_is_executed_once(server: Server) -> None:
    table, ann = open_table(server), server.add_person("Ann", Role.PATRON, cents=MONEY)
    person = Person("Ann", Role.PATRON, guest=False)
    clients = [server.new_session(person) for _ in range(12)]

    def run_concurrently(action: Callable[[Client], Any]) -> list[Any]:
        with ThreadPoolExecutor(len(clients)) as pool:
            return list(pool.map(action, clients))

    seated = run_concurrently(lambda client: client.sit(table, 1, chips=100_00, key="sit"))
    assert len({result["seq"] for result in seated}) == 1
    seq = seated[0]["seq"]
    bets = run_concurrently(
        lambda c: c.command(table, "PlaceWager", seat=1, wager="ante", amount=5_00, seq=seq, key="bet")
    )
    assert sorted(result["repeated"] for result in bets) == [False] + [True] * 11
    path = f"/api/tables/{quote(table)}/chips"
    run_concurrently(lambda client: client.post(path, {"amount_cents": 50_00, "key": "more"}))
    assert server.store.wallet("Ann") == MONEY - 150_00
    assert ann.table(table)["you"]["chips_cents"] == 145_00


def test_of_many_commands_with_one_sequence_number_one_is_executed(server: Server) -> None:
    table, ann = open_table(server), server.add_person("Ann", Role.PATRON, cents=MONEY)
    seq = ann.sit(table, 1, chips=500_00)["seq"]
    clients = [server.new_session(Person("Ann", Role.PATRON, guest=False)) for _ in range(12)]

    def bet(number: int) -> int:
        amount = (5 + number) * 100
        command = {
            "command": "PlaceWager",
            "seat": 1,
            "wager": "ante",
            "amount": amount,
            "seq": seq,
            "key": f"{number}",
        }
        refusal = try_post(clients[number], f"/api/tables/{quote(table)}/commands", command)
        assert refusal is None or (refusal.status, refusal.seq) == (409, seq + 1)
        return amount if refusal is None else 0

    with ThreadPoolExecutor(len(clients)) as pool:
        placed = [amount for amount in pool.map(bet, range(len(clients))) if amount]
    assert len(placed) == 1
    assert server.state(table)[0].wagers == {1: {"ante": placed[0]}}
    assert server.state(table)[1] == seq + 1


def test_stale_and_reordered_commands_change_nothing(server: Server) -> None:
    table, ann = open_table(server), server.add_person("Ann", Role.PATRON, cents=MONEY)
    seq = ann.sit(table, 1, chips=500_00)["seq"]
    path = f"/api/tables/{quote(table)}/commands"
    bet: dict[str, Any] = {"command": "PlaceWager", "seat": 1, "wager": "ante", "amount": 5_00}
    first, second = {**bet, "key": "1", "seq": seq}, {**bet, "amount": 7_00, "key": "2", "seq": seq + 1}
    early = expect_refusal(ann, "POST", path, second)
    assert (early.status, early.seq) == (409, seq)
    assert ann.post(path, first)["seq"] == seq + 1
    assert ann.post(path, second)["seq"] == seq + 2  # a stale command does not use up its key
    late = expect_refusal(ann, "POST", path, {**bet, "amount": 9_00, "key": "3", "seq": seq})
    assert (late.status, late.seq) == (409, seq + 2)
    assert ann.post(path, first)["repeated"]
    assert server.state(table)[0].wagers == {1: {"ante": 7_00}}


def test_a_table_stays_open_while_an_older_list_of_tables_is_applied(
    sqlite_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_read, may_go_on = threading.Event(), threading.Event()

    def read_and_wait(store: Store) -> dict[str, tuple[int, TableSettings]]:
        tables = load_settings(store)
        has_read.set()
        assert may_go_on.wait(60)
        return tables

    monkeypatch.setattr(service, "load_settings", read_and_wait)
    refresh = threading.Thread(target=sqlite_server.tables.refresh)
    refresh.start()
    assert has_read.wait(60)
    monkeypatch.setattr(service, "load_settings", load_settings)
    opening = threading.Thread(target=open_table, args=(sqlite_server, "new"))
    opening.start()
    opening.join(0.5)  # it waits for the lock
    may_go_on.set()
    refresh.join(60)
    opening.join(60)
    assert not sqlite_server.tables.is_closed("new")


def test_money_is_not_spent_twice(server: Server) -> None:
    """One account, many tables at once: buy-ins never exceed the account, and a refused buy-in takes no seat."""
    tables = [open_table(server, f"Table {number}") for number in range(6)]
    server.add_person("Ann", Role.PATRON, cents=MONEY)
    clients = [server.new_session(Person("Ann", Role.PATRON, guest=False)) for _ in tables]

    def sit(number: int) -> int:
        payload = {"seats": [1], "chips_cents": 400_00, "key": "k"}
        refusal = try_post(clients[number], f"/api/tables/{quote(tables[number])}/sit", payload)
        assert refusal is None or (refusal.status, refusal.clause) == (422, "GAM-1")
        return 400_00 if refusal is None else 0

    with ThreadPoolExecutor(len(tables)) as pool:
        bought = list(pool.map(sit, range(len(tables))))
    assert sum(bought) == 800_00
    assert server.store.wallet("Ann") == 200_00
    for table, cents in zip(tables, bought, strict=True):
        state = server.state(table)[0]
        assert (1 in state.seats, state.balances.get("Ann", 0)) == (bool(cents), cents)


def test_concurrent_players_may_send_everything_twice(server: Server) -> None:
    """Patrons at three tables, each with two connections that send the same commands: no cent is lost."""
    tables = [open_table(server, f"Table {number}") for number in range(3)]
    people = [(f"P{number}", tables[number % 3], 1 + number // 3) for number in range(9)]
    for name, _, _ in people:
        server.add_person(name, Role.PATRON, cents=MONEY)
    rounds, failures = 3, list[BaseException]()

    def play(name: str, table: str, seat: int) -> None:
        try:
            _play_rounds_twice(server, name, table, seat, rounds)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=play, args=person) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]
    total = sum(server.store.wallet(name) or 0 for name, _, _ in people)
    for table in tables:
        state = server.state(table)[0]
        assert state.rounds >= rounds
        events = [event for _, event in server.store.events(table)]
        bought = [event.amount for event in events if isinstance(event, e.ChipsBought)]
        assert bought == [300_00] * 3
        total += sum(state.balances.values()) + state.on_table() + state.tray
    assert total == MONEY * len(people)


def _play_rounds_twice(server: Server, name: str, table: str, seat: int, rounds: int) -> None:
    """Plays some rounds; each request is sent twice, from two connections, in random order."""
    person = Person(name, Role.PATRON, guest=False)
    first, second = server.new_session(person), server.new_session(person)
    dice = random.Random(name)
    for client in (first, second):
        client.sit(table, seat, chips=300_00, key=f"{name} sits")
    for turn in range(500):
        view = first.table(table)
        if view["round"] >= rounds and view["phase"] == "betting":
            return
        command: dict[str, Any] | None = None
        own_wagers = [wager for wager in view["wagers"] if wager["seat"] == seat]
        if view["phase"] == "betting" and not own_wagers:
            command = {"command": "PlaceWager", "seat": seat, "wager": "ante", "amount": 5_00}
        elif view["phase"] == "betting":
            refusal = try_post(first, f"/api/tables/{quote(table)}/ready", {})
            assert refusal is None or refusal.status in (409, 422)
        elif view["waiting"][:1] == [seat]:
            command = {"command": "Decide", "seat": seat, "amount": dice.choice([None, 5_00])}
        if command is not None:
            command |= {"key": f"{name} {turn}", "seq": view["seq"]}
            for client in dice.sample([first, second], 2):
                refusal = try_post(client, f"/api/tables/{quote(table)}/commands", command)
                assert refusal is None or refusal.status in (409, 422)
    raise AssertionError(f"{name} never finished")


def try_post(client: Client, path: str, payload: Any) -> RequestFailed | None:
    """Sends a request; returns the refusal, if there is one."""
    try:
        client.post(path, payload)
    except RequestFailed as refusal:
        return refusal
    return None


def test_a_repeated_response_reveals_no_more_than_the_first(sqlite_server: Server) -> None:
    """Keys of the first round are sent again in the second, whose cards are still hidden."""
    setup = replace(play_table("pa-682a"), name="Table 1")
    table = WatchedTable(sqlite_server, sqlite_server.open_table(setup, STAFFED_SETTINGS), PATRONS)
    try:
        sit_down(table)
        for number in (1, 2):
            table.advance(Phase.BETTING)
            for seat in (1, 2, 3):
                place_wagers(table, seat, all_wagers=False)
            close_betting(table)
            if number == 1:
                decide(table, lambda seat, street: True)
        results = [
            result
            for result in (_repeat_command(table, number) for number in range(1, table.sent_count + 1))
            if result is not None
        ]
        assert any(event["event"] == "HandTurnedUp" for result in results for event in result["events"])
    finally:
        table.close()


def _repeat_command(table: WatchedTable, number: int) -> Any:
    """Sends an earlier command of the dealer again, and searches the response for leaks."""
    spy = table.spies["the dealer"]
    with table.server.store.database.read_transaction() as connection:
        query = "SELECT said, first_seq FROM commands WHERE key = ?"
        row = connection.exec_driver_sql(query, (f"k{number}",)).one_or_none()
    if row is None or not row.said.startswith(("SettleSeat by the dealer", "Deal by the dealer")):
        return None
    kind = row.said.split()[0]
    if kind == "Deal":
        values: dict[str, Any] = {"face_up": [], "cards_dealt": 0}
    else:
        event = table.server.store.events(table.name, row.first_seq - 1)[0][1]
        values = {"seat": getattr(event, "seat", 0)}
    status, result = spy.request(
        "POST", f"{table.path}/commands", {"command": kind, "key": f"k{number}", "seq": 0, **values}
    )
    assert status == 200, result
    assert result["repeated"]
    search = Search(table.oracle, Recipient("the dealer", Role.DEALER))
    for payload in spy.take_received():
        assert not search.leaks(payload), payload
    return result


def test_a_table_with_any_name_accepts_commands(sqlite_server: Server) -> None:
    for name in ("50% off", "a%20b", "Ünïcode ♠", "a b+c", "?x=1#y", "100%25"):
        table = open_table(sqlite_server, name)
        ann = sqlite_server.add_person(f"Ann at {name}"[:30], Role.PATRON, cents=MONEY)
        seq = ann.sit(table, 1, chips=MONEY)["seq"]
        assert ann.command(table, "PlaceWager", seat=1, wager="ante", amount=5_00)["seq"] == seq + 1
        assert ann.ready(table)["closed"]
        with ann.watch(table) as messages:
            assert next(iter(messages))["view"]["table"] == name


def test_patrons_cannot_close_the_betting_at_a_staffed_table(sqlite_server: Server) -> None:
    table = sqlite_server.open_table(
        play_table("pa-682a"), replace(default_settings(TEST_CONFIG, STAFFED), self_service=True)
    )
    ann = sqlite_server.add_person("Ann", Role.PATRON, cents=MONEY)
    assert "dealer" in expect_refusal(ann, "POST", f"/api/tables/{quote(table)}/ready", {}).reason
