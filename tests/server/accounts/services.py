"""The account routes with their middleware, simulated browsers, and a clock that the test controls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
from argon2 import PasswordHasher
from fastapi import FastAPI, WebSocket

from croupier.server.accounts import account_requests
from croupier.server.accounts.account_requests import Outcome
from croupier.server.accounts.duties import Act
from croupier.server.accounts.passwords import Passwords
from croupier.server.accounts.sessions import Sessions
from croupier.server.accounts.users import Users
from croupier.server.api import accounts as api_accounts
from croupier.server.api import people as api_people
from croupier.server.errors import error_handlers
from croupier.server.policies import RequestGuard, RequestLimits, RequestPolicies
from croupier.server.responses import SecurityHeaders
from croupier.storage.migrations.runner import migrate
from croupier.storage.sql.database import Database
from croupier.table.model.roles import SYSTEM, Actor, Role
from tests.support import run_in_thread

PASSWORD = "correct horse 9"  # noqa: S105
OTHER_PASSWORD = "battery staple 8"  # noqa: S105
HOST = "pit.example"
ADA = Actor("Ada", Role.ADMINISTRATOR)
Note = tuple[str, str, Mapping[str, Any], Actor]
"""The kind of an event, the person concerned, details, and who acted."""


def fast_hasher() -> PasswordHasher:
    """A fast hasher for tests that are not about hashing."""
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


class Clock:
    """Milliseconds since 1970, which need 64 bits."""

    def __init__(self) -> None:
        self.time = 1_800_000_000_000

    def __call__(self) -> int:
        return self.time

    def advance(self, *, minutes: float = 0, seconds: float = 0) -> None:
        self.time += int(minutes * 60_000 + seconds * 1_000)


class Browser:
    """A client with cookies and headers; an exception in the server becomes a response with status 500."""

    def __init__(self, app: Any, scheme: str) -> None:
        self._transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=("192.0.2.7", 5000))
        self._base = f"{scheme}://{HOST}"
        self.headers: dict[str, str] = {}
        self.cookies = httpx.Cookies()

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        return run_in_thread(self._request(method, path, options))

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.request("GET", path, **options)

    def post(self, path: str, json: Any = None, **options: Any) -> httpx.Response:
        return self.request("POST", path, **({"json": json} if json is not None else {}), **options)

    async def _request(self, method: str, path: str, options: dict[str, Any]) -> httpx.Response:
        options["headers"] = {**self.headers, **options.get("headers", {})}
        async with httpx.AsyncClient(transport=self._transport, base_url=self._base, cookies=self.cookies) as client:
            response = await client.request(method, path, **options)
            self.cookies = client.cookies
            return response


@dataclass
class Settings:
    guests: bool = True
    registration: bool = True
    https: bool = False
    behind_proxy: bool = False
    play_money_only: bool = True
    facility: str = "Test House"


@dataclass
class AccountServices:
    database: Database
    clock: Clock
    users: Users
    sessions: Sessions
    notes: list[Note]
    limits: RequestLimits = field(default_factory=RequestLimits)
    config: Settings = field(default_factory=Settings)
    milliseconds: int = 0
    """The time seen by the token buckets."""
    _policies: tuple[object, RequestPolicies] | None = None
    _routes: FastAPI | None = None

    @property
    def routes(self) -> FastAPI:
        """The account routes, built once for all browsers of a test."""
        self._routes = self._routes or _build_routes(self)
        return self._routes

    @property
    def policies(self) -> RequestPolicies:
        """Rebuilt whenever the test has changed the limits or the configuration."""
        key = (self.limits, self.config.https, self.config.behind_proxy)
        if self._policies is None or self._policies[0] != key:
            policies = RequestPolicies(
                self.limits,
                hosts=[HOST, "127.0.0.1"],
                https=self.config.https,
                behind_proxy=self.config.behind_proxy,
                clock=lambda: self.milliseconds,
            )
            self._policies = key, policies
        return self._policies[1]

    def require_guest_capacity(self) -> None:
        """Always available."""

    def note_kinds(self) -> list[str]:
        return [note[0] for note in self.notes]

    def client(self, **limits: Any) -> Browser:
        return Browser(build_app(self, **limits), "https" if self.config.https else "http")

    def add(self, name: str, role: Role, password: str = PASSWORD) -> None:
        hashed = fast_hasher().hash(password)
        self.users.create(name, role, by=SYSTEM, password=hashed, approved_by="test")

    def act(self, act: Act, name: str, *, by: Actor = ADA, role: Role | None = None) -> Outcome:
        """Asks for an act on an account."""
        return account_requests.ask(self.users, act, name, by=by, role=role)

    def add_and_sign_in(self, name: str, role: Role) -> Browser:
        """Adds a person and signs them in with a browser."""
        self.add(name, role)
        return self.sign_in(name)

    def sign_in(self, name: str, password: str = PASSWORD) -> Browser:
        client = self.client()
        response = client.post("/api/sign-in", json={"name": name, "password": password})
        assert response.status_code == 200, response.text
        client.headers["X-CSRF-Token"] = response.json()["csrf"]
        return client


def open_services(database_url: str, *, play_money: bool = True, **settings: Any) -> AccountServices:
    """Account services on a new or existing database, by default of a server that one person may run alone."""
    database, clock = Database(database_url), Clock()
    migrate(database)
    notes: list[Note] = []
    users = Users(
        database,
        now=clock,
        note=lambda kind, name, details, *, by, second=None, connection=None: notes.append((kind, name, details, by)),
        passwords=Passwords(fast_hasher()),
        play_money=play_money,
    )
    return AccountServices(database, clock, users, Sessions(database, now=clock), notes, config=Settings(**settings))


def build_app(services: AccountServices, **limits: Any) -> Any:
    """The account part of the server, and a WebSocket that sends the name of its user."""
    services.limits = replace(services.limits, **limits)
    return SecurityHeaders(RequestGuard(services.routes, services.policies), https=services.config.https)


def _build_routes(services: AccountServices) -> FastAPI:
    app = FastAPI(exception_handlers=error_handlers())
    app.include_router(api_accounts.router(services))
    app.include_router(api_people.router(services))

    @app.websocket("/api/name")
    async def send_name(socket: WebSocket) -> None:
        session = await services.policies.identify(socket.scope, services.sessions)
        await socket.accept()
        await socket.send_text(session.person.name if session else "nobody")
        await socket.close()

    return app
