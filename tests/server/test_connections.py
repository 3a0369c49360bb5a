"""Limits on request heads and on connections, each met by real sockets: nobody keeps the server from serving others."""

from __future__ import annotations

import json
import resource
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier.client import Client
from croupier.server.config import WebSettings
from croupier.server.http_server import RESERVED_FILES, Connection, ConnectionLimits, Connections
from croupier.server.services import play_table
from tests.server.processes import Process
from tests.server.table_services import QUIET, WAIT, Server, serving
from tests.server.test_config import certificate

__all__ = ["certificate"]
HERE, ELSEWHERE = "127.0.0.1", "127.0.0.2"
TABLE = "Table 1"
HALF_OPEN = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: "
WHOLE = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
LAST = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
WATCH = (
    b"GET /api/tables/Table%201/watch HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
PAUSE = 0.3
"""Seconds within which a server that has nothing else to do has done what it does at once."""


@contextmanager
def limited(folder: Path, **limits: Any) -> Iterator[Server]:
    web = replace(WebSettings(requests_per_second=0), **limits)
    with serving(str(folder / "house.db"), replace(QUIET, web=web)) as server:
        server.open(replace(play_table("pa-682a"), name=TABLE))
        yield server


def connect(server: Server, sent: bytes = b"", source: str = HERE) -> socket.socket:
    line = socket.create_connection((HERE, server.port), timeout=WAIT, source_address=(source, 0))
    line.sendall(sent)
    return line


def read_all(line: socket.socket) -> bytes:
    """Everything until the server closes the connection."""
    return b"".join(iter(lambda: line.recv(65_536), b""))


def is_open(line: socket.socket) -> bool:
    """Whether the server has not closed a connection within a moment; whatever it sent is read."""
    line.settimeout(PAUSE)
    try:
        while line.recv(65_536):
            pass
    except TimeoutError:
        return True
    except ConnectionResetError:
        pass
    return False


def refused(response: bytes, status: int) -> None:
    """The response refuses in the one form, and says that the connection ends."""
    head, _, text = response.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status), response
    assert b"\r\nconnection: close" in head
    error = json.loads(text)["error"]
    assert error["reason"]
    assert set(error) == {"reason", "clause", "place"}


def served(server: Server, source: str = HERE) -> bool:
    with closing(connect(server, LAST, source)) as line:
        return read_all(line).startswith(b"HTTP/1.1 200 ")


def head_of(size: int, path: bytes = b"/healthz") -> bytes:
    """A whole request head of that many bytes."""
    start = b"GET %b HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nX-Long: " % path
    return start + b"a" * (size - len(start) - 4) + b"\r\n\r\n"


# Heads: size.


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with limited(tmp_path_factory.mktemp("heads"), head_seconds=2) as up:
        yield up


def test_the_limit_of_a_head_is_64_KB() -> None:
    assert WebSettings().head_bytes == 64 * 1024


@pytest.mark.parametrize("part", [1_000_000, 10_000, 1_000])
def test_a_head_within_the_limit_is_served_and_a_longer_one_is_refused(server: Server, part: int) -> None:
    for size, status in ((64 * 1024 - 100, 200), (100_000, 431), (1_000_000, 431)):
        head = head_of(size)
        with closing(connect(server)) as line:
            try:
                for start in range(0, size, part):
                    line.sendall(head[start : start + part])
            except OSError:
                assert status == 431, "only a refused head may be cut off"
            try:
                response = read_all(line)
            except ConnectionResetError:
                assert size == 1_000_000, "a client that goes on sending for long may be cut off"
                continue
        assert response.startswith(b"HTTP/1.1 %d " % status)
        if status == 431:
            refused(response, 431)


def test_a_head_without_an_end_is_refused_as_soon_as_it_is_too_large(server: Server) -> None:
    with closing(connect(server, HALF_OPEN)) as line:
        for _ in range(70):
            line.sendall(b"a" * 1_000)
        refused(read_all(line), 431)


def test_a_long_path_is_a_long_head(server: Server) -> None:
    with closing(connect(server, head_of(100_000, b"/" + b"a" * 90_000))) as line:
        refused(read_all(line), 431)


def test_a_long_head_behind_another_request_in_one_packet_is_not_served(server: Server) -> None:
    with closing(connect(server, WHOLE + head_of(100_000))) as line:
        response = read_all(line)
    assert response.startswith(b"HTTP/1.1 200 ")
    assert response.count(b"HTTP/1.1 200 ") == 1


def test_the_body_of_a_request_that_was_refused_early_is_no_head(tmp_path: Path) -> None:
    start = b"POST /api/guests HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 60000\r\n\r\n"
    with limited(tmp_path, head_bytes=2_000) as server, closing(connect(server, start)) as line:
        assert line.recv(65_536).startswith(b"HTTP/1.1 403 ")
        for _ in range(60):
            line.sendall(b"x" * 1_000)
        line.sendall(WHOLE)
        assert line.recv(65_536).startswith(b"HTTP/1.1 200 ")


# Heads: time.


def dribble(line: socket.socket, piece: bytes) -> tuple[float, bytes]:
    """Sends a piece again and again; gives the seconds until the server ends it, and its response."""
    start, line_timeout = time.monotonic(), 0.1
    line.settimeout(line_timeout)
    response = b""
    while time.monotonic() - start < WAIT:
        try:
            line.sendall(piece)
            part = line.recv(65_536)
        except TimeoutError:
            continue
        except OSError:
            break
        response += part
        if not part:
            break
    return time.monotonic() - start, response


def test_a_head_that_is_sent_byte_by_byte_is_refused_in_time(server: Server) -> None:
    with closing(connect(server, HALF_OPEN)) as line:
        seconds, response = dribble(line, b"a")
    refused(response, 408)
    assert 1.5 < seconds < 20, "the test starts its clock a little later than the server"


@pytest.mark.parametrize("piece", [b"\r\n", b""])
def test_a_connection_that_sends_no_head_is_closed_in_time(server: Server, piece: bytes) -> None:
    with closing(connect(server)) as line:
        seconds, response = dribble(line, piece)
    if response:
        refused(response, 408)
    assert 1.5 < seconds < 20, "the test starts its clock a little later than the server"


def test_the_second_head_has_the_same_time(server: Server) -> None:
    with closing(connect(server, WHOLE)) as line:
        assert line.recv(65_536).startswith(b"HTTP/1.1 200 ")
        line.sendall(HALF_OPEN)
        seconds, response = dribble(line, b"a")
    refused(response, 408)
    assert 1.5 < seconds < 20, "the test starts its clock a little later than the server"


def test_line_ends_do_not_keep_an_idle_connection_alive(server: Server) -> None:
    with closing(connect(server, WHOLE)) as line:
        assert line.recv(65_536).startswith(b"HTTP/1.1 200 ")
        seconds, _ = dribble(line, b"\r\n")
    assert seconds < 20


def test_idle_connections_and_watchers_outlive_the_time_of_a_head(server: Server) -> None:
    with closing(connect(server, WHOLE)) as idle, closing(connect(server, WATCH)) as watcher:
        assert idle.recv(65_536).startswith(b"HTTP/1.1 200 ")
        assert watcher.recv(65_536).startswith(b"HTTP/1.1 101 ")
        time.sleep(3)
        assert is_open(watcher)
        idle.sendall(WHOLE)
        assert idle.recv(65_536).startswith(b"HTTP/1.1 200 ")


# Connections.


def watch(server: Server, source: str = HERE) -> socket.socket:
    line = connect(server, WATCH, source)
    assert line.recv(65_536).startswith(b"HTTP/1.1 101 ")
    return line


def test_one_address_has_so_many_connections_and_others_have_theirs(tmp_path: Path) -> None:
    with limited(tmp_path, connections_per_address=3) as server, ExitStack() as stack:
        watchers = [stack.enter_context(closing(watch(server))) for _ in range(3)]
        with closing(connect(server)) as line:
            refused(read_all(line), 503)
        assert served(server, ELSEWHERE)
        assert all(is_open(line) for line in watchers)
        watchers[0].close()
        end = time.monotonic() + WAIT
        while not served(server):
            assert time.monotonic() < end, "the place of a watcher who has gone is free again"


def test_all_addresses_together_have_so_many_connections(tmp_path: Path) -> None:
    with limited(tmp_path, connections=3) as server, ExitStack() as stack:
        watchers = [stack.enter_context(closing(watch(server, source))) for source in (HERE, ELSEWHERE, "127.0.0.3")]
        with closing(connect(server, source="127.0.0.4")) as line:
            refused(read_all(line), 503)
        assert all(is_open(line) for line in watchers)


def test_behind_a_proxy_only_the_total_counts(tmp_path: Path) -> None:
    limits = {"connections_per_address": 1, "connections": 3, "behind_proxy": True}
    with limited(tmp_path, **limits) as server, ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(closing(watch(server)))
        with closing(connect(server)) as line:
            refused(read_all(line), 503)


def test_the_oldest_incomplete_request_makes_room_then_the_oldest_idle_connection(tmp_path: Path) -> None:
    slow_body = b"POST /api/guests HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"
    with limited(tmp_path, connections=5) as server, ExitStack() as stack:

        def new(sent: bytes) -> socket.socket:
            line = stack.enter_context(closing(connect(server, sent)))
            if sent == WHOLE:
                assert line.recv(65_536).startswith(b"HTTP/1.1 200 ")
            time.sleep(PAUSE)
            return line

        watcher = stack.enter_context(closing(watch(server)))
        idle_first, half_open, idle_second, slow = new(WHOLE), new(HALF_OPEN), new(WHOLE), new(slow_body)
        lines = {"idle first": idle_first, "half open": half_open, "idle second": idle_second, "slow body": slow}
        closed = []
        for _ in lines:
            stack.enter_context(closing(watch(server)))
            closed += [name for name, line in lines.items() if name not in closed and not is_open(line)]
        assert closed == ["half open", "slow body", "idle first", "idle second"]
        assert is_open(watcher)


def raise_open_files(wanted: int) -> None:
    """The test has as many connections open as the server."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard), hard))


def test_1100_half_open_heads_leave_the_server_usable(tmp_path: Path) -> None:
    raise_open_files(3_000)
    settings = {"CROUPIER_OPEN": "pa-682a", "CROUPIER_WEB_HEAD_SECONDS": "600"}
    process = Process(str(tmp_path / "house.db"), tmp_path, environment=settings)
    port = int(process.address.rpartition(":")[2])
    with ExitStack() as stack:
        patron = stack.enter_context(Client(process.address, timeout=WAIT))
        patron.guest()
        (table,) = [entry["table"] for entry in patron.tables()]
        seq = patron.sit(table, 1, chips=100_00)["seq"]
        messages = iter(stack.enter_context(patron.watch(table)))
        next(messages)
        for _ in range(1_100):
            line = stack.enter_context(closing(socket.create_connection((HERE, port), timeout=WAIT)))
            line.sendall(HALF_OPEN)
        stranger = stack.enter_context(Client(process.address, timeout=WAIT))
        assert stranger.get("/healthz")["healthy"]
        seq = patron.command(table, "PlaceWager", seat=1, wager="ante", amount=5_00, seq=seq, key="wager")["seq"]
        assert next(messages)["seq"] == seq
        assert is_open(line), "room was made by the oldest, long before the time of any head was over"
    assert process.stop() == 0
    process.assert_clean()


def test_1100_half_open_TLS_handshakes_leave_the_server_usable(certificate: tuple[Path, Path], tmp_path: Path) -> None:
    raise_open_files(3_000)
    made, key = certificate
    settings = {"CROUPIER_WEB_CERTIFICATE": str(made), "CROUPIER_WEB_KEY": str(key), "CROUPIER_OPEN": "pa-682a"}
    process = Process(
        str(tmp_path / "house.db"),
        tmp_path,
        environment={**settings, "CROUPIER_WEB_HEAD_SECONDS": "10"},
        trusted=made,
    )
    port = int(process.address.rpartition(":")[2])
    trusted = ssl.create_default_context(cafile=str(made))
    with ExitStack() as stack:

        def silent() -> socket.socket:
            return stack.enter_context(closing(socket.create_connection((HERE, port), timeout=WAIT)))

        lines = [silent() for _ in range(1_100)]
        raw = stack.enter_context(socket.create_connection((HERE, port), timeout=WAIT))
        line = stack.enter_context(trusted.wrap_socket(raw, server_hostname="localhost"))
        line.sendall(LAST)
        assert read_all(line).startswith(b"HTTP/1.1 200 ")
        assert not is_open(lines[0]), "the oldest handshake made room"
        lines[-1].settimeout(30)  # half of what asyncio would wait
        assert read_all(lines[-1]) == b"", "a handshake that does not come is given up in time"
    assert process.stop() == 0


def test_a_failed_TLS_handshake_gives_its_place_back(certificate: tuple[Path, Path], tmp_path: Path) -> None:
    made, key = certificate
    with limited(tmp_path, certificate=str(made), key=str(key)) as server:
        connections = server.http_server.config.connections
        for sent in (b"", WHOLE, b"\x16\x03\x01\x02\x00"):
            connect(server, sent).close()
        end = time.monotonic() + WAIT
        while len(connections):
            assert time.monotonic() < end
            time.sleep(0.01)
        assert (connections.evicted, connections.refused) == (0, 0)


def test_stopping_does_not_wait_for_half_open_connections(tmp_path: Path) -> None:
    with limited(tmp_path) as server:
        lines = [connect(server, HALF_OPEN), connect(server), connect(server, WHOLE)]
        time.sleep(PAUSE)
        start = time.monotonic()
    assert time.monotonic() - start < 8
    for line in lines:
        line.close()


# The bookkeeping by itself.


class Seconds:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        self.time += 1
        return self.time


def admitted(connections: Connections, address: str, closed: Callable[[], object]) -> Connection:
    connection = connections.admit(address, closed)
    assert connection is not None
    return connection


def test_who_is_owed_a_response_keeps_the_connection() -> None:
    connections, closed = Connections(ConnectionLimits(total=2), Seconds()), list[str]()
    owed = admitted(connections, "a", lambda: closed.append("owed"))
    owed.received += 1
    admitted(connections, "b", lambda: closed.append("silent"))
    new = admitted(connections, "c", lambda: closed.append("new"))
    assert (closed, len(connections)) == (["silent"], 2)
    new.received += 1
    assert connections.admit("d", lambda: None) is None
    connections.finish_response(owed)
    assert connections.admit("d", lambda: None) is not None
    assert closed == ["silent", "owed"]
    assert (connections.evicted, connections.refused, len(connections)) == (2, 1, 2)


def test_a_place_is_given_back_once() -> None:
    connections = Connections(ConnectionLimits(per_address=1, total=10), Seconds())
    first, closed = admitted(connections, "a", lambda: None), list[str]()
    connections.release(first)
    admitted(connections, "a", lambda: closed.append("second"))
    connections.release(first)
    assert len(connections) == 1
    admitted(connections, "a", lambda: None)
    assert closed == ["second"]


ALLOWED = """
import resource, sys
from croupier.server.http_server import allow_files
soft, hard, connections = map(int, sys.argv[1:])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
print(allow_files(connections), *resource.getrlimit(resource.RLIMIT_NOFILE))
"""


@pytest.mark.parametrize(
    ("soft", "hard", "room", "soft_after"),
    [
        (1_024, 4_096, 1_000, 1_000 + RESERVED_FILES),
        (1_024, 1_024, 1_024 - RESERVED_FILES, 1_024),
        (3_000,) * 2 + (1_000, 3_000),
    ],
)
def test_connections_are_as_many_as_the_process_may_open_files(
    soft: int, hard: int, room: int, soft_after: int
) -> None:
    command = [sys.executable, "-c", ALLOWED, str(soft), str(hard), "1000"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert [int(number) for number in done.stdout.split()] == [room, soft_after, hard]
