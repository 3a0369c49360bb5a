"""Sign-in and sign-out, guests, one-time links, passwords and second factors."""

# No `from __future__ import annotations`: FastAPI evaluates them, and the dependencies are local variables.

import secrets
from functools import partial
from typing import Annotated, Literal

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from croupier.core.errors import ErrorCode
from croupier.server.accounts import sign_in as credentials
from croupier.server.accounts.names import MAX_NAME_LENGTH
from croupier.server.accounts.passwords import MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH
from croupier.server.accounts.second_factor import otpauth_uri, secret_text
from croupier.server.accounts.sessions import Session
from croupier.server.accounts.users import (
    DEVICE_MILLISECONDS,
    TOKEN_PATTERN,
    Person,
)
from croupier.server.dependencies import ServicesProtocol, require_session
from croupier.server.errors import forbidden, responses
from croupier.server.responses import (
    device_cookie_header,
    device_cookie_name,
    is_secure,
    session_cookie_header,
)

RoleName = Literal[
    "patron", "dealer", "floorperson", "shift_manager", "accounting", "surveillance", "regulator", "administrator"
]
NAME_PATTERN = r"^[A-Za-z0-9\u00c0-\u024f]([A-Za-z0-9\u00c0-\u024f .,'_-]{0,38}[A-Za-z0-9\u00c0-\u024f])?$"
"""For the document: names that are always accepted, unless taken or reserved. Other scripts are accepted, too."""
PersonName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=MAX_NAME_LENGTH,
        description="1 to 40 printable characters",
        json_schema_extra={"pattern": NAME_PATTERN},
    ),
]
CurrentPassword = Annotated[str, Field(max_length=MAX_PASSWORD_LENGTH, description="a password as it was typed")]
NewPassword = Annotated[
    str,
    Field(
        max_length=MAX_PASSWORD_LENGTH,
        description="a new password: 10 to 256 characters",
        json_schema_extra={"minLength": MIN_PASSWORD_LENGTH, "pattern": r"^[!-~][ -~]*[!-~]$"},
    ),
]

OneTimeCode = Annotated[str, Field(max_length=20, description="a code of the person's authenticator")]


class AccountBody(BaseModel):
    """Strict: refuses unknown keys and does not convert types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SignInRequest(AccountBody):
    """Name and password."""

    name: PersonName
    password: CurrentPassword
    one_time_code: OneTimeCode = ""
    bearer: bool = Field(False, description="for programs: return the token in the response and set no cookie")


class JoinRequest(AccountBody):
    """The token of a one-time link, and the new password."""

    token: str = Field(max_length=100, description="the part of the link after #")
    name: str = Field("", max_length=MAX_NAME_LENGTH, description="only if the link has no name")
    password: NewPassword
    link_code: str = Field("", max_length=40, description="from the person who approved the link, if it needs one")
    one_time_code: OneTimeCode = ""
    bearer: bool = False


class RegistrationRequest(AccountBody):
    """A patron who opens an account."""

    name: PersonName
    password: NewPassword
    bearer: bool = False


class GuestRequest(AccountBody):
    """A guest needs neither name nor password."""

    bearer: bool = False


class PasswordChangeRequest(AccountBody):
    """The old and the new password."""

    old: CurrentPassword
    new: NewPassword


class SecondFactorRequest(AccountBody):
    """A new secret for an authenticator; whoever has one already gives a code of it."""

    one_time_code: OneTimeCode = ""


class OneTimeCodeRequest(AccountBody):
    """A code of the new secret."""

    one_time_code: OneTimeCode


class PersonResponse(BaseModel):
    """A person and their role."""

    name: str
    role: RoleName
    guest: bool


class CurrentPersonResponse(BaseModel):
    """Who is signed in, and what a sign-in page may offer."""

    person: PersonResponse | None
    csrf: str | None = Field(description="for the header X-CSRF-Token of requests that change something")
    pending: str = Field(description="what the person must do first: `password`, `totp` or nothing")
    guests: bool = Field(description="whether POST /api/guests is open")
    registration: bool = Field(description="whether POST /api/register is open")
    play_money_only: bool = Field(description="whether there is no real money on this server")


class SessionResponse(BaseModel):
    """A new session."""

    person: PersonResponse
    csrf: str
    token: str | None = Field(description="for `Authorization: Bearer`, if `bearer` was requested")
    pending: str = Field(description="what the person must do first: `password`, `totp` or nothing")


class DoneResponse(BaseModel):
    """The request succeeded."""

    done: Literal[True] = True


class SecondFactorResponse(BaseModel):
    """A secret for an authenticator, which is shown only once."""

    secret: str = Field(description="in base 32, to be typed")
    uri: str = Field(description="otpauth://…, to be opened")


def person_response(person: Person) -> PersonResponse:
    """The response for a person."""
    return PersonResponse(name=person.name, role=person.role.value, guest=person.guest)  # type: ignore[arg-type]


def router(services: ServicesProtocol) -> APIRouter:
    """The routes about people."""
    routes = APIRouter(prefix="/api", tags=["people"])
    _add_sign_in_routes(routes, services)
    _add_session_routes(routes, services)
    _add_second_factor_routes(routes, services)
    return routes


async def _open_session(
    services: ServicesProtocol, request: Request, response: Response, person: Person, bearer: bool, *, method: str
) -> SessionResponse:
    """Opens a session. Closes the browser's previous one, which prevents session fixation."""
    previous_token = services.policies.head_of(request.scope).session_cookie
    if previous_token and not bearer:
        previous = await services.sessions.look_up(previous_token)
        if previous is not None:
            await run_sync(_close_session, services, request, previous)
    token, csrf = await run_sync(services.sessions.open, person)
    details = {"method": method, "address": _address(services, request), "program": bearer}
    await run_sync(partial(services.users.note, "signed_in", person.name, details, by=person.actor))
    if not bearer:
        secure = is_secure(request.scope, https=services.config.https)
        seconds = services.sessions.duration_of(person).lifetime // 1000
        response.headers.append("Set-Cookie", session_cookie_header(token, secure=secure, seconds=seconds))
        if not person.guest:
            device = _device(services, request) or secrets.token_urlsafe(32)
            await run_sync(services.users.remember_device, person.name, device)
            seconds = DEVICE_MILLISECONDS // 1000
            response.headers.append("Set-Cookie", device_cookie_header(device, secure=secure, seconds=seconds))
    session = await services.sessions.look_up(token)
    pending = "" if session is None else session.pending
    return SessionResponse(person=person_response(person), csrf=csrf, token=token if bearer else None, pending=pending)


def _close_session(services: ServicesProtocol, request: Request, session: Session) -> None:
    if services.sessions.close(session):
        details = {"address": _address(services, request)}
        services.users.note("signed_out", session.person.name, details, by=session.person.actor)


def _device(services: ServicesProtocol, request: Request) -> str:
    """The token of a browser that somebody has signed in with before; empty if it has none."""
    token = request.cookies.get(device_cookie_name(secure=is_secure(request.scope, https=services.config.https)), "")
    return token if TOKEN_PATTERN.fullmatch(token) else ""


def _address(services: ServicesProtocol, request: Request) -> str:
    return services.policies.head_of(request.scope).address


def _add_sign_in_routes(routes: APIRouter, services: ServicesProtocol) -> None:
    @routes.post("/sign-in", response_model=SessionResponse, responses=responses(401))
    async def sign_in(body: SignInRequest, request: Request, response: Response) -> SessionResponse:
        """Opens a session for a name and password, and a one-time code if the person has a second factor."""
        source = {"address": _address(services, request), "device": _device(services, request)}
        code = body.one_time_code
        person = await credentials.sign_in(services.users, body.name, body.password, code=code, **source)
        return await _open_session(services, request, response, person, body.bearer, method="password")

    @routes.post("/guests", status_code=201, response_model=SessionResponse, responses=responses(409))
    async def be_a_guest(body: GuestRequest, request: Request, response: Response) -> SessionResponse:
        """Creates a guest with play money and signs them in, if the house allows guests."""
        if not services.config.guests:
            raise forbidden("this house does not admit guests: sign in")
        await run_sync(services.require_guest_capacity)
        person = await run_sync(services.users.create_guest)
        return await _open_session(services, request, response, person, body.bearer, method="guest")

    @routes.post("/join", status_code=201, response_model=SessionResponse, responses=responses(409))
    async def join(body: JoinRequest, request: Request, response: Response) -> SessionResponse:
        """Redeems a one-time link: sets the password and signs in. The person's earlier sessions end."""
        source = {"address": _address(services, request), "device": _device(services, request)}
        codes = {"link_code": body.link_code, "code": body.one_time_code}
        person = await credentials.join(services.users, body.token, body.name, body.password, **codes, **source)
        await run_sync(services.sessions.close_all, person.name)
        return await _open_session(services, request, response, person, body.bearer, method="link")

    @routes.post("/register", status_code=201, response_model=SessionResponse, responses=responses(409))
    async def register(body: RegistrationRequest, request: Request, response: Response) -> SessionResponse:
        """Creates an account for a patron and signs them in, if the house allows registration."""
        if not services.config.registration:
            raise forbidden("this house does not allow registration: ask for an account")
        person = await credentials.register(services.users, body.name, body.password)
        return await _open_session(services, request, response, person, body.bearer, method="registration")


def _add_session_routes(routes: APIRouter, services: ServicesProtocol) -> None:
    any_session = Annotated[Session, Depends(require_session(services))]

    @routes.get("/me", response_model=CurrentPersonResponse, responses=responses())
    async def me(request: Request) -> CurrentPersonResponse:
        """Who is signed in; `person` is null if nobody is."""
        session = await services.policies.identify(request.scope, services.sessions)
        config = services.config
        offers = {
            "guests": config.guests,
            "registration": config.registration,
            "play_money_only": config.play_money_only,
        }
        if session is None:
            return CurrentPersonResponse(person=None, csrf=None, pending="", **offers)
        person = person_response(session.person)
        return CurrentPersonResponse(person=person, csrf=session.csrf, pending=session.pending, **offers)

    @routes.post("/sign-out", response_model=DoneResponse, responses=responses())
    async def sign_out(request: Request, response: Response) -> DoneResponse:
        """Ends the session, if there is one."""
        session = await services.policies.identify(request.scope, services.sessions)
        if session is not None:
            await run_sync(_close_session, services, request, session)
        secure = is_secure(request.scope, https=services.config.https)
        response.headers["Set-Cookie"] = session_cookie_header("", secure=secure, seconds=0)
        return DoneResponse()

    @routes.post("/password", response_model=DoneResponse, responses=responses(401))
    async def password(body: PasswordChangeRequest, session: any_session, request: Request) -> DoneResponse:
        """Changes the password of the signed-in person; their other sessions end."""
        source = {"address": _address(services, request), "device": _device(services, request)}
        await credentials.change_password(services.users, session.person, body.old, body.new, **source)
        await run_sync(lambda: services.sessions.close_all(session.person.name, keep=session))
        services.sessions.forget_cached(session.person.name)
        return DoneResponse()


def _add_second_factor_routes(routes: APIRouter, services: ServicesProtocol) -> None:
    any_session = Annotated[Session, Depends(require_session(services))]

    @routes.post("/second-factor", status_code=201, response_model=SecondFactorResponse, responses=responses(401))
    async def begin(body: SecondFactorRequest, session: any_session, request: Request) -> SecondFactorResponse:
        """A new secret for the authenticator of a staff member; it counts once they have confirmed it."""
        source = {"address": _address(services, request), "device": _device(services, request)}
        person = session.person
        secret = await credentials.begin_second_factor(services.users, person, body.one_time_code, **source)
        uri = otpauth_uri(secret, name=person.name, issuer=services.config.facility)
        return SecondFactorResponse(secret=secret_text(secret), uri=uri)

    @routes.post("/second-factor/confirm", response_model=DoneResponse, responses=responses(401))
    async def confirm(body: OneTimeCodeRequest, session: any_session) -> DoneResponse:
        """Puts the new secret to use, with a code of it; the person's other sessions end."""
        if not await run_sync(services.users.confirm_second_factor, session.person, body.one_time_code):
            raise forbidden("this one-time code does not belong to the new secret", code=ErrorCode.TOTP)
        await run_sync(lambda: services.sessions.close_all(session.person.name, keep=session))
        services.sessions.forget_cached(session.person.name)
        return DoneResponse()
