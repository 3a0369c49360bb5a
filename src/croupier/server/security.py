"""What every request passes before anything looks at it: host and origin, size and time of its body; and who sent it.

These are plain ASGI, because every request pays for them.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

from croupier.server.errors import Header, Refused, Send, forbidden, refuse
from croupier.server.sessions import Session, Sessions

COOKIE = "croupier_session"
BODY_LIMIT = 64 * 1024
BODY_SECONDS = 10.0
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
App = Callable[[Any, Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_ALWAYS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
]
_UNDER_TLS = [(b"strict-transport-security", b"max-age=31536000")]
NOT_STORED = (b"cache-control", b"no-store")


def is_secure(scope: Scope, *, https: bool) -> bool:
    """Whether the browser speaks TLS, with this process or, where the configuration says `https`, with its proxy."""
    return https or scope.get("scheme") in ("https", "wss")


class SecurityHeaders:
    """Middleware: headers of every answer. Outermost, so that refusals of the others have them too."""

    def __init__(self, app: App, *, https: bool = False) -> None:
        self._app = app
        self._https = https

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes on, with headers added to the answer."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        added = self.added(secure=is_secure(scope, https=self._https))
        private = scope["path"].startswith("/api")

        async def answer(message: Any) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = [*message.get("headers", ()), *added]
                if private and not any(name == b"cache-control" for name, _ in headers):
                    headers.append(NOT_STORED)
                message = {**message, "headers": headers}
            await send(message)

        await self._app(scope, receive, answer)

    def added(self, *, secure: bool) -> list[Header]:
        """What every answer has."""
        return _ALWAYS + _UNDER_TLS if secure or self._https else _ALWAYS


class Gate:
    """Middleware: refuses (403) hosts that are not ours, and what other sites' pages make a browser send.

    `hosts` are names without ports, `*` is any; without this check a name that somebody points at this machine would
    make his page one of ours. `origins` are further ones that may ask, written as browsers do: `https://pit.example`.
    """

    def __init__(self, app: App, *, hosts: Collection[str], origins: Collection[str] = (), https: bool = False) -> None:
        self._app = app
        self._any = "*" in hosts
        self._hosts = frozenset(_without_port(host.lower()) if "[" in host else host.lower() for host in hosts)
        self._origins = frozenset(origin.lower().rstrip("/") for origin in origins)
        self._https = https

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes on, or refuses."""
        if scope["type"] in ("http", "websocket"):
            try:
                self.require(scope)
            except Refused as refused:
                await refuse(scope, send, refused)
                return
        await self._app(scope, receive, send)

    def require(self, scope: Scope) -> None:
        """Refuses what may not pass."""
        problem = self._problem(scope)
        if problem:
            raise forbidden(problem)
        if "\0" in scope.get("path", "") or b"%00" in scope.get("query_string", b""):  # no database keeps it
            raise Refused(400, "the address has a null byte")

    def _problem(self, scope: Scope) -> str:
        host, origin = None, None
        for name, value in scope["headers"]:
            if name == b"host":
                if host is not None:
                    return "the request names two hosts"
                host = value.decode("latin-1").lower()
            elif name == b"origin":
                origin = value.decode("latin-1").lower() if origin is None else "two"
        if host is None or not (self._any or _without_port(host) in self._hosts):
            return "this server does not answer under that name: see its setting of allowed hosts"
        if origin is None or (scope["type"] == "http" and scope["method"] in SAFE):
            return ""
        ours = f"https://{host}", f"http://{host}"
        if origin in (ours[:1] if is_secure(scope, https=self._https) else ours) or origin in self._origins:
            return ""
        return "the request comes from a page of another origin"


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


class BodyLimit:
    """Middleware: takes in a body before anything else runs; refuses one that is too large (413) or too slow (408)."""

    def __init__(self, app: App, *, limit: int = BODY_LIMIT, seconds: float = BODY_SECONDS) -> None:
        self._app = app
        self._limit = limit
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes on with the whole body, or refuses."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_body = False
        for name, value in scope["headers"]:
            if name == b"content-length":
                has_body = value != b"0"
                if not value.isdigit() or len(value) > 18 or int(value) > self._limit:
                    await refuse(scope, send, self._too_large(), close=True)
                    return
            elif name == b"transfer-encoding":
                has_body = True
        if not has_body:
            await self._app(scope, receive, send)
            return
        try:
            body = await self._in_time(receive)
        except TimeoutError:
            slow = Refused(408, f"the body did not arrive within {self._seconds:g} s")
            await refuse(scope, send, slow, close=True)
            return
        except Refused as refused:
            await refuse(scope, send, refused, close=True)
            return
        if body is None:
            return
        taken = False

        async def again() -> Any:
            nonlocal taken
            if taken:
                return await receive()
            taken = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, again, send)

    async def _in_time(self, receive: Receive) -> bytes | None:
        """The whole body within the time. `asyncio.timeout` would do, at several times the cost."""
        task, late = asyncio.current_task(), False

        def over() -> None:
            nonlocal late
            late = True
            if task is not None:
                task.cancel()

        timer = asyncio.get_running_loop().call_later(self._seconds, over)
        try:
            return await self._take(receive)
        except asyncio.CancelledError:
            if not late or task is None or task.uncancel() > 0:
                raise
            raise TimeoutError from None
        finally:
            timer.cancel()

    def _too_large(self) -> Refused:
        return Refused(413, f"the body has more than {self._limit} bytes")

    async def _take(self, receive: Receive) -> bytes | None:
        """The whole body; nothing where the client has gone."""
        parts, size = [], 0
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return None
            part = message.get("body", b"")
            size += len(part)
            if size > self._limit:
                raise self._too_large()
            parts.append(part)
            if not message.get("more_body"):
                return parts[0] if len(parts) == 1 else b"".join(parts)


async def identify(scope: Scope, sessions: Sessions) -> Session | None:
    """Who sends a request or opens a WebSocket, by bearer token or by cookie; nobody where there is no valid one.

    Refuses (403) what could change something and comes with a cookie but without the session's CSRF token. A
    WebSocket needs none: `Gate` has seen its origin.
    """
    bearer, cookie, csrf = None, None, b""
    for name, value in scope["headers"]:
        if name == b"authorization":
            bearer = value
        elif name == b"cookie" and cookie is None:
            cookie = _cookie(value)
        elif name == b"x-csrf-token":
            csrf = value
    if bearer is not None:
        kind, _, token = bearer.decode("latin-1").partition(" ")
        return await sessions.look_up(token.strip()) if kind.lower() == "bearer" else None
    if not cookie:
        return None
    session = await sessions.look_up(cookie)
    if session is None or scope["type"] == "websocket" or scope["method"] in SAFE:
        return session
    if not hmac.compare_digest(csrf, session.csrf.encode()):
        raise forbidden("the header X-CSRF-Token is missing or wrong: GET /api/me gives the right one")
    return session


def _cookie(header: bytes) -> str | None:
    for part in header.split(b";"):
        name, found, value = part.strip().partition(b"=")
        if found and name == COOKIE.encode():
            return value.decode("latin-1")
    return None


def set_cookie(token: str, *, secure: bool, seconds: int) -> str:
    """The header that gives a browser its session; an empty token takes it away."""
    kept = f"Max-Age={seconds if token else 0}"
    return f"{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; {kept}" + ("; Secure" if secure else "")
