"""One-time links for setting a password. The database has the SHA-256 of each token."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from croupier.storage.sql import schema as s
from croupier.table.model.roles import Role

_invitations = s.invitations.c


@dataclass(frozen=True, slots=True)
class Invitation:
    """The recipient of an open link; if the name is empty, they choose it."""

    name: str
    role: Role


def issue(connection: sa.Connection, *, token: str, invitation: Invitation, created_by: str, expires_at: int) -> None:
    """Stores a new link; unused older links for the same name are deleted."""
    delete_older = sa.delete(s.invitations).where(_invitations.name == invitation.name, _invitations.used_at == 0)
    connection.execute(delete_older)
    row = {"token": token, "name": invitation.name, "role": str(invitation.role), "created_by": created_by}
    connection.execute(sa.insert(s.invitations).values(row | {"expires_at": expires_at, "used_at": 0}))


def find_open(connection: sa.Connection, token: str, now: int) -> Invitation | None:
    """The link of a token that is neither used nor expired."""
    query = sa.select(_invitations.name, _invitations.role).where(*_open_conditions(token, now))
    row = connection.execute(query).one_or_none()
    return None if row is None else Invitation(row.name, Role(row.role))


def use(connection: sa.Connection, token: str, now: int) -> Invitation | None:
    """Redeems a link; `None` if it was used or has expired."""
    change = sa.update(s.invitations).where(*_open_conditions(token, now)).values(used_at=now)
    row = connection.execute(change.returning(_invitations.name, _invitations.role)).one_or_none()
    return None if row is None else Invitation(row.name, Role(row.role))


def _open_conditions(token: str, now: int) -> tuple[sa.ColumnElement[bool], ...]:
    return (_invitations.token == token, _invitations.used_at == 0, _invitations.expires_at > now)
