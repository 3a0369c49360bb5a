"""Requests for acts on accounts that need two people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from croupier.storage.sql import schema as s
from croupier.table.model.roles import Actor, Role

_requests = s.account_requests.c
JOURNAL_KINDS = {
    "create": "person_created",
    "issue_link": "link_issued",
    "change_role": "role_changed",
    "reset_second_factor": "second_factor_reset",
    "reactivate": "person_reactivated",
    "deactivate": "person_deactivated",
    "lock": "person_locked",
    "unlock": "person_unlocked",
    "close_sessions": "sessions_closed",
}
"""The line in the journal for each act that was carried out."""
STATUS_KINDS = {
    "waiting": "account_requested",
    "refused": "account_request_refused",
    "expired": "account_request_expired",
}
"""The line in the journal for a request that was not carried out."""


@dataclass(frozen=True, slots=True)
class AccountRequest:
    """One request. `was` is the person's role when it was made, `None` for a new person; `role` the role afterwards.

    `status` is waiting, approved, refused or expired.
    """

    id: str
    at: int
    act: str
    name: str
    role: Role
    was: Role | None
    by: Actor
    status: str = "waiting"
    second: Actor | None = None
    decided_at: int = 0
    key: str = ""
    """The key that the person who asks has chosen; empty for none."""


def insert(connection: sa.Connection, request: AccountRequest) -> None:
    """Stores a new request."""
    connection.execute(sa.insert(s.account_requests).values(**_values(request)))


def update(connection: sa.Connection, request: AccountRequest) -> None:
    """Stores the decision on a request."""
    connection.execute(sa.update(s.account_requests).where(_requests.id == request.id).values(**_values(request)))


def find(connection: sa.Connection, identifier: str, *, lock: bool = False) -> AccountRequest | None:
    """The request with an identifier; with `lock` its row is locked until the transaction ends."""
    query = sa.select(s.account_requests).where(_requests.id == identifier)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    return None if row is None else request_of_row(row)


def find_by_key(connection: sa.Connection, actor: str, key: str) -> AccountRequest | None:
    """The request that a person has made under a key."""
    query = sa.select(s.account_requests).where(_requests.actor == actor, _requests.key == key)
    row = connection.execute(query).one_or_none()
    return None if row is None else request_of_row(row)


def waiting(connection: sa.Connection, *, before: int | None = None) -> list[AccountRequest]:
    """Waiting requests, oldest first, optionally only those made before a time."""
    query = sa.select(s.account_requests).where(_requests.status == "waiting").order_by(_requests.at, _requests.id)
    if before is not None:
        query = query.where(_requests.at < before)
    return [request_of_row(row) for row in connection.execute(query)]


def _values(request: AccountRequest) -> dict[str, Any]:
    second = request.second
    return {
        "id": request.id,
        "at": request.at,
        "act": request.act,
        "name": request.name,
        "role": request.role.value,
        "was": "" if request.was is None else request.was.value,
        "actor": request.by.name,
        "actor_role": request.by.role.value,
        "status": request.status,
        "second": "" if second is None else second.name,
        "second_role": "" if second is None else second.role.value,
        "decided_at": request.decided_at,
        "key": request.key,
    }


def request_of_row(row: sa.Row[Any]) -> AccountRequest:
    """A request from its row."""
    return AccountRequest(
        row.id,
        row.at,
        row.act,
        row.name,
        Role(row.role),
        Role(row.was) if row.was else None,
        Actor(row.actor, Role(row.actor_role)),
        row.status,
        Actor(row.second, Role(row.second_role)) if row.second_role else None,
        row.decided_at,
        row.key,
    )
