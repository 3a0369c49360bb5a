"""A command happens once or not at all: duplicates, stale and reordered ones, many connections at once."""

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
from croupier.server.tables.settings import STAFFED, default_settings
from croupier.storage import Store, reconciliation
from croupier.table import Phase
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from tests.server.leaks import Looker, Search
from tests.server.pits import Pit
from tests.server.table_services import QUIET, Server, refused, serving
from tests.server.test_leaks import BY_PEOPLE, PATRONS, close, decide, sit_down, wager
from tests.storage.conftest import cluster, where

__all__ = ["cluster", "where"]
MONEY = 1_000_00


@pytest.fixture
def server(where: str) -> Iterator[Server]:
    """On SQLite and on PostgreSQL."""
    with serving(where) as up:
        yield up
        assert_sums(up.store)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Server]:
    with serving(str(tmp_path / "house.db")) as up:
        yield up
        assert_sums(up.store)


def assert_sums(store: Store) -> None:
    """Every cent is somewhere, and what is on accounts follows from the entries."""
    assert reconciliation.ledger_total(store.database) == 0
    assert not reconciliation.find_unbalanced(store.database)
    assert not reconciliation.find_wrong_wallets(store.database)
    for name in store.tables():
        assert not list(reconciliation.find_disagreements(store.database, name))


def open_table(server: Server, name: str = "Table 1") -> str:
    return server.open(replace(play_table("pa-682a"), name=name))


def test_the_same_key_is_the_same_answer(server: Server) -> None:
    table, ann = open_table(server), server.person("Ann", Role.PATRON, cents=MONEY)
    sat = [ann.sit(table, 1, chips=MONEY, key="sit") for _ in range(3)]  # all of it: a second time there is no more
    assert sat[0] == sat[1] == sat[2]
    seq = sat[0]["seq"]
    answers = [
        ann.command(table, "PlaceWager", seat=1, wager="ante", amount=5_00, seq=seq, key="bet") for _ in range(3)
    ]
    assert [answer["repeated"] for answer in answers] == [False, True, True]
    assert len({str({**answer, "repeated": None}) for answer in answers}) == 1
    path = f"/api/tables/{quote(table)}/chips"
    first = ann.post(path, {"amount_cents": -400_00, "key": "out"})
    assert ann.post(path, {"amount_cents": -400_00, "key": "out"}) == first
    assert server.store.wallet("Ann") == 400_00
    assert ann.table(table)["you"]["chips_cents"] == MONEY - 405_00


def test_a_refusal_is_repeated_too(server: Server) -> None:
    table, ann = open_table(server), server.person("Ann", Role.PATRON, cents=MONEY)
    seq = ann.sit(table, 1, chips=MONEY)["seq"]
    path = f"/api/tables/{quote(table)}/commands"
    said = {"command": "PlaceWager", "key": "bet", "seq": seq, "seat": 1, "wager": "ante", "amount": 1}
    reasons = [refused(ann, "POST", path, said) for _ in range(2)]
    assert [(problem.status, problem.clause) for problem in reasons] == [(422, "682a.7(d)(1)")] * 2
    assert reasons[0].reason == reasons[1].reason


def test_the_same_key_with_other_content_is_refused(server: Server) -> None:
    table, ann = open_table(server), server.person("Ann", Role.PATRON, cents=MONEY)
    bob = server.person("Bob", Role.PATRON, cents=MONEY)
    ann.sit(table, 1, chips=500_00, key="a")
    bob.sit(table, 2, chips=500_00, key="b")
    seq = server.state(table)[1]
    ann.command(table, "PlaceWager", seat=1, wager="ante", amount=5_00, seq=seq, key="bet")
    before = server.state(table)[1], server.store.wallet("Ann"), server.store.wallet("Bob")
    path = f"/api/tables/{quote(table)}"
    bet = {"command": "PlaceWager", "key": "bet", "seq": seq, "seat": 1, "wager": "ante", "amount": 5_00}
    for person, part, said in (
        (ann, "commands", {**bet, "amount": 6_00}),
        (ann, "commands", {"command": "Leave", "key": "bet", "seq": seq, "patron": "Ann"}),
        (bob, "commands", bet),
        (bob, "commands", {**bet, "seat": 2}),
        (ann, "sit", {"seats": [3], "chips_cents": 500_00, "key": "a"}),
        (ann, "sit", {"seats": [1], "chips_cents": 400_00, "key": "a"}),
        (ann, "chips", {"amount_cents": 5_00, "key": "a"}),
        (bob, "sit", {"seats": [1], "chips_cents": 500_00, "key": "a"}),
    ):
        problem = refused(person, "POST", f"{path}/{part}", said)
        assert problem.status == 422, (said, problem)
        assert problem.reason.endswith(f"the key {said['key']!r} belongs to another command")
    assert (server.state(table)[1], server.store.wallet("Ann"), server.store.wallet("Bob")) == before


def test_one_key_at_once_from_many_connections(server: Server) -> None:
    table, ann = open_table(server), server.person("Ann", Role.PATRON, cents=MONEY)
    me = Person("Ann", Role.PATRON, guest=False)
    clients = [server.again(me) for _ in range(12)]

    def at_once(work: Callable[[Client], Any]) -> list[Any]:
        with ThreadPoolExecutor(len(clients)) as pool:
            return list(pool.map(work, clients))

    sat = at_once(lambda client: client.sit(table, 1, chips=100_00, key="sit"))
    assert len({answer["seq"] for answer in sat}) == 1
    seq = sat[0]["seq"]
    bets = at_once(lambda c: c.command(table, "PlaceWager", seat=1, wager="ante", amount=5_00, seq=seq, key="bet"))
    assert sorted(answer["repeated"] for answer in bets) == [False] + [True] * 11
    path = f"/api/tables/{quote(table)}/chips"
    at_once(lambda client: client.post(path, {"amount_cents": 50_00, "key": "more"}))
    assert server.store.wallet("Ann") == MONEY - 150_00
    assert ann.table(table)["you"]["chips_cents"] == 145_00


def test_of_many_commands_for_one_moment_one_happens(server: Server) -> None:
    table, ann = open_table(server), server.person("Ann", Role.PATRON, cents=MONEY)
    seq = ann.sit(table, 1, chips=500_00)["seq"]
    clients = [server.again(Person("Ann", Role.PATRON, guest=False)) for _ in range(12)]

    def bet(number: int) -> int:
        amount = (5 + number) * 100
        said = {"command": "PlaceWager", "seat": 1, "wager": "ante", "amount": amount, "seq": seq, "key": f"{number}"}
        problem = tried(clients[number], f"/api/tables/{quote(table)}/commands", said)
        assert problem is None or (problem.status, problem.seq) == (409, seq + 1)
        return amount if problem is None else 0

    with ThreadPoolExecutor(len(clients)) as pool:
        placed = [amount for amount in pool.map(bet, range(len(clients))) if amount]
    assert len(placed) == 1
    assert server.state(table)[0].wagers == {1: {"ante": placed[0]}}
    assert server.state(table)[1] == seq + 1


def test_stale_and_reordered_commands_change_nothing(server: Server) -> None:
    table, ann = open_table(server), server.person("Ann", Role.PATRON, cents=MONEY)
    seq = ann.sit(table, 1, chips=500_00)["seq"]
    path = f"/api/tables/{quote(table)}/commands"
    bet: dict[str, Any] = {"command": "PlaceWager", "seat": 1, "wager": "ante", "amount": 5_00}
    first, second = {**bet, "key": "1", "seq": seq}, {**bet, "amount": 7_00, "key": "2", "seq": seq + 1}
    early = refused(ann, "POST", path, second)
    assert (early.status, early.seq) == (409, seq)
    assert ann.post(path, first)["seq"] == seq + 1
    assert ann.post(path, second)["seq"] == seq + 2  # a stale command used no key up
    late = refused(ann, "POST", path, {**bet, "amount": 9_00, "key": "3", "seq": seq})
    assert (late.status, late.seq) == (409, seq + 2)
    assert ann.post(path, first)["repeated"]
    assert server.state(table)[0].wagers == {1: {"ante": 7_00}}


def test_money_is_spent_once(server: Server) -> None:
    """One account, many tables at once: no more is brought to them than there was, and nobody sits without it."""
    tables = [open_table(server, f"Table {number}") for number in range(6)]
    server.person("Ann", Role.PATRON, cents=MONEY)
    clients = [server.again(Person("Ann", Role.PATRON, guest=False)) for _ in tables]

    def sit(number: int) -> int:
        said = {"seats": [1], "chips_cents": 400_00, "key": "k"}
        problem = tried(clients[number], f"/api/tables/{quote(tables[number])}/sit", said)
        assert problem is None or (problem.status, problem.clause) == (422, "GAM-1")
        return 400_00 if problem is None else 0

    with ThreadPoolExecutor(len(tables)) as pool:
        brought = list(pool.map(sit, range(len(tables))))
    assert sum(brought) == 800_00
    assert server.store.wallet("Ann") == 200_00
    for table, cents in zip(tables, brought, strict=True):
        state = server.state(table)[0]
        assert (1 in state.seats, state.balances.get("Ann", 0)) == (bool(cents), cents)


def test_many_play_at_once_and_send_everything_twice(server: Server) -> None:
    """Patrons at three tables, each with two connections that send the same: every cent is where it should be."""
    tables = [open_table(server, f"Table {number}") for number in range(3)]
    people = [(f"P{number}", tables[number % 3], 1 + number // 3) for number in range(9)]
    for name, _, _ in people:
        server.person(name, Role.PATRON, cents=MONEY)
    rounds, failures = 3, list[BaseException]()

    def play(name: str, table: str, seat: int) -> None:
        try:
            _play_until(server, name, table, seat, rounds)
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


def _play_until(server: Server, name: str, table: str, seat: int, rounds: int) -> None:
    """Plays so many rounds; each request goes out twice, from two connections, in any order."""
    me = Person(name, Role.PATRON, guest=False)
    one, other = server.again(me), server.again(me)
    dice = random.Random(name)
    for client in (one, other):
        client.sit(table, seat, chips=300_00, key=f"{name} sits")
    for turn in range(500):
        view = one.table(table)
        if view["round"] >= rounds and view["phase"] == "betting":
            return
        said: dict[str, Any] | None = None
        placed = [wager for wager in view["wagers"] if wager["seat"] == seat]
        if view["phase"] == "betting" and not placed:
            said = {"command": "PlaceWager", "seat": seat, "wager": "ante", "amount": 5_00}
        elif view["phase"] == "betting":
            problem = tried(one, f"/api/tables/{quote(table)}/ready", {})
            assert problem is None or problem.status in (409, 422)
        elif view["waiting"][:1] == [seat]:
            said = {"command": "Decide", "seat": seat, "amount": dice.choice([None, 5_00])}
        if said is not None:
            said |= {"key": f"{name} {turn}", "seq": view["seq"]}
            for client in dice.sample([one, other], 2):
                problem = tried(client, f"/api/tables/{quote(table)}/commands", said)
                assert problem is None or problem.status in (409, 422)
    raise AssertionError(f"{name} never finished")


def tried(client: Client, path: str, said: Any) -> RequestFailed | None:
    """How a request was refused, if it was."""
    try:
        client.post(path, said)
    except RequestFailed as problem:
        return problem
    return None


def test_an_old_answer_says_no_more_than_the_first_time(small: Server) -> None:
    """The same key one round later: what was turned up then is not what lies face down now."""
    setup = replace(play_table("pa-682a"), name="Table 1")
    pit = Pit(small, small.open(setup, BY_PEOPLE), PATRONS)
    try:
        sit_down(pit)
        for number in (1, 2):
            pit.procedure(Phase.BETTING)
            for seat in (1, 2, 3):
                wager(pit, seat, everything=False)
            close(pit)
            if number == 1:
                decide(pit, lambda seat, street: True)
        settled = [
            answer for answer in (_again(pit, number) for number in range(1, pit.sent + 1)) if answer is not None
        ]
        assert any(event["event"] == "HandTurnedUp" for answer in settled for event in answer["events"])
    finally:
        pit.close()


def _again(pit: Pit, number: int) -> Any:
    """Sends an earlier command of the dealer again, and searches the answer."""
    spy = pit.spies["the dealer"]
    with pit.server.store.database.read_transaction() as connection:
        query = "SELECT said, first_seq FROM commands WHERE key = ?"
        row = connection.exec_driver_sql(query, (f"k{number}",)).one_or_none()
    if row is None or not row.said.startswith(("SettleSeat by the dealer", "Deal by the dealer")):
        return None
    kind = row.said.split()[0]
    if kind == "Deal":
        said: dict[str, Any] = {"face_up": []}
    else:
        event = pit.server.store.events(pit.table, row.first_seq - 1)[0][1]
        said = {"seat": getattr(event, "seat", 0)}
    status, answer = spy.ask("POST", f"{pit.path}/commands", {"command": kind, "key": f"k{number}", "seq": 0, **said})
    assert status == 200, answer
    assert answer["repeated"]
    search = Search(pit.oracle, Looker("the dealer", Role.DEALER))
    for raw in spy.taken():
        assert not search.leaks(raw), raw
    return answer


def test_a_table_of_any_name_takes_commands(small: Server) -> None:
    for name in ("50% off", "a%20b", "Ünïcode ♠", "a b+c", "?x=1#y", "100%25"):
        table = open_table(small, name)
        ann = small.person(f"Ann at {name}"[:30], Role.PATRON, cents=MONEY)
        seq = ann.sit(table, 1, chips=MONEY)["seq"]
        assert ann.command(table, "PlaceWager", seat=1, wager="ante", amount=5_00)["seq"] == seq + 1
        assert ann.ready(table)["closed"]
        with ann.watch(table) as messages:
            assert next(iter(messages))["view"]["table"] == name


def test_staffed_tables_take_no_word_of_patrons_for_the_end_of_betting(small: Server) -> None:
    table = small.open(play_table("pa-682a"), replace(default_settings(QUIET, STAFFED), self_service=True))
    ann = small.person("Ann", Role.PATRON, cents=MONEY)
    assert "dealer" in refused(ann, "POST", f"/api/tables/{quote(table)}/ready", {}).reason
