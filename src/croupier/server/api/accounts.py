"""Signing in and out, guests, one-time links, and the administration of people."""

# Annotations are evaluated here, because the dependencies belong to one house.

from collections.abc import Callable
from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Path, Query, Request, Response

from croupier.server.accounts import invitations
from croupier.server.accounts import sign_in as credentials
from croupier.server.accounts.names import MAX_NAME_LENGTH
from croupier.server.accounts.sessions import Session
from croupier.server.accounts.users import Person
from croupier.server.api import account_models as m
from croupier.server.dependencies import ServicesProtocol, require_role, require_session
from croupier.server.errors import forbidden, responses
from croupier.server.middleware import is_secure, session_cookie_header
from croupier.server.policies.rules import SESSION_COOKIE
from croupier.table.model.roles import Role

PersonNamePath = Annotated[str, Path(max_length=MAX_NAME_LENGTH, description="somebody's name, in any case")]


def router(services: ServicesProtocol) -> APIRouter:
    """The routes about people for one house."""
    routes = APIRouter(prefix="/api", tags=["people"])
    _add_signing_in(routes, services)
    _add_own_account(routes, services)
    _add_administration(routes, services)
    _add_changes(routes, services)
    return routes


async def _open(
    services: ServicesProtocol, request: Request, response: Response, person: Person, bearer: bool
) -> m.SessionResponse:
    """A new session. One that the browser had before ends, so that nobody can plant one."""
    old = request.cookies.get(SESSION_COOKIE)
    if old is not None and not bearer:
        before = await services.sessions.look_up(old)
        if before is not None:
            await run_sync(services.sessions.close, before)
    token, csrf = await run_sync(services.sessions.open, person)
    if not bearer:
        secure = is_secure(request.scope, https=services.config.https)
        seconds = services.sessions.duration_of(person).lifetime // 1000
        response.headers["Set-Cookie"] = session_cookie_header(token, secure=secure, seconds=seconds)
    return m.SessionResponse(person=m.person_response(person), csrf=csrf, token=token if bearer else None)


def _address(services: ServicesProtocol, request: Request) -> str:
    return services.policies.head_of(request.scope).address


def _add_signing_in(routes: APIRouter, services: ServicesProtocol) -> None:
    @routes.post("/sign-in", response_model=m.SessionResponse, responses=responses(401))
    async def sign_in(body: m.SignInRequest, request: Request, response: Response) -> m.SessionResponse:
        """Opens a session for a name and password."""
        address = _address(services, request)
        person = await credentials.sign_in(services.users, body.name, body.password, address=address)
        return await _open(services, request, response, person, body.bearer)

    @routes.post("/guests", status_code=201, response_model=m.SessionResponse, responses=responses(409))
    async def be_a_guest(body: m.GuestRequest, request: Request, response: Response) -> m.SessionResponse:
        """Makes a guest with play money and signs him in, where the house allows guests."""
        if not services.config.guests:
            raise forbidden("this house has no guests: sign in")
        await run_sync(services.require_guest_capacity)
        person = await run_sync(services.users.create_guest)
        await run_sync(services.grant_play_money, person.name)
        return await _open(services, request, response, person, body.bearer)

    @routes.post("/join", status_code=201, response_model=m.SessionResponse, responses=responses(409))
    async def join(body: m.JoinRequest, request: Request, response: Response) -> m.SessionResponse:
        """Follows a one-time link: sets the password and signs in. Earlier sessions of that person end."""
        person = await credentials.join(services.users, body.token, body.name, body.password)
        await run_sync(services.sessions.close_all, person.name)
        return await _open(services, request, response, person, body.bearer)

    @routes.post("/register", status_code=201, response_model=m.SessionResponse, responses=responses(409))
    async def register(body: m.RegistrationRequest, request: Request, response: Response) -> m.SessionResponse:
        """Makes an account for a patron and signs in, where the house lets patrons do so themselves."""
        if not services.config.registration:
            raise forbidden("accounts are made by the house: ask for one")
        person = await credentials.register(services.users, body.name, body.password)
        return await _open(services, request, response, person, body.bearer)


def _add_own_account(routes: APIRouter, services: ServicesProtocol) -> None:
    anybody = Annotated[Session, Depends(require_session(services))]

    @routes.get("/me", response_model=m.CurrentPersonResponse, responses=responses())
    async def me(request: Request) -> m.CurrentPersonResponse:
        """Who is signed in; a null person where nobody is."""
        session = await services.policies.identify(request.scope, services.sessions)
        offers = {"guests": services.config.guests, "registration": services.config.registration}
        if session is None:
            return m.CurrentPersonResponse(person=None, csrf=None, **offers)
        return m.CurrentPersonResponse(person=m.person_response(session.person), csrf=session.csrf, **offers)

    @routes.post("/sign-out", response_model=m.DoneResponse, responses=responses())
    async def sign_out(request: Request, response: Response) -> m.DoneResponse:
        """Ends the session; it is fine if there is none."""
        session = await services.policies.identify(request.scope, services.sessions)
        if session is not None:
            await run_sync(services.sessions.close, session)
        secure = is_secure(request.scope, https=services.config.https)
        response.headers["Set-Cookie"] = session_cookie_header("", secure=secure, seconds=0)
        return m.DoneResponse()

    @routes.post("/password", response_model=m.DoneResponse, responses=responses(401))
    async def password(body: m.PasswordChangeRequest, session: anybody, request: Request) -> m.DoneResponse:
        """Changes one's own password; one's other sessions end."""
        address = _address(services, request)
        await credentials.change_password(services.users, session.person, body.old, body.new, address=address)
        await run_sync(lambda: services.sessions.close_all(session.person.name, but=session))
        return m.DoneResponse()


def _add_administration(routes: APIRouter, services: ServicesProtocol) -> None:
    administrator = Annotated[Session, Depends(require_role(services, Role.ADMINISTRATOR))]
    reader = Annotated[Session, Depends(require_role(services, Role.ADMINISTRATOR, Role.REGULATOR))]

    @routes.get("/people", response_model=m.AccountListResponse, responses=responses(401))
    def list_accounts(
        _: reader,
        guests: Annotated[bool, Query(description="guests as well")] = False,
        after: Annotated[str, Query(max_length=MAX_NAME_LENGTH, description="the last name of the page before")] = "",
        limit: Annotated[int, Query(ge=1, le=1000)] = 1000,
    ) -> m.AccountListResponse:
        """Everybody on file, by name, in pages."""
        found = services.users.list_accounts(guests=guests, after=after, limit=limit)
        now = services.users.now()
        return m.AccountListResponse(people=[m.account_response(entry, now) for entry in found])

    @routes.post("/people", status_code=201, response_model=m.PersonResponse, responses=responses(401, 409))
    async def create(body: m.NewPersonRequest, session: administrator) -> m.PersonResponse:
        """Adds somebody with a first password, for set-up by programs; for people an invitation is better."""
        role = Role(body.role)
        made = await credentials.create(services.users, body.name, role, body.password, by=session.person.name)
        return m.person_response(made)

    @routes.post(
        "/people/invitations", status_code=201, response_model=m.InvitationResponse, responses=responses(401, 409)
    )
    def invite(body: m.InvitationRequest, session: administrator) -> m.InvitationResponse:
        """Adds somebody who sets the password by a one-time link, which is shown this once."""
        person, path = invitations.invite(services.users, body.name, Role(body.role), by=session.person.name)
        return m.InvitationResponse(
            person=m.person_response(person), path=path, valid_hours=invitations.LINK_VALID_MILLISECONDS // 3_600_000
        )

    @routes.post(
        "/people/{name}/link", status_code=201, response_model=m.InvitationResponse, responses=responses(401, 404)
    )
    def link(name: PersonNamePath, session: administrator) -> m.InvitationResponse:
        """A one-time link with which somebody sets a new password; older links are void."""
        entry = services.users.get(name)
        path = invitations.issue_link(services.users, entry, by=session.person.name)
        return m.InvitationResponse(
            person=m.person_response(entry.person),
            path=path,
            valid_hours=invitations.LINK_VALID_MILLISECONDS // 3_600_000,
        )


def _add_changes(routes: APIRouter, services: ServicesProtocol) -> None:
    administrator = Annotated[Session, Depends(require_role(services, Role.ADMINISTRATOR))]

    @routes.post("/people/{name}/role", response_model=m.PersonResponse, responses=responses(401, 404))
    def role(name: PersonNamePath, body: m.RoleChangeRequest, session: administrator) -> m.PersonResponse:
        """Another role for a member of staff, who must sign in again."""
        person = services.users.set_role(name, Role(body.role), by=session.person.name)
        services.sessions.close_all(person.name)
        return m.person_response(person)

    def change(path: str, says: str, make: Callable[..., Person], *, ends_sessions: bool) -> None:
        def endpoint(name: PersonNamePath, session: administrator) -> m.PersonResponse:
            person = make(name, by=session.person.name)
            if ends_sessions:
                services.sessions.close_all(person.name)
            return m.person_response(person)

        routes.add_api_route(
            f"/people/{{name}}/{path}",
            endpoint,
            methods=["POST"],
            name=path,
            description=says,
            response_model=m.PersonResponse,
            responses=responses(401, 404),
        )

    users = services.users
    change("lock", "Cannot sign in until unlocked; sessions end.", users.lock, ends_sessions=True)
    change("unlock", "Ends a lock-out or a lock.", users.unlock, ends_sessions=False)
    change("deactivate", "Cannot sign in any more; sessions end, records stay.", users.deactivate, ends_sessions=True)
    change("reactivate", "May sign in again.", users.reactivate, ends_sessions=False)

    @routes.post(
        "/people/{name}/sessions/close", response_model=m.ClosedSessionsResponse, responses=responses(401, 404)
    )
    def close_sessions(name: PersonNamePath, _: administrator) -> m.ClosedSessionsResponse:
        """Signs somebody out everywhere."""
        return m.ClosedSessionsResponse(sessions=services.sessions.close_all(users.get(name).person.name))
