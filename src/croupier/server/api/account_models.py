"""What the routes about people take and give."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from croupier.server.accounts.names import MAX_NAME_LENGTH as LONGEST_NAME
from croupier.server.accounts.passwords import MAX_PASSWORD_LENGTH as LONGEST_PASSWORD
from croupier.server.accounts.users import LOCKED_INDEFINITELY, AccountDetails, Person

RoleName = Literal[
    "patron", "dealer", "floorperson", "shift_manager", "accounting", "surveillance", "regulator", "administrator"
]
PersonName = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, description="1 to 40 printable characters")]
CurrentPassword = Annotated[str, Field(max_length=LONGEST_PASSWORD, description="a password as it was typed")]
NewPassword = Annotated[str, Field(max_length=LONGEST_PASSWORD, description="a new password: 10 to 256 characters")]


class AccountRequest(BaseModel):
    """Bodies are strict: no other keys, no values of another type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SignInRequest(AccountRequest):
    """Name and password."""

    name: PersonName
    password: CurrentPassword
    bearer: bool = Field(False, description="for programs: give the token in the answer and set no cookie")


class JoinRequest(AccountRequest):
    """A one-time link and the password that is chosen with it."""

    token: str = Field(max_length=100, description="what stands behind # in the link")
    name: str = Field("", max_length=LONGEST_NAME, description="where the link leaves the name open")
    password: NewPassword
    bearer: bool = False


class RegistrationRequest(AccountRequest):
    """A patron who makes an account for himself."""

    name: PersonName
    password: NewPassword
    bearer: bool = False


class GuestRequest(AccountRequest):
    """Nothing is needed to be a guest."""

    bearer: bool = False


class PasswordChangeRequest(AccountRequest):
    """One's own password."""

    old: CurrentPassword
    new: NewPassword


class NewPersonRequest(AccountRequest):
    """Somebody with a first password."""

    name: PersonName
    role: RoleName
    password: NewPassword


class InvitationRequest(AccountRequest):
    """Somebody who will set the password by a one-time link."""

    name: PersonName
    role: RoleName


class RoleChangeRequest(AccountRequest):
    """Another role."""

    role: RoleName


class PersonResponse(BaseModel):
    """Somebody in a role."""

    name: str
    role: RoleName
    guest: bool


class CurrentPersonResponse(BaseModel):
    """Who is signed in, and what a page that nobody is signed in at may offer."""

    person: PersonResponse | None
    csrf: str | None = Field(description="for the header X-CSRF-Token of whatever changes something")
    guests: bool = Field(description="whether POST /api/guests is open")
    registration: bool = Field(description="whether POST /api/register is open")


class SessionResponse(BaseModel):
    """A new session."""

    person: PersonResponse
    csrf: str
    token: str | None = Field(description="for `Authorization: Bearer`, where it was asked for")


class DoneResponse(BaseModel):
    """It is done."""

    done: Literal[True] = True


class ClosedSessionsResponse(BaseModel):
    """How many sessions were closed."""

    sessions: int


class InvitationResponse(BaseModel):
    """A one-time link; it is shown this once."""

    person: PersonResponse
    path: str = Field(description="/join#…: append it to the address of the server")
    valid_hours: int


class AccountResponse(BaseModel):
    """What is on file about a person."""

    name: str
    role: RoleName
    guest: bool
    active: bool
    can_sign_in: bool = Field(description="whether there is a password")
    failures: int
    locked_until: int | None = Field(description="milliseconds since 1970; null where it is not locked")
    locked_by_administrator: bool
    created_at: int
    created_by: str


class AccountListResponse(BaseModel):
    """A page of people."""

    people: list[AccountResponse]


def person_response(person: Person) -> PersonResponse:
    """As JSON has it."""
    return PersonResponse(name=person.name, role=person.role.value, guest=person.guest)  # type: ignore[arg-type]


def account_response(entry: AccountDetails, now: int) -> AccountResponse:
    """As JSON has it."""
    forever = entry.locked_until == LOCKED_INDEFINITELY
    return AccountResponse(
        name=entry.person.name,
        role=entry.person.role.value,  # type: ignore[arg-type]
        guest=entry.person.guest,
        active=entry.active,
        can_sign_in=bool(entry.password),
        failures=entry.failures,
        locked_until=entry.locked_until if now < entry.locked_until < LOCKED_INDEFINITELY else None,
        locked_by_administrator=forever,
        created_at=entry.created_at,
        created_by=entry.created_by,
    )
