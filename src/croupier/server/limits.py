"""Rate limits, in memory: how often one address or one person may ask. Each process counts for itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from threading import Lock
from typing import Any

from croupier.server.errors import Refused, Send, refuse, too_many

MOST = 20_000
"""Addresses or people that one limit remembers; those that have not asked for longest are forgotten."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many in so many seconds; all of them may come at once, and one is added after each part of the time."""

    count: int
    seconds: float


class Bucket:
    """One limit for many keys. A key costs one number: when its bucket would be full again."""

    def __init__(self, rate: Rate, now: Callable[[], float], most: int = MOST) -> None:
        self._step = rate.seconds / rate.count
        self._depth = rate.seconds
        self._now = now
        self._most = most
        self._full_at: dict[str, float] = {}
        self._lock = Lock()

    def take(self, key: str) -> float:
        """Takes one: 0 where there was one, else the seconds until there is."""
        with self._lock:
            now = self._now()
            full_at = max(self._full_at.pop(key, now), now)
            wait = full_at + self._step - self._depth - now
            if wait <= 1e-9:
                full_at += self._step
                wait = 0.0
            while len(self._full_at) >= self._most:
                del self._full_at[next(iter(self._full_at))]
            self._full_at[key] = full_at
            return wait

    def __len__(self) -> int:
        return len(self._full_at)


@dataclass(slots=True)
class Limits:
    """The limits of a server; `None` is no limit. `require_…` refuses with 429 and the time to wait."""

    sign_in: Rate | None = Rate(10, 60)
    """Signing in, joining, registering and changing a password, per address."""
    guests: Rate | None = Rate(20, 60)
    """New guests per address."""
    address: Rate | None = Rate(1200, 10)
    """Everything, per address; behind one there may be many people."""
    person: Rate | None = Rate(300, 10)
    """Everything, per person."""
    now: Callable[[], float] = time.monotonic
    _buckets: dict[str, Bucket] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        rates = {"sign_in": self.sign_in, "guests": self.guests, "address": self.address, "person": self.person}
        self._buckets = {name: Bucket(rate, self.now) for name, rate in rates.items() if rate is not None}

    def wait(self, limit: str, key: str) -> float:
        """Takes one of a limit: 0 where that is fine, else the seconds to wait."""
        bucket = self._buckets.get(limit)
        return 0.0 if bucket is None else bucket.take(key)

    def require(self, limit: str, key: str) -> None:
        """Takes one of a limit, or refuses."""
        wait = self.wait(limit, key)
        if wait:
            raise too_many(wait)


def unlimited() -> Limits:
    """For load tests."""
    return Limits(None, None, None, None)


def client_address(scope: Mapping[str, Any], *, behind_proxy: bool) -> str:
    """Who asks: the address of the connection, or behind a proxy the one that the proxy has seen.

    A proxy adds what it has seen to the end of `X-Forwarded-For`; what stands before that anybody can write, so it
    is not believed. Of an IPv6 address the network counts, because a machine has a whole one to choose from.
    """
    client = scope.get("client")
    address = str(client[0]) if client else ""
    if behind_proxy:
        for name, value in reversed(scope["headers"]):
            if name == b"x-forwarded-for":
                address = value.decode("latin-1").rpartition(",")[2].strip()
                break
    if ":" not in address:
        return address[:64]
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64)) + ("" if found.ipv4_mapped else "/64")
    return str(found)


class RateLimit:
    """Middleware: the limit per address, for everything that asks."""

    def __init__(self, app: Any, limits: Limits, *, behind_proxy: bool = False) -> None:
        self._app = app
        self._limits = limits
        self._behind_proxy = behind_proxy

    async def __call__(self, scope: Any, receive: Any, send: Send) -> None:
        """Passes on, or refuses with 429."""
        if scope["type"] in ("http", "websocket"):
            try:
                self.require(scope)
            except Refused as refused:
                await refuse(scope, send, refused)
                return
        await self._app(scope, receive, send)

    def require(self, scope: Mapping[str, Any]) -> None:
        """Takes one of the limit per address, or refuses."""
        self._limits.require("address", client_address(scope, behind_proxy=self._behind_proxy))
