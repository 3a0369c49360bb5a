"""Who asks: what every route needs to know before it answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request

from croupier.server.errors import forbidden, not_signed_in
from croupier.server.security import identify
from croupier.server.seen import NOBODY, Viewer
from croupier.server.sessions import Sessions
from croupier.table.people import Role


class Asking:
    """Gives who asks, and refuses who may not."""

    def __init__(self, sessions: Sessions) -> None:
        self.sessions = sessions

    async def viewer(self, request: Request) -> Viewer:
        """Whoever it is, signed in or not."""
        session = await identify(request.scope, self.sessions)
        return NOBODY if session is None else Viewer(session.person.name, session.person.role)

    async def person(self, request: Request) -> Viewer:
        """Somebody who is signed in."""
        viewer = await self.viewer(request)
        if not viewer.name:
            raise not_signed_in()
        return viewer

    def role(self, *roles: Role) -> Callable[[Request], Awaitable[Viewer]]:
        """Somebody in one of these roles."""

        async def asked(request: Request) -> Viewer:
            viewer = await self.person(request)
            if viewer.role not in roles:
                people = " or ".join(role.called for role in roles)
                raise forbidden(f"only {people} may do this, not {viewer.role.called}")
            return viewer

        return asked
