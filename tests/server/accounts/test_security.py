"""Request checks: security headers, host and origin, body size and timeout, partly over real sockets."""

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

from croupier.server.policies import RequestGuard, RequestLimits, RequestPolicies
from croupier.server.responses import CONTENT_SECURITY_POLICY
from croupier.table.model.roles import Role
from tests.server.accounts.services import HOST, PASSWORD, AccountServices, build_app
from tests.server.accounts.test_routes import refusal_reason
from tests.support import run_in_thread


def test_every_response_has_security_headers(sqlite_services: AccountServices) -> None:
    browser = sqlite_services.client()
    responses = [
        browser.get("/api/me"),
        browser.get("/api/nothing"),
        browser.post("/api/sign-in", {"name": "x", "password": "x"}),
        browser.get("/api/me", headers={"Host": "evil.example"}),
        browser.request("POST", "/api/sign-in", content=b"x" * 70_000),
    ]
    assert [response.status_code for response in responses] == [200, 404, 401, 403, 413]
    for response in responses:
        assert response.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["referrer-policy"] == "no-referrer"
        assert response.headers["cross-origin-opener-policy"] == "same-origin"
        assert response.headers["cross-origin-resource-policy"] == "same-origin"
        assert "camera=()" in response.headers["permissions-policy"]
        assert response.headers["cache-control"] == "no-store"
        assert "strict-transport-security" not in response.headers
    assert "cache-control" not in browser.get("/openapi.json").headers
    sqlite_services.config.https = True
    assert "max-age" in sqlite_services.client().get("/api/me").headers["strict-transport-security"]


@pytest.mark.parametrize(
    "host", ["evil.example", "pit.example.evil.example", "", "[::1]", "evil.example:80@pit.example"]
)
def test_other_hosts_are_refused(sqlite_services: AccountServices, host: str) -> None:
    assert "name" in refusal_reason(sqlite_services.client().get("/api/me", headers={"Host": host}), 403)


@pytest.mark.parametrize("host", [HOST, "PIT.example", f"{HOST}:8000", "127.0.0.1:80"])
def test_configured_hosts_are_accepted(sqlite_services: AccountServices, host: str) -> None:
    assert sqlite_services.client().get("/api/me", headers={"Host": host}).status_code == 200


FOREIGN_ORIGINS = [
    "https://evil.example",
    "null",
    "http://pit.example:81",
    "http://pit.example.evil.example",
    "pit.example",
    "",
]


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_other_origins_can_change_nothing(sqlite_services: AccountServices, origin: str) -> None:
    ada = sqlite_services.add_and_sign_in("Ada", Role.ADMINISTRATOR)
    body = {"name": "Dana", "role": "dealer"}
    assert "another origin" in refusal_reason(
        ada.post("/api/people/invitations", body, headers={"Origin": origin}), 403
    )
    credentials = {"name": "Ada", "password": PASSWORD}
    refusal_reason(sqlite_services.client().post("/api/sign-in", credentials, headers={"Origin": origin}), 403)
    assert len(sqlite_services.users.list_accounts()) == 1
    assert ada.post("/api/people/invitations", body, headers={"Origin": f"http://{HOST}"}).status_code == 201


def test_the_origin_must_be_https_under_tls(sqlite_services: AccountServices) -> None:
    sqlite_services.config.https = True
    body = {"name": "x", "password": "x"}
    refusal_reason(sqlite_services.client().post("/api/sign-in", body, headers={"Origin": f"http://{HOST}"}), 403)
    refusal_reason(sqlite_services.client().post("/api/sign-in", body, headers={"Origin": f"https://{HOST}"}), 401)


Messages = list[dict[str, Any]]


def run(app: Any, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]]) -> Messages:
    """The messages that an ASGI application sends."""
    sent: Messages = []

    async def send(message: Any) -> None:
        sent.append(message)

    run_in_thread(app(scope, receive, send))
    return sent


async def receive_nothing() -> Any:
    raise AssertionError("nothing should be received")


def test_further_origins_and_any_host_can_be_allowed() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "passed"})

    policies = RequestPolicies(RequestLimits(), hosts=["*"], origins=["https://board.example/"], clock=lambda: 0)
    guard = RequestGuard(app, policies)
    for origin, is_allowed in (("https://board.example", True), ("https://evil.example", False)):
        headers = [(b"host", b"anything"), (b"origin", origin.encode())]
        sent = run(guard, {"type": "http", "method": "POST", "headers": headers}, receive_nothing)
        assert (sent[0]["type"] == "passed") is is_allowed
    two_hosts = [(b"host", b"a"), (b"host", b"b")]
    assert run(guard, {"type": "http", "method": "GET", "headers": two_hosts}, receive_nothing)[0]["status"] == 403
    assert run(guard, {"type": "websocket", "headers": []}, receive_nothing)[0] == {
        "type": "websocket.close",
        "code": 1008,
        "reason": "this server does not answer to that host name: see the setting web.hosts",
    }


def body_in_parts(*parts: bytes) -> Callable[[], Awaitable[Any]]:
    messages = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    messages[-1]["more_body"] = False

    async def receive() -> Any:
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    return receive


async def echo(scope: Any, receive: Any, send: Any) -> None:
    message = await receive()
    assert message["more_body"] is False
    assert (await receive())["type"] == "http.disconnect"
    await send({"type": "echo", "body": message["body"]})


HOST_HEADER = (b"host", HOST.encode())
CHUNKED = {"type": "http", "method": "POST", "headers": [HOST_HEADER, (b"transfer-encoding", b"chunked")]}


def guarded_echo(**limits: Any) -> RequestGuard:
    """An application that echoes bodies, behind the request policies."""
    return RequestGuard(echo, RequestPolicies(RequestLimits(**limits), hosts=[HOST], clock=lambda: 0))


def test_a_chunked_body_is_joined() -> None:
    assert run(guarded_echo(body_bytes=6), dict(CHUNKED), body_in_parts(b"ab", b"", b"cd", b"ef")) == [
        {"type": "echo", "body": b"abcdef"}
    ]


def test_an_oversized_chunked_body_is_refused() -> None:
    sent = run(guarded_echo(body_bytes=5), dict(CHUNKED), body_in_parts(b"ab", b"cd", b"ef"))
    assert sent[0]["status"] == 413
    assert json.loads(sent[1]["body"])["error"]["reason"] == "the body has more than 5 bytes"


@pytest.mark.parametrize("length", [b"6", b"9" * 5000, b"-1", b"x", b""])
def test_a_bad_content_length_is_refused(length: bytes) -> None:
    scope = {"type": "http", "method": "POST", "headers": [HOST_HEADER, (b"content-length", length)]}
    assert run(guarded_echo(body_bytes=5), scope, receive_nothing)[0]["status"] == 413


def test_a_disconnected_client_gets_no_response() -> None:
    async def disconnect() -> Any:
        return {"type": "http.disconnect"}

    assert run(guarded_echo(), dict(CHUNKED), disconnect) == []


def test_a_missing_body_times_out() -> None:
    async def wait_forever() -> Any:
        await asyncio.sleep(3600)

    sent = run(guarded_echo(body_seconds=0.05), dict(CHUNKED), wait_forever)
    assert sent[0]["status"] == 408
    assert (b"connection", b"close") in sent[0]["headers"]


@contextmanager
def run_real_server(services: AccountServices, **limits: Any) -> Iterator[int]:
    """Runs a real server and yields its port."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        config = uvicorn.Config(
            build_app(services, **limits), log_level="critical", lifespan="off", ws="websockets-sansio"
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def exchange(port: int, *parts: bytes) -> bytes:
    """Sends bytes on a socket; returns what the server sends until it closes the connection."""
    response = b""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        try:
            for part in parts:
                connection.sendall(part)
            while data := connection.recv(65536):
                response += data
        except ConnectionError:
            pass
    return response


HEAD = b"POST /api/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


def test_body_limits_over_a_real_socket(sqlite_services: AccountServices) -> None:
    with run_real_server(sqlite_services, body_bytes=1000, body_seconds=0.2) as port:
        chunks = [b"64\r\n" + b"x" * 100 + b"\r\n"] * 11
        assert b" 413 " in exchange(port, HEAD + b"Transfer-Encoding: chunked\r\n\r\n", *chunks)
        assert b" 413 " in exchange(port, HEAD + b"Content-Length: 1001\r\n\r\n")
        assert b" 408 " in exchange(port, HEAD + b"Content-Length: 10\r\n\r\n", b"{")
        body = b'{"name": "Pat", "password": "x"}'
        last_headers = f"Connection: close\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        assert b" 401 " in exchange(port, HEAD + last_headers, body[:9], body[9:])
        assert exchange(port, b"\x16\x03\x01\x00random bytes\r\n\r\n").startswith(b"HTTP/1.1 400")


def test_websockets_check_session_and_origin_over_a_real_socket(sqlite_services: AccountServices) -> None:
    sqlite_services.add("Pat", Role.PATRON)
    response = sqlite_services.client().post("/api/sign-in", {"name": "Pat", "password": PASSWORD, "bearer": True})
    token = response.json()["token"]
    with run_real_server(sqlite_services) as port:
        url = f"ws://127.0.0.1:{port}/api/name"
        cookie = {"Cookie": f"other=1; croupier_session={token}"}
        own_origin = Origin(f"http://127.0.0.1:{port}")
        with connect(url, additional_headers=cookie, origin=own_origin) as websocket:
            assert websocket.recv() == "Pat"
        with connect(url, additional_headers={"Authorization": f"Bearer {token}"}) as websocket:
            assert websocket.recv() == "Pat"
        with connect(url) as websocket:
            assert websocket.recv() == "nobody"
        for foreign in ("https://evil.example", "null", f"https://127.0.0.1:{port + 1}"):
            with pytest.raises(InvalidStatus) as raised:
                connect(url, additional_headers=cookie, origin=Origin(foreign))
            assert raised.value.response.status_code == 403
