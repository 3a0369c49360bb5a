"""Who asks: what every route about tables needs to know before it answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request

from croupier.server.access import House, only, signed_in
from croupier.server.security import identify
from croupier.server.seen import NOBODY, Viewer
from croupier.server.sessions import Session, Sessions
from croupier.table.people import Role

Ask = Callable[[Request], Awaitable[Viewer]]


class Asking:
    """Gives who asks, and refuses who may not."""

    def __init__(self, house: House) -> None:
        self._house = house

    @property
    def sessions(self) -> Sessions:
        return self._house.sessions

    async def viewer(self, request: Request) -> Viewer:
        """Whoever it is, signed in or not."""
        session = await identify(request.scope, self._house.sessions)
        return NOBODY if session is None else viewer_of(session)

    @property
    def person(self) -> Ask:
        """Somebody who is signed in."""
        return _viewing(signed_in(self._house))

    def role(self, *roles: Role) -> Ask:
        """Somebody in one of these roles."""
        return _viewing(only(self._house, *roles))


def viewer_of(session: Session) -> Viewer:
    return Viewer(session.person.name, session.person.role)


def _viewing(who: Callable[[Request], Awaitable[Session]]) -> Ask:
    async def asked(request: Request) -> Viewer:
        return viewer_of(await who(request))

    return asked
