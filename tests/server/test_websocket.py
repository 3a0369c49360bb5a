"""Watching a table over a WebSocket: missed events, slow watchers, disconnects, limits."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
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
from tests.server.servers import TEST_CONFIG, TIMEOUT_SECONDS, Server, run_server

TABLE_NUMBERS = count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with run_server(str(tmp_path_factory.mktemp("watching") / "house.db")) as instance:
        yield instance


@pytest.fixture
def table(server: Server) -> str:
    return server.open_table(replace(play_table("pa-682a"), name=f"Table {next(TABLE_NUMBERS)}"))


@pytest.fixture
def ann(server: Server, table: str, request: pytest.FixtureRequest) -> Client:
    person = server.add_person(f"Ann {abs(hash(request.node.name)) % 10**9}", Role.PATRON, cents=1_000_00)
    person.sit(table, 1, chips=500_00)
    return person


def place_wagers(client: Client, table: str, times: int) -> int:
    """Changes the Ante `times` times; returns the sequence number of the last event."""
    seq: int = client.table(table)["seq"]
    for number in range(times):
        amount = 5_00 + 100 * (number % 2)
        seq = client.command(table, "PlaceWager", seat=1, wager="ante", amount=amount, seq=seq)["seq"]
    return seq


def watch_url(server: Server, table: str, after: object = None) -> str:
    query = "" if after is None else f"?after={after}"
    return f"ws://127.0.0.1:{server.port}/api/tables/{quote(table, safe='')}/watch{query}"


def test_the_first_message_is_the_view_and_each_change_follows(server: Server, table: str, ann: Client) -> None:
    with ann.watch(table) as messages:
        stream = iter(messages)
        first = next(stream)
        assert first["events"] == []
        assert not first["missed"]
        assert {**first["view"], "clock": None} == {
            name: value for name, value in ann.table(table).items() if name in first["view"]
        }
        for number in range(3):
            seq = place_wagers(ann, table, 1)
            message = next(stream)
            assert message["seq"] == message["view"]["seq"] == seq
            assert [event["seq"] for event in message["events"]] == [seq], number
            assert message["events"][0]["text"].startswith("Seat 1 places")


def test_a_returning_watcher_gets_the_missed_events(server: Server, table: str, ann: Client) -> None:
    with ann.watch(table) as messages:
        seq = next(iter(messages))["seq"]
    last = place_wagers(ann, table, 5)
    with ann.watch(table, after=seq) as messages:
        message = next(iter(messages))
    assert [event["seq"] for event in message["events"]] == list(range(seq + 1, last + 1))
    assert not message["missed"]
    assert message["seq"] == last


def test_a_watcher_who_missed_too_much_is_told_and_gets_the_view(server: Server, table: str, ann: Client) -> None:
    with ann.watch(table) as messages:
        seq = next(iter(messages))["seq"]
    last = place_wagers(ann, table, MAX_KEPT_EVENTS + 10)
    with ann.watch(table, after=seq) as messages:
        message = next(iter(messages))
    assert message["missed"]
    assert [event["seq"] for event in message["events"]] == list(range(last - MAX_KEPT_EVENTS + 1, last + 1))
    assert message["view"]["seq"] == last


@pytest.mark.parametrize("after", ["", "x", "-1", "1e3", "%EF%BC%99", "9" * 400, "99999999"])
def test_a_bad_event_number_does_no_harm(server: Server, table: str, ann: Client, after: str) -> None:
    with connect(watch_url(server, table, after)) as watch:
        first = json.loads(watch.recv(TIMEOUT_SECONDS))
        assert first["events"] == []
        last = place_wagers(ann, table, 1)
        assert json.loads(watch.recv(TIMEOUT_SECONDS))["view"]["seq"] == last


def test_a_slow_watcher_gets_fewer_messages_and_the_latest_state(server: Server, table: str, ann: Client) -> None:
    """A watcher stops reading for a while: the server queues nothing for them, and they catch up at once."""
    server.listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8_192)  # inherited by connections
    with socket.socket() as raw_socket:
        raw_socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        raw_socket.connect(("127.0.0.1", server.port))
        url = watch_url(server, table)
        with connect(url, sock=raw_socket, max_queue=1, max_size=2**24, compression=None) as watch:
            first = json.loads(watch.recv(TIMEOUT_SECONDS))
            last = place_wagers(ann, table, 500)
            subscriptions = server.tables.get(table).feed
            assert subscriptions is not None
            assert len(subscriptions._events) == MAX_KEPT_EVENTS
            message_count, seq = 0, first["seq"]
            seqs: list[int] = []
            while seq < last:
                message = json.loads(watch.recv(TIMEOUT_SECONDS))
                seq, message_count = message["seq"], message_count + 1
                seqs += [event["seq"] for event in message["events"]]
    assert message_count < 400
    assert seq == last
    assert seqs == sorted(set(seqs))


def test_signing_out_ends_the_watch(server: Server, table: str, ann: Client) -> None:
    second_session = server.new_session(server.services.users.get(ann.name).person)
    with second_session.watch(table) as messages:
        stream = iter(messages)
        next(stream)
        second_session.post("/api/sign-out", {})
        server.clock.advance(seconds=21)
        place_wagers(ann, table, 1)
        with pytest.raises(RequestFailed, match="signed out") as raised:
            list(stream)
        assert raised.value.status == 401


def test_connections_per_person_are_limited(server: Server, table: str, ann: Client) -> None:
    with ExitStack() as stack:
        for _ in range(server.tables.config.web.websockets_per_person):
            next(iter(stack.enter_context(ann.watch(table))))
        with ann.watch(table) as messages, pytest.raises(RequestFailed, match="too many") as raised:
            next(iter(messages))
        assert raised.value.status == 429
        next(iter(stack.enter_context(server.anonymous_client().watch(table))))
    with ann.watch(table) as messages:
        next(iter(messages))


def test_anonymous_connections_per_address_are_limited(tmp_path: Path) -> None:
    config = replace(TEST_CONFIG, web=replace(TEST_CONFIG.web, websockets_per_address=3))
    with run_server(str(tmp_path / "house.db"), config) as server, ExitStack() as stack:
        table = server.open_table(play_table("pa-682a"))
        for _ in range(3):
            next(iter(stack.enter_context(server.anonymous_client().watch(table))))
        with server.anonymous_client().watch(table) as messages, pytest.raises(RequestFailed, match="too many"):
            next(iter(messages))
        ann = server.add_person("Ann", Role.PATRON)
        next(iter(stack.enter_context(ann.watch(table))))


def _watchers(server: Server) -> float | None:
    return server.tables.metrics.registry.get_sample_value("croupier_watchers")


def test_closed_connections_are_no_longer_counted(server: Server, table: str, ann: Client) -> None:
    with ann.watch(table) as messages:
        next(iter(messages))
        assert server.services.policies.websockets.counts["person", ann.name] == 1
    place_wagers(ann, table, 1)
    for _ in range(200):
        if not server.services.policies.websockets.counts and not _watchers(server):
            break
        server.run_on_loop(_pause())
    assert not server.services.policies.websockets.counts
    assert _watchers(server) == 0
    subscriptions = server.tables.get(table).feed
    assert subscriptions is not None
    assert not subscriptions.watchers


async def _pause() -> None:
    import asyncio

    await asyncio.sleep(0.02)


def test_a_missing_table_is_refused(server: Server) -> None:
    with server.anonymous_client().watch("Nowhere") as messages, pytest.raises(RequestFailed) as raised:
        next(iter(messages))
    assert raised.value.status == 404


def test_other_origins_cannot_watch(server: Server, table: str) -> None:
    url = watch_url(server, table)
    with pytest.raises(InvalidStatus) as raised, connect(url, origin=Origin("https://evil.example")):
        pass
    assert raised.value.response.status_code == 403


@pytest.mark.parametrize("message", ["x", '{"command": "Decide"}', b"\x00\xff", "", "x" * 60_000])
def test_messages_from_a_watcher_are_ignored(server: Server, table: str, ann: Client, message: Any) -> None:
    before = server.state(table)
    with connect(watch_url(server, table), additional_headers={"Authorization": f"Bearer {ann.token}"}) as watch:
        watch.recv(TIMEOUT_SECONDS)
        watch.send(message)
        assert server.state(table) == before
        last = place_wagers(ann, table, 1)
        assert json.loads(watch.recv(TIMEOUT_SECONDS))["seq"] == last


def test_an_oversized_message_closes_the_connection(server: Server, table: str) -> None:
    with connect(watch_url(server, table)) as watch:
        watch.recv(TIMEOUT_SECONDS)
        watch.send("x" * 70_000)
        with pytest.raises(ConnectionClosedError) as raised:
            watch.recv(TIMEOUT_SECONDS)
    assert raised.value.rcvd is not None
    assert raised.value.rcvd.code == 1009
    assert not server.logs.errors()
