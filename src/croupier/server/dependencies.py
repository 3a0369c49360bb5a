"""Who may use a route: dependencies for FastAPI that give the session or refuse."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from starlette.requests import Request

from croupier.server.accounts.sessions import Session, Sessions
from croupier.server.accounts.users import Users
from croupier.server.errors import forbidden, not_signed_in
from croupier.server.policies import RequestPolicies, Scope
from croupier.table.model.roles import Role
from croupier.table.visibility import ANONYMOUS, Viewer


class AccountSettingsProtocol(Protocol):
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


class ServicesProtocol(Protocol):
    """What these routes need of the server."""

    @property
    def users(self) -> Users:
        """Everybody on file."""

    @property
    def sessions(self) -> Sessions:
        """Everybody signed in."""

    @property
    def policies(self) -> RequestPolicies:
        """What every request obeys."""

    @property
    def config(self) -> AccountSettingsProtocol:
        """The configuration."""

    def require_guest_capacity(self) -> None:
        """Is called, in a thread, before a guest is made; refuses one too many."""

    def grant_play_money(self, name: str) -> None:
        """Is called, in a thread, for each new guest, who gets play money then."""


SessionDependency = Callable[[Request], Awaitable[Session]]


def require_session(services: ServicesProtocol) -> SessionDependency:
    """Anybody who is signed in; refuses others with 401."""

    async def who(request: Request) -> Session:
        session = await services.policies.identify(request.scope, services.sessions)
        if session is None:
            raise not_signed_in()
        return session

    return who


def require_role(services: ServicesProtocol, *roles: Role) -> SessionDependency:
    """The same, and refuses other roles with 403."""
    anybody = require_session(services)

    async def who(request: Request) -> Session:
        session = await anybody(request)
        if session.person.role not in roles:
            raise forbidden(f"this is for {' or '.join(role.label for role in roles)}, not {session.person.role.label}")
        return session

    return who


ViewerDependency = Callable[[Request], Awaitable[Viewer]]


class Access:
    """Identifies the sender of a request and checks their role."""

    def __init__(self, services: ServicesProtocol) -> None:
        self._services = services

    async def session(self, scope: Scope) -> Session | None:
        """The session of a request or WebSocket, if it has a valid one."""
        return await self._services.policies.identify(scope, self._services.sessions)

    def is_valid(self, session: Session) -> bool:
        """Whether a session still holds; may wait for the database."""
        return self._services.sessions.is_valid(session)

    async def viewer(self, request: Request) -> Viewer:
        """The sender, signed in or not."""
        session = await self.session(request.scope)
        return ANONYMOUS if session is None else viewer_of(session)

    @property
    def person(self) -> ViewerDependency:
        """Somebody who is signed in."""
        return _viewer_dependency(require_session(self._services))

    def role(self, *roles: Role) -> ViewerDependency:
        """Somebody in one of these roles."""
        return _viewer_dependency(require_role(self._services, *roles))


def viewer_of(session: Session) -> Viewer:
    return Viewer(session.person.name, session.person.role)


def _viewer_dependency(who: Callable[[Request], Awaitable[Session]]) -> ViewerDependency:
    async def asked(request: Request) -> Viewer:
        return viewer_of(await who(request))

    return asked
