"""The differential test of request paths: the same request on different ways into the server gets the same answer.

The ways differ in framing (declared or chunked body, whole or in pieces, alone or pipelined) and in how the sender is
identified (bearer token, or cookie with CSRF token). None of them may skip a check.
"""

from __future__ import annotations

import http.client
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any
from urllib.parse import quote

from croupier.server.accounts.users import Person
from tests.server.servers import TIMEOUT_SECONDS, Server

Headers = dict[str, str]


@dataclass(frozen=True, slots=True)
class Message:
    """A request, without its framing and its sender."""

    method: str
    path: str
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


def messages(table: str) -> dict[str, Message]:
    """Requests that reach every policy and every kind of endpoint, and change nothing."""
    at_table = f"/api/tables/{quote(table)}"
    stale = b'{"command": "PlaceWager", "seat": 1, "wager": "ante", "amount": 500, "key": "k", "seq": 0}'
    return {
        "a stale command": Message("POST", f"{at_table}/commands", stale),
        "an unknown command": Message("POST", f"{at_table}/commands", b'{"command": "Steal", "key": "k", "seq": 1}'),
        "a command without a body": Message("POST", f"{at_table}/commands"),
        "not JSON": Message("POST", f"{at_table}/commands", b"{"),
        "not UTF-8": Message("POST", f"{at_table}/commands", b'{"command": "\xff"}'),
        "an unknown table": Message("POST", "/api/tables/nowhere/commands", stale),
        "ready": Message("POST", f"{at_table}/ready", b"{}"),
        "sit without seats": Message("POST", f"{at_table}/sit", b'{"seats": [], "key": "k"}'),
        "chips of nothing": Message("POST", f"{at_table}/chips", b'{"amount_cents": 0, "key": "k"}'),
        "a person": Message("POST", "/api/people", b'{"name": "Eve", "role": "patron", "password": "short"}'),
        "a movement": Message("POST", "/api/requests", b'{"id": "1", "kind": "deposit", "amount_cents": 1}'),
        "an approval": Message("POST", "/api/requests/none/approve", b"{}"),
        "another host": Message("POST", f"{at_table}/commands", stale, (("Host", "evil.example"),)),
        "another origin": Message("POST", f"{at_table}/commands", stale, (("Origin", "https://evil.example"),)),
        "a null byte": Message("POST", "/api/tables/%00/commands", stale),
        "too large": Message("POST", f"{at_table}/commands", b'"' + b"x" * 70_000 + b'"'),
        "the lobby": Message("GET", "/api/tables"),
        "the journal": Message("GET", "/api/journal"),
        "a method": Message("DELETE", "/api/tables"),
        "nothing there": Message("POST", "/api/nothing", b"{}"),
    }


def _head(message: Message, headers: Headers) -> bytes:
    fields = {"Host": "127.0.0.1", "Content-Type": "application/json", **headers, **dict(message.headers)}
    lines = [f"{message.method} {message.path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode()


def _declared(message: Message, headers: Headers) -> bytes:
    length = {"Content-Length": str(len(message.body))} if message.body else {}
    return _head(message, {**headers, **length}) + message.body


def _chunked(message: Message, headers: Headers) -> bytes:
    if not message.body:
        return _declared(message, headers)
    step = max(1, len(message.body) // 3)
    parts = [message.body[start : start + step] for start in range(0, len(message.body), step)]
    body = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
    return _head(message, {**headers, "Transfer-Encoding": "chunked"}) + body


FRAMINGS: dict[str, Callable[[Message, Headers], bytes]] = {"declared": _declared, "chunked": _chunked}
DELIVERIES = ("whole", "in pieces", "pipelined")
HEALTH = b"GET /api/program HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def _identities(server: Server, person: Person) -> Iterator[tuple[str, Headers]]:
    token, csrf = server.services.sessions.open(person)
    yield "bearer", {"Authorization": f"Bearer {token}"}
    yield "cookie", {"Cookie": f"croupier_session={token}", "X-CSRF-Token": csrf}


def exchange(server: Server, raw: bytes, delivery: str) -> tuple[int, bytes]:
    """Status and body of the answer to a request."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT_SECONDS) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            if delivery == "in pieces":
                for start in range(0, min(len(raw), 2_000), 97):
                    connection.sendall(raw[start : min(start + 97, 2_000)])
                connection.sendall(raw[2_000:])
            else:
                connection.sendall((HEALTH if delivery == "pipelined" else b"") + raw)
        except OSError:
            pass  # the server has refused it before its end
        file = connection.makefile("rb")
        if delivery == "pipelined":
            assert _read(file)[0] == 200
        return _read(file)


def _read(file: Any) -> tuple[int, bytes]:
    status = int(file.readline().split()[1])
    headers = http.client.parse_headers(file)
    return status, BytesIO(file.read(int(headers["content-length"]))).getvalue()


@dataclass
class PathResult:
    """The outcome of a run."""

    messages: int = 0
    requests: int = 0
    problems: list[str] = field(default_factory=list)


def compare_paths(server: Server, table: str, people: list[Person]) -> PathResult:
    """Sends every message of every person on every way in, and compares the answers."""
    result = PathResult()
    for name, message in messages(table).items():
        result.messages += 1
        for person in people:
            answers: dict[tuple[int, bytes], list[str]] = {}
            for identity, headers in _identities(server, person):
                for framing, frame in FRAMINGS.items():
                    for delivery in DELIVERIES:
                        answer = exchange(server, frame(message, headers), delivery)
                        answers.setdefault(answer, []).append(f"{identity}, {framing}, {delivery}")
                        result.requests += 1
            if len(answers) > 1:
                result.problems.append(f"{name} by {person.role}: {answers}")
            if any(status >= 500 for status, _ in answers):
                result.problems.append(f"{name} by {person.role}: {answers}")
    return result
