"""Request policies: one list for every path into the server, run in one order.

`RequestPolicies.admit` runs the policies that need only the head, for every request and before anything else.
`RequestPolicies.identify` finds the sender and runs the policies about people; it is the only way to a session, so no
path can act for a person without them.
"""

from __future__ import annotations

import time
from collections.abc import Collection, MutableMapping
from dataclasses import dataclass
from typing import Any

from croupier.server.accounts.sessions import Session, Sessions
from croupier.server.config import WebSettings
from croupier.server.policies.rules import (
    BodyLimit,
    Clock,
    CsrfToken,
    HostAndOrigin,
    NullBytes,
    OpenWebSockets,
    Policy,
    Rate,
    RateLimit,
    RequestHead,
    by_address,
    by_person,
    is_action,
    is_any,
    read_head,
)

BURST_SECONDS = 20
"""A limit per second lets this many seconds' worth come at once."""
SIGN_IN_PATHS = frozenset({"/api/sign-in", "/api/join", "/api/register", "/api/password"})
GUEST_PATH = "/api/guests"
_HEAD, _SESSION = "croupier.head", "croupier.session"

Scope = MutableMapping[str, Any]


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """The figures behind the policies; a rate of `None` is no limit."""

    address: Rate | None = None
    """All requests of one address; behind one there may be many people."""
    person: Rate | None = None
    """All requests of one person."""
    commands: Rate | None = None
    """What one person does at tables."""
    sign_in: Rate | None = None
    """Signing in, joining, registering and changing a password, per address."""
    guests: Rate | None = None
    """New guests per address."""
    body_bytes: int = 65_536
    body_seconds: float = 10.0
    websockets_per_person: int = 20
    websockets_per_address: int = 200
    """Without a sign-in."""


def configured_limits(web: WebSettings) -> RequestLimits:
    """The limits that a configuration asks for."""
    return RequestLimits(
        address=_per_second(web.requests_per_second),
        person=_per_second(web.requests_per_second),
        commands=_per_second(web.commands_per_second),
        sign_in=Rate(web.sign_ins_per_minute, 60),
        guests=Rate(web.guests_per_minute, 60),
        body_bytes=web.body_bytes,
        body_seconds=web.body_seconds,
        websockets_per_person=web.websockets_per_person,
        websockets_per_address=web.websockets_per_address,
    )


def _per_second(count: int) -> Rate | None:
    return Rate(BURST_SECONDS * count, BURST_SECONDS) if count else None


class RequestPolicies:
    """The list. `before_identity` needs only the head of a request, `after_identity` who sent it."""

    def __init__(
        self,
        limits: RequestLimits,
        *,
        hosts: Collection[str],
        origins: Collection[str] = (),
        https: bool = False,
        behind_proxy: bool = False,
        clock: Clock = time.monotonic_ns,
    ) -> None:
        self.body = BodyLimit(limits.body_bytes, limits.body_seconds)
        self.websockets = OpenWebSockets(
            per_person=limits.websockets_per_person, per_address=limits.websockets_per_address
        )
        self._behind_proxy = behind_proxy

        def rate(name: str, rate: Rate | None, key: Any, applies: Any = is_any) -> tuple[Policy, ...]:
            return () if rate is None else (RateLimit(name, rate, clock, key, applies),)

        self.before_identity: tuple[Policy, ...] = (
            HostAndOrigin(hosts, origins, https=https),
            NullBytes(),
            *rate("requests per address", limits.address, by_address),
            *rate("sign-ins per address", limits.sign_in, by_address, _is_sign_in),
            *rate("guests per address", limits.guests, by_address, _is_guest),
            self.body,
        )
        self.after_identity: tuple[Policy, ...] = (
            CsrfToken(),
            *rate("requests per person", limits.person, by_person),
            *rate("commands per person", limits.commands, by_person, is_action),
            self.websockets,
        )

    def names(self) -> list[str]:
        """The policies in force, in their order."""
        return [policy.name for policy in (*self.before_identity, *self.after_identity)]

    def head_of(self, scope: Scope) -> RequestHead:
        """The head of a request, read once."""
        head = scope.get(_HEAD)
        if not isinstance(head, RequestHead):
            head = scope[_HEAD] = read_head(scope, behind_proxy=self._behind_proxy)
        return head

    def admit(self, scope: Scope) -> RequestHead:
        """The head of a new request; raises `HttpError`."""
        head = self.head_of(scope)
        for policy in self.before_identity:
            policy.check(head, None)
        return head

    async def identify(self, scope: Scope, sessions: Sessions) -> Session | None:
        """Who sends a request or opens a WebSocket, by bearer token or by cookie; `None` without a valid one.

        Raises `HttpError` where a policy about people does. A second call for the same request costs nothing.
        """
        if _SESSION in scope:
            session: Session | None = scope[_SESSION]
            return session
        head = self.head_of(scope)
        session = await sessions.look_up(_token(head))
        for policy in self.after_identity:
            policy.check(head, session)
        scope[_SESSION] = session
        return session

    def release(self, scope: Scope) -> None:
        """A connection has ended: gives up what it held."""
        if _SESSION in scope and scope["type"] == "websocket":
            self.websockets.release(self.head_of(scope), scope[_SESSION])


def _token(head: RequestHead) -> str:
    """The token of a request, empty if it has none. A bearer token counts before a cookie."""
    if head.authorization is None:
        return head.session_cookie
    kind, _, token = head.authorization.decode("latin-1").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


def _is_sign_in(head: RequestHead) -> bool:
    return head.path in SIGN_IN_PATHS and head.method == "POST"


def _is_guest(head: RequestHead) -> bool:
    return head.path == GUEST_PATH and head.method == "POST"
