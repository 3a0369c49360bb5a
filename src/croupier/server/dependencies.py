"""FastAPI dependencies: the session behind a request, or a refusal if it has none or the wrong role."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from starlette.requests import Request

from croupier.server.accounts.sessions import Session, Sessions
from croupier.server.accounts.users import Users
from croupier.server.errors import forbidden, not_signed_in
from croupier.server.policies import RequestPolicies, Scope
from croupier.table.model.roles import Role
from croupier.table.visibility import STRANGER, Viewer


class AccountSettingsProtocol(Protocol):
    """The part of the configuration that account routes need."""

    @property
    def guests(self) -> bool:
        """Whether anybody may play as a guest with play money."""

    @property
    def registration(self) -> bool:
        """Whether patrons may open their own accounts."""

    @property
    def play_money_only(self) -> bool:
        """Whether there is no real money."""

    @property
    def facility(self) -> str:
        """The name of the house, as an authenticator shows it."""

    @property
    def https(self) -> bool:
        """Whether browsers connect over TLS, to this server or to a proxy in front of it."""


class ServicesProtocol(Protocol):
    """The part of the server that account routes need."""

    @property
    def users(self) -> Users:
        """All accounts."""

    @property
    def sessions(self) -> Sessions:
        """All sessions."""

    @property
    def policies(self) -> RequestPolicies:
        """The request policies."""

    @property
    def config(self) -> AccountSettingsProtocol:
        """The configuration."""

    def require_guest_capacity(self) -> None:
        """Refuses a new guest if there are too many; called in a thread."""


SessionDependency = Callable[[Request], Awaitable[Session]]


def require_session(services: ServicesProtocol) -> SessionDependency:
    """Requires a signed-in person; answers 401 otherwise."""

    async def current_session(request: Request) -> Session:
        session = await services.policies.identify(request.scope, services.sessions)
        if session is None:
            raise not_signed_in()
        return session

    return current_session


def require_role(services: ServicesProtocol, *roles: Role) -> SessionDependency:
    """Requires a signed-in person in one of these roles; answers 403 otherwise."""
    signed_in = require_session(services)

    async def session_in_role(request: Request) -> Session:
        session = await signed_in(request)
        if session.person.role not in roles:
            raise forbidden(f"this is for {' or '.join(role.label for role in roles)}, not {session.person.role.label}")
        return session

    return session_in_role


ViewerDependency = Callable[[Request], Awaitable[Viewer]]


class Access:
    """Identifies the sender of a request and checks their role."""

    def __init__(self, services: ServicesProtocol) -> None:
        self._services = services

    async def session(self, scope: Scope) -> Session | None:
        """The session of a request or WebSocket, if it has a valid one."""
        return await self._services.policies.identify(scope, self._services.sessions)

    def is_valid(self, session: Session) -> bool:
        """Whether a session is still valid; may wait for the database."""
        return self._services.sessions.is_valid(session)

    async def viewer(self, request: Request) -> Viewer:
        """The sender, signed in or not; `TableService.viewer_at` says whether they are a stranger at a table."""
        return viewer_of(await self.session(request.scope))

    @property
    def person(self) -> ViewerDependency:
        """Somebody who is signed in."""
        return _viewer_dependency(require_session(self._services))

    def role(self, *roles: Role) -> ViewerDependency:
        """Somebody in one of these roles."""
        return _viewer_dependency(require_role(self._services, *roles))


def viewer_of(session: Session | None) -> Viewer:
    """The viewer behind a session. Anybody can become a guest, so a guest is as much of a stranger as nobody."""
    if session is None:
        return STRANGER
    return Viewer(session.person.name, session.person.role, is_stranger=session.person.guest)


def _viewer_dependency(session_dependency: SessionDependency) -> ViewerDependency:
    async def viewer(request: Request) -> Viewer:
        return viewer_of(await session_dependency(request))

    return viewer
