"""Bad input: whatever is sent, no 500, no fault in the log, no effect, and the server is well afterwards."""

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
from croupier.server.tables.command_parser import COMMAND_KINDS
from croupier.server.tables.settings import TableSettings
from croupier.table.model.roles import Role
from tests.server.fuzz import ENDS_SESSIONS, SLOW, fuzz, people
from tests.server.table_services import QUIET, WAIT, Server, serving
from tests.server.test_commands import assert_sums
from tests.storage.conftest import cluster
from tests.storage.postgres import Cluster

__all__ = ["cluster"]

TABLE = "Table 1"


def at_play(server: Server) -> str:
    """A table in mid-round, where no timer of real seconds ends the round."""
    running = TableSettings("electronic", 3_600, 3_600, "wait", self_service=True)
    table = server.open(replace(play_table("pa-682a"), name=TABLE), running)
    ann = server.person("Ann", Role.PATRON, cents=1_000_00)
    ann.sit(table, 1, chips=500_00)
    ann.command(table, "PlaceWager", seat=1, wager="ante", amount=5_00)
    ann.ready(table)
    return table


def assert_well(server: Server) -> None:
    """Answers, has no fault in its log, and every cent is somewhere."""
    assert server.nobody().get("/healthz")["healthy"]
    assert not server.lines.faults()
    assert_sums(server.store)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    config = replace(QUIET, web=replace(QUIET.web, body_seconds=1))
    where = str(tmp_path_factory.mktemp("bad") / "house.db")
    if request.param == "postgresql":
        found: Cluster = request.getfixturevalue("cluster")
        where = found.new_database()
    with serving(where, config) as up:
        at_play(up)
        yield up
        assert_well(up)


@pytest.fixture
def unchanged(server: Server) -> Iterator[None]:
    """Nothing happens at the table."""
    before = server.state(TABLE)
    yield
    assert server.state(TABLE) == before


def raw(server: Server, method: str, path: str, body: bytes | None, **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=WAIT)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.putrequest(method, path, skip_accept_encoding=True)
    for name, value in {"Content-Type": "application/json", **sent}.items():
        connection.putheader(name, value)
    if body is not None and not {"Transfer-Encoding", "Content-Length"} & sent.keys():
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, text


def in_form(status: int, text: bytes, *expected: int) -> None:
    """One of these refusals, in the one form."""
    assert status in expected, text
    error = json.loads(text)["error"]
    assert set(error) == {"reason", "clause", "place"}
    assert error["reason"]


def test_every_answer_is_as_the_document_says(tmp_path: Path) -> None:
    """A few hundred requests from the document, by every role; `python -m tests.server.fuzz` tries more."""
    with serving(str(tmp_path / "house.db")) as server:
        table = at_play(server)
        result = fuzz(server, people(server), cases=4, number=682, table=table, but=(*ENDS_SESSIONS, *SLOW))
        assert not result.problems, "\n".join(result.problems[:10])
        assert result.cases > 300
        assert {200, 400, 401, 403, 404, 422} <= set(result.statuses)
        assert_well(server)


BODIES: dict[str, bytes] = {
    "nothing": b"",
    "not JSON": b"{",
    "a list": b"[]",
    "null": b"null",
    "a number": b"7",
    "a text": b'"Decide"',
    "twice": b"{}{}",
    "not a number": b'{"command": "Decide", "key": "k", "seq": NaN, "seat": 1, "amount": null}',
    "infinity": b'{"command": "Decide", "key": "k", "seq": 1, "seat": 1, "amount": Infinity}',
    "a huge number": b'{"command": "Decide", "key": "k", "seq": ' + b"9" * 5000 + b', "seat": 1, "amount": null}',
    "a huge exponent": b'{"command": "Decide", "key": "k", "seq": 1e999999, "seat": 1, "amount": null}',
    "a fraction": b'{"command": "Decide", "key": "k", "seq": 1.5, "seat": 1, "amount": null}',
    "a truth": b'{"command": "Decide", "key": "k", "seq": true, "seat": 1, "amount": null}',
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
    "half a character": b'{"command": "Leave", "key": "k", "seq": 1, "patron": "\\ud800"}',
    "half a character in the key": b'{"command": "Leave", "key": "\\udfff", "seq": 1, "patron": "Ann"}',
    "half a character as a name": b'{"command": "CloseTable", "key": "k", "seq": 1, "\\ud800": 1}',
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
    "another value": b'{"command": "CloseTable", "key": "k", "seq": 1, "by": {"name": "Flo", "role": "system"}}',
    "a time": b'{"command": "CloseTable", "key": "k", "seq": 1, "at": 0}',
    "an order of cards": b'{"command": "Shuffle", "key": "k", "seq": 1, "deck": 1, "order": [1, 2, 3]}',
    "a command of the system": b'{"command": "CommitDeal", "key": "k", "seq": 1, "server_seed": "00"}',
    "a command for two": b'{"command": "BuyIn", "key": "k", "seq": 1, "patron": "Ann", "amount": 100}',
    "no such command": b'{"command": "__init__", "key": "k", "seq": 1}',
    "a command that is none": b'{"command": {"a": []}, "key": "k", "seq": 1}',
    "a byte order mark": b'\xef\xbb\xbf{"command": "CloseTable", "key": "k", "seq": 1}',
    "UTF-16": '{"command": "CloseTable", "key": "k", "seq": 1}'.encode("utf-16"),
    "no seq": b'{"command": "CloseTable", "key": "k"}',
    "no key": b'{"command": "CloseTable", "seq": 1}',
}


@pytest.fixture(scope="module")
def flo(server: Server) -> Client:
    return server.person("Flo", Role.FLOORPERSON)


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("what", BODIES)
def test_commands_that_mean_harm_are_malformed(server: Server, flo: Client, what: str) -> None:
    path = f"/api/tables/{quote(TABLE)}/commands"
    status, text = raw(server, "POST", path, BODIES[what], Authorization=f"Bearer {flo.token}")
    in_form(status, text, 400)


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("value", [None, True, -1, 0, 2**53 - 1, 1.5, "", "x" * 500, [], [[]], {}, "\u0000", "♠" * 500])
def test_any_value_of_any_command_is_read_or_refused(server: Server, value: Any) -> None:
    """Every value of every command replaced by something else, by somebody who may send it in another hall."""
    pat = _known(server, "Pat")
    path, number = f"/api/tables/{quote(TABLE)}/commands", 0
    for kind in COMMAND_KINDS.values():
        for place in kind.values:
            number += 1
            said = {"command": kind.name, "key": f"{value!r:.40} {number}", "seq": server.state(TABLE)[1]}
            said |= {name: value if name == place else 1 for name in kind.required | {place}}
            body = json.dumps(said).encode()
            in_form(*raw(server, "POST", path, body, Authorization=f"Bearer {pat.token}"), 400, 422)


def _known(server: Server, name: str) -> Client:
    if server.services.users.find(name) is None:
        return server.person(name, Role.PATRON)
    return server.again(server.services.users.get(name).person)


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
def test_addresses_that_mean_harm(server: Server, path: str, method: str) -> None:
    reader = _reader(server)
    body = b"{}" if method == "POST" else None
    status, text = raw(server, method, path, body, Authorization=f"Bearer {reader}")
    if status == 200:
        assert method == "GET"  # a search for something that there is not
        said = json.loads(text)
        assert not (said if isinstance(said, list) else said["events"])
    else:
        in_form(status, text, 400, 403, 404, 405, 422)


def _reader(server: Server) -> str:
    if server.services.users.find("Reg") is None:
        return server.person("Reg", Role.REGULATOR).token
    return server.again(server.services.users.get("Reg").person).token


@pytest.mark.usefixtures("unchanged")
def test_bodies_that_are_too_large_are_not_taken_in(server: Server, flo: Client) -> None:
    token = f"Bearer {flo.token}"
    for path in (f"/api/tables/{quote(TABLE)}/commands", "/api/submissions/check", "/api/guests"):
        in_form(*raw(server, "POST", path, b'"' + b"x" * 70_000 + b'"', Authorization=token), 413)
        in_form(*raw(server, "POST", path, b"", Authorization=token, Content_Length="99999999999"), 413)
    chunked = b"".join(b"4000\r\n" + b"x" * 0x4000 + b"\r\n" for _ in range(5)) + b"0\r\n\r\n"
    path = f"/api/tables/{quote(TABLE)}/commands"
    in_form(*raw(server, "POST", path, chunked, Authorization=token, Transfer_Encoding="chunked"), 413)


@pytest.mark.usefixtures("unchanged")
def test_slow_clients_hold_nobody_up(server: Server, flo: Client) -> None:
    """Many connections that send half a request and wait; others are served, and the slow are let go."""
    path, slow = f"/api/tables/{quote(TABLE)}/commands", []
    for _ in range(50):
        line = socket.create_connection(("127.0.0.1", server.port), timeout=WAIT)
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {flo.token}\r\nContent-Length: 100"
        line.sendall(head.encode() + b"\r\n\r\n{")
        slow.append(line)
    assert server.nobody().get("/healthz")["healthy"]
    for line in slow:
        answer = http.client.HTTPResponse(line)
        answer.begin()
        in_form(answer.status, answer.read(), 408)
        answer.close()
        line.close()


def test_random_bytes_on_the_socket(server: Server) -> None:
    dice, before = random.Random(682), server.state(TABLE)
    beginnings = (
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
        with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as line:
            said = beginnings[number % len(beginnings)] + dice.randbytes(dice.randrange(1, 3000))
            try:
                line.sendall(said)
                line.shutdown(socket.SHUT_WR)
                while line.recv(65_536):
                    pass
            except OSError:
                continue  # it hung up, which is fine
    assert server.state(TABLE) == before
    assert_well(server)


def test_headers_that_mean_harm(server: Server) -> None:
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
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=WAIT)
        connection.putrequest("POST", "/api/sign-out", skip_host=name == "Host")
        connection.putheader(name, value.encode("latin-1", "replace"))
        connection.endheaders()
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        assert answer.status < 500, (name, value, text)


def test_random_frames_on_a_watch(server: Server) -> None:
    """After a good handshake: frames that are wrong in every way. The connection ends; nothing else does."""
    dice, before = random.Random(7), server.state(TABLE)
    handshake = (
        b"GET /api/tables/Table%201/watch HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    for _ in range(40):
        with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as line:
            line.sendall(handshake)
            assert b"101" in line.recv(65_536)
            try:
                line.sendall(dice.randbytes(dice.randrange(2, 2000)))
                line.shutdown(socket.SHUT_WR)
                while line.recv(65_536):
                    pass
            except OSError:
                continue
    assert server.state(TABLE) == before
    assert_well(server)


def test_what_the_process_has_open_does_not_grow(server: Server) -> None:
    """After all of that: connections that are gone are let go."""

    def open_files() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = open_files()
    for _ in range(30):
        with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as line:
            line.sendall(b"x\r\n\r\n")
            line.recv(65_536)
    assert open_files() <= before + 5
