"""One-time links: with one somebody sets the first password, or a new one, without anybody else knowing it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from hashlib import sha256

from croupier.core.errors import RuleViolation
from croupier.server.accounts.users import AccountDetails, Person, Users, has_administrator, insert_person, name_taken
from croupier.server.errors import forbidden
from croupier.storage.repositories import accounts, invitations
from croupier.storage.repositories.invitations import Invitation
from croupier.storage.sql.database import Connection, Database, WriteConflict
from croupier.table.model.roles import Role

LINK_VALID_MILLISECONDS = 24 * 3_600_000
TOKEN_PATTERN = re.compile(r"[A-Za-z0-9_-]{43}")
"""What `secrets.token_urlsafe(32)` gives."""
INVALID_LINK_REASON = "this link was used, has expired or never was one: ask an administrator for another"


def token_digest(token: str) -> str:
    """What the database keeps of a secret."""
    return sha256(token.encode()).hexdigest()


def join_path(token: str) -> str:
    """The link; browsers keep what is behind # to themselves, so it stands in no log."""
    return f"/join#{token}"


def invite_first_administrator(database: Database, *, now: Callable[[], int]) -> str | None:
    """The path of a link with which the first administrator joins; nothing where one can sign in already.

    A link from an earlier start is void then.
    """
    with database.write_transaction() as connection:
        if has_administrator(connection):
            return None
        return join_path(_issue(connection, "", Role.ADMINISTRATOR, by="", at=now()))


def invite(users: Users, name: str, role: Role, *, by: str) -> tuple[Person, str]:
    """A new person who cannot sign in yet, and the path of the link to give to them; it is shown this once."""
    at = users.now()
    try:
        with users.database.write_transaction() as connection:
            person = insert_person(connection, name, role, at=at, by=by)
            token = _issue(connection, person.name, role, by=by, at=at)
    except WriteConflict:
        raise name_taken(name) from None
    users.note("person_created", person.name, {"role": str(role), "guest": False, "by": by})
    return person, join_path(token)


def issue_link(users: Users, entry: AccountDetails, *, by: str) -> str:
    """A link with which somebody who is on file sets a new password; older links are void."""
    if entry.person.guest:
        raise RuleViolation("ACC-1", "guests have no password")
    with users.database.write_transaction() as connection:
        token = _issue(connection, entry.person.name, entry.person.role, by=by, at=users.now())
    users.note("link_issued", entry.person.name, {"by": by})
    return join_path(token)


def find_invitation(users: Users, token: str) -> Invitation:
    """To whom a link belongs. Refuses (403) one that was used, has expired or never was one."""
    if not TOKEN_PATTERN.fullmatch(token):
        raise forbidden(INVALID_LINK_REASON)
    with users.database.read_transaction() as connection:
        invitation = invitations.find_open(connection, token_digest(token), users.now())
    if invitation is None:
        raise forbidden(INVALID_LINK_REASON)
    return invitation


def redeem(users: Users, token: str, name: str, password: str) -> Person:
    """Uses a link: the hash `password` becomes the person's. The link is used up with it, or nothing has happened."""
    at = users.now()
    try:
        with users.database.write_transaction() as connection:
            invitation = invitations.use(connection, token_digest(token), at)
            if invitation is None:
                raise forbidden(INVALID_LINK_REASON)
            if invitation.name:
                person = _set_password(connection, invitation, password)
            else:
                person = insert_person(connection, name, invitation.role, at=at, by="", password=password)
    except WriteConflict:
        raise name_taken(name) from None
    users.note("person_joined", person.name, {"role": str(person.role)})
    return person


def _set_password(connection: Connection, invitation: Invitation, password: str) -> Person:
    if not accounts.set_invited_password(connection, invitation.name, invitation.role, password):
        raise forbidden("this person has another role or was deactivated since the link was made")
    return Person(invitation.name, invitation.role)


def _issue(connection: Connection, name: str, role: Role, *, by: str, at: int) -> str:
    token = secrets.token_urlsafe(32)
    invitation = Invitation(name, role)
    invitations.issue(
        connection,
        token=token_digest(token),
        invitation=invitation,
        created_by=by,
        expires_at=at + LINK_VALID_MILLISECONDS,
    )
    return token
