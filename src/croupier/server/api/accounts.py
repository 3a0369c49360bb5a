"""Sign-in and sign-out, guests, one-time links, and the administration of people."""

# No `from __future__ import annotations`: FastAPI evaluates them, and the dependencies are local variables.

from collections.abc import Callable
from typing import Annotated, Literal

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from croupier.server.accounts import invitations
from croupier.server.accounts import sign_in as credentials
from croupier.server.accounts.names import MAX_NAME_LENGTH
from croupier.server.accounts.passwords import MAX_PASSWORD_LENGTH
from croupier.server.accounts.sessions import Session
from croupier.server.accounts.users import LOCKED_INDEFINITELY, AccountDetails, Person
from croupier.server.dependencies import ServicesProtocol, require_role, require_session
from croupier.server.errors import forbidden, responses
from croupier.server.responses import SESSION_COOKIE, is_secure, session_cookie_header
from croupier.table.model.roles import Role

RoleName = Literal[
    "patron", "dealer", "floorperson", "shift_manager", "accounting", "surveillance", "regulator", "administrator"
]
PersonName = Annotated[str, Field(min_length=1, max_length=MAX_NAME_LENGTH, description="1 to 40 printable characters")]
CurrentPassword = Annotated[str, Field(max_length=MAX_PASSWORD_LENGTH, description="a password as it was typed")]
NewPassword = Annotated[str, Field(max_length=MAX_PASSWORD_LENGTH, description="a new password: 10 to 256 characters")]


class AccountRequest(BaseModel):
    """Strict: refuses unknown keys and does not convert types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SignInRequest(AccountRequest):
    """Name and password."""

    name: PersonName
    password: CurrentPassword
    bearer: bool = Field(False, description="for programs: return the token in the response and set no cookie")


class JoinRequest(AccountRequest):
    """The token of a one-time link, and the new password."""

    token: str = Field(max_length=100, description="the part of the link after #")
    name: str = Field("", max_length=MAX_NAME_LENGTH, description="only if the link has no name")
    password: NewPassword
    bearer: bool = False


class RegistrationRequest(AccountRequest):
    """A patron who opens an account."""

    name: PersonName
    password: NewPassword
    bearer: bool = False


class GuestRequest(AccountRequest):
    """A guest needs neither name nor password."""

    bearer: bool = False


class PasswordChangeRequest(AccountRequest):
    """The old and the new password."""

    old: CurrentPassword
    new: NewPassword


class NewPersonRequest(AccountRequest):
    """A person with an initial password."""

    name: PersonName
    role: RoleName
    password: NewPassword


class InvitationRequest(AccountRequest):
    """A person who will set their password with a one-time link."""

    name: PersonName
    role: RoleName


class RoleChangeRequest(AccountRequest):
    """The new role."""

    role: RoleName


class PersonResponse(BaseModel):
    """A person and their role."""

    name: str
    role: RoleName
    guest: bool


class CurrentPersonResponse(BaseModel):
    """Who is signed in, and what a sign-in page may offer."""

    person: PersonResponse | None
    csrf: str | None = Field(description="for the header X-CSRF-Token of requests that change something")
    guests: bool = Field(description="whether POST /api/guests is open")
    registration: bool = Field(description="whether POST /api/register is open")


class SessionResponse(BaseModel):
    """A new session."""

    person: PersonResponse
    csrf: str
    token: str | None = Field(description="for `Authorization: Bearer`, if `bearer` was requested")


class DoneResponse(BaseModel):
    """The request succeeded."""

    done: Literal[True] = True


class ClosedSessionsResponse(BaseModel):
    """The number of closed sessions."""

    sessions: int


class InvitationResponse(BaseModel):
    """A one-time link, which is shown only once."""

    person: PersonResponse
    path: str = Field(description="/join#…: append it to the address of the server")
    valid_hours: int


class AccountResponse(BaseModel):
    """The account of a person."""

    name: str
    role: RoleName
    guest: bool
    active: bool
    can_sign_in: bool = Field(description="whether a password is set")
    failures: int
    locked_until: int | None = Field(description="milliseconds since 1970; null if not locked")
    locked_by_administrator: bool
    created_at: int
    created_by: str


class AccountListResponse(BaseModel):
    """A page of people."""

    people: list[AccountResponse]


def person_response(person: Person) -> PersonResponse:
    """The response for a person."""
    return PersonResponse(name=person.name, role=person.role.value, guest=person.guest)  # type: ignore[arg-type]


def account_response(account: AccountDetails, now: int) -> AccountResponse:
    """The response for an account."""
    return AccountResponse(
        name=account.person.name,
        role=account.person.role.value,  # type: ignore[arg-type]
        guest=account.person.guest,
        active=account.active,
        can_sign_in=bool(account.password),
        failures=account.failures,
        locked_until=account.locked_until if now < account.locked_until < LOCKED_INDEFINITELY else None,
        locked_by_administrator=account.locked_until == LOCKED_INDEFINITELY,
        created_at=account.created_at,
        created_by=account.created_by,
    )


PersonNamePath = Annotated[str, Path(max_length=MAX_NAME_LENGTH, description="the name of a person, in any case")]


def router(services: ServicesProtocol) -> APIRouter:
    """The routes about people."""
    routes = APIRouter(prefix="/api", tags=["people"])
    _add_sign_in_routes(routes, services)
    _add_session_routes(routes, services)
    _add_people_routes(routes, services)
    _add_person_routes(routes, services)
    return routes


async def _open_session(
    services: ServicesProtocol, request: Request, response: Response, person: Person, bearer: bool
) -> SessionResponse:
    """Opens a session. Closes the browser's previous one, which prevents session fixation."""
    previous_token = request.cookies.get(SESSION_COOKIE)
    if previous_token is not None and not bearer:
        previous = await services.sessions.look_up(previous_token)
        if previous is not None:
            await run_sync(services.sessions.close, previous)
    token, csrf = await run_sync(services.sessions.open, person)
    if not bearer:
        secure = is_secure(request.scope, https=services.config.https)
        seconds = services.sessions.duration_of(person).lifetime // 1000
        response.headers["Set-Cookie"] = session_cookie_header(token, secure=secure, seconds=seconds)
    return SessionResponse(person=person_response(person), csrf=csrf, token=token if bearer else None)


def _address(services: ServicesProtocol, request: Request) -> str:
    return services.policies.head_of(request.scope).address


def _add_sign_in_routes(routes: APIRouter, services: ServicesProtocol) -> None:
    @routes.post("/sign-in", response_model=SessionResponse, responses=responses(401))
    async def sign_in(body: SignInRequest, request: Request, response: Response) -> SessionResponse:
        """Opens a session for a name and password."""
        address = _address(services, request)
        person = await credentials.sign_in(services.users, body.name, body.password, address=address)
        return await _open_session(services, request, response, person, body.bearer)

    @routes.post("/guests", status_code=201, response_model=SessionResponse, responses=responses(409))
    async def be_a_guest(body: GuestRequest, request: Request, response: Response) -> SessionResponse:
        """Creates a guest with play money and signs them in, if the house allows guests."""
        if not services.config.guests:
            raise forbidden("this house does not admit guests: sign in")
        await run_sync(services.require_guest_capacity)
        person = await run_sync(services.users.create_guest)
        await run_sync(services.grant_play_money, person.name)
        return await _open_session(services, request, response, person, body.bearer)

    @routes.post("/join", status_code=201, response_model=SessionResponse, responses=responses(409))
    async def join(body: JoinRequest, request: Request, response: Response) -> SessionResponse:
        """Redeems a one-time link: sets the password and signs in. The person's earlier sessions end."""
        person = await credentials.join(services.users, body.token, body.name, body.password)
        await run_sync(services.sessions.close_all, person.name)
        return await _open_session(services, request, response, person, body.bearer)

    @routes.post("/register", status_code=201, response_model=SessionResponse, responses=responses(409))
    async def register(body: RegistrationRequest, request: Request, response: Response) -> SessionResponse:
        """Creates an account for a patron and signs them in, if the house allows registration."""
        if not services.config.registration:
            raise forbidden("this house does not allow registration: ask for an account")
        person = await credentials.register(services.users, body.name, body.password)
        return await _open_session(services, request, response, person, body.bearer)


def _add_session_routes(routes: APIRouter, services: ServicesProtocol) -> None:
    any_session = Annotated[Session, Depends(require_session(services))]

    @routes.get("/me", response_model=CurrentPersonResponse, responses=responses())
    async def me(request: Request) -> CurrentPersonResponse:
        """Who is signed in; `person` is null if nobody is."""
        session = await services.policies.identify(request.scope, services.sessions)
        offers = {"guests": services.config.guests, "registration": services.config.registration}
        if session is None:
            return CurrentPersonResponse(person=None, csrf=None, **offers)
        return CurrentPersonResponse(person=person_response(session.person), csrf=session.csrf, **offers)

    @routes.post("/sign-out", response_model=DoneResponse, responses=responses())
    async def sign_out(request: Request, response: Response) -> DoneResponse:
        """Ends the session, if there is one."""
        session = await services.policies.identify(request.scope, services.sessions)
        if session is not None:
            await run_sync(services.sessions.close, session)
        secure = is_secure(request.scope, https=services.config.https)
        response.headers["Set-Cookie"] = session_cookie_header("", secure=secure, seconds=0)
        return DoneResponse()

    @routes.post("/password", response_model=DoneResponse, responses=responses(401))
    async def password(body: PasswordChangeRequest, session: any_session, request: Request) -> DoneResponse:
        """Changes the password of the signed-in person; their other sessions end."""
        address = _address(services, request)
        await credentials.change_password(services.users, session.person, body.old, body.new, address=address)
        await run_sync(lambda: services.sessions.close_all(session.person.name, keep=session))
        return DoneResponse()


def _add_people_routes(routes: APIRouter, services: ServicesProtocol) -> None:
    administrator_session = Annotated[Session, Depends(require_role(services, Role.ADMINISTRATOR))]
    reader_session = Annotated[Session, Depends(require_role(services, Role.ADMINISTRATOR, Role.REGULATOR))]

    @routes.get("/people", response_model=AccountListResponse, responses=responses(401))
    def list_accounts(
        _: reader_session,
        guests: Annotated[bool, Query(description="include guests")] = False,
        after: Annotated[str, Query(max_length=MAX_NAME_LENGTH, description="the last name of the previous page")] = "",
        limit: Annotated[int, Query(ge=1, le=1000)] = 1000,
    ) -> AccountListResponse:
        """All accounts, by name, in pages."""
        accounts = services.users.list_accounts(guests=guests, after=after, limit=limit)
        now = services.users.now()
        return AccountListResponse(people=[account_response(account, now) for account in accounts])

    @routes.post("/people", status_code=201, response_model=PersonResponse, responses=responses(401, 409))
    async def create(body: NewPersonRequest, session: administrator_session) -> PersonResponse:
        """Adds a person with an initial password, for setup by programs; for people, use an invitation."""
        role = Role(body.role)
        person = await credentials.create(services.users, body.name, role, body.password, by=session.person.name)
        return person_response(person)

    @routes.post(
        "/people/invitations", status_code=201, response_model=InvitationResponse, responses=responses(401, 409)
    )
    def invite(body: InvitationRequest, session: administrator_session) -> InvitationResponse:
        """Adds a person who sets their password with a one-time link, which is shown only once."""
        person, path = invitations.invite(services.users, body.name, Role(body.role), by=session.person.name)
        return InvitationResponse(
            person=person_response(person), path=path, valid_hours=invitations.LINK_VALID_MILLISECONDS // 3_600_000
        )

    @routes.post(
        "/people/{name}/link", status_code=201, response_model=InvitationResponse, responses=responses(401, 404)
    )
    def link(name: PersonNamePath, session: administrator_session) -> InvitationResponse:
        """Issues a one-time link with which a person sets a new password; older links become void."""
        account = services.users.get(name)
        path = invitations.issue_link(services.users, account, by=session.person.name)
        return InvitationResponse(
            person=person_response(account.person),
            path=path,
            valid_hours=invitations.LINK_VALID_MILLISECONDS // 3_600_000,
        )


def _add_person_routes(routes: APIRouter, services: ServicesProtocol) -> None:
    administrator_session = Annotated[Session, Depends(require_role(services, Role.ADMINISTRATOR))]

    @routes.post("/people/{name}/role", response_model=PersonResponse, responses=responses(401, 404))
    def role(name: PersonNamePath, body: RoleChangeRequest, session: administrator_session) -> PersonResponse:
        """Changes the role of a staff member, who must sign in again."""
        person = services.users.set_role(name, Role(body.role), by=session.person.name)
        services.sessions.close_all(person.name)
        return person_response(person)

    def add_change(path: str, description: str, change: Callable[..., Person], *, ends_sessions: bool) -> None:
        def endpoint(name: PersonNamePath, session: administrator_session) -> PersonResponse:
            person = change(name, by=session.person.name)
            if ends_sessions:
                services.sessions.close_all(person.name)
            return person_response(person)

        routes.add_api_route(
            f"/people/{{name}}/{path}",
            endpoint,
            methods=["POST"],
            name=path,
            description=description,
            response_model=PersonResponse,
            responses=responses(401, 404),
        )

    users = services.users
    add_change(
        "lock",
        "Bars a person from signing in until they are unlocked; their sessions end.",
        users.lock,
        ends_sessions=True,
    )
    add_change("unlock", "Ends a lockout or a lock.", users.unlock, ends_sessions=False)
    add_change(
        "deactivate",
        "Bars a person from signing in; their sessions end, records stay.",
        users.deactivate,
        ends_sessions=True,
    )
    add_change("reactivate", "Lets a person sign in again.", users.reactivate, ends_sessions=False)

    @routes.post("/people/{name}/sessions/close", response_model=ClosedSessionsResponse, responses=responses(401, 404))
    def close_sessions(name: PersonNamePath, _: administrator_session) -> ClosedSessionsResponse:
        """Signs a person out everywhere."""
        return ClosedSessionsResponse(sessions=services.sessions.close_all(users.get(name).person.name))
