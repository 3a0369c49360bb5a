"""User accounts of patrons and staff: rows of `people`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from croupier.storage.sql import schema as s
from croupier.table.model.roles import Role

_people = s.people.c


@dataclass(frozen=True, slots=True)
class UserAccount:
    """One row. `folded` names are unique; `failures` counts wrong passwords since the last correct one."""

    id: int
    name: str
    role: Role
    guest: bool
    password: str
    active: bool
    created_at: int
    created_by: str
    failures: int
    locked_until: int


def insert(
    connection: sa.Connection,
    *,
    name: str,
    folded: str,
    role: Role,
    password: str,
    guest: bool,
    created_at: int,
    created_by: str,
) -> None:
    """Inserts an account; a name that is taken raises `WriteConflict` when the transaction writes."""
    row = {"name": name, "folded": folded, "role": str(role), "password": password, "guest": guest}
    row |= {"created_at": created_at, "created_by": created_by, "active": True, "failures": 0, "locked_until": 0}
    connection.execute(sa.insert(s.people).values(row))


def exists(connection: sa.Connection, folded: str) -> bool:
    """Whether a name is taken."""
    return connection.execute(sa.select(_people.id).where(_people.folded == folded)).first() is not None


def find(connection: sa.Connection, folded: str, *, lock: bool = False) -> UserAccount | None:
    """The account of a name; with `lock` its row is locked until the transaction ends."""
    query = sa.select(s.people).where(_people.folded == folded)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    return None if row is None else _account(row)


def page(connection: sa.Connection, *, guests: bool, after: str, limit: int) -> list[UserAccount]:
    """Accounts in the order of their folded names, beginning after one of them."""
    query = sa.select(s.people).order_by(_people.folded).limit(limit)
    if not guests:
        query = query.where(_people.guest.is_(False))
    if after:
        query = query.where(_people.folded > after)
    return [_account(row) for row in connection.execute(query)]


def update(connection: sa.Connection, account_id: int, **values: Any) -> None:
    """Changes columns of an account."""
    connection.execute(sa.update(s.people).where(_people.id == account_id).values(**values))


def administrators(connection: sa.Connection, *, locked_forever: int, lock: bool = False) -> Sequence[int]:
    """Numbers of the administrators who can sign in, now or when a lockout ends.

    With `lock` their rows are locked in a fixed order, so that two administrators cannot remove each
    other concurrently.
    """
    can_sign_in = (_people.active.is_(True), _people.password != "", _people.locked_until < locked_forever)
    query = sa.select(_people.id).where(_people.role == str(Role.ADMINISTRATOR), *can_sign_in)
    if lock:
        query = query.order_by(_people.id).with_for_update()
    return connection.execute(query).scalars().all()


def count_failure(connection: sa.Connection, account_id: int, *, now: int, lock_after: int, locked_until: int) -> int:
    """Counts a wrong password, atomically across processes; returns when the lockout ends, or 0 if there is none.

    The last allowed failure locks the account and resets the count.
    """
    is_last, until = _people.failures + 1 >= lock_after, sa.literal(locked_until, sa.BigInteger)
    change = (
        sa.update(s.people)
        .where(_people.id == account_id, _people.locked_until <= now)
        .values(
            failures=sa.case((is_last, 0), else_=_people.failures + 1),
            locked_until=sa.case((is_last, until), else_=0),
        )
        .returning(_people.locked_until)
    )
    return int(connection.execute(change).scalar_one_or_none() or 0)


def can_sign_in(connection: sa.Connection, account_id: int, now: int) -> bool:
    """Whether an account is active and not locked."""
    return connection.execute(sa.select(_people.id).where(*_sign_in_conditions(account_id, now))).first() is not None


def clear_failures(connection: sa.Connection, account_id: int, now: int) -> bool:
    """Resets the count of wrong passwords; false if the account was locked or deactivated meanwhile."""
    change = sa.update(s.people).where(*_sign_in_conditions(account_id, now)).values(failures=0, locked_until=0)
    return connection.execute(change.returning(_people.id)).first() is not None


def set_invited_password(connection: sa.Connection, name: str, role: Role, password: str) -> bool:
    """Sets the password of an active account that still has the role it was invited in; false if there is none."""
    conditions = (_people.name == name, _people.role == str(role), _people.active.is_(True))
    change = sa.update(s.people).where(*conditions).values(password=password, failures=0).returning(_people.id)
    return connection.execute(change).first() is not None


def _sign_in_conditions(account_id: int, now: int) -> tuple[sa.ColumnElement[bool], ...]:
    return (_people.id == account_id, _people.locked_until <= now, _people.active.is_(True))


def _account(row: sa.Row[Any]) -> UserAccount:
    return UserAccount(
        row.id,
        row.name,
        Role(row.role),
        row.guest,
        row.password,
        row.active,
        row.created_at,
        row.created_by,
        row.failures,
        row.locked_until,
    )
