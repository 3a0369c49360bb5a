"""User accounts of patrons and staff: rows of `people`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
    approved_by: str
    must_change: bool
    second_factor: str
    new_second_factor: str
    second_factor_step: int


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
    skeleton: str = "",
    approved_by: str = "",
    must_change: bool = False,
) -> None:
    """Inserts an account; `WriteConflict` when the transaction writes means that the name, or its look, is taken."""
    row = {
        "name": name,
        "folded": folded,
        "skeleton": skeleton,
        "role": str(role),
        "password": password,
        "guest": guest,
    }
    row |= {"approved_by": approved_by, "must_change": must_change}
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


def count_failure(connection: sa.Connection, account_id: int) -> None:
    """Counts a wrong password since the last correct one, from wherever it came."""
    connection.execute(sa.update(s.people).where(_people.id == account_id).values(failures=_people.failures + 1))


def can_sign_in(connection: sa.Connection, account_id: int, now: int) -> bool:
    """Whether an account is active and not locked."""
    return connection.execute(sa.select(_people.id).where(*_sign_in_conditions(account_id, now))).first() is not None


def without_skeleton(connection: sa.Connection) -> list[UserAccount]:
    """Accounts of an earlier version, for which nobody has compared the look of their names."""
    query = sa.select(s.people).where(_people.skeleton == "", _people.guest.is_(False)).order_by(_people.id)
    return [_account(row) for row in connection.execute(query)]


def looks_like(connection: sa.Connection, skeleton: str) -> bool:
    """Whether the name of an account looks like this."""
    return connection.execute(sa.select(_people.id).where(_people.skeleton == skeleton)).first() is not None


def set_invited_password(
    connection: sa.Connection, name: str, role: Role, password: str, *, approved_by: str
) -> int | None:
    """Sets the password of an active account that still has the role it was invited in; its id, if there is one."""
    conditions = (_people.name == name, _people.role == str(role), _people.active.is_(True))
    values = {"password": password, "failures": 0, "must_change": False, "approved_by": approved_by}
    return connection.execute(
        sa.update(s.people).where(*conditions).values(**values).returning(_people.id)
    ).scalar_one_or_none()


def use_step(connection: sa.Connection, account_id: int, step: int) -> bool:
    """Uses up the one-time code of a time step; false if it, or a later one, was used before."""
    change = sa.update(s.people).where(_people.id == account_id, _people.second_factor_step < step)
    return bool(connection.execute(change.values(second_factor_step=step)).rowcount)


def count_who_can_sign_in(connection: sa.Connection, role: Role, *, locked_forever: int) -> int:
    """How many people in a role can sign in."""
    conditions = (_people.active.is_(True), _people.password != "", _people.locked_until < locked_forever)
    query = sa.select(sa.func.count()).select_from(s.people).where(_people.role == str(role), *conditions)
    return int(connection.execute(query).scalar_one())


def count_founders(connection: sa.Connection, roles: Collection[Role], *, approved: bool) -> int:
    """How many have joined who founded the house: administrators, and people in these roles whom nobody invited.

    With `approved`, only those behind whom a second person or the machine stands. They count for good, whatever
    becomes of them.
    """
    was_not_invited = (_people.created_by == "") & _people.role.in_(sorted(map(str, roles)))
    conditions = [_people.password != "", (_people.role == str(Role.ADMINISTRATOR)) | was_not_invited]
    if approved:
        conditions.append(_people.approved_by != "")
    return int(connection.execute(sa.select(sa.func.count()).select_from(s.people).where(*conditions)).scalar_one())


def unapproved_staff(connection: sa.Connection) -> list[str]:
    """The names of staff behind whom no second person stands."""
    query = sa.select(_people.name).where(_people.role != str(Role.PATRON), _people.approved_by == "")
    return list(connection.execute(query).scalars())


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
        row.approved_by,
        row.must_change,
        row.second_factor,
        row.new_second_factor,
        row.second_factor_step,
    )
