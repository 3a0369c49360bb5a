"""Responses: the reply to a command as JSON, the security headers of every response, and the session cookie."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any

SESSION_COOKIE = "croupier_session"
DEVICE_COOKIE = "croupier_device"
"""A secret by which the server knows a browser again in which somebody has signed in."""
SECURE_SESSION_COOKIE = f"__Host-{SESSION_COOKIE}"
"""Where browsers use TLS: they accept this prefix only from this very host and over TLS, so neither a page of another
subdomain nor somebody on the network can plant a session."""

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Any, Receive, Send], Awaitable[None]]
Header = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class Reply:
    """A JSON response with its additional headers."""

    status: int
    text: bytes
    headers: tuple[Header, ...] = ()

    def all_headers(self) -> list[Header]:
        """The additional headers and those of every JSON response."""
        length = str(len(self.text)).encode()
        return [(b"content-type", b"application/json"), (b"content-length", length), *self.headers]


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


def session_cookie_name(*, secure: bool) -> str:
    """The name of the cookie with the session."""
    return SECURE_SESSION_COOKIE if secure else SESSION_COOKIE


def session_cookie_header(token: str, *, secure: bool, seconds: int) -> str:
    """The header that gives a browser its session; an empty token removes it."""
    max_age = f"Max-Age={seconds if token else 0}"
    name = session_cookie_name(secure=secure)
    return f"{name}={token}; Path=/; HttpOnly; SameSite=Strict; {max_age}" + ("; Secure" if secure else "")


def device_cookie_name(*, secure: bool) -> str:
    """The name of the cookie by which a browser is known again."""
    return f"__Host-{DEVICE_COOKIE}" if secure else DEVICE_COOKIE


def device_cookie_header(token: str, *, secure: bool, seconds: int) -> str:
    """The header that gives a browser the secret by which it is known again; signing out leaves it."""
    attributes = f"Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}"
    return f"{device_cookie_name(secure=secure)}={token}; {attributes}" + ("; Secure" if secure else "")
