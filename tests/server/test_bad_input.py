"""Bad input never causes a 500, a logged error or a change, and leaves the server healthy."""

from __future__ import annotations

import http.client
import json
import random
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from croupier.client import Client
from croupier.server.services import play_table
from croupier.server.tables.command_endpoint import COMMAND_KINDS
from croupier.server.tables.service import TableSettings
from croupier.table.model.roles import Role
from tests.server.fuzz import ENDS_SESSIONS, SLOW, create_people, fuzz
from tests.server.servers import TEST_CONFIG, TIMEOUT_SECONDS, Server, run_server
from tests.server.test_commands import assert_reconciled
from tests.storage.postgres import Cluster

TABLE = "Table 1"


def start_round(server: Server) -> str:
    """Opens a table in mid-round, with timers too long to expire."""
    settings = TableSettings("electronic", 3_600, 3_600, "wait", self_service=True)
    table = server.open_table(replace(play_table("pa-682a"), name=TABLE), settings)
    ann = server.add_person("Ann", Role.PATRON, cents=1_000_00)
    ann.sit(table, 1, chips=500_00)
    ann.command(table, "PlaceWager", seat=1, wager="ante", amount=5_00)
    ann.ready(table)
    return table


def assert_healthy(server: Server) -> None:
    """The server responds, has logged no error, and its ledger is balanced."""
    assert server.anonymous_client().get("/healthz")["healthy"]
    assert not server.logs.errors()
    assert_reconciled(server.store)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    config = replace(TEST_CONFIG, web=replace(TEST_CONFIG.web, body_seconds=1))
    database_url = str(tmp_path_factory.mktemp("bad") / "house.db")
    if request.param == "postgresql":
        postgres: Cluster = request.getfixturevalue("cluster")
        database_url = postgres.new_database()
    with run_server(database_url, config) as instance:
        start_round(instance)
        yield instance
        assert_healthy(instance)


@pytest.fixture
def unchanged(server: Server) -> Iterator[None]:
    """Checks that the test does not change the table."""
    before = server.state(TABLE)
    yield
    assert server.state(TABLE) == before


def send_raw(server: Server, method: str, path: str, body: bytes | None, **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=TIMEOUT_SECONDS)
    sent_headers = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.putrequest(method, path, skip_accept_encoding=True)
    for name, value in {"Content-Type": "application/json", **sent_headers}.items():
        connection.putheader(name, value)
    if body is not None and not {"Transfer-Encoding", "Content-Length"} & sent_headers.keys():
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
    response = connection.getresponse()
    text = response.read()
    connection.close()
    return response.status, text


def assert_refused(status: int, text: bytes, *expected: int) -> None:
    """The response is one of the expected refusals, in the standard form."""
    assert status in expected, text
    error = json.loads(text)["error"]
    assert set(error) == {"reason", "clause", "place", "code"}
    assert error["reason"]


def test_every_response_matches_the_openapi_document(tmp_path: Path) -> None:
    """A few hundred generated requests from four roles; `make prove` sends thousands from every role."""
    with run_server(str(tmp_path / "house.db")) as server:
        table = start_round(server)
        people = create_people(server)
        roles = {role: people[role] for role in ("nobody", "patron", "shift_manager", "administrator")}
        result = fuzz(server, roles, cases=1, seed_number=682, table=table, excluded=(*ENDS_SESSIONS, *SLOW))
        assert not result.problems, "\n".join(result.problems[:10])
        assert result.cases > 300
        assert {200, 400, 401, 403, 404, 422} <= set(result.statuses)
        assert_healthy(server)


BODIES: dict[str, bytes] = {
    "nothing": b"",
    "not JSON": b"{",
    "a list": b"[]",
    "null": b"null",
    "a number": b"7",
    "a text": b'"Decide"',
    "two documents": b"{}{}",
    "not a number": b'{"command": "Decide", "key": "k", "seq": NaN, "seat": 1, "amount": null}',
    "infinity": b'{"command": "Decide", "key": "k", "seq": 1, "seat": 1, "amount": Infinity}',
    "a huge number": b'{"command": "Decide", "key": "k", "seq": ' + b"9" * 5000 + b', "seat": 1, "amount": null}',
    "a huge exponent": b'{"command": "Decide", "key": "k", "seq": 1e999999, "seat": 1, "amount": null}',
    "a fraction": b'{"command": "Decide", "key": "k", "seq": 1.5, "seat": 1, "amount": null}',
    "a boolean": b'{"command": "Decide", "key": "k", "seq": true, "seat": 1, "amount": null}',
    "a negative number": b'{"command": "Decide", "key": "k", "seq": -1, "seat": 1, "amount": null}',
    "beyond 53 bits": b'{"command": "PlaceWager", "key": "k", "seq": 1, "seat": 9007199254740993, "wager": "x", '
    b'"amount": 1}',
    "beyond 64 bits": b'{"command": "PlaceWager", "key": "k", "seq": 1, "seat": 1, "wager": "x", '
    b'"amount": 18446744073709551617}',
    "deep nesting": b"[" * 30_000 + b"]" * 30_000,
    "deep nesting inside": b'{"command": "Sit", "key": "k", "seq": 1, "patron": "Ann", "seats": '
    + b"[" * 9_000
    + b"]" * 9_000
    + b"}",
    "not UTF-8": b'{"command": "Leave", "key": "k", "seq": 1, "patron": "\xff\xfe"}',
    "a lone surrogate": b'{"command": "Leave", "key": "k", "seq": 1, "patron": "\\ud800"}',
    "a lone surrogate in the key": b'{"command": "Leave", "key": "\\udfff", "seq": 1, "patron": "Ann"}',
    "a lone surrogate as a name": b'{"command": "CloseTable", "key": "k", "seq": 1, "\\ud800": 1}',
    "a null byte": b'{"command": "Leave", "key": "k", "seq": 1, "patron": "Ann\\u0000"}',
    "a null byte in the key": b'{"command": "CloseTable", "key": "k\\u0000", "seq": 1}',
    "a raw null byte": b'{"command": "CloseTable", "key": "k", "seq": 1}\x00',
    "a line break in the key": b'{"command": "CloseTable", "key": "k\\n", "seq": 1}',
    "a long key": b'{"command": "CloseTable", "key": "' + b"k" * 101 + b'", "seq": 1}',
    "an empty key": b'{"command": "CloseTable", "key": "", "seq": 1}',
    "a long text": b'{"command": "OrderShuffle", "key": "k", "seq": 1, "reason": "' + b"x" * 501 + b'"}',
    "many seats": b'{"command": "Sit", "key": "k", "seq": 1, "patron": "Ann", "seats": ['
    + b",".join([b"1"] * 9_000)
    + b"]}",
    "an unexpected value": b'{"command": "CloseTable", "key": "k", "seq": 1, "by": {"name": "Flo", "role": "system"}}',
    "a time": b'{"command": "CloseTable", "key": "k", "seq": 1, "at": 0}',
    "an order of cards": b'{"command": "Shuffle", "key": "k", "seq": 1, "deck": 1, "order": [1, 2, 3]}',
    "a command of the system": b'{"command": "CommitDeal", "key": "k", "seq": 1, "server_seed": "00"}',
    "a command that needs two people": b'{"command": "BuyIn", "key": "k", "seq": 1, "patron": "Ann", "amount": 100}',
    "an unknown command": b'{"command": "__init__", "key": "k", "seq": 1}',
    "an object as the command": b'{"command": {"a": []}, "key": "k", "seq": 1}',
    "a byte order mark": b'\xef\xbb\xbf{"command": "CloseTable", "key": "k", "seq": 1}',
    "UTF-16": '{"command": "CloseTable", "key": "k", "seq": 1}'.encode("utf-16"),
    "no seq": b'{"command": "CloseTable", "key": "k"}',
    "no key": b'{"command": "CloseTable", "seq": 1}',
}


@pytest.fixture(scope="module")
def flo(server: Server) -> Client:
    return server.add_person("Flo", Role.FLOORPERSON)


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("name", BODIES)
def test_malformed_commands_are_refused(server: Server, flo: Client, name: str) -> None:
    path = f"/api/tables/{quote(TABLE)}/commands"
    status, text = send_raw(server, "POST", path, BODIES[name], Authorization=f"Bearer {flo.token}")
    assert_refused(status, text, 400)


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("value", [None, True, -1, 0, 2**53 - 1, 1.5, "", "x" * 500, [], [[]], {}, "\u0000", "♠" * 500])
def test_bad_values_in_any_command_are_refused(server: Server, value: Any) -> None:
    """Replaces each value of each command with a bad one."""
    pat = _client_of(server, "Pat")
    path, number = f"/api/tables/{quote(TABLE)}/commands", 0
    for kind in COMMAND_KINDS.values():
        for bad_name in kind.values:
            number += 1
            payload = {"command": kind.name, "key": f"{value!r:.40} {number}", "seq": server.state(TABLE)[1]}
            payload |= {name: value if name == bad_name else 1 for name in kind.required | {bad_name}}
            body = json.dumps(payload).encode()
            assert_refused(*send_raw(server, "POST", path, body, Authorization=f"Bearer {pat.token}"), 400, 422)


def _client_of(server: Server, name: str) -> Client:
    if server.services.users.find(name) is None:
        return server.add_person(name, Role.PATRON)
    return server.new_session(server.services.users.get(name).person)


PATHS = [
    "/api/tables/%00",
    "/api/tables/%00/commands",
    "/api/tables/%FF%FE/commands",
    "/api/tables/%ED%A0%80",
    "/api/tables/" + "x" * 5000,
    "/api/tables/" + "x" * 390 + "/commands",
    "/api/tables/Table%201/rounds/0",
    "/api/tables/Table%201/rounds/99999999999999999999999",
    "/api/tables/Table%201/rounds/1e3",
    "/api/tables/Table%201/rounds?last=0",
    "/api/tables/Table%201/rounds?last=NaN",
    "/api/tables/Table%201/events?actor=%00",
    "/api/tables/Table%201/events?kind=%00&kind=x",
    "/api/tables/Table%201/events?after=-1",
    "/api/tables/Table%201/events?since=99999999999999999999",
    "/api/tables/..%2F..%2Fetc%2Fpasswd",
    "/api/submissions/%00/1",
    "/api/submissions/x/99999999999",
    "/api/accounts/%00",
    "/api/journal?actor=%00",
    "/api/schemas/../../x",
    "/static/../hall.py",
    "/static/%2e%2e/%2e%2e/hall.py",
    "/%00",
    "//",
    "/api//tables",
    "/api/openapi.json/x",
]


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_malicious_paths_are_refused(server: Server, path: str, method: str) -> None:
    reader = _regulator_token(server)
    body = b"{}" if method == "POST" else None
    status, text = send_raw(server, method, path, body, Authorization=f"Bearer {reader}")
    if status == 200:
        assert method == "GET"  # a search without a result
        document = json.loads(text)
        assert not (document if isinstance(document, list) else document["events"])
    else:
        assert_refused(status, text, 400, 403, 404, 405, 422)


def _regulator_token(server: Server) -> str:
    if server.services.users.find("Reg") is None:
        return server.add_person("Reg", Role.REGULATOR).token
    return server.new_session(server.services.users.get("Reg").person).token


@pytest.mark.usefixtures("unchanged")
def test_oversized_bodies_are_refused(server: Server, flo: Client) -> None:
    token = f"Bearer {flo.token}"
    for path in (f"/api/tables/{quote(TABLE)}/commands", "/api/submissions/check", "/api/guests"):
        assert_refused(*send_raw(server, "POST", path, b'"' + b"x" * 70_000 + b'"', Authorization=token), 413)
        assert_refused(*send_raw(server, "POST", path, b"", Authorization=token, Content_Length="99999999999"), 413)
    chunked = b"".join(b"4000\r\n" + b"x" * 0x4000 + b"\r\n" for _ in range(5)) + b"0\r\n\r\n"
    path = f"/api/tables/{quote(TABLE)}/commands"
    assert_refused(*send_raw(server, "POST", path, chunked, Authorization=token, Transfer_Encoding="chunked"), 413)


@pytest.mark.usefixtures("unchanged")
def test_slow_clients_do_not_block_others(server: Server, flo: Client) -> None:
    """Many connections send half a request and stall: others are served, and the slow ones time out."""
    path, connections = f"/api/tables/{quote(TABLE)}/commands", []
    for _ in range(50):
        connection = socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT_SECONDS)
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {flo.token}\r\nContent-Length: 100"
        connection.sendall(head.encode() + b"\r\n\r\n{")
        connections.append(connection)
    assert server.anonymous_client().get("/healthz")["healthy"]
    for connection in connections:
        response = http.client.HTTPResponse(connection)
        response.begin()
        assert_refused(response.status, response.read(), 408)
        response.close()
        connection.close()


def test_random_bytes_on_a_socket_do_no_harm(server: Server) -> None:
    dice, before = random.Random(682), server.state(TABLE)
    prefixes = (
        b"",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n",
        b"POST /api/guests HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50\r\n\r\n",
        b"POST /api/guests HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"GET /api/tables/Table%201/watch HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01\x02\x00",
    )
    for number in range(140):
        with socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT_SECONDS) as connection:
            payload = prefixes[number % len(prefixes)] + dice.randbytes(dice.randrange(1, 3000))
            try:
                connection.sendall(payload)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65_536):
                    pass
            except OSError:
                continue  # the server may hang up
    assert server.state(TABLE) == before
    assert_healthy(server)


def test_malicious_headers_cause_no_error(server: Server) -> None:
    for name, value in (
        ("Authorization", "Bearer " + "x" * 10_000),
        ("Authorization", "\x01\x02"),
        ("Cookie", "croupier_session=" + "é" * 43),
        ("Cookie", ";=;=" * 500),
        ("X-CSRF-Token", "é"),
        ("Host", "127.0.0.1:99999999"),
        ("Content-Type", "application/json; charset=utf-7"),
        ("Content-Length", "-1"),
        ("Content-Length", "0x10"),
        ("Expect", "100-continue"),
        ("X-Forwarded-For", "\t" * 100),
    ):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=TIMEOUT_SECONDS)
        connection.putrequest("POST", "/api/sign-out", skip_host=name == "Host")
        connection.putheader(name, value.encode("latin-1", "replace"))
        connection.endheaders()
        response = connection.getresponse()
        text = response.read()
        connection.close()
        assert response.status < 500, (name, value, text)


def test_random_websocket_frames_do_no_harm(server: Server) -> None:
    """Random frames after a valid handshake only end the connection."""
    dice, before = random.Random(7), server.state(TABLE)
    handshake = (
        b"GET /api/tables/Table%201/watch HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    for _ in range(40):
        with socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT_SECONDS) as connection:
            connection.sendall(handshake)
            assert b"101" in connection.recv(65_536)
            try:
                connection.sendall(dice.randbytes(dice.randrange(2, 2000)))
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65_536):
                    pass
            except OSError:
                continue
    assert server.state(TABLE) == before
    assert_healthy(server)


def test_closed_connections_release_their_file_descriptors(server: Server) -> None:

    def count_open_files() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = count_open_files()
    for _ in range(30):
        with socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT_SECONDS) as connection:
            connection.sendall(b"x\r\n\r\n")
            connection.recv(65_536)
    assert count_open_files() <= before + 5
