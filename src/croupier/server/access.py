"""Who may use a route: dependencies for FastAPI that give the session or refuse."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from starlette.requests import Request

from croupier.server.errors import forbidden, not_signed_in
from croupier.server.limits import Limits
from croupier.server.people import People
from croupier.server.security import identify
from croupier.server.sessions import Session, Sessions
from croupier.table.people import Role


class Settings(Protocol):
    """What these routes need of the configuration."""

    @property
    def guests(self) -> bool:
        """Whether anybody may play as a guest with play money."""

    @property
    def registration(self) -> bool:
        """Whether patrons may make accounts for themselves."""

    @property
    def https(self) -> bool:
        """Whether browsers reach the server by TLS, its own or a proxy's."""

    @property
    def behind_proxy(self) -> bool:
        """Whether `X-Forwarded-For` is written by a proxy of ours."""


class House(Protocol):
    """What these routes need of the server."""

    @property
    def people(self) -> People:
        """Everybody on file."""

    @property
    def sessions(self) -> Sessions:
        """Everybody signed in."""

    @property
    def limits(self) -> Limits:
        """How often one may ask."""

    @property
    def config(self) -> Settings:
        """The configuration."""

    def require_room(self) -> None:
        """Is called, in a thread, before a guest is made; refuses one too many."""

    def welcomed(self, name: str) -> None:
        """Is called, in a thread, for each new guest, who gets play money then."""


Who = Callable[[Request], Awaitable[Session]]


def signed_in(house: House) -> Who:
    """Anybody who is signed in; refuses others with 401, and too many requests of one person with 429."""

    async def who(request: Request) -> Session:
        session = await identify(request.scope, house.sessions)
        if session is None:
            raise not_signed_in()
        house.limits.require("person", session.person.name)
        return session

    return who


def only(house: House, *roles: Role) -> Who:
    """The same, and refuses other roles with 403."""
    anybody = signed_in(house)

    async def who(request: Request) -> Session:
        session = await anybody(request)
        if session.person.role not in roles:
            raise forbidden(
                f"this is for {' or '.join(role.called for role in roles)}, not {session.person.role.called}"
            )
        return session

    return who
