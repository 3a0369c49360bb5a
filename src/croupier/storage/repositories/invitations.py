"""One-time links for setting a password. The database has the SHA-256 of each token."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from croupier.storage.sql import schema as s
from croupier.table.model.roles import Role

_invitations = s.invitations.c


@dataclass(frozen=True, slots=True)
class Invitation:
    """The recipient of an open link; if the name is empty, they choose it.

    A link with a `request` works once it is approved, and only together with the code behind the digest `code`.
    """

    name: str
    role: Role
    request: str = ""
    approved_by: str = ""
    code: str = ""

    @property
    def is_waiting(self) -> bool:
        """Whether a second person still has to approve it."""
        return bool(self.request) and not self.approved_by


def issue(connection: sa.Connection, *, token: str, invitation: Invitation, created_by: str, expires_at: int) -> None:
    """Stores a new link. It replaces older ones for the same name, unless it waits for approval itself."""
    if invitation.name and not invitation.is_waiting:
        void(connection, invitation.name)
    row = {
        "token": token,
        "name": invitation.name,
        "role": str(invitation.role),
        "created_by": created_by,
        "expires_at": expires_at,
        "used_at": 0,
        "request": invitation.request,
        "approved_by": invitation.approved_by,
        "code": invitation.code,
        "wrong_codes": 0,
    }
    connection.execute(sa.insert(s.invitations).values(row))


def void(connection: sa.Connection, name: str, *, except_request: str = "") -> None:
    """Deletes the unused links for a name, or those without one."""
    query = sa.delete(s.invitations).where(_invitations.name == name, _invitations.used_at == 0)
    if except_request:
        query = query.where(_invitations.request != except_request)
    connection.execute(query)


def approve(connection: sa.Connection, request: str, *, code: str, approved_by: str, expires_at: int) -> bool:
    """Opens the link of a request with the digest of its code; false if the link was used or voided."""
    link = sa.update(s.invitations).where(_invitations.request == request, _invitations.used_at == 0)
    values = {"code": code, "approved_by": approved_by, "expires_at": expires_at}
    return bool(connection.execute(link.values(**values)).rowcount)


def void_request(connection: sa.Connection, request: str) -> None:
    """Deletes the link of a request that was refused or has expired."""
    connection.execute(sa.delete(s.invitations).where(_invitations.request == request, _invitations.used_at == 0))


def token_of_request(connection: sa.Connection, request: str) -> str:
    """The digest of the token of a request's link; empty if there is none."""
    query = sa.select(_invitations.token).where(_invitations.request == request, _invitations.used_at == 0)
    return str(connection.execute(query).scalar() or "")


def count_wrong_code(connection: sa.Connection, token: str, now: int, *, most: int) -> None:
    """Counts a wrong code; the last one allowed uses up the link."""
    wrong_codes = _invitations.wrong_codes + 1
    values = {"wrong_codes": wrong_codes, "used_at": sa.case((wrong_codes >= most, now), else_=_invitations.used_at)}
    connection.execute(sa.update(s.invitations).where(_invitations.token == token).values(**values))


def find_open(connection: sa.Connection, token: str, now: int) -> Invitation | None:
    """The link of a token that is neither used nor expired."""
    row = connection.execute(sa.select(s.invitations).where(*_open_conditions(token, now))).one_or_none()
    return None if row is None else Invitation(row.name, Role(row.role), row.request, row.approved_by, row.code)


def use(connection: sa.Connection, token: str, now: int) -> Invitation | None:
    """Redeems a link; `None` if it was used or has expired."""
    change = sa.update(s.invitations).where(*_open_conditions(token, now)).values(used_at=now)
    row = connection.execute(change.returning(*s.invitations.c)).one_or_none()
    return None if row is None else Invitation(row.name, Role(row.role), row.request, row.approved_by, row.code)


def _open_conditions(token: str, now: int) -> tuple[sa.ColumnElement[bool], ...]:
    return (_invitations.token == token, _invitations.used_at == 0, _invitations.expires_at > now)
