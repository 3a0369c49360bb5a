"""Limits on request heads and on connections, over real sockets: no client can block others."""

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
from croupier.storage.repositories import journal
from tests.server.processes import Process
from tests.server.servers import TEST_CONFIG, TIMEOUT_SECONDS, Server, run_server
from tests.server.test_config import certificate

__all__ = ["certificate"]
LOCAL_ADDRESS, OTHER_ADDRESS = "127.0.0.1", "127.0.0.2"
TABLE = "Table 1"
PARTIAL_HEAD = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: "
REQUEST = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
CLOSING_REQUEST = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
WATCH_REQUEST = (
    b"GET /api/tables/Table%201/watch HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
PAUSE_SECONDS = 0.3
"""Within this time an idle server has reacted."""


@contextmanager
def run_limited_server(folder: Path, **limits: Any) -> Iterator[Server]:
    web = replace(WebSettings(requests_per_second=0), **limits)
    with run_server(str(folder / "house.db"), replace(TEST_CONFIG, web=web)) as server:
        server.open_table(replace(play_table("pa-682a"), name=TABLE))
        yield server


def connect(server: Server, sent: bytes = b"", source: str = LOCAL_ADDRESS) -> socket.socket:
    connection = socket.create_connection(
        (LOCAL_ADDRESS, server.port), timeout=TIMEOUT_SECONDS, source_address=(source, 0)
    )
    connection.sendall(sent)
    return connection


def read_all(connection: socket.socket) -> bytes:
    """Everything until the server closes the connection."""
    return b"".join(iter(lambda: connection.recv(65_536), b""))


def is_open(connection: socket.socket) -> bool:
    """Whether the server leaves a connection open for a moment; discards what it sends."""
    connection.settimeout(PAUSE_SECONDS)
    try:
        while connection.recv(65_536):
            pass
    except TimeoutError:
        return True
    except ConnectionResetError:
        pass
    return False


def assert_refused(response: bytes, status: int) -> None:
    """The response is a refusal in the standard form and closes the connection."""
    head, _, text = response.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status), response
    assert b"\r\nconnection: close" in head
    error = json.loads(text)["error"]
    assert error["reason"]
    assert set(error) == {"reason", "clause", "place", "code"}


def is_served(server: Server, source: str = LOCAL_ADDRESS) -> bool:
    with closing(connect(server, CLOSING_REQUEST, source)) as connection:
        return read_all(connection).startswith(b"HTTP/1.1 200 ")


def build_head(size: int, path: bytes = b"/healthz") -> bytes:
    """A complete request head of the given size."""
    start = b"GET %b HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nX-Long: " % path
    return start + b"a" * (size - len(start) - 4) + b"\r\n\r\n"


# Heads: size.


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with run_limited_server(tmp_path_factory.mktemp("heads"), head_seconds=2) as instance:
        yield instance


def test_heads_are_limited_to_64_KB() -> None:
    assert WebSettings().head_bytes == 64 * 1024


@pytest.mark.parametrize("part", [1_000_000, 10_000, 1_000])
def test_a_head_over_the_limit_is_refused(server: Server, part: int) -> None:
    for size, status in ((64 * 1024 - 100, 200), (100_000, 431), (1_000_000, 431)):
        head = build_head(size)
        with closing(connect(server)) as connection:
            try:
                for start in range(0, size, part):
                    connection.sendall(head[start : start + part])
            except OSError:
                assert status == 431, "only a refused head may be interrupted"
            try:
                response = read_all(connection)
            except ConnectionResetError:
                assert size == 1_000_000, "a client that keeps sending may be disconnected"
                continue
        assert response.startswith(b"HTTP/1.1 %d " % status)
        if status == 431:
            assert_refused(response, 431)


def test_an_endless_head_is_refused_at_the_limit(server: Server) -> None:
    with closing(connect(server, PARTIAL_HEAD)) as connection:
        for _ in range(70):
            connection.sendall(b"a" * 1_000)
        assert_refused(read_all(connection), 431)


def test_a_long_path_counts_towards_the_head(server: Server) -> None:
    with closing(connect(server, build_head(100_000, b"/" + b"a" * 90_000))) as connection:
        assert_refused(read_all(connection), 431)


def test_a_pipelined_head_over_the_limit_is_not_served(server: Server) -> None:
    with closing(connect(server, REQUEST + build_head(100_000))) as connection:
        response = read_all(connection)
    assert response.startswith(b"HTTP/1.1 200 ")
    assert response.count(b"HTTP/1.1 200 ") == 1


def test_the_body_of_an_early_refused_request_is_not_taken_for_a_head(tmp_path: Path) -> None:
    start = b"POST /api/guests HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 60000\r\n\r\n"
    with run_limited_server(tmp_path, head_bytes=2_000) as server, closing(connect(server, start)) as connection:
        assert connection.recv(65_536).startswith(b"HTTP/1.1 403 ")
        for _ in range(60):
            connection.sendall(b"x" * 1_000)
        connection.sendall(REQUEST)
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200 ")


CHUNKED = (
    b"POST /api/guests HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
ENDLESS = {
    "trailers": (b"2\r\n{}\r\n0\r\n", b"X-Long: " + b"a" * 1_000 + b"\r\n"),
    "one trailer": (b"2\r\n{}\r\n0\r\nX-Long: ", b"a" * 1_000),
    "a chunk extension": (b"2;", b"a" * 1_000),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_fields_after_the_head_are_limited_as_well(server: Server, name: str) -> None:
    """Whether they arrive with the head, in one piece after it, or bit by bit."""
    start, piece = ENDLESS[name]
    endless = start + 80 * piece
    for parts in ([CHUNKED + endless], [CHUNKED, endless], [CHUNKED[:-1], CHUNKED[-1:] + start, *80 * [piece]]):
        with closing(connect(server, parts[0])) as connection:
            for part in parts[1:]:
                connection.sendall(part)
            assert_refused(read_all(connection), 431)


def test_a_trailer_is_no_header(tmp_path: Path) -> None:
    """A proxy checks and rewrites heads; it forwards trailers as they are, so a client could state any address."""
    body = b'{"name": "Nobody", "password": "a wrong password"}'
    head = (
        b"POST /api/sign-in HTTP/1.1\r\nHost: pit.example\r\nContent-Type: application/json\r\n"
        b"X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-Proto: https\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    web = replace(TEST_CONFIG.web, behind_proxy=True, hosts=("pit.example",))
    with run_server(str(tmp_path / "house.db"), replace(TEST_CONFIG, web=web)) as server:
        chunks = b"%x\r\n%b\r\n0\r\n" % (len(body), body)
        trailers = b"X-Forwarded-For: 192.0.2.99\r\n\r\n"
        with closing(connect(server, head + chunks + trailers)) as connection:  # parsed before any of it is checked
            assert connection.recv(65_536).startswith(b"HTTP/1.1 401 ")
        (failure,) = journal.read(server.store, kinds=["sign_in_failed"])
        assert failure.data["address"] == "192.0.2.1"


def test_a_body_in_single_bytes_and_short_trailers_are_accepted(server: Server) -> None:
    body = b"".join(b"1\r\n%b\r\n" % bytes([byte]) for byte in b'{"bearer": true}')
    with closing(connect(server, CHUNKED)) as connection:
        for start in range(0, len(body), 7):
            connection.sendall(body[start : start + 7])
        connection.sendall(b"0\r\nX-Short: 1\r\n\r\n")
        assert connection.recv(65_536).startswith(b"HTTP/1.1 403 "), "this house does not admit guests"


# Heads: time.


def send_slowly(connection: socket.socket, piece: bytes) -> tuple[float, bytes]:
    """Sends a piece repeatedly; returns the seconds until the server closes the connection, and its response."""
    start, receive_timeout = time.monotonic(), 0.1
    connection.settimeout(receive_timeout)
    response = b""
    while time.monotonic() - start < TIMEOUT_SECONDS:
        try:
            connection.sendall(piece)
            data = connection.recv(65_536)
        except TimeoutError:
            continue
        except OSError:
            break
        response += data
        if not data:
            break
    return time.monotonic() - start, response


def test_a_slowly_sent_head_times_out(server: Server) -> None:
    with closing(connect(server, PARTIAL_HEAD)) as connection:
        seconds, response = send_slowly(connection, b"a")
    assert_refused(response, 408)
    assert 1.5 < seconds < 20, "the server's timer starts slightly earlier"


@pytest.mark.parametrize("piece", [b"\r\n", b""])
def test_a_connection_without_a_head_times_out(server: Server, piece: bytes) -> None:
    with closing(connect(server)) as connection:
        seconds, response = send_slowly(connection, piece)
    if response:
        assert_refused(response, 408)
    assert 1.5 < seconds < 20, "the server's timer starts slightly earlier"


def test_a_second_head_has_the_same_timeout(server: Server) -> None:
    with closing(connect(server, REQUEST)) as connection:
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200 ")
        connection.sendall(PARTIAL_HEAD)
        seconds, response = send_slowly(connection, b"a")
    assert_refused(response, 408)
    assert 1.5 < seconds < 20, "the server's timer starts slightly earlier"


def test_blank_lines_do_not_keep_an_idle_connection_alive(server: Server) -> None:
    with closing(connect(server, REQUEST)) as connection:
        assert connection.recv(65_536).startswith(b"HTTP/1.1 200 ")
        seconds, _ = send_slowly(connection, b"\r\n")
    assert seconds < 20


def test_idle_connections_and_watchers_outlive_the_head_timeout(server: Server) -> None:
    with closing(connect(server, REQUEST)) as idle, closing(connect(server, WATCH_REQUEST)) as watcher:
        assert idle.recv(65_536).startswith(b"HTTP/1.1 200 ")
        assert watcher.recv(65_536).startswith(b"HTTP/1.1 101 ")
        time.sleep(3)
        assert is_open(watcher)
        idle.sendall(REQUEST)
        assert idle.recv(65_536).startswith(b"HTTP/1.1 200 ")


# Connections.


def watch(server: Server, source: str = LOCAL_ADDRESS) -> socket.socket:
    connection = connect(server, WATCH_REQUEST, source)
    assert connection.recv(65_536).startswith(b"HTTP/1.1 101 ")
    return connection


def test_connections_are_limited_per_address(tmp_path: Path) -> None:
    with run_limited_server(tmp_path, connections_per_address=3) as server, ExitStack() as stack:
        watchers = [stack.enter_context(closing(watch(server))) for _ in range(3)]
        with closing(connect(server)) as connection:
            assert_refused(read_all(connection), 503)
        assert is_served(server, OTHER_ADDRESS)
        assert all(is_open(connection) for connection in watchers)
        watchers[0].close()
        end = time.monotonic() + TIMEOUT_SECONDS
        while not is_served(server):
            assert time.monotonic() < end, "a closed connection must free its slot"


def test_total_connections_are_limited(tmp_path: Path) -> None:
    with run_limited_server(tmp_path, connections=3) as server, ExitStack() as stack:
        watchers = [
            stack.enter_context(closing(watch(server, source)))
            for source in (LOCAL_ADDRESS, OTHER_ADDRESS, "127.0.0.3")
        ]
        with closing(connect(server, source="127.0.0.4")) as connection:
            assert_refused(read_all(connection), 503)
        assert all(is_open(connection) for connection in watchers)


def test_behind_a_proxy_only_the_total_is_limited(tmp_path: Path) -> None:
    limits = {"connections_per_address": 1, "connections": 3, "behind_proxy": True}
    with run_limited_server(tmp_path, **limits) as server, ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(closing(watch(server)))
        with closing(connect(server)) as connection:
            assert_refused(read_all(connection), 503)


def test_incomplete_requests_are_evicted_before_idle_connections_oldest_first(tmp_path: Path) -> None:
    slow_body = b"POST /api/guests HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{"
    with run_limited_server(tmp_path, connections=5) as server, ExitStack() as stack:

        def open_connection(data: bytes) -> socket.socket:
            connection = stack.enter_context(closing(connect(server, data)))
            if data == REQUEST:
                assert connection.recv(65_536).startswith(b"HTTP/1.1 200 ")
            time.sleep(PAUSE_SECONDS)
            return connection

        watcher = stack.enter_context(closing(watch(server)))
        idle_first, half_open, idle_second, slow = (
            open_connection(REQUEST),
            open_connection(PARTIAL_HEAD),
            open_connection(REQUEST),
            open_connection(slow_body),
        )
        lines = {"idle first": idle_first, "half open": half_open, "idle second": idle_second, "slow body": slow}
        evicted = []
        for _ in lines:
            stack.enter_context(closing(watch(server)))
            evicted += [name for name, connection in lines.items() if name not in evicted and not is_open(connection)]
        assert evicted == ["half open", "slow body", "idle first", "idle second"]
        assert is_open(watcher)


def raise_file_limit(count: int) -> None:
    """Raises the file limit: the test opens as many connections as the server."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(count, hard), hard))


def test_1100_half_open_heads_leave_the_server_usable(tmp_path: Path) -> None:
    raise_file_limit(3_000)
    settings = {"CROUPIER_OPEN": "pa-682a", "CROUPIER_WEB_HEAD_SECONDS": "600"}
    process = Process(str(tmp_path / "house.db"), tmp_path, environment=settings)
    port = int(process.address.rpartition(":")[2])
    with ExitStack() as stack:
        patron = stack.enter_context(Client(process.address, timeout=TIMEOUT_SECONDS))
        patron.guest()
        (table,) = [entry["table"] for entry in patron.tables()]
        seq = patron.sit(table, 1, chips=100_00)["seq"]
        messages = iter(stack.enter_context(patron.watch(table)))
        next(messages)
        for _ in range(1_100):
            connection = stack.enter_context(
                closing(socket.create_connection((LOCAL_ADDRESS, port), timeout=TIMEOUT_SECONDS))
            )
            connection.sendall(PARTIAL_HEAD)
        stranger = stack.enter_context(Client(process.address, timeout=TIMEOUT_SECONDS))
        assert stranger.get("/healthz")["healthy"]
        seq = patron.command(table, "PlaceWager", seat=1, wager="ante", amount=5_00, seq=seq, key="wager")["seq"]
        assert next(messages)["seq"] == seq
        assert is_open(connection), "the oldest connections were evicted, long before any head timed out"
    assert process.stop() == 0
    process.assert_clean()


def test_1100_half_open_TLS_handshakes_leave_the_server_usable(certificate: tuple[Path, Path], tmp_path: Path) -> None:
    raise_file_limit(3_000)
    certificate_path, key = certificate
    settings = {
        "CROUPIER_WEB_CERTIFICATE": str(certificate_path),
        "CROUPIER_WEB_KEY": str(key),
        "CROUPIER_OPEN": "pa-682a",
    }
    process = Process(
        str(tmp_path / "house.db"),
        tmp_path,
        environment={**settings, "CROUPIER_WEB_HEAD_SECONDS": "4"},
        trusted=certificate_path,
    )
    port = int(process.address.rpartition(":")[2])
    trusted = ssl.create_default_context(cafile=str(certificate_path))
    with ExitStack() as stack:

        def open_silent_connection() -> socket.socket:
            return stack.enter_context(
                closing(socket.create_connection((LOCAL_ADDRESS, port), timeout=TIMEOUT_SECONDS))
            )

        lines = [open_silent_connection() for _ in range(1_100)]
        raw = stack.enter_context(socket.create_connection((LOCAL_ADDRESS, port), timeout=TIMEOUT_SECONDS))
        connection = stack.enter_context(trusted.wrap_socket(raw, server_hostname="localhost"))
        connection.sendall(CLOSING_REQUEST)
        assert read_all(connection).startswith(b"HTTP/1.1 200 ")
        assert not is_open(lines[0]), "the oldest handshake was evicted"
        lines[-1].settimeout(30)  # half of asyncio's default
        assert read_all(lines[-1]) == b"", "a stalled handshake times out"
    assert process.stop() == 0


def test_a_failed_TLS_handshake_frees_its_connection(certificate: tuple[Path, Path], tmp_path: Path) -> None:
    certificate_path, key = certificate
    with run_limited_server(tmp_path, certificate=str(certificate_path), key=str(key)) as server:
        connections = server.http_server.config.connections
        for sent in (b"", REQUEST, b"\x16\x03\x01\x02\x00"):
            connect(server, sent).close()
        end = time.monotonic() + TIMEOUT_SECONDS
        while len(connections):
            assert time.monotonic() < end
            time.sleep(0.01)
        assert (connections.evicted, connections.refused) == (0, 0)


def test_shutdown_does_not_wait_for_half_open_connections(tmp_path: Path) -> None:
    with run_limited_server(tmp_path) as server:
        lines = [connect(server, PARTIAL_HEAD), connect(server), connect(server, REQUEST)]
        time.sleep(PAUSE_SECONDS)
        start = time.monotonic()
    assert time.monotonic() - start < 8
    for connection in lines:
        connection.close()


# Bookkeeping.


class CountingClock:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        self.time += 1
        return self.time


def admit(connections: Connections, address: str, closed: Callable[[], object]) -> Connection:
    connection = connections.admit(address, closed)
    assert connection is not None
    return connection


def test_a_connection_awaiting_a_response_is_not_evicted() -> None:
    connections, closed = Connections(ConnectionLimits(total=2), CountingClock()), list[str]()
    awaiting = admit(connections, "a", lambda: closed.append("awaiting"))
    awaiting.received += 1
    admit(connections, "b", lambda: closed.append("silent"))
    new = admit(connections, "c", lambda: closed.append("new"))
    assert (closed, len(connections)) == (["silent"], 2)
    new.received += 1
    assert connections.admit("d", lambda: None) is None
    connections.finish_response(awaiting)
    assert connections.admit("d", lambda: None) is not None
    assert closed == ["silent", "awaiting"]
    assert (connections.evicted, connections.refused, len(connections)) == (2, 1, 2)


def test_a_connection_is_released_only_once() -> None:
    connections = Connections(ConnectionLimits(per_address=1, total=10), CountingClock())
    first, closed = admit(connections, "a", lambda: None), list[str]()
    connections.release(first)
    admit(connections, "a", lambda: closed.append("second"))
    connections.release(first)
    assert len(connections) == 1
    admit(connections, "a", lambda: None)
    assert closed == ["second"]


ALLOW_FILES_SCRIPT = """
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
def test_connections_are_limited_by_the_open_file_limit(soft: int, hard: int, room: int, soft_after: int) -> None:
    command = [sys.executable, "-c", ALLOW_FILES_SCRIPT, str(soft), str(hard), "1000"]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    assert [int(number) for number in process.stdout.split()] == [room, soft_after, hard]
