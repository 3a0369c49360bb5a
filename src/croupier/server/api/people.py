"""The administration of people: who asks for an act on an account, and who approves it (`accounts.duties`)."""

# No `from __future__ import annotations`: FastAPI evaluates them, and the dependencies are local variables.

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, Field

from croupier.server.accounts import account_requests
from croupier.server.accounts import sign_in as credentials
from croupier.server.accounts.account_requests import ENDS_SESSIONS, Outcome
from croupier.server.accounts.duties import APPROVERS, GROUPS, REQUESTERS, Act, RoleGroup
from croupier.server.accounts.invitations import LINK_VALID_MILLISECONDS
from croupier.server.accounts.names import MAX_NAME_LENGTH
from croupier.server.accounts.sessions import Session
from croupier.server.accounts.users import LOCKED_INDEFINITELY, AccountDetails
from croupier.server.api.accounts import (
    NAME_PATTERN,
    AccountBody,
    NewPassword,
    PersonName,
    PersonResponse,
    RoleName,
    person_response,
)
from croupier.server.dependencies import ServicesProtocol, require_role
from croupier.server.errors import responses
from croupier.storage.repositories.account_requests import AccountRequest
from croupier.table.model.roles import Role

PersonNamePath = Annotated[str, Path(max_length=MAX_NAME_LENGTH, description="the name of a person, in any case")]
RequestPath = Annotated[str, Path(min_length=1, max_length=32)]
OVERSIGHT = tuple(role for role, group in GROUPS.items() if group is RoleGroup.OVERSIGHT)
RequestKey = Annotated[
    str,
    Field(
        max_length=32,
        description="chosen by the sender, for whom the same key is the same request; empty for none",
        pattern=r"^[!-~]*$",
    ),
]
READERS = tuple(role for role in Role if role in {*REQUESTERS, *APPROVERS, *OVERSIGHT})


class NewPersonRequest(AccountBody):
    """A person with a first password, which they must change when they sign in."""

    name: PersonName
    role: RoleName
    password: NewPassword


class ActRequest(AccountBody):
    """An act on the account in the path."""

    key: RequestKey = ""


class InvitationRequest(AccountBody):
    """A person who will set their password with a one-time link."""

    name: PersonName
    role: RoleName
    key: RequestKey = ""


class RoleChangeRequest(AccountBody):
    """The new role."""

    role: RoleName
    key: RequestKey = ""


class AccountResponse(BaseModel):
    """The account of a person."""

    name: str
    role: RoleName
    guest: bool
    active: bool
    can_sign_in: bool = Field(description="whether a password is set")
    failures: int = Field(description="wrong passwords since the last sign-in, from wherever they came")
    locked: bool = Field(description="whether the account was locked")
    second_factor: bool = Field(description="whether the person has a second factor")
    must_change_password: bool
    created_at: int
    created_by: str = Field(description="who asked for the account; empty if the machine issued the link")
    approved_by: str = Field(description="the second person behind a staff account; empty if there is none")


class AccountListResponse(BaseModel):
    """A page of people."""

    people: list[AccountResponse]


class AccountRequestResponse(BaseModel):
    """A request for an act on an account. The link and its code are shown only once."""

    id: str
    at: int
    act: str
    name: str
    role: RoleName = Field(description="the role afterwards")
    was: str = Field(description="the role when it was requested; empty for a new person")
    by: str
    by_role: str
    status: str = Field(description="waiting, approved, refused or expired")
    second: str
    decided_at: int
    path: str = Field(description="/join#…: append it to the address of the server; for whoever asked")
    link_code: str = Field(description="without it the link is useless; for whoever approved, to hand to the person")
    valid_hours: int


class AccountRequestListResponse(BaseModel):
    """Requests that wait for a second person."""

    requests: list[AccountRequestResponse]


def account_response(account: AccountDetails) -> AccountResponse:
    """The response for an account."""
    return AccountResponse(
        name=account.person.name,
        role=account.person.role.value,  # type: ignore[arg-type]
        guest=account.person.guest,
        active=account.active,
        can_sign_in=bool(account.password),
        failures=account.failures,
        locked=account.locked_until == LOCKED_INDEFINITELY,
        second_factor=bool(account.second_factor),
        must_change_password=account.must_change,
        created_at=account.created_at,
        created_by=account.created_by,
        approved_by=account.approved_by,
    )


def request_response(request: AccountRequest, path: str = "", code: str = "") -> AccountRequestResponse:
    """The response for a request."""
    return AccountRequestResponse(
        id=request.id,
        at=request.at,
        act=request.act,
        name=request.name,
        role=request.role.value,  # type: ignore[arg-type]
        was="" if request.was is None else request.was.value,
        by=request.by.name,
        by_role=request.by.role.value,
        status=request.status,
        second="" if request.second is None else request.second.name,
        decided_at=request.decided_at,
        path=path,
        link_code=code,
        valid_hours=LINK_VALID_MILLISECONDS // 3_600_000,
    )


def router(services: ServicesProtocol) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix="/api", tags=["people"])
    _add_list_routes(routes, services)
    _add_act_routes(routes, services)
    _add_request_routes(routes, services)
    return routes


def _finish(services: ServicesProtocol, outcome: Outcome) -> AccountRequestResponse:
    """Ends the sessions of a person after an act that demands it."""
    request = outcome.request
    if outcome.is_done and Act(request.act) in ENDS_SESSIONS:
        services.sessions.close_all(request.name)
    return request_response(request, outcome.path, outcome.code)


def _add_list_routes(routes: APIRouter, services: ServicesProtocol) -> None:
    list_session = Annotated[Session, Depends(require_role(services, Role.ADMINISTRATOR, Role.REGULATOR))]
    requester_session = Annotated[Session, Depends(require_role(services, *sorted(REQUESTERS)))]

    @routes.get("/people", response_model=AccountListResponse, responses=responses(401))
    def list_accounts(
        _: list_session,
        guests: Annotated[bool, Query(description="include guests")] = False,
        after: Annotated[
            str,
            Query(
                max_length=MAX_NAME_LENGTH,
                description="the last name of the previous page",
                json_schema_extra={"pattern": NAME_PATTERN},
            ),
        ] = "",
        limit: Annotated[int, Query(ge=1, le=1000)] = 1000,
    ) -> AccountListResponse:
        """All accounts, by name, in pages."""
        accounts = services.users.list_accounts(guests=guests, after=after, limit=limit)
        return AccountListResponse(people=[account_response(account) for account in accounts])

    @routes.post("/people", status_code=201, response_model=PersonResponse, responses=responses(401, 409))
    async def create(body: NewPersonRequest, session: requester_session) -> PersonResponse:
        """Adds a patron with a first password, which they must change; with play money only, also staff."""
        role = Role(body.role)
        person = await credentials.create(services.users, body.name, role, body.password, by=session.person.actor)
        return person_response(person)


def _add_act_routes(routes: APIRouter, services: ServicesProtocol) -> None:
    requester_session = Annotated[Session, Depends(require_role(services, *sorted(REQUESTERS)))]
    users = services.users

    @routes.post(
        "/people/invitations", status_code=201, response_model=AccountRequestResponse, responses=responses(401, 409)
    )
    def invite(body: InvitationRequest, session: requester_session) -> AccountRequestResponse:
        """Asks for a new person, who sets their password with a one-time link, shown only once."""
        by, role = session.person.actor, Role(body.role)
        return _finish(services, account_requests.ask(users, Act.CREATE, body.name, by=by, role=role, key=body.key))

    @routes.post("/people/{name}/role", response_model=AccountRequestResponse, responses=responses(401, 404))
    def change_role(
        name: PersonNamePath, body: RoleChangeRequest, session: requester_session
    ) -> AccountRequestResponse:
        """Asks for another role of a staff member, who must sign in again afterwards."""
        by, role = session.person.actor, Role(body.role)
        return _finish(services, account_requests.ask(users, Act.CHANGE_ROLE, name, by=by, role=role, key=body.key))

    def add_act(path: str, act: Act, description: str, *, status: int = 200) -> None:
        def endpoint(
            name: PersonNamePath, session: requester_session, body: ActRequest | None = None
        ) -> AccountRequestResponse:
            key = "" if body is None else body.key
            return _finish(services, account_requests.ask(users, act, name, by=session.person.actor, key=key))

        routes.add_api_route(
            f"/people/{{name}}/{path}",
            endpoint,
            methods=["POST"],
            name=path,
            description=description,
            status_code=status,
            response_model=AccountRequestResponse,
            responses=responses(401, 404),
        )

    text = "Asks for a one-time link with which a person sets a new password; shown only once."
    add_act("link", Act.ISSUE_LINK, text, status=201)
    add_act("second-factor/reset", Act.RESET_SECOND_FACTOR, "Asks to remove a lost second factor.")
    add_act("lock", Act.LOCK, "Bars a person from signing in until they are unlocked; their sessions end.")
    add_act("unlock", Act.UNLOCK, "Ends a lock, and forgets wrong passwords.")
    add_act("deactivate", Act.DEACTIVATE, "Bars a person from signing in; their sessions end, records stay.")
    add_act("reactivate", Act.REACTIVATE, "Asks to let a person sign in again.")
    add_act("sessions/close", Act.CLOSE_SESSIONS, "Signs a person out everywhere.")


def _add_request_routes(routes: APIRouter, services: ServicesProtocol) -> None:
    reader_session = Annotated[Session, Depends(require_role(services, *READERS))]
    users = services.users

    @routes.get("/people/requests", response_model=AccountRequestListResponse, responses=responses(401))
    def waiting(_: reader_session) -> AccountRequestListResponse:
        """Requests about accounts that wait for a second person."""
        requests = account_requests.list_waiting(users)
        return AccountRequestListResponse(requests=[request_response(request) for request in requests])

    @routes.post(
        "/people/requests/{identifier}/approve", response_model=AccountRequestResponse, responses=responses(401, 404)
    )
    def approve(identifier: RequestPath, session: reader_session) -> AccountRequestResponse:
        """Approves a request of somebody else and carries it out; a link's code is shown only once."""
        return _finish(services, account_requests.approve(users, identifier, by=session.person.actor))

    @routes.post(
        "/people/requests/{identifier}/refuse", response_model=AccountRequestResponse, responses=responses(401, 404)
    )
    def refuse(identifier: RequestPath, session: reader_session) -> AccountRequestResponse:
        """Refuses a request, or withdraws one's own."""
        return _finish(services, account_requests.refuse(users, identifier, by=session.person.actor))
