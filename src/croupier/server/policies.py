"""Request policies: one list for every path into the server, run in one order.

`RequestPolicies.admit` runs the policies that need only the head, for every request and before anything else.
`RequestPolicies.identify` finds the sender and runs the policies about people; it is the only way to a session, so no
path can act for a person without them. `RequestGuard` applies the list to every request and reads its body.
"""

from __future__ import annotations

import asyncio
import hmac
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, MutableMapping
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import Any, ClassVar, Protocol

from croupier.core.errors import ErrorCode
from croupier.server.accounts.account_gate import SECOND_FACTOR_PATHS, PendingAccount
from croupier.server.accounts.sessions import Session, Sessions
from croupier.server.config import WebSettings
from croupier.server.errors import HttpError, forbidden, send_error, too_many_requests
from croupier.server.responses import App, Receive, Send, is_secure, session_cookie_name

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
MAX_ADDRESS_LENGTH = 64


@dataclass(frozen=True, slots=True)
class RequestHead:
    """An HTTP request, or the opening of a WebSocket, before its body. Repeated headers are kept where that matters."""

    is_websocket: bool
    method: str
    path: str
    query: bytes
    is_tls: bool
    """Whether the connection to this process is encrypted."""
    address: str
    """The client's, as rate limits count it."""
    hosts: tuple[bytes, ...] = ()
    origins: tuple[bytes, ...] = ()
    content_lengths: tuple[bytes, ...] = ()
    is_chunked: bool = False
    authorization: bytes | None = None
    session_cookie: str = ""
    csrf_token: bytes = b""

    @property
    def is_safe(self) -> bool:
        """Whether the request changes nothing by its method."""
        return not self.is_websocket and self.method in SAFE_METHODS

    @property
    def has_body(self) -> bool:
        return self.is_chunked or any(length != b"0" for length in self.content_lengths)


def read_head(scope: Mapping[str, Any], *, behind_proxy: bool, https: bool = False) -> RequestHead:
    """The head of an ASGI request or WebSocket; header names are lowercase, as ASGI gives them."""
    cookie_name = session_cookie_name(secure=is_secure(scope, https=https)).encode()
    hosts: list[bytes] = []
    origins: list[bytes] = []
    lengths: list[bytes] = []
    chunked, authorization, csrf, forwarded = False, None, b"", b""
    cookie: str | None = None
    for name, value in scope["headers"]:
        match name:
            case b"host":
                hosts.append(value)
            case b"origin":
                origins.append(value)
            case b"content-length":
                lengths.append(value)
            case b"transfer-encoding":
                chunked = True
            case b"authorization":
                authorization = value
            case b"cookie" if cookie is None:
                cookie = _session_cookie(value, cookie_name)
            case b"x-csrf-token":
                csrf = value
            case b"x-forwarded-for":
                forwarded = value
    client = scope.get("client")
    address = str(client[0]) if client else ""
    if behind_proxy and forwarded:
        address = forwarded.decode("latin-1").rpartition(",")[2].strip()
    return RequestHead(
        is_websocket=scope["type"] == "websocket",
        method=scope.get("method", "GET"),
        path=scope.get("path", ""),
        query=scope.get("query_string", b""),
        is_tls=scope.get("scheme") in ("https", "wss"),
        address=normalized_address(address),
        hosts=tuple(hosts),
        origins=tuple(origins),
        content_lengths=tuple(lengths),
        is_chunked=chunked,
        authorization=authorization,
        session_cookie=cookie or "",
        csrf_token=csrf,
    )


def normalized_address(address: str) -> str:
    """An address as rate limits count it: of IPv6 the /64 network, since one machine has all of it to choose from.

    Behind a proxy only the last entry of `X-Forwarded-For` gets here: anybody can write the ones before it.
    """
    if ":" not in address:
        return address[:MAX_ADDRESS_LENGTH]
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:MAX_ADDRESS_LENGTH]
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return f"{IPv6Address(int(parsed) >> 64 << 64)}/64"


def _session_cookie(header: bytes, cookie_name: bytes) -> str | None:
    for part in header.split(b";"):
        name, equals, value = part.strip().partition(b"=")
        if equals and name == cookie_name:
            return value.decode("latin-1")
    return None


MAX_KEYS = 20_000
"""Addresses or people that one bucket remembers; the one idle for longest is dropped first."""
SECOND_NANOSECONDS = 1_000_000_000
MILLISECOND_NANOSECONDS = 1_000_000

Clock = Callable[[], int]
"""A monotonic clock in milliseconds."""


@dataclass(frozen=True, slots=True)
class Rate:
    """`count` tokens, refilled evenly over `seconds`; a full bucket may be emptied at once."""

    count: int
    seconds: int


class TokenBuckets:
    """One bucket for each key. All a bucket stores is the moment at which it will be full again."""

    def __init__(self, rate: Rate, clock: Clock, max_keys: int = MAX_KEYS) -> None:
        self._token_time = rate.seconds * SECOND_NANOSECONDS // rate.count
        self._capacity_time = self._token_time * rate.count
        self._clock = clock
        self._max_keys = max_keys
        self._full_at: dict[str, int] = {}

    def take(self, key: str) -> float:
        """Takes a token: 0 if there was one, otherwise the seconds until there is. A refusal costs nothing."""
        now = self._clock() * MILLISECOND_NANOSECONDS
        full_at = max(self._full_at.pop(key, now), now)
        wait = full_at + self._token_time - self._capacity_time - now
        if wait <= 0:
            full_at += self._token_time
        while len(self._full_at) >= self._max_keys:
            del self._full_at[next(iter(self._full_at))]
        self._full_at[key] = full_at
        return max(wait, 0) / SECOND_NANOSECONDS

    def __len__(self) -> int:
        return len(self._full_at)


ACTION_PATH = re.compile(r"/api/tables/[^/]+/(?:commands|ready|sit|chips)")
"""Every endpoint that acts at a table."""
CLOSING = {"Connection": "close"}
"""The rest of the body is not read, so the connection cannot be used again."""


class Policy(Protocol):
    """One rule that requests obey."""

    @property
    def name(self) -> str:
        """What it is called in documents and tests."""

    def check(self, head: RequestHead, session: Session | None) -> None:
        """Raises `HttpError`. `session` is `None` for anonymous requests and before the sender is known."""


@dataclass(frozen=True, slots=True)
class HostAndOrigin:
    """Refuses (403) hosts that are not ours, and what pages of other sites make a browser send.

    `hosts` are names without ports, `*` is any: otherwise a name that somebody points at this machine would make
    their page one of ours. `origins` are further ones, written as browsers do: `https://pit.example`.
    """

    name: ClassVar[str] = "host and origin"
    hosts: Collection[str]
    origins: Collection[str] = ()
    https: bool = False
    """Whether browsers use https even if this process does not: a proxy ends TLS."""
    _hosts: frozenset[str] = field(init=False)
    _origins: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        names = (_without_port(host.lower()) if "[" in host else host.lower() for host in self.hosts)
        object.__setattr__(self, "_hosts", frozenset(names))
        object.__setattr__(self, "_origins", frozenset(origin.lower().rstrip("/") for origin in self.origins))

    def check(self, head: RequestHead, session: Session | None) -> None:
        if len(head.hosts) > 1:
            raise forbidden("the request names two hosts")
        host = head.hosts[0].decode("latin-1").lower() if head.hosts else ""
        if not head.hosts or not ("*" in self._hosts or _without_port(host) in self._hosts):
            raise forbidden("this server does not answer to that host name: see the setting web.hosts")
        if head.origins and not head.is_safe and not self._is_ours(head, host):
            raise forbidden("the request comes from a page of another origin")

    def _is_ours(self, head: RequestHead, host: str) -> bool:
        if len(head.origins) > 1:
            return False
        origin = head.origins[0].decode("latin-1").lower()
        if origin == f"https://{host}" or origin in self._origins:
            return True
        return not (self.https or head.is_tls) and origin == f"http://{host}"


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


@dataclass(frozen=True, slots=True)
class NullBytes:
    """Refuses (400) a null byte in the target: no database stores one."""

    name: ClassVar[str] = "null bytes"

    def check(self, head: RequestHead, session: Session | None) -> None:
        if "\0" in head.path or b"%00" in head.query:
            raise HttpError(400, "the address has a null byte")


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """Refuses a body that is too large (413) or arrives too slowly (408); the middleware applies it as it reads."""

    name: ClassVar[str] = "body size and time"
    max_bytes: int
    timeout_seconds: float

    def check(self, head: RequestHead, session: Session | None) -> None:
        for length in head.content_lengths:
            if not length.isdigit() or len(length) > 18:
                raise self.too_large()
            self.check_size(int(length))

    def check_size(self, size: int) -> None:
        """Refuses a body of this many bytes, declared or received."""
        if size > self.max_bytes:
            raise self.too_large()

    def too_large(self) -> HttpError:
        return HttpError(413, f"the body has more than {self.max_bytes} bytes", headers=CLOSING)

    def too_slow(self) -> HttpError:
        return HttpError(408, f"the body did not arrive within {self.timeout_seconds:g} s", headers=CLOSING)


@dataclass(frozen=True, slots=True)
class CsrfToken:
    """Refuses (403) a change that comes with a cookie and without the session's CSRF token.

    Opening a WebSocket needs none: its origin was checked.
    """

    name: ClassVar[str] = "CSRF token"

    def check(self, head: RequestHead, session: Session | None) -> None:
        if session is None or head.authorization is not None or head.is_websocket or head.is_safe:
            return
        if not hmac.compare_digest(head.csrf_token, session.csrf.encode()):
            reason = "the header X-CSRF-Token is missing or wrong: GET /api/me gives the right one"
            raise forbidden(reason, code=ErrorCode.CSRF)


def by_address(head: RequestHead, session: Session | None) -> str:
    """The key of a limit per address."""
    return head.address


def by_person(head: RequestHead, session: Session | None) -> str | None:
    """The key of a limit per person, over all their sessions, connections and addresses; `None` for nobody."""
    return session.person.name if session is not None else None


def is_any(head: RequestHead) -> bool:
    """Every request."""
    return True


def is_action(head: RequestHead) -> bool:
    """Whether somebody acts at a table."""
    return head.method == "POST" and ACTION_PATH.fullmatch(head.path) is not None


class RateLimit:
    """Refuses (429, with `Retry-After`) what a token bucket has no token for."""

    def __init__(
        self,
        name: str,
        rate: Rate,
        clock: Clock,
        key: Callable[[RequestHead, Session | None], str | None],
        applies: Callable[[RequestHead], bool] = is_any,
    ) -> None:
        self.name = name
        self._buckets = TokenBuckets(rate, clock)
        self._key = key
        self._applies = applies

    def check(self, head: RequestHead, session: Session | None) -> None:
        if not self._applies(head):
            return
        key = self._key(head, session)
        wait = self._buckets.take(key) if key is not None else 0.0
        if wait:
            raise too_many_requests(wait)


class OpenWebSockets:
    """Refuses (429) one WebSocket too many of one person, or of the anonymous clients at one address.

    Unlike the other policies it counts what is open: whoever passes holds a slot until `release`.
    """

    name = "open WebSockets"

    def __init__(self, *, per_person: int, per_address: int) -> None:
        self._per_person = per_person
        self._per_address = per_address
        self.counts: Counter[tuple[str, str]] = Counter()
        """Open connections by person or by address."""

    def check(self, head: RequestHead, session: Session | None) -> None:
        if not head.is_websocket:
            return
        key = self._key(head, session)
        limit = self._per_person if session is not None else self._per_address
        if self.counts[key] >= limit:
            raise HttpError(429, "too many connections", headers={"Retry-After": "1"})
        self.counts[key] += 1

    def release(self, head: RequestHead, session: Session | None) -> None:
        """The connection is closed."""
        key = self._key(head, session)
        self.counts[key] -= 1
        if self.counts[key] <= 0:
            del self.counts[key]

    @staticmethod
    def _key(head: RequestHead, session: Session | None) -> tuple[str, str]:
        return ("address", head.address) if session is None else ("person", session.person.name)


BURST_SECONDS = 20
"""A limit per second lets this many seconds' worth come at once."""
SIGN_IN_PATHS = frozenset({"/api/sign-in", "/api/join", "/api/register", "/api/password", *SECOND_FACTOR_PATHS})
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
        clock: Clock,
    ) -> None:
        self.body = BodyLimit(limits.body_bytes, limits.body_seconds)
        self.websockets = OpenWebSockets(
            per_person=limits.websockets_per_person, per_address=limits.websockets_per_address
        )
        self._behind_proxy = behind_proxy
        self._https = https

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
            PendingAccount(),
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
            head = scope[_HEAD] = read_head(scope, behind_proxy=self._behind_proxy, https=self._https)
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
