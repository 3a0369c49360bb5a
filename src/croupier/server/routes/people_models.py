"""What the routes about people take and give."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from croupier.server.names import LONGEST as LONGEST_NAME
from croupier.server.passwords import LONGEST as LONGEST_PASSWORD
from croupier.server.people import FOREVER, Entry, Person

RoleName = Literal[
    "patron", "dealer", "floorperson", "shift_manager", "accounting", "surveillance", "regulator", "administrator"
]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, description="1 to 40 printable characters")]
Given = Annotated[str, Field(max_length=LONGEST_PASSWORD, description="a password as it was typed")]
Chosen = Annotated[str, Field(max_length=LONGEST_PASSWORD, description="a new password: 10 to 256 characters")]


class Body(BaseModel):
    """Bodies are strict: no other keys, no values of another type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class SignIn(Body):
    """Name and password."""

    name: Name
    password: Given
    bearer: bool = Field(False, description="for programs: give the token in the answer and set no cookie")


class Join(Body):
    """A one-time link and the password that is chosen with it."""

    token: str = Field(max_length=100, description="what stands behind # in the link")
    name: str = Field("", max_length=LONGEST_NAME, description="where the link leaves the name open")
    password: Chosen
    bearer: bool = False


class Register(Body):
    """A patron who makes an account for himself."""

    name: Name
    password: Chosen
    bearer: bool = False


class GuestWanted(Body):
    """Nothing is needed to be a guest."""

    bearer: bool = False


class NewPassword(Body):
    """One's own password."""

    old: Given
    new: Chosen


class NewPerson(Body):
    """Somebody with a first password."""

    name: Name
    role: RoleName
    password: Chosen


class Invited(Body):
    """Somebody who will set the password by a one-time link."""

    name: Name
    role: RoleName


class NewRole(Body):
    """Another role."""

    role: RoleName


class PersonShown(BaseModel):
    """Somebody in a role."""

    name: str
    role: RoleName
    guest: bool


class Me(BaseModel):
    """Who is signed in, and what a page that nobody is signed in at may offer."""

    person: PersonShown | None
    csrf: str | None = Field(description="for the header X-CSRF-Token of whatever changes something")
    guests: bool = Field(description="whether POST /api/guests is open")
    registration: bool = Field(description="whether POST /api/register is open")


class SignedIn(BaseModel):
    """A new session."""

    person: PersonShown
    csrf: str
    token: str | None = Field(description="for `Authorization: Bearer`, where it was asked for")


class Done(BaseModel):
    """It is done."""

    done: Literal[True] = True


class Closed(BaseModel):
    """How many sessions were closed."""

    sessions: int


class Link(BaseModel):
    """A one-time link; it is shown this once."""

    person: PersonShown
    path: str = Field(description="/join#…: append it to the address of the server")
    valid_hours: int


class EntryShown(BaseModel):
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


class Everyone(BaseModel):
    """A page of people."""

    people: list[EntryShown]


def person_shown(person: Person) -> PersonShown:
    """As JSON has it."""
    return PersonShown(name=person.name, role=person.role.value, guest=person.guest)  # type: ignore[arg-type]


def entry_shown(entry: Entry, now: int) -> EntryShown:
    """As JSON has it."""
    forever = entry.locked_until == FOREVER
    return EntryShown(
        name=entry.person.name,
        role=entry.person.role.value,  # type: ignore[arg-type]
        guest=entry.person.guest,
        active=entry.active,
        can_sign_in=bool(entry.password),
        failures=entry.failures,
        locked_until=entry.locked_until if now < entry.locked_until < FOREVER else None,
        locked_by_administrator=forever,
        created_at=entry.created_at,
        created_by=entry.created_by,
    )
