"""ASGI middleware: security headers, the request policies and the request body; and the session cookie."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from croupier.server.errors import HttpError, Send, send_error
from croupier.server.policies import SESSION_COOKIE, BodyLimit, RequestPolicies

Receive = Callable[[], Awaitable[Any]]
App = Callable[[Any, Receive, Send], Awaitable[None]]


class RequestGuard:
    """Runs the request policies; passes a request on with its whole body, or refuses it."""

    def __init__(self, app: App, policies: RequestPolicies) -> None:
        self._app = app
        self._policies = policies

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        try:
            head = self._policies.admit(scope)
            if head.has_body and not head.is_websocket:
                body = await read_body(receive, self._policies.body)
                if body is None:
                    return
                receive = _replay(body, receive)
        except HttpError as error:
            await send_error(scope, send, error)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            self._policies.release(scope)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Replays the body as one message, then passes on what follows."""
    replayed = False

    async def replay() -> Any:
        nonlocal replayed
        if replayed:
            return await receive()
        replayed = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


async def read_body(receive: Receive, policy: BodyLimit) -> bytes | None:
    """The whole body; `None` if the client has disconnected. Raises `HttpError` if it is too large or too slow.

    `asyncio.timeout` would do the same at several times the cost.
    """
    task, expired = asyncio.current_task(), False

    def expire() -> None:
        nonlocal expired
        expired = True
        if task is not None:
            task.cancel()

    timer = asyncio.get_running_loop().call_later(policy.timeout_seconds, expire)
    try:
        return await _receive_all(receive, policy)
    except asyncio.CancelledError:
        if not expired or task is None or task.uncancel() > 0:
            raise
        raise policy.too_slow() from None
    finally:
        timer.cancel()


async def _receive_all(receive: Receive, policy: BodyLimit) -> bytes | None:
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        part = message.get("body", b"")
        size += len(part)
        policy.check_size(size)
        parts.append(part)
        if not message.get("more_body"):
            return parts[0] if len(parts) == 1 else b"".join(parts)


Scope = Mapping[str, Any]

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_COMMON_HEADERS = [
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
]
_TLS_HEADERS = [(b"strict-transport-security", b"max-age=31536000")]
_NO_STORE_HEADER = (b"cache-control", b"no-store")


def is_secure(scope: Scope, *, https: bool) -> bool:
    """Whether the browser uses TLS, with this process or, if the configuration says `https`, with its proxy."""
    return https or scope.get("scheme") in ("https", "wss")


class SecurityHeaders:
    """Adds security headers to every response. Outermost, so that errors have them too."""

    def __init__(self, app: App, *, https: bool = False) -> None:
        self._app = app
        self._https = https

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on and adds headers to its response."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        added = _COMMON_HEADERS + _TLS_HEADERS if is_secure(scope, https=self._https) else _COMMON_HEADERS
        private = scope["path"].startswith("/api")

        async def answer(message: Any) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = [*message.get("headers", ()), *added]
                if private and not any(name == b"cache-control" for name, _ in headers):
                    headers.append(_NO_STORE_HEADER)
                message = {**message, "headers": headers}
            await send(message)

        await self._app(scope, receive, answer)


def session_cookie_header(token: str, *, secure: bool, seconds: int) -> str:
    """The header that gives a browser its session; an empty token removes it."""
    max_age = f"Max-Age={seconds if token else 0}"
    return f"{SESSION_COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; {max_age}" + ("; Secure" if secure else "")
