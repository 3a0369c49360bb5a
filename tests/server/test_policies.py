"""Every path into the server applies the same request policies, rate limits included."""

from __future__ import annotations

import http.client
import json
import socket
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import croupier.server
from croupier.client import Client, RequestFailed
from croupier.server.config import Config, WebSettings
from croupier.server.policies import BURST_SECONDS, configured_limits, is_action, read_head
from croupier.server.services import play_table
from croupier.server.tables.command_endpoint import COMMAND_PATH
from croupier.server.tables.service import TableSettings
from croupier.table.model.roles import Role
from tests.server.servers import TEST_CONFIG, TIMEOUT_SECONDS, Server, run_server

BURST = BURST_SECONDS * WebSettings().commands_per_second
"""Commands that one person may send at once by default."""
PROXIED = replace(TEST_CONFIG.web, behind_proxy=True, commands_per_second=WebSettings().commands_per_second)
UNTIMED_SETTINGS = TableSettings("electronic", 3_600, 3_600, "wait", self_service=True)
"""Timers run in real time, and none may expire during a test."""
DECLARED, CHUNKED = "declared", "chunked"
"""How a request frames its body."""
BODIES = {"ready": b"{}", "sit": b'{"seats": [6], "key": "k"}', "chips": b'{"amount_cents": 100, "key": "k"}'}
Response = tuple[int, dict[str, str], bytes]


@dataclass(frozen=True, slots=True)
class Sender:
    """A person's connection: session, address, framing and table."""

    token: str
    address: str
    framing: str
    table: str


def frame_request(sender: Sender, action: str, body: bytes) -> bytes:
    """Encodes a request."""
    lines = [
        f"POST /api/tables/{quote(sender.table)}/{action} HTTP/1.1",
        "Host: 127.0.0.1",
        "Content-Type: application/json",
        f"Authorization: Bearer {sender.token}",
        f"X-Forwarded-For: {sender.address}",
    ]
    if sender.framing == DECLARED:
        return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode() + body
    head = "\r\n".join([*lines, "Transfer-Encoding: chunked", "", ""]).encode()
    return head + b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)


class RawConnection:
    """One keep-alive connection."""

    def __init__(self, server: Server) -> None:
        self._socket = socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT_SECONDS)
        self._file = self._socket.makefile("rb")

    def send(self, data: bytes) -> Response:
        self._socket.sendall(data)
        status = int(self._file.readline().split()[1])
        headers = http.client.parse_headers(self._file)
        body = self._file.read(int(headers["content-length"]))
        return status, {name.lower(): value for name, value in headers.items()}, body

    def __enter__(self) -> RawConnection:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._socket.close()


def wager(seq: int, key: str, amount: int = 5_00) -> bytes:
    command = {"command": "PlaceWager", "seat": 1, "wager": "ante", "amount": amount, "key": key, "seq": seq}
    return json.dumps(command).encode()


def send_flood(server: Server, sender: Sender, count: int) -> Counter[int]:
    """Sends commands as fast as possible; returns the count of each status."""
    statuses, seq = Counter[int](), server.state(sender.table)[1]
    with RawConnection(server) as connection:
        for number in range(count):
            command = wager(seq, f"{sender.table} {seq} {number}", 5_00 + number % 2 * 1_00)
            response = connection.send(frame_request(sender, "commands", command))
            statuses[response[0]] += 1
            if response[0] == 200:
                seq = json.loads(response[2])["seq"]
            else:
                assert_rate_limited(response)
    return statuses


def assert_rate_limited(response: Response) -> None:
    status, headers, body = response
    assert status == 429, body
    assert int(headers["retry-after"]) >= 1
    error = json.loads(body)["error"]
    assert set(error) == {"reason", "clause", "place", "code"}
    assert error["reason"] == f"too many requests: try again in {headers['retry-after']} s"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server with only the default limit on commands; its clock stands still unless a test advances it."""
    with run_server(
        str(tmp_path / "house.db"), replace(TEST_CONFIG, web=replace(PROXIED, hosts=("127.0.0.1",)))
    ) as instance:
        yield instance


def seat_patron(server: Server, client: Client, *tables: str) -> None:
    for table in tables:
        if table not in server.tables.names():
            server.open_table(replace(play_table("pa-682a"), name=table), UNTIMED_SETTINGS)
        client.sit(table, len(server.state(table)[0].seats) + 1, chips=100_00)


def test_one_persons_limit_spans_sessions_addresses_and_framings(server: Server) -> None:
    ann = server.add_person("Ann", Role.PATRON, cents=1_000_00)
    bob = server.add_person("Bob", Role.PATRON, cents=1_000_00)
    second_session = server.new_session(server.services.users.get("Ann").person)
    tables = ["One", "Two", "Three", "Four"]
    seat_patron(server, ann, *tables)
    seat_patron(server, bob, "One")
    before = {table: server.state(table)[1] for table in tables}
    senders = [
        Sender(ann.token, "192.0.2.1", DECLARED, "One"),
        Sender(ann.token, "192.0.2.2", CHUNKED, "Two"),
        Sender(second_session.token, "192.0.2.1", CHUNKED, "Three"),
        Sender(second_session.token, "192.0.2.2", DECLARED, "Four"),
    ]
    requests_each = 3 * BURST // len(senders)
    with ThreadPoolExecutor(len(senders)) as pool:
        statuses = list(pool.map(lambda sender: send_flood(server, sender, requests_each), senders))
    accepted = sum(counts[200] for counts in statuses)
    assert accepted == BURST - len(tables), "sitting down counts as an action, too"
    assert sum(counts[429] for counts in statuses) == 3 * BURST - accepted
    for table, counts in zip(tables, statuses, strict=True):
        assert server.state(table)[1] - before[table] == counts[200], "one event per accepted command and no others"
        assert server.state(table)[0].phase.value == "betting"
    registry = server.tables.metrics.registry
    rejected = registry.get_sample_value("croupier_commands_total", {"outcome": "rejected"})
    assert rejected == 3 * BURST - accepted

    seq = server.state("One")[1]
    assert bob.command("One", "PlaceWager", seat=2, wager="ante", amount=5_00, seq=seq)["seq"] == seq + 1
    for framing in (DECLARED, CHUNKED):
        with RawConnection(server) as connection:
            for action in ("ready", "sit", "chips"):
                assert_rate_limited(
                    connection.send(
                        frame_request(Sender(ann.token, "192.0.2.3", framing, "One"), action, BODIES[action])
                    )
                )
    assert server.state("One")[1] == seq + 1
    assert second_session.table("Two")["phase"] == "betting", "they may still read"

    server.clock.advance(seconds=1)
    later_counts = send_flood(server, senders[3], 2 * WebSettings().commands_per_second)
    assert later_counts == {200: WebSettings().commands_per_second, 429: WebSettings().commands_per_second}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Settings under which a burst of requests gets the status `before`, and the next request is refused."""

    settings: dict[str, Any]
    addresses: tuple[str, ...]
    before: int = 409
    status: int = 429


REFUSALS = {
    "commands per person": Refusal({"commands_per_second": 1}, ("192.0.2.1", "192.0.2.2")),
    "requests per person": Refusal({"requests_per_second": 1}, ("192.0.2.1", "192.0.2.2")),
    "requests per address": Refusal({"requests_per_second": 1}, ("192.0.2.1",)),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals_do_not_depend_on_the_framing_of_the_body(tmp_path: Path, name: str) -> None:
    refusal = REFUSALS[name]
    unlimited = replace(PROXIED, commands_per_second=0, hosts=("127.0.0.1",))
    config = replace(TEST_CONFIG, web=replace(unlimited, **refusal.settings))
    with run_server(str(tmp_path / "house.db"), config) as server:
        ann = server.add_person("Ann", Role.PATRON, cents=1_000_00)
        server.open_table(replace(play_table("pa-682a"), name="One"), UNTIMED_SETTINGS)
        with RawConnection(server) as connection:
            for number in range(BURST_SECONDS):
                address = refusal.addresses[number % len(refusal.addresses)]
                burst = Sender(ann.token, address, (DECLARED, CHUNKED)[number // 2 % 2], "One")
                assert connection.send(frame_request(burst, "commands", wager(0, "a")))[0] == refusal.before
            address = refusal.addresses[0] if len(refusal.addresses) == 1 else "192.0.2.3"
            declared, chunked = (
                connection.send(frame_request(Sender(ann.token, address, framing, "One"), "commands", wager(0, "b")))
                for framing in (DECLARED, CHUNKED)
            )
        assert declared == chunked
        assert declared[0] == refusal.status
        if refusal.status == 429:
            assert_rate_limited(declared)


def test_opening_a_websocket_counts_as_a_request(tmp_path: Path) -> None:
    config = replace(
        TEST_CONFIG, web=replace(TEST_CONFIG.web, requests_per_second=1, behind_proxy=True, hosts=("127.0.0.1",))
    )
    with run_server(str(tmp_path / "house.db"), config) as server:
        table = server.open_table(play_table("pa-682a"))
        ann = server.add_person("Ann", Role.PATRON)
        for number in range(BURST_SECONDS):
            status, _, _ = send_get(server, f"/api/tables/{quote(table)}", ann.token, f"192.0.2.{number}")
            assert status == 200
        with ann.watch(table) as messages, pytest.raises(RequestFailed, match="too many requests") as raised:
            next(iter(messages))
        assert raised.value.status == 429
        assert not server.services.policies.websockets.counts
        with server.add_person("Bob", Role.PATRON).watch(table) as messages:
            next(iter(messages))


def send_get(server: Server, path: str, token: str, address: str) -> Response:
    head = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {token}", f"X-Forwarded-For: {address}"]
    with RawConnection(server) as connection:
        return connection.send("\r\n".join([*head, "", ""]).encode())


def test_policies_run_in_this_order(server: Server) -> None:
    assert server.services.policies.names() == [
        "host and origin",
        "null bytes",
        "sign-ins per address",
        "guests per address",
        "body size and time",
        "CSRF token",
        "pending account",
        "commands per person",
        "open WebSockets",
    ]


def test_every_limit_is_enabled_by_default() -> None:
    limits = configured_limits(Config().web)
    for name in ("address", "person", "commands", "sign_in", "guests"):
        assert getattr(limits, name) is not None, name


@pytest.mark.parametrize("action", ["commands", "ready", "sit", "chips"])
@pytest.mark.parametrize("table", ["One", "Table 1", "a.b", "ü", "x" * 400, "%2F", "commands"])
def test_every_action_at_a_table_counts_as_a_command(action: str, table: str) -> None:
    scope = {"type": "http", "method": "POST", "path": f"/api/tables/{table}/{action}", "headers": []}
    assert is_action(read_head(scope, behind_proxy=False))
    if action in ("commands", "ready"):
        assert COMMAND_PATH.fullmatch(f"/api/tables/{table}/{action}")
    assert not is_action(read_head({**scope, "method": "GET"}, behind_proxy=False))


def test_no_module_looks_up_sessions_without_the_policies() -> None:
    """Sessions are looked up in `identify`, and in sign-in, which replaces a session."""
    folder = Path(croupier.server.__file__).parent
    callers = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        if "sessions.look_up(" in path.read_text(encoding="utf-8")
    }
    assert callers == {"policies.py", "api/accounts.py"}
