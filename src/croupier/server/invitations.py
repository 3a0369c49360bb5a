"""One-time links: with one somebody sets the first password, or a new one, without anybody else knowing it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

import sqlalchemy as sa

from croupier.errors import NotPermitted
from croupier.server.errors import forbidden
from croupier.server.people import Entry, People, Person, add, administrators, taken
from croupier.store import schema as s
from croupier.store.database import Database, Overtaken
from croupier.table.people import Role

VALID = 24 * 3_600_000
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
"""What `secrets.token_urlsafe(32)` gives."""
REFUSAL = "this link was used, has expired or never was one: ask an administrator for another"


@dataclass(frozen=True, slots=True)
class Invitation:
    """To whom an open link belongs; an empty name is chosen by who follows it."""

    name: str
    role: Role


def digest(token: str) -> str:
    """What the database keeps of a secret."""
    return sha256(token.encode()).hexdigest()


def path_of(token: str) -> str:
    """The link; browsers keep what is behind # to themselves, so it stands in no log."""
    return f"/join#{token}"


def first_administrator(database: Database, *, now: Callable[[], int]) -> str | None:
    """The path of a link with which the first administrator joins; nothing where one can sign in already.

    A link from an earlier start is void then.
    """
    with database.writing() as connection:
        if connection.execute(administrators()).first() is not None:
            return None
        return path_of(_issue(connection, "", Role.ADMINISTRATOR, by="", at=now()))


def invite(people: People, name: str, role: Role, *, by: str) -> tuple[Person, str]:
    """A new person who cannot sign in yet, and the path of the link to give to him; it is shown this once."""
    at = people.now()
    try:
        with people.database.writing() as connection:
            person = add(connection, name, role, at=at, by=by)
            token = _issue(connection, person.name, role, by=by, at=at)
    except Overtaken:
        raise taken(name) from None
    people.note("person_created", person.name, {"role": str(role), "guest": False, "by": by})
    return person, path_of(token)


def new_link(people: People, entry: Entry, *, by: str) -> str:
    """A link with which somebody who is on file sets a new password; older links are void."""
    if entry.person.guest:
        raise NotPermitted("ACC-1", "guests have no password")
    with people.database.writing() as connection:
        token = _issue(connection, entry.person.name, entry.person.role, by=by, at=people.now())
    people.note("link_issued", entry.person.name, {"by": by})
    return path_of(token)


def opened(people: People, token: str) -> Invitation:
    """To whom a link belongs. Refuses (403) one that was used, has expired or never was one."""
    if not TOKEN.fullmatch(token):
        raise forbidden(REFUSAL)
    with people.database.reading() as connection:
        row = connection.execute(sa.select(s.invitations).where(*_open(token, people.now()))).one_or_none()
    if row is None:
        raise forbidden(REFUSAL)
    return Invitation(row.name, Role(row.role))


def redeem(people: People, token: str, name: str, password: str) -> Person:
    """Uses a link: the hash `password` becomes the person's. The link is used up with it, or nothing has happened."""
    at = people.now()
    use = sa.update(s.invitations).where(*_open(token, at)).values(used_at=at)
    try:
        with people.database.writing() as connection:
            row = connection.execute(use.returning(s.invitations.c.name, s.invitations.c.role)).one_or_none()
            if row is None:
                raise forbidden(REFUSAL)
            if row.name:
                person = _set(connection, row.name, Role(row.role), password)
            else:
                person = add(connection, name, Role(row.role), at=at, by="", password=password)
    except Overtaken:
        raise taken(name) from None
    people.note("person_joined", person.name, {"role": str(person.role)})
    return person


def _set(connection: sa.Connection, name: str, role: Role, password: str) -> Person:
    columns = s.people.c
    mine = (columns.name == name, columns.role == str(role), columns.active.is_(True))
    change = sa.update(s.people).where(*mine).values(password=password, failures=0).returning(columns.id)
    if connection.execute(change).first() is None:
        raise forbidden("this person has another role or was deactivated since the link was made")
    return Person(name, role)


def _issue(connection: sa.Connection, name: str, role: Role, *, by: str, at: int) -> str:
    token, invitations = secrets.token_urlsafe(32), s.invitations
    void = sa.delete(invitations).where(invitations.c.name == name, invitations.c.used_at == 0)
    connection.execute(void)
    row = {"token": digest(token), "name": name, "role": str(role), "created_by": by}
    connection.execute(sa.insert(invitations).values(row | {"expires_at": at + VALID, "used_at": 0}))
    return token


def _open(token: str, at: int) -> tuple[sa.ColumnElement[bool], ...]:
    columns = s.invitations.c
    return (columns.token == digest(token), columns.used_at == 0, columns.expires_at > at)
