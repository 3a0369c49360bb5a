"""A house with nothing but people: routes, middlewares, browsers, and a clock that goes when it is told to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
from argon2 import PasswordHasher
from fastapi import FastAPI, WebSocket

from croupier.server.accounts.passwords import Passwords
from croupier.server.accounts.sessions import Sessions
from croupier.server.accounts.users import Users
from croupier.server.api.accounts import router
from croupier.server.errors import error_handlers
from croupier.server.middleware import RequestGuard, SecurityHeaders
from croupier.server.policies import RequestLimits, RequestPolicies
from croupier.storage.migrations.runner import migrate
from croupier.storage.sql.database import Database
from croupier.table.model.roles import Role
from tests.support import run_in_thread

GOOD = "correct horse 9"
OTHER = "battery staple 8"
HOST = "pit.example"


def cheap() -> PasswordHasher:
    """Hashes at once, where a test is about something else."""
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


class Clock:
    """Milliseconds since 1970; far enough that they need 64 bits."""

    def __init__(self) -> None:
        self.time = 1_800_000_000_000

    def __call__(self) -> int:
        return self.time

    def later(self, *, minutes: float = 0, seconds: float = 0) -> None:
        self.time += int(minutes * 60_000 + seconds * 1_000)


class Browser:
    """Keeps cookies and headers, waits for each answer; a fault of the server is an answer, so a test sees a 500."""

    def __init__(self, app: Any, scheme: str) -> None:
        self._transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=("192.0.2.7", 5000))
        self._base = f"{scheme}://{HOST}"
        self.headers: dict[str, str] = {}
        self.cookies = httpx.Cookies()

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        return run_in_thread(self._ask(method, path, options))

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.ask("GET", path, **options)

    def post(self, path: str, json: Any = None, **options: Any) -> httpx.Response:
        return self.ask("POST", path, **({"json": json} if json is not None else {}), **options)

    async def _ask(self, method: str, path: str, options: dict[str, Any]) -> httpx.Response:
        options["headers"] = {**self.headers, **options.get("headers", {})}
        async with httpx.AsyncClient(transport=self._transport, base_url=self._base, cookies=self.cookies) as client:
            answer = await client.request(method, path, **options)
            self.cookies = client.cookies
            return answer


@dataclass
class Settings:
    guests: bool = True
    registration: bool = True
    https: bool = False
    behind_proxy: bool = False


@dataclass
class House:
    database: Database
    clock: Clock
    users: Users
    sessions: Sessions
    notes: list[tuple[str, str, Mapping[str, Any]]]
    limits: RequestLimits = field(default_factory=RequestLimits)
    config: Settings = field(default_factory=Settings)
    guests: list[str] = field(default_factory=list)
    nanoseconds: int = 0
    """The time of the token buckets."""
    _policies: tuple[object, RequestPolicies] | None = None

    @property
    def policies(self) -> RequestPolicies:
        """Built anew whenever a test has changed what they follow from."""
        key = (self.limits, self.config.https, self.config.behind_proxy)
        if self._policies is None or self._policies[0] != key:
            built = RequestPolicies(
                self.limits,
                hosts=[HOST, "127.0.0.1"],
                https=self.config.https,
                behind_proxy=self.config.behind_proxy,
                clock=lambda: self.nanoseconds,
            )
            self._policies = key, built
        return self._policies[1]

    def require_guest_capacity(self) -> None:
        """There is always some."""

    def grant_play_money(self, name: str) -> None:
        self.guests.append(name)

    def kinds(self) -> list[str]:
        return [kind for kind, _, _ in self.notes]

    def client(self, **limits: Any) -> Browser:
        return Browser(app_of(self, **limits), "https" if self.config.https else "http")

    def add(self, name: str, role: Role, password: str = GOOD) -> None:
        hashed = cheap().hash(password)
        self.users.create(name, role, by="test", password=hashed)

    def signed_in(self, name: str, role: Role) -> Browser:
        """Somebody new, signed in with a browser."""
        self.add(name, role)
        return self.sign_in(name)

    def sign_in(self, name: str, password: str = GOOD) -> Browser:
        client = self.client()
        answer = client.post("/api/sign-in", json={"name": name, "password": password})
        assert answer.status_code == 200, answer.text
        client.headers["X-CSRF-Token"] = answer.json()["csrf"]
        return client


def house_on(where: str, **settings: Any) -> House:
    """A house on a database that may be empty."""
    database, clock = Database(where), Clock()
    migrate(database)
    notes: list[tuple[str, str, Mapping[str, Any]]] = []
    people = Users(
        database,
        now=clock,
        note=lambda *note: notes.append(note),
        passwords=Passwords(cheap()),
    )
    return House(database, clock, people, Sessions(database, now=clock), notes, config=Settings(**settings))


def app_of(house: House, **limits: Any) -> Any:
    """What the server is made of, as far as people are concerned; and a socket that says who opened it."""
    house.limits = replace(house.limits, **limits)
    app = FastAPI(exception_handlers=error_handlers())
    app.include_router(router(house))

    @app.websocket("/api/who")
    async def who(socket: WebSocket) -> None:
        session = await house.policies.identify(socket.scope, house.sessions)
        await socket.accept()
        await socket.send_text(session.person.name if session else "nobody")
        await socket.close()

    return SecurityHeaders(RequestGuard(app, house.policies), https=house.config.https)
