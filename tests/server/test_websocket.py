"""Watching a table: what was missed, slow watchers, who is sent off, and what watchers may not do."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from croupier.client import Client, RequestFailed
from croupier.server.services import play_table
from croupier.server.tables.subscriptions import MAX_KEPT_EVENTS
from croupier.table.model.roles import Role
from tests.server.table_services import QUIET, WAIT, Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(str(tmp_path_factory.mktemp("watching") / "house.db")) as up:
        yield up


@pytest.fixture
def table(server: Server, request: pytest.FixtureRequest) -> str:
    return server.open(replace(play_table("pa-682a"), name=request.node.name[:90]))


@pytest.fixture
def ann(server: Server, table: str, request: pytest.FixtureRequest) -> Client:
    person = server.person(f"Ann {abs(hash(request.node.name)) % 10**9}", Role.PATRON, cents=1_000_00)
    person.sit(table, 1, chips=500_00)
    return person


def bet(client: Client, table: str, times: int) -> int:
    """Changes the Ante so often; gives the number of the last event."""
    seq: int = client.table(table)["seq"]
    for number in range(times):
        amount = 5_00 + 100 * (number % 2)
        seq = client.command(table, "PlaceWager", seat=1, wager="ante", amount=amount, seq=seq)["seq"]
    return seq


def address(server: Server, table: str, after: object = None) -> str:
    asked = "" if after is None else f"?after={after}"
    return f"ws://127.0.0.1:{server.port}/api/tables/{quote(table, safe='')}/watch{asked}"


def test_the_first_message_is_the_view_and_then_every_change(server: Server, table: str, ann: Client) -> None:
    with ann.watch(table) as messages:
        said = iter(messages)
        first = next(said)
        assert first["events"] == []
        assert not first["missed"]
        assert {**first["view"], "clock": None} == {
            name: value for name, value in ann.table(table).items() if name in first["view"]
        }
        for number in range(3):
            seq = bet(ann, table, 1)
            message = next(said)
            assert message["seq"] == message["view"]["seq"] == seq
            assert [event["seq"] for event in message["events"]] == [seq], number
            assert message["events"][0]["text"].startswith("Seat 1 places")


def test_who_comes_back_gets_what_he_missed(server: Server, table: str, ann: Client) -> None:
    with ann.watch(table) as messages:
        seq = next(iter(messages))["seq"]
    last = bet(ann, table, 5)
    with ann.watch(table, after=seq) as messages:
        back = next(iter(messages))
    assert [event["seq"] for event in back["events"]] == list(range(seq + 1, last + 1))
    assert not back["missed"]
    assert back["seq"] == last


def test_who_missed_too_much_is_told_so_and_gets_the_view(server: Server, table: str, ann: Client) -> None:
    with ann.watch(table) as messages:
        seq = next(iter(messages))["seq"]
    last = bet(ann, table, MAX_KEPT_EVENTS + 10)
    with ann.watch(table, after=seq) as messages:
        back = next(iter(messages))
    assert back["missed"]
    assert [event["seq"] for event in back["events"]] == list(range(last - MAX_KEPT_EVENTS + 1, last + 1))
    assert back["view"]["seq"] == last


@pytest.mark.parametrize("after", ["", "x", "-1", "1e3", "%EF%BC%99", "9" * 400, "99999999"])
def test_a_number_that_is_none_or_too_large_does_no_harm(server: Server, table: str, ann: Client, after: str) -> None:
    with connect(address(server, table, after)) as watch:
        first = json.loads(watch.recv(WAIT))
        assert first["events"] == []
        last = bet(ann, table, 1)
        assert json.loads(watch.recv(WAIT))["view"]["seq"] == last


def test_a_slow_watcher_gets_fewer_messages_and_the_last_state(server: Server, table: str, ann: Client) -> None:
    """He reads nothing for a while: the server keeps no queue for him, and he catches up at once."""
    server.listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8_192)  # connections have it from there
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        line.connect(("127.0.0.1", server.port))
        path = address(server, table)
        with connect(path, sock=line, max_queue=1, max_size=2**24, compression=None) as watch:
            first = json.loads(watch.recv(WAIT))
            last = bet(ann, table, 500)
            feed = server.tables.get(table).feed
            assert feed is not None
            assert len(feed._events) == MAX_KEPT_EVENTS
            read, seq = 0, first["seq"]
            seen: list[int] = []
            while seq < last:
                message = json.loads(watch.recv(WAIT))
                seq, read = message["seq"], read + 1
                seen += [event["seq"] for event in message["events"]]
    assert read < 400
    assert seq == last
    assert seen == sorted(set(seen))


def test_who_signs_out_watches_no_more(server: Server, table: str, ann: Client) -> None:
    other = server.again(server.services.users.get(ann.name).person)
    with other.watch(table) as messages:
        said = iter(messages)
        next(said)
        other.post("/api/sign-out", {})
        server.clock.later(seconds=21)
        bet(ann, table, 1)
        with pytest.raises(RequestFailed, match="signed out") as told:
            list(said)
        assert told.value.status == 401


def test_one_person_has_so_many_connections_and_no_more(server: Server, table: str, ann: Client) -> None:
    with ExitStack() as stack:
        for _ in range(server.tables.config.web.websockets_per_person):
            next(iter(stack.enter_context(ann.watch(table))))
        with ann.watch(table) as messages, pytest.raises(RequestFailed, match="too many") as told:
            next(iter(messages))
        assert told.value.status == 429
        next(iter(stack.enter_context(server.nobody().watch(table))))
    with ann.watch(table) as messages:
        next(iter(messages))


def test_nobody_has_many_connections_from_one_address(tmp_path: Path) -> None:
    config = replace(QUIET, web=replace(QUIET.web, websockets_per_address=3))
    with serving(str(tmp_path / "house.db"), config) as server, ExitStack() as stack:
        table = server.open(play_table("pa-682a"))
        for _ in range(3):
            next(iter(stack.enter_context(server.nobody().watch(table))))
        with server.nobody().watch(table) as messages, pytest.raises(RequestFailed, match="too many"):
            next(iter(messages))
        ann = server.person("Ann", Role.PATRON)
        next(iter(stack.enter_context(ann.watch(table))))


def test_connections_are_counted_and_let_go(server: Server, table: str, ann: Client) -> None:
    with ann.watch(table) as messages:
        next(iter(messages))
        assert server.services.policies.websockets.counts["person", ann.name] == 1
    bet(ann, table, 1)
    for _ in range(200):
        if not server.services.policies.websockets.counts and not server.tables.metrics.watchers:
            break
        server.on_loop(_pause())
    assert not server.services.policies.websockets.counts
    assert server.tables.metrics.watchers == 0
    feed = server.tables.get(table).feed
    assert feed is not None
    assert not feed.watchers


async def _pause() -> None:
    import asyncio

    await asyncio.sleep(0.02)


def test_a_table_that_is_not_there(server: Server) -> None:
    with server.nobody().watch("Nowhere") as messages, pytest.raises(RequestFailed) as told:
        next(iter(messages))
    assert told.value.status == 404


def test_pages_of_other_origins_do_not_watch(server: Server, table: str) -> None:
    path = address(server, table)
    with pytest.raises(InvalidStatus) as refused, connect(path, origin=Origin("https://evil.example")):
        pass
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("said", ["x", '{"command": "Decide"}', b"\x00\xff", "", "x" * 60_000])
def test_what_a_watcher_says_is_dropped(server: Server, table: str, ann: Client, said: Any) -> None:
    before = server.state(table)
    with connect(address(server, table), additional_headers={"Authorization": f"Bearer {ann.token}"}) as watch:
        watch.recv(WAIT)
        watch.send(said)
        assert server.state(table) == before
        last = bet(ann, table, 1)
        assert json.loads(watch.recv(WAIT))["seq"] == last


def test_who_says_too_much_is_let_go(server: Server, table: str) -> None:
    with connect(address(server, table)) as watch:
        watch.recv(WAIT)
        watch.send("x" * 70_000)
        with pytest.raises(ConnectionClosedError) as closed:
            watch.recv(WAIT)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009
    assert not server.lines.faults()
