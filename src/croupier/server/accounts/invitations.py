"""One-time links with which a person sets their first password, or a new one, unknown to anybody else."""

from __future__ import annotations

import getpass
import hmac
import os
import secrets
from collections.abc import Callable
from hashlib import sha256

from croupier.core.errors import RuleViolation
from croupier.server.accounts.duties import CLAUSE, GROUPS, MACHINE_APPOINTMENTS, RoleGroup
from croupier.server.accounts.names import fold_name
from croupier.server.accounts.users import (
    LOCKED_INDEFINITELY,
    Person,
    Users,
    find_account,
    insert_person,
    name_conflict,
    token_digest,
)
from croupier.server.errors import forbidden
from croupier.storage.repositories import accounts, invitations, journal, sign_in_failures
from croupier.storage.repositories.invitations import Invitation
from croupier.storage.sql.database import Connection, Database, WriteConflict
from croupier.table.model.roles import SYSTEM, Role

LINK_VALID_MILLISECONDS = 24 * 3_600_000
MAX_WRONG_CODES = 5
"""So many wrong codes use up a link."""
MACHINE = "the machine"
"""Stands for the second person behind an account whose link was issued on the machine itself."""
_HOUSE = [role for role, group in GROUPS.items() if group is RoleGroup.HOUSE]
INVALID_LINK_REASON = "this link is invalid, expired or already used: ask for a new one"


def join_path(token: str) -> str:
    """The path of a link. Browsers do not send the part after `#`, so it appears in no log."""
    return f"/join#{token}"


def code_digest(token: str, code: str) -> str:
    """The digest under which the database stores a code; `token` is the digest of the link's token."""
    letters = "".join(character for character in code.upper() if character.isalnum())
    return sha256(f"{token} {letters}".encode("utf-8", "replace")).hexdigest()


def issue_setup_links(database: Database, *, play_money: bool, now: Callable[[], int]) -> list[str]:
    """The paths of links for the first administrators: two people, or one if there is play money only.

    None once they have joined. Links from earlier starts become void. Somebody who joined while there was play money
    only does not count for a house.
    """
    with database.write_transaction() as connection:
        needed = 1 if play_money else MACHINE_APPOINTMENTS[Role.ADMINISTRATOR]
        missing = needed - accounts.count_founders(connection, _HOUSE, approved=not play_money)
        invitations.void(connection, "")
        approved_by = "" if play_money else MACHINE
        invitation = Invitation("", Role.ADMINISTRATOR, approved_by=approved_by)
        return [_issue(connection, invitation, at=now()) for _ in range(missing)]


def appoint(database: Database, name: str, role: Role, *, now: Callable[[], int]) -> str:
    """The path of a link that the machine issues for a person; creates the person if nobody has the name.

    Refused for other roles, and once enough people in this role can sign in: then they decide about others.
    """
    most = MACHINE_APPOINTMENTS.get(role, 0)
    try:
        with database.write_transaction() as connection:
            if not most:
                reason = f"{role.label} is not appointed on the machine"
                raise RuleViolation(CLAUSE, f"{reason}: one person of the house asks, and another approves")
            if accounts.count_who_can_sign_in(connection, role, locked_forever=LOCKED_INDEFINITELY) >= most:
                reason = f"{most} or more in the role {role.value} can sign in"
                raise RuleViolation(CLAUSE, f"{reason}: they ask for and approve others themselves")
            if accounts.exists(connection, fold_name(name)):
                account = find_account(connection, name)
                if account.person.role is not role:
                    raise RuleViolation(CLAUSE, f"{account.person.name} is {account.person.role.label}")
                name = account.person.name
            else:
                name = insert_person(connection, name, role, at=now(), by=SYSTEM, approved_by=MACHINE).name
            return _issue(connection, Invitation(name, role, approved_by=MACHINE), at=now())
    except WriteConflict:
        raise name_conflict(name) from None


def operating_system_user() -> str:
    """The account under which this program runs."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container without an entry for its user
        return str(os.getuid())


def find_invitation(users: Users, token: str) -> Invitation:
    """The invitation of a token; refuses (403) one that is invalid, expired, used or not approved yet."""
    digest = token_digest(token)
    with users.database.read_transaction() as connection:
        invitation = invitations.find_open(connection, digest, users.now()) if digest else None
    if invitation is None:
        raise forbidden(INVALID_LINK_REASON)
    if invitation.is_waiting:
        raise forbidden("this link waits for the approval of a second person")
    return invitation


def require_code(users: Users, token: str, invitation: Invitation, code: str) -> None:
    """Refuses (403) a link without the code that the second person has; too many wrong ones use it up."""
    digest = token_digest(token)
    if not invitation.code or hmac.compare_digest(code_digest(digest, code), invitation.code):
        return
    if code:
        with users.database.write_transaction() as connection:
            invitations.count_wrong_code(connection, digest, users.now(), most=MAX_WRONG_CODES)
    raise forbidden(f"this link needs the code that {invitation.approved_by} has, who approved it")


def redeem(users: Users, token: str, name: str, password: str) -> Person:
    """Uses up a link and stores the password hash of its person, in one transaction."""
    at = users.now()
    try:
        with users.database.write_transaction() as connection:
            invitation = invitations.use(connection, token_digest(token), at)
            if invitation is None or invitation.is_waiting:
                raise forbidden(INVALID_LINK_REASON)
            if invitation.name:
                person = _set_password(connection, invitation, password)
            else:
                person = insert_person(
                    connection,
                    name,
                    invitation.role,
                    at=at,
                    by=SYSTEM,
                    password=password,
                    approved_by=invitation.approved_by,
                )
            users.note("person_joined", person.name, {"role": str(person.role)}, by=person.actor, connection=connection)
    except WriteConflict:
        raise name_conflict(name) from None
    return person


def _set_password(connection: Connection, invitation: Invitation, password: str) -> Person:
    approved_by = invitation.approved_by
    account = accounts.set_invited_password(
        connection, invitation.name, invitation.role, password, approved_by=approved_by
    )
    if account is None:
        raise forbidden("this person's role has changed, or they were deactivated, since the link was issued")
    sign_in_failures.forget_devices(connection, account)
    return Person(invitation.name, invitation.role)


def _issue(connection: Connection, invitation: Invitation, *, at: int) -> str:
    """Issues a link on the machine; the journal has who ran the program."""
    token = secrets.token_urlsafe(32)
    expires_at = at + LINK_VALID_MILLISECONDS
    invitations.issue(
        connection, token=token_digest(token), invitation=invitation, created_by="", expires_at=expires_at
    )
    data = {"name": invitation.name, "role": invitation.role.value, "user": operating_system_user()}
    journal.enter(connection, at=at, kind="machine_link_issued", by=SYSTEM, data=data)
    return join_path(token)
