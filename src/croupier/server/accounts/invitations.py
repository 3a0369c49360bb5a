"""One-time links with which a person sets their first password, or a new one, unknown to anybody else."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from hashlib import sha256

from croupier.core.errors import RuleViolation
from croupier.server.accounts.users import (
    AccountDetails,
    Person,
    Users,
    has_administrator,
    insert_person,
    name_conflict,
)
from croupier.server.errors import forbidden
from croupier.storage.repositories import accounts, invitations
from croupier.storage.repositories.invitations import Invitation
from croupier.storage.sql.database import Connection, Database, WriteConflict
from croupier.table.model.roles import Role

LINK_VALID_MILLISECONDS = 24 * 3_600_000
TOKEN_PATTERN = re.compile(r"[A-Za-z0-9_-]{43}")
"""The format of `secrets.token_urlsafe(32)`."""
INVALID_LINK_REASON = "this link is invalid, expired or already used: ask an administrator for a new one"


def token_digest(token: str) -> str:
    """The digest under which the database stores a token."""
    return sha256(token.encode()).hexdigest()


def join_path(token: str) -> str:
    """The path of a link. Browsers do not send the part after `#`, so it appears in no log."""
    return f"/join#{token}"


def invite_first_administrator(database: Database, *, now: Callable[[], int]) -> str | None:
    """The path of a link for the first administrator; `None` if an administrator can sign in already.

    Links from earlier starts become void.
    """
    with database.write_transaction() as connection:
        if has_administrator(connection):
            return None
        return join_path(_issue(connection, "", Role.ADMINISTRATOR, by="", at=now()))


def invite(users: Users, name: str, role: Role, *, by: str) -> tuple[Person, str]:
    """Creates a person who cannot sign in yet; returns them and the path of their link, which is shown only once."""
    at = users.now()
    try:
        with users.database.write_transaction() as connection:
            person = insert_person(connection, name, role, at=at, by=by)
            token = _issue(connection, person.name, role, by=by, at=at)
    except WriteConflict:
        raise name_conflict(name) from None
    users.note("person_created", person.name, {"role": str(role), "guest": False, "by": by})
    return person, join_path(token)


def issue_link(users: Users, account: AccountDetails, *, by: str) -> str:
    """Issues a link with which a person sets a new password; older links become void."""
    if account.person.guest:
        raise RuleViolation("ACC-1", "guests have no password")
    with users.database.write_transaction() as connection:
        token = _issue(connection, account.person.name, account.person.role, by=by, at=users.now())
    users.note("link_issued", account.person.name, {"by": by})
    return join_path(token)


def find_invitation(users: Users, token: str) -> Invitation:
    """The invitation of a token; refuses (403) one that is invalid, expired or used."""
    if not TOKEN_PATTERN.fullmatch(token):
        raise forbidden(INVALID_LINK_REASON)
    with users.database.read_transaction() as connection:
        invitation = invitations.find_open(connection, token_digest(token), users.now())
    if invitation is None:
        raise forbidden(INVALID_LINK_REASON)
    return invitation


def redeem(users: Users, token: str, name: str, password: str) -> Person:
    """Uses up a link and stores the password hash of its person, in one transaction."""
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
        raise name_conflict(name) from None
    users.note("person_joined", person.name, {"role": str(person.role)})
    return person


def _set_password(connection: Connection, invitation: Invitation, password: str) -> Person:
    if not accounts.set_invited_password(connection, invitation.name, invitation.role, password):
        raise forbidden("this person's role has changed, or they were deactivated, since the link was issued")
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
