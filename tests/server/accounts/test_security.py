"""What every request passes: headers, host and origin, size and time of a body, some of it over real sockets."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from croupier.server.middleware import CONTENT_SECURITY_POLICY, RequestGuard
from croupier.server.policies import RequestLimits, RequestPolicies
from croupier.table.model.roles import Role
from tests.server.accounts.services import GOOD, HOST, House, app_of
from tests.server.accounts.test_routes import reason
from tests.support import run_in_thread


def test_headers_of_every_answer(small: House) -> None:
    browser = small.client()
    answers = [
        browser.get("/api/me"),
        browser.get("/api/nothing"),
        browser.post("/api/sign-in", {"name": "x", "password": "x"}),
        browser.get("/api/me", headers={"Host": "evil.example"}),
        browser.ask("POST", "/api/sign-in", content=b"x" * 70_000),
    ]
    assert [answer.status_code for answer in answers] == [200, 404, 401, 403, 413]
    for answer in answers:
        assert answer.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert "camera=()" in answer.headers["permissions-policy"]
        assert answer.headers["cache-control"] == "no-store"
        assert "strict-transport-security" not in answer.headers
    assert "cache-control" not in browser.get("/openapi.json").headers
    small.config.https = True
    assert "max-age" in small.client().get("/api/me").headers["strict-transport-security"]


@pytest.mark.parametrize(
    "host", ["evil.example", "pit.example.evil.example", "", "[::1]", "evil.example:80@pit.example"]
)
def test_other_hosts_are_refused(small: House, host: str) -> None:
    assert "name" in reason(small.client().get("/api/me", headers={"Host": host}), 403)


@pytest.mark.parametrize("host", [HOST, "PIT.example", f"{HOST}:8000", "127.0.0.1:80"])
def test_our_hosts_are_not(small: House, host: str) -> None:
    assert small.client().get("/api/me", headers={"Host": host}).status_code == 200


FOREIGN = [
    "https://evil.example",
    "null",
    "http://pit.example:81",
    "http://pit.example.evil.example",
    "pit.example",
    "",
]


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_page_of_another_origin_changes_nothing(small: House, origin: str) -> None:
    ada = small.signed_in("Ada", Role.ADMINISTRATOR)
    body = {"name": "Dana", "role": "dealer"}
    assert "another origin" in reason(ada.post("/api/people/invitations", body, headers={"Origin": origin}), 403)
    signing_in = {"name": "Ada", "password": GOOD}
    reason(small.client().post("/api/sign-in", signing_in, headers={"Origin": origin}), 403)
    assert len(small.users.list_accounts()) == 1
    assert ada.post("/api/people/invitations", body, headers={"Origin": f"http://{HOST}"}).status_code == 201


def test_under_tls_our_pages_are_https(small: House) -> None:
    small.config.https = True
    body = {"name": "x", "password": "x"}
    reason(small.client().post("/api/sign-in", body, headers={"Origin": f"http://{HOST}"}), 403)
    reason(small.client().post("/api/sign-in", body, headers={"Origin": f"https://{HOST}"}), 401)


Answer = list[dict[str, Any]]


def run(app: Any, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]]) -> Answer:
    """What an ASGI application sends."""
    sent: Answer = []

    async def send(message: Any) -> None:
        sent.append(message)

    run_in_thread(app(scope, receive, send))
    return sent


async def nothing() -> Any:
    raise AssertionError("nobody asks")


def test_further_origins_and_any_host() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "passed"})

    gate = RequestGuard(app, RequestPolicies(RequestLimits(), hosts=["*"], origins=["https://board.example/"]))
    for origin, passes in (("https://board.example", True), ("https://evil.example", False)):
        headers = [(b"host", b"anything"), (b"origin", origin.encode())]
        sent = run(gate, {"type": "http", "method": "POST", "headers": headers}, nothing)
        assert (sent[0]["type"] == "passed") is passes
    two = [(b"host", b"a"), (b"host", b"b")]
    assert run(gate, {"type": "http", "method": "GET", "headers": two}, nothing)[0]["status"] == 403
    assert run(gate, {"type": "websocket", "headers": []}, nothing)[0] == {
        "type": "websocket.close",
        "code": 1008,
        "reason": "this server does not answer to that host name: see the setting web.hosts",
    }


def body_of(*parts: bytes) -> Callable[[], Awaitable[Any]]:
    waiting = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    waiting[-1]["more_body"] = False

    async def receive() -> Any:
        return waiting.pop(0) if waiting else {"type": "http.disconnect"}

    return receive


async def echo(scope: Any, receive: Any, send: Any) -> None:
    message = await receive()
    assert message["more_body"] is False
    assert (await receive())["type"] == "http.disconnect"
    await send({"type": "echo", "body": message["body"]})


HOSTED = (b"host", HOST.encode())
CHUNKED = {"type": "http", "method": "POST", "headers": [HOSTED, (b"transfer-encoding", b"chunked")]}


def guarded(**limits: Any) -> RequestGuard:
    """An application that echoes bodies, behind the policies."""
    return RequestGuard(echo, RequestPolicies(RequestLimits(**limits), hosts=[HOST]))


def test_a_body_in_parts_is_given_as_one() -> None:
    assert run(guarded(body_bytes=6), dict(CHUNKED), body_of(b"ab", b"", b"cd", b"ef")) == [
        {"type": "echo", "body": b"abcdef"}
    ]


def test_a_body_in_parts_that_is_too_large() -> None:
    sent = run(guarded(body_bytes=5), dict(CHUNKED), body_of(b"ab", b"cd", b"ef"))
    assert sent[0]["status"] == 413
    assert json.loads(sent[1]["body"])["error"]["reason"] == "the body has more than 5 bytes"


@pytest.mark.parametrize("length", [b"6", b"9" * 5000, b"-1", b"x", b""])
def test_a_length_that_is_too_large_or_none(length: bytes) -> None:
    scope = {"type": "http", "method": "POST", "headers": [HOSTED, (b"content-length", length)]}
    assert run(guarded(body_bytes=5), scope, nothing)[0]["status"] == 413


def test_a_client_that_goes_away_gets_no_answer() -> None:
    async def gone() -> Any:
        return {"type": "http.disconnect"}

    assert run(guarded(), dict(CHUNKED), gone) == []


def test_a_body_that_never_comes() -> None:
    async def never() -> Any:
        await asyncio.sleep(3600)

    sent = run(guarded(body_seconds=0.05), dict(CHUNKED), never)
    assert sent[0]["status"] == 408
    assert (b"connection", b"close") in sent[0]["headers"]


@contextmanager
def served(house: House, **limits: Any) -> Iterator[int]:
    """The port of a real server."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        config = uvicorn.Config(app_of(house, **limits), log_level="critical", lifespan="off", ws="websockets-sansio")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def said(port: int, *parts: bytes) -> bytes:
    """What the server answers to bytes on a socket before it closes."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        try:
            for part in parts:
                connection.sendall(part)
            while more := connection.recv(65536):
                answer += more
        except ConnectionError:
            pass
    return answer


HEAD = b"POST /api/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


def test_bodies_over_a_real_socket(small: House) -> None:
    with served(small, body_bytes=1000, body_seconds=0.2) as port:
        chunks = [b"64\r\n" + b"x" * 100 + b"\r\n"] * 11
        assert b" 413 " in said(port, HEAD + b"Transfer-Encoding: chunked\r\n\r\n", *chunks)
        assert b" 413 " in said(port, HEAD + b"Content-Length: 1001\r\n\r\n")
        assert b" 408 " in said(port, HEAD + b"Content-Length: 10\r\n\r\n", b"{")
        body = b'{"name": "Pat", "password": "x"}'
        ending = f"Connection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        assert b" 401 " in said(port, HEAD + ending, body[:9], body[9:])
        assert said(port, b"\x16\x03\x01\x00random bytes\r\n\r\n").startswith(b"HTTP/1.1 400")


def test_websockets_over_a_real_socket(small: House) -> None:
    small.add("Pat", Role.PATRON)
    answer = small.client().post("/api/sign-in", {"name": "Pat", "password": GOOD, "bearer": True})
    token = answer.json()["token"]
    with served(small) as port:
        address = f"ws://127.0.0.1:{port}/api/who"
        cookie = {"Cookie": f"other=1; croupier_session={token}"}
        ours = Origin(f"http://127.0.0.1:{port}")
        with connect(address, additional_headers=cookie, origin=ours) as opened:
            assert opened.recv() == "Pat"
        with connect(address, additional_headers={"Authorization": f"Bearer {token}"}) as opened:
            assert opened.recv() == "Pat"
        with connect(address) as opened:
            assert opened.recv() == "nobody"
        for foreign in ("https://evil.example", "null", f"https://127.0.0.1:{port + 1}"):
            with pytest.raises(InvalidStatus) as refused:
                connect(address, additional_headers=cookie, origin=Origin(foreign))
            assert refused.value.response.status_code == 403
