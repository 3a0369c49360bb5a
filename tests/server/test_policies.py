"""One list of request policies on every path into the server: a person who sends too much is refused everywhere."""

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
from croupier.server.policies import BURST_SECONDS, configured_limits
from croupier.server.policies.rules import is_action, read_head
from croupier.server.services import play_table
from croupier.server.tables.command_endpoint import COMMAND_PATH
from croupier.server.tables.settings import TableSettings
from croupier.table.model.roles import Role
from tests.server.table_services import QUIET, WAIT, Server, serving

BURST = BURST_SECONDS * WebSettings().commands_per_second
"""Commands that the default lets one person send at once."""
PROXIED = replace(QUIET.web, behind_proxy=True, commands_per_second=WebSettings().commands_per_second)
UNTIMED = TableSettings("electronic", 3_600, 3_600, "wait", self_service=True)
"""Timers run in real time, and nobody may be dealt in while a test still wagers."""
DECLARED, CHUNKED = "declared", "chunked"
"""How a request says where its body ends."""
BODIES = {"ready": b"{}", "sit": b'{"seats": [6], "key": "k"}', "chips": b'{"amount_cents": 100, "key": "k"}'}
Answer = tuple[int, dict[str, str], bytes]


@dataclass(frozen=True, slots=True)
class Sender:
    """A connection of somebody: with which session, from which address, with which framing, to which table."""

    token: str
    address: str
    framing: str
    table: str


def framed(sender: Sender, what: str, body: bytes) -> bytes:
    """A request as bytes."""
    lines = [
        f"POST /api/tables/{quote(sender.table)}/{what} HTTP/1.1",
        "Host: 127.0.0.1",
        "Content-Type: application/json",
        f"Authorization: Bearer {sender.token}",
        f"X-Forwarded-For: {sender.address}",
    ]
    if sender.framing == DECLARED:
        return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode() + body
    head = "\r\n".join([*lines, "Transfer-Encoding: chunked", "", ""]).encode()
    return head + b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)


class Line:
    """One keep-alive connection."""

    def __init__(self, server: Server) -> None:
        self._socket = socket.create_connection(("127.0.0.1", server.port), timeout=WAIT)
        self._file = self._socket.makefile("rb")

    def send(self, data: bytes) -> Answer:
        self._socket.sendall(data)
        status = int(self._file.readline().split()[1])
        headers = http.client.parse_headers(self._file)
        body = self._file.read(int(headers["content-length"]))
        return status, {name.lower(): value for name, value in headers.items()}, body

    def __enter__(self) -> Line:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._socket.close()


def wager(seq: int, key: str, amount: int = 5_00) -> bytes:
    command = {"command": "PlaceWager", "seat": 1, "wager": "ante", "amount": amount, "key": key, "seq": seq}
    return json.dumps(command).encode()


def flood(server: Server, sender: Sender, count: int) -> Counter[int]:
    """Sends commands as fast as it can; gives how often it got which status."""
    statuses, seq = Counter[int](), server.state(sender.table)[1]
    with Line(server) as line:
        for number in range(count):
            command = wager(seq, f"{sender.table} {seq} {number}", 5_00 + number % 2 * 1_00)
            answer = line.send(framed(sender, "commands", command))
            statuses[answer[0]] += 1
            if answer[0] == 200:
                seq = json.loads(answer[2])["seq"]
            else:
                assert_too_many(answer)
    return statuses


def assert_too_many(answer: Answer) -> None:
    status, headers, body = answer
    assert status == 429, body
    assert int(headers["retry-after"]) >= 1
    error = json.loads(body)["error"]
    assert set(error) == {"reason", "clause", "place"}
    assert error["reason"] == f"too many requests: try again in {headers['retry-after']} s"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """The default limit of commands, no other; its clock stands still unless a test moves it."""
    with serving(str(tmp_path / "house.db"), replace(QUIET, web=replace(PROXIED, hosts=("127.0.0.1",)))) as up:
        yield up


def seated(server: Server, client: Client, *tables: str) -> None:
    for table in tables:
        if table not in server.tables.names():
            server.open(replace(play_table("pa-682a"), name=table), UNTIMED)
        client.sit(table, len(server.state(table)[0].seats) + 1, chips=100_00)


def test_a_flood_of_one_person_over_two_sessions_two_addresses_and_both_framings(server: Server) -> None:
    ann = server.person("Ann", Role.PATRON, cents=1_000_00)
    bob = server.person("Bob", Role.PATRON, cents=1_000_00)
    again = server.again(server.services.users.get("Ann").person)
    tables = ["One", "Two", "Three", "Four"]
    seated(server, ann, *tables)
    seated(server, bob, "One")
    before = {table: server.state(table)[1] for table in tables}
    senders = [
        Sender(ann.token, "192.0.2.1", DECLARED, "One"),
        Sender(ann.token, "192.0.2.2", CHUNKED, "Two"),
        Sender(again.token, "192.0.2.1", CHUNKED, "Three"),
        Sender(again.token, "192.0.2.2", DECLARED, "Four"),
    ]
    each = 3 * BURST // len(senders)
    with ThreadPoolExecutor(len(senders)) as pool:
        statuses = list(pool.map(lambda sender: flood(server, sender, each), senders))
    done = sum(one[200] for one in statuses)
    assert done == BURST - len(tables), "sitting down at each table was an action, too"
    assert sum(one[429] for one in statuses) == 3 * BURST - done
    for table, one in zip(tables, statuses, strict=True):
        assert server.state(table)[1] - before[table] == one[200], "each accepted command is one event, no other is any"
        assert server.state(table)[0].phase.value == "betting"
    assert server.tables.metrics.commands["rejected"] == 3 * BURST - done

    seq = server.state("One")[1]
    assert bob.command("One", "PlaceWager", seat=2, wager="ante", amount=5_00, seq=seq)["seq"] == seq + 1
    for framing in (DECLARED, CHUNKED):
        with Line(server) as line:
            for what in ("ready", "sit", "chips"):
                assert_too_many(line.send(framed(Sender(ann.token, "192.0.2.3", framing, "One"), what, BODIES[what])))
    assert server.state("One")[1] == seq + 1
    assert again.table("Two")["phase"] == "betting", "they may still look"

    server.clock.later(seconds=1)
    more = flood(server, senders[3], 2 * WebSettings().commands_per_second)
    assert more == {200: WebSettings().commands_per_second, 429: WebSettings().commands_per_second}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Settings under which a burst of requests is answered `before`, and the next one refused with `status`."""

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
    config = replace(QUIET, web=replace(unlimited, **refusal.settings))
    with serving(str(tmp_path / "house.db"), config) as server:
        ann = server.person("Ann", Role.PATRON, cents=1_000_00)
        server.open(replace(play_table("pa-682a"), name="One"), UNTIMED)
        with Line(server) as line:
            for number in range(BURST_SECONDS):
                address = refusal.addresses[number % len(refusal.addresses)]
                burst = Sender(ann.token, address, (DECLARED, CHUNKED)[number // 2 % 2], "One")
                assert line.send(framed(burst, "commands", wager(0, "a")))[0] == refusal.before
            address = refusal.addresses[0] if len(refusal.addresses) == 1 else "192.0.2.3"
            declared, chunked = (
                line.send(framed(Sender(ann.token, address, framing, "One"), "commands", wager(0, "b")))
                for framing in (DECLARED, CHUNKED)
            )
        assert declared == chunked
        assert declared[0] == refusal.status
        if refusal.status == 429:
            assert_too_many(declared)


def test_opening_a_websocket_counts_as_a_request(tmp_path: Path) -> None:
    config = replace(QUIET, web=replace(QUIET.web, requests_per_second=1, behind_proxy=True, hosts=("127.0.0.1",)))
    with serving(str(tmp_path / "house.db"), config) as server:
        table = server.open(play_table("pa-682a"))
        ann = server.person("Ann", Role.PATRON)
        for number in range(BURST_SECONDS):
            status, _, _ = asked(server, f"/api/tables/{quote(table)}", ann.token, f"192.0.2.{number}")
            assert status == 200
        with ann.watch(table) as messages, pytest.raises(RequestFailed, match="too many requests") as refused:
            next(iter(messages))
        assert refused.value.status == 429
        assert not server.services.policies.websockets.counts
        with server.person("Bob", Role.PATRON).watch(table) as messages:
            next(iter(messages))


def asked(server: Server, path: str, token: str, address: str) -> Answer:
    head = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {token}", f"X-Forwarded-For: {address}"]
    with Line(server) as line:
        return line.send("\r\n".join([*head, "", ""]).encode())


def test_the_list_and_its_order(server: Server) -> None:
    assert server.services.policies.names() == [
        "host and origin",
        "null bytes",
        "sign-ins per address",
        "guests per address",
        "body size and time",
        "CSRF token",
        "commands per person",
        "open WebSockets",
    ]


def test_every_limit_is_in_force_by_default() -> None:
    limits = configured_limits(Config().web)
    for name in ("address", "person", "commands", "sign_in", "guests"):
        assert getattr(limits, name) is not None, name


@pytest.mark.parametrize("what", ["commands", "ready", "sit", "chips"])
@pytest.mark.parametrize("table", ["One", "Table 1", "a.b", "ü", "x" * 400, "%2F", "commands"])
def test_whatever_acts_at_a_table_counts_as_a_command(what: str, table: str) -> None:
    scope = {"type": "http", "method": "POST", "path": f"/api/tables/{table}/{what}", "headers": []}
    assert is_action(read_head(scope, behind_proxy=False))
    if what in ("commands", "ready"):
        assert COMMAND_PATH.fullmatch(f"/api/tables/{table}/{what}")
    assert not is_action(read_head({**scope, "method": "GET"}, behind_proxy=False))


def test_no_module_finds_a_session_past_the_policies() -> None:
    """`identify` is the one way to a session; signing in looks up the session that it replaces, and acts for nobody."""
    folder = Path(croupier.server.__file__).parent
    callers = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        if "sessions.look_up(" in path.read_text(encoding="utf-8")
    }
    assert callers == {"policies/__init__.py", "api/accounts.py"}
