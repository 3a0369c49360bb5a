"""Signing in and out, guests, one-time links, and the administration of people."""

# Annotations are evaluated here, because the dependencies belong to one house.

from collections.abc import Callable
from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Path, Query, Request, Response

from croupier.server import invitations, signing
from croupier.server.access import House, only, signed_in
from croupier.server.errors import forbidden, responses
from croupier.server.limits import client_address
from croupier.server.names import LONGEST
from croupier.server.people import Person
from croupier.server.routes import people_models as m
from croupier.server.security import COOKIE, identify, is_secure, set_cookie
from croupier.server.sessions import Session
from croupier.table.people import Role

Named = Annotated[str, Path(max_length=LONGEST, description="somebody's name, in any case")]


def router(house: House) -> APIRouter:
    """The routes about people for one house."""
    routes = APIRouter(prefix="/api", tags=["people"])
    _add_signing_in(routes, house)
    _add_own_account(routes, house)
    _add_administration(routes, house)
    _add_changes(routes, house)
    return routes


async def _open(house: House, request: Request, response: Response, person: Person, bearer: bool) -> m.SignedIn:
    """A new session. One that the browser had before ends, so that nobody can plant one."""
    old = request.cookies.get(COOKIE)
    if old is not None and not bearer:
        before = await house.sessions.look_up(old)
        if before is not None:
            await run_sync(house.sessions.close, before)
    token, csrf = await run_sync(house.sessions.open, person)
    if not bearer:
        secure = is_secure(request.scope, https=house.config.https)
        seconds = house.sessions.lasting(person).lifetime // 1000
        response.headers["Set-Cookie"] = set_cookie(token, secure=secure, seconds=seconds)
    return m.SignedIn(person=m.person_shown(person), csrf=csrf, token=token if bearer else None)


def _limit(house: House, request: Request, limit: str) -> str:
    address = client_address(request.scope, behind_proxy=house.config.behind_proxy)
    house.limits.require(limit, address)
    return address


def _add_signing_in(routes: APIRouter, house: House) -> None:
    @routes.post("/sign-in", response_model=m.SignedIn, responses=responses(401))
    async def sign_in(body: m.SignIn, request: Request, response: Response) -> m.SignedIn:
        """Opens a session for a name and password."""
        address = _limit(house, request, "sign_in")
        person = await signing.sign_in(house.people, body.name, body.password, address=address)
        return await _open(house, request, response, person, body.bearer)

    @routes.post("/guests", status_code=201, response_model=m.SignedIn, responses=responses(409))
    async def be_a_guest(body: m.GuestWanted, request: Request, response: Response) -> m.SignedIn:
        """Makes a guest with play money and signs him in, where the house allows guests."""
        if not house.config.guests:
            raise forbidden("this house has no guests: sign in")
        _limit(house, request, "guests")
        await run_sync(house.require_room)
        person = await run_sync(house.people.welcome_guest)
        await run_sync(house.welcomed, person.name)
        return await _open(house, request, response, person, body.bearer)

    @routes.post("/join", status_code=201, response_model=m.SignedIn, responses=responses(409))
    async def join(body: m.Join, request: Request, response: Response) -> m.SignedIn:
        """Follows a one-time link: sets the password and signs in. Earlier sessions of that person end."""
        _limit(house, request, "sign_in")
        person = await signing.join(house.people, body.token, body.name, body.password)
        await run_sync(house.sessions.close_all, person.name)
        return await _open(house, request, response, person, body.bearer)

    @routes.post("/register", status_code=201, response_model=m.SignedIn, responses=responses(409))
    async def register(body: m.Register, request: Request, response: Response) -> m.SignedIn:
        """Makes an account for a patron and signs in, where the house lets patrons do so themselves."""
        if not house.config.registration:
            raise forbidden("accounts are made by the house: ask for one")
        _limit(house, request, "sign_in")
        person = await signing.register(house.people, body.name, body.password)
        return await _open(house, request, response, person, body.bearer)


def _add_own_account(routes: APIRouter, house: House) -> None:
    anybody = Annotated[Session, Depends(signed_in(house))]

    @routes.get("/me", response_model=m.Me, responses=responses())
    async def me(request: Request) -> m.Me:
        """Who is signed in; a null person where nobody is."""
        session = await identify(request.scope, house.sessions)
        offers = {"guests": house.config.guests, "registration": house.config.registration}
        if session is None:
            return m.Me(person=None, csrf=None, **offers)
        return m.Me(person=m.person_shown(session.person), csrf=session.csrf, **offers)

    @routes.post("/sign-out", response_model=m.Done, responses=responses())
    async def sign_out(request: Request, response: Response) -> m.Done:
        """Ends the session; it is fine if there is none."""
        session = await identify(request.scope, house.sessions)
        if session is not None:
            await run_sync(house.sessions.close, session)
        secure = is_secure(request.scope, https=house.config.https)
        response.headers["Set-Cookie"] = set_cookie("", secure=secure, seconds=0)
        return m.Done()

    @routes.post("/password", response_model=m.Done, responses=responses(401))
    async def password(body: m.NewPassword, session: anybody, request: Request) -> m.Done:
        """Changes one's own password; one's other sessions end."""
        address = _limit(house, request, "sign_in")
        await signing.change_password(house.people, session.person, body.old, body.new, address=address)
        await run_sync(lambda: house.sessions.close_all(session.person.name, but=session))
        return m.Done()


def _add_administration(routes: APIRouter, house: House) -> None:
    administrator = Annotated[Session, Depends(only(house, Role.ADMINISTRATOR))]
    reader = Annotated[Session, Depends(only(house, Role.ADMINISTRATOR, Role.REGULATOR))]

    @routes.get("/people", response_model=m.Everyone, responses=responses(401))
    def everyone(
        _: reader,
        guests: Annotated[bool, Query(description="guests as well")] = False,
        after: Annotated[str, Query(max_length=LONGEST, description="the last name of the page before")] = "",
        limit: Annotated[int, Query(ge=1, le=1000)] = 1000,
    ) -> m.Everyone:
        """Everybody on file, by name, in pages."""
        found = house.people.everyone(guests=guests, after=after, limit=limit)
        now = house.people.now()
        return m.Everyone(people=[m.entry_shown(entry, now) for entry in found])

    @routes.post("/people", status_code=201, response_model=m.PersonShown, responses=responses(401, 409))
    async def create(body: m.NewPerson, session: administrator) -> m.PersonShown:
        """Adds somebody with a first password, for set-up by programs; for people an invitation is better."""
        role = Role(body.role)
        made = await signing.create(house.people, body.name, role, body.password, by=session.person.name)
        return m.person_shown(made)

    @routes.post("/people/invitations", status_code=201, response_model=m.Link, responses=responses(401, 409))
    def invite(body: m.Invited, session: administrator) -> m.Link:
        """Adds somebody who sets the password by a one-time link, which is shown this once."""
        person, path = invitations.invite(house.people, body.name, Role(body.role), by=session.person.name)
        return m.Link(person=m.person_shown(person), path=path, valid_hours=invitations.VALID // 3_600_000)

    @routes.post("/people/{name}/link", status_code=201, response_model=m.Link, responses=responses(401, 404))
    def link(name: Named, session: administrator) -> m.Link:
        """A one-time link with which somebody sets a new password; older links are void."""
        entry = house.people.get(name)
        path = invitations.new_link(house.people, entry, by=session.person.name)
        return m.Link(person=m.person_shown(entry.person), path=path, valid_hours=invitations.VALID // 3_600_000)


def _add_changes(routes: APIRouter, house: House) -> None:
    administrator = Annotated[Session, Depends(only(house, Role.ADMINISTRATOR))]

    @routes.post("/people/{name}/role", response_model=m.PersonShown, responses=responses(401, 404))
    def role(name: Named, body: m.NewRole, session: administrator) -> m.PersonShown:
        """Another role for a member of staff, who must sign in again."""
        person = house.people.set_role(name, Role(body.role), by=session.person.name)
        house.sessions.close_all(person.name)
        return m.person_shown(person)

    def change(path: str, says: str, make: Callable[..., Person], *, ends_sessions: bool) -> None:
        def endpoint(name: Named, session: administrator) -> m.PersonShown:
            person = make(name, by=session.person.name)
            if ends_sessions:
                house.sessions.close_all(person.name)
            return m.person_shown(person)

        routes.add_api_route(
            f"/people/{{name}}/{path}",
            endpoint,
            methods=["POST"],
            name=path,
            description=says,
            response_model=m.PersonShown,
            responses=responses(401, 404),
        )

    people = house.people
    change("lock", "Cannot sign in until unlocked; sessions end.", people.lock, ends_sessions=True)
    change("unlock", "Ends a lock-out or a lock.", people.unlock, ends_sessions=False)
    change("deactivate", "Cannot sign in any more; sessions end, records stay.", people.deactivate, ends_sessions=True)
    change("reactivate", "May sign in again.", people.reactivate, ends_sessions=False)

    @routes.post("/people/{name}/sessions/close", response_model=m.Closed, responses=responses(401, 404))
    def close_sessions(name: Named, _: administrator) -> m.Closed:
        """Signs somebody out everywhere."""
        return m.Closed(sessions=house.sessions.close_all(people.get(name).person.name))
