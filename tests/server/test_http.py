"""HTTP framing of commands: split, pipelined, unusual, or from clients that hang up."""

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
from tests.server.servers import TEST_CONFIG, TIMEOUT_SECONDS, Server, run_server

TABLE = "Table 1"
PATH = f"/api/tables/{quote(TABLE)}/commands"
READY = f"/api/tables/{quote(TABLE)}/ready"
Response = tuple[int, dict[str, str], bytes]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with run_server(str(tmp_path_factory.mktemp("http") / "house.db"), TEST_CONFIG) as instance:
        instance.open_table(replace(play_table("pa-682a"), name=TABLE))
        yield instance


@pytest.fixture(scope="module")
def token(server: Server) -> str:
    ann = server.add_person("Ann", Role.PATRON, cents=1_000_00)
    ann.sit(TABLE, 1, chips=500_00)
    assert ann.token
    return ann.token


def build_request(path: str, body: bytes, token: str = "", *headers: str, host: str = "127.0.0.1") -> bytes:
    lines = [f"POST {path} HTTP/1.1", f"Host: {host}", "Content-Type: application/json", *headers]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    if not any(header.lower().startswith("transfer-encoding") for header in headers):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join([*lines, "", ""]).encode() + body


def wager(seq: int, key: str, amount: int = 5_00) -> bytes:
    command = {"command": "PlaceWager", "seat": 1, "wager": "ante", "amount": amount, "key": key, "seq": seq}
    return json.dumps(command).encode()


def exchange(server: Server, *parts: bytes, count: int = 1, pause: float = 0.0) -> list[Response]:
    """Sends bytes in parts on one connection; returns the responses."""
    responses = []
    with socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT_SECONDS) as connection:
        for number, part in enumerate(parts):
            if number:
                time.sleep(pause)
            connection.sendall(part)
        file = connection.makefile("rb")
        for _ in range(count):
            status = int(file.readline().split()[1])
            headers = http.client.parse_headers(file)
            body = file.read(int(headers["content-length"]))
            responses.append((status, {name.lower(): value for name, value in headers.items()}, body))
    return responses


def split_request(request: bytes) -> tuple[bytes, bytes]:
    """Splits a request into head and body."""
    head, _, body = request.partition(b"\r\n\r\n")
    return head + b"\r\n\r\n", body


REFUSED_REQUESTS = {
    "nobody": lambda token: build_request(PATH, wager(0, "a")),
    "a forged token": lambda token: build_request(PATH, wager(0, "a"), "x" * 43),
    "stale": lambda token: build_request(PATH, wager(0, "a"), token),
    "no JSON": lambda token: build_request(PATH, b"{", token),
    "an unknown command": lambda token: build_request(PATH, b'{"command": "Steal"}', token),
    "an unknown table": lambda token: build_request(PATH.replace("1", "9"), wager(0, "a"), token),
    "refused by the rules": lambda token: build_request(PATH, wager(-1, "a", 1).replace(b"-1", b"%d" % 2**52), token),
    "another host": lambda token: build_request(PATH, wager(0, "a"), token, host="evil.example"),
    "another origin": lambda token: build_request(PATH, wager(0, "a"), token, "Origin: https://evil.example"),
    "a null byte": lambda token: build_request(PATH.replace("1", "%00"), wager(0, "a"), token),
    "ready without a wager": lambda token: build_request(READY, b"{}", token),
    "a token with a trailing space": lambda token: build_request(READY, b"{}", token + " "),
}


@pytest.mark.parametrize("name", REFUSED_REQUESTS)
def test_a_refusal_does_not_depend_on_how_the_request_is_split(server: Server, token: str, name: str) -> None:
    request = REFUSED_REQUESTS[name](token)
    (response,) = exchange(server, request)
    (split_response,) = exchange(server, *split_request(request), pause=0.05)
    assert response == split_response
    assert response[0] >= 400
    assert response[1]["content-security-policy"]
    assert response[1]["cache-control"] == "no-store"


def test_pipelined_requests_are_answered_in_order(server: Server, token: str) -> None:
    seq = server.state(TABLE)[1]
    first = build_request(PATH, wager(seq, "one", 5_00), token)
    second = build_request(PATH, wager(seq + 1, "two", 6_00), token)
    view = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    responses = exchange(server, first + second + view + first, count=4)
    assert [status for status, _, _ in responses] == [200, 200, 200, 200]
    documents = [json.loads(body) for _, _, body in responses]
    assert [document.get("seq") for document in documents] == [seq + 1, seq + 2, None, seq + 1]
    assert documents[3]["repeated"]
    assert server.state(TABLE)[1] == seq + 2


def test_a_connection_is_closed_on_request(server: Server, token: str) -> None:
    request = build_request(PATH, b"{", token, "Connection: close")
    with socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT_SECONDS) as connection:
        connection.sendall(request)
        text = b"".join(iter(lambda: connection.recv(65_536), b""))
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
def test_unusual_body_lengths_are_refused(server: Server, token: str, headers: tuple[str, ...], body: bytes) -> None:
    lines = [f"POST {PATH} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {token}", *headers]
    (response,) = exchange(server, "\r\n".join([*lines, "", ""]).encode() + body)
    assert response[0] in (400, 413)


def test_expect_and_http_1_0_are_supported(server: Server, token: str) -> None:
    request = build_request(PATH, b"{", token).replace(b"HTTP/1.1", b"HTTP/1.0")
    (response,) = exchange(server, request)
    assert (response[0], response[1].get("connection")) == (400, "close")
    with socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT_SECONDS) as connection:
        head, body = split_request(build_request(PATH, b"{", token, "Expect: 100-continue"))
        connection.sendall(head)
        assert connection.recv(1_000).startswith(b"HTTP/1.1 100 ")
        connection.sendall(body)
        assert connection.recv(1_000).startswith(b"HTTP/1.1 400 ")


def test_a_command_is_executed_even_if_the_client_hangs_up(server: Server, token: str) -> None:
    seq = server.state(TABLE)[1]
    with socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT_SECONDS) as connection:
        connection.sendall(build_request(PATH, wager(seq, "gone", 7_00), token))
    end = time.monotonic() + TIMEOUT_SECONDS
    while server.state(TABLE)[1] == seq and time.monotonic() < end:
        time.sleep(0.01)
    assert server.state(TABLE)[1] == seq + 1
    (repeated,) = exchange(server, build_request(PATH, wager(seq, "gone", 7_00), token))
    assert json.loads(repeated[2])["repeated"]
