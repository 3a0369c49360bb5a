"""Commands as bytes on a connection: whole, in parts, one after another, unusual, and from clients who hang up."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import quote

import pytest

from croupier.server.services import play_table
from croupier.table.model.roles import Role
from tests.server.table_services import QUIET, WAIT, Server, serving

TABLE = "Table 1"
PATH = f"/api/tables/{quote(TABLE)}/commands"
READY = f"/api/tables/{quote(TABLE)}/ready"
Answer = tuple[int, dict[str, str], bytes]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(str(tmp_path_factory.mktemp("http") / "house.db"), QUIET) as up:
        up.open(replace(play_table("pa-682a"), name=TABLE))
        yield up


@pytest.fixture(scope="module")
def token(server: Server) -> str:
    ann = server.person("Ann", Role.PATRON, cents=1_000_00)
    ann.sit(TABLE, 1, chips=500_00)
    assert ann.token
    return ann.token


def request(path: str, body: bytes, token: str = "", *headers: str, host: str = "127.0.0.1") -> bytes:
    lines = [f"POST {path} HTTP/1.1", f"Host: {host}", "Content-Type: application/json", *headers]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    if not any(header.lower().startswith("transfer-encoding") for header in headers):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + body


def wager(seq: int, key: str, amount: int = 5_00) -> bytes:
    command = {"command": "PlaceWager", "seat": 1, "wager": "ante", "amount": amount, "key": key, "seq": seq}
    return json.dumps(command).encode()


def answers(server: Server, *parts: bytes, count: int = 1, pause: float = 0.0) -> list[Answer]:
    """The responses on one connection to bytes sent in parts."""
    responses = []
    with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as line:
        for number, part in enumerate(parts):
            if number:
                time.sleep(pause)
            line.sendall(part)
        file = line.makefile("rb")
        for _ in range(count):
            status = int(file.readline().split()[1])
            headers = http.client.parse_headers(file)
            body = file.read(int(headers["content-length"]))
            responses.append((status, {name.lower(): value for name, value in headers.items()}, body))
    return responses


def in_two(whole: bytes) -> tuple[bytes, bytes]:
    """Head and body by themselves."""
    head, _, body = whole.partition(b"\r\n\r\n")
    return head + b"\r\n\r\n", body


SENT = {
    "nobody": lambda token: request(PATH, wager(0, "a")),
    "a forged token": lambda token: request(PATH, wager(0, "a"), "x" * 43),
    "stale": lambda token: request(PATH, wager(0, "a"), token),
    "no JSON": lambda token: request(PATH, b"{", token),
    "an unknown command": lambda token: request(PATH, b'{"command": "Steal"}', token),
    "an unknown table": lambda token: request(PATH.replace("1", "9"), wager(0, "a"), token),
    "refused by the rules": lambda token: request(PATH, wager(-1, "a", 1).replace(b"-1", b"%d" % 2**52), token),
    "another host": lambda token: request(PATH, wager(0, "a"), token, host="evil.example"),
    "another origin": lambda token: request(PATH, wager(0, "a"), token, "Origin: https://evil.example"),
    "a null byte": lambda token: request(PATH.replace("1", "%00"), wager(0, "a"), token),
    "ready without a wager": lambda token: request(READY, b"{}", token),
    "a role that does not wait": lambda token: request(READY, b"{}", token + " "),
}


@pytest.mark.parametrize("what", SENT)
def test_a_command_is_refused_alike_whole_and_in_parts(server: Server, token: str, what: str) -> None:
    request_bytes = SENT[what](token)
    (whole,) = answers(server, request_bytes)
    (in_parts,) = answers(server, *in_two(request_bytes), pause=0.05)
    assert whole == in_parts
    assert whole[0] >= 400
    assert whole[1]["content-security-policy"]
    assert whole[1]["cache-control"] == "no-store"


def test_requests_one_after_another_in_one_packet_are_answered_in_order(server: Server, token: str) -> None:
    seq = server.state(TABLE)[1]
    first = request(PATH, wager(seq, "one", 5_00), token)
    second = request(PATH, wager(seq + 1, "two", 6_00), token)
    view = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    responses = answers(server, first + second + view + first, count=4)
    assert [status for status, _, _ in responses] == [200, 200, 200, 200]
    documents = [json.loads(body) for _, _, body in responses]
    assert [document.get("seq") for document in documents] == [seq + 1, seq + 2, None, seq + 1]
    assert documents[3]["repeated"]
    assert server.state(TABLE)[1] == seq + 2


def test_a_connection_is_closed_when_the_client_wants_that(server: Server, token: str) -> None:
    whole = request(PATH, b"{", token, "Connection: close")
    with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as line:
        line.sendall(whole)
        text = b"".join(iter(lambda: line.recv(65_536), b""))
    assert b"\r\nconnection: close\r\n" in text


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        (("Transfer-Encoding: chunked",), b"1\r\n{\r\n0\r\n\r\n"),
        (("Transfer-Encoding: chunked", "Content-Length: 1"), b"1\r\n{\r\n0\r\n\r\n"),
        (("Content-Length: 1", "Content-Length: 1"), b"{"),
        (("Content-Length: +1",), b"{"),
        (("Content-Length: 99999999",), b"{"),
    ],
)
def test_unusual_lengths_of_a_body_are_read_or_refused(
    server: Server, token: str, headers: tuple[str, ...], body: bytes
) -> None:
    lines = [f"POST {PATH} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {token}", *headers]
    (response,) = answers(server, "\r\n".join([*lines, "", ""]).encode() + body)
    assert response[0] in (400, 413)


def test_expect_and_old_versions_are_understood(server: Server, token: str) -> None:
    whole = request(PATH, b"{", token).replace(b"HTTP/1.1", b"HTTP/1.0")
    (response,) = answers(server, whole)
    assert (response[0], response[1].get("connection")) == (400, "close")
    with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as line:
        head, body = in_two(request(PATH, b"{", token, "Expect: 100-continue"))
        line.sendall(head)
        assert line.recv(1_000).startswith(b"HTTP/1.1 100 ")
        line.sendall(body)
        assert line.recv(1_000).startswith(b"HTTP/1.1 400 ")


def test_the_command_of_a_client_that_hangs_up_is_carried_out(server: Server, token: str) -> None:
    seq = server.state(TABLE)[1]
    with socket.create_connection(("127.0.0.1", server.port), timeout=WAIT) as line:
        line.sendall(request(PATH, wager(seq, "gone", 7_00), token))
    end = time.monotonic() + WAIT
    while server.state(TABLE)[1] == seq and time.monotonic() < end:
        time.sleep(0.01)
    assert server.state(TABLE)[1] == seq + 1
    (again,) = answers(server, request(PATH, wager(seq, "gone", 7_00), token))
    assert json.loads(again[2])["repeated"]
