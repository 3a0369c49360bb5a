"""Sessions of users who are signed in. The database has the SHA-256 of each token, never the token itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from croupier.storage.sql import schema as s
from croupier.storage.sql.database import is_among
from croupier.table.model.roles import Role

_sessions, _people = s.sessions.c, s.people.c


@dataclass(frozen=True, slots=True)
class StoredSession:
    """One session with its user; `token` is the digest of the token."""

    token: str
    name: str
    role: Role
    guest: bool
    csrf: str
    created_at: int
    seen_at: int
    expires_at: int
    must_change: bool
    has_second_factor: bool


def insert(connection: sa.Connection, *, token: str, csrf: str, name: str, now: int, expires_at: int) -> None:
    """Stores a session of an active user; does nothing for any other."""
    columns = ["token", "csrf", "created_at", "seen_at", "expires_at", "person_id"]
    texts = (sa.literal(text) for text in (token, csrf))
    times = (sa.literal(time, sa.BigInteger) for time in (now, now, expires_at))
    user = sa.select(*texts, *times, _people.id).where(_people.name == name, _people.active.is_(True))
    connection.execute(sa.insert(s.sessions).from_select(columns, user))


def find(connection: sa.Connection, tokens: Sequence[str]) -> list[StoredSession]:
    """The sessions of active users among several tokens, in one query."""
    query = sa.select(
        _sessions.token,
        _people.name,
        _people.role,
        _people.guest,
        _sessions.csrf,
        _sessions.created_at,
        _sessions.seen_at,
        _sessions.expires_at,
        _people.must_change,
        _people.second_factor != "",
    ).join(s.people)
    query = query.where(is_among(connection, _sessions.token, tokens), _people.active.is_(True))
    return [
        StoredSession(token, name, Role(role), guest, csrf, created_at, seen_at, expires_at, must_change, bool(factor))
        for (
            token, name, role, guest, csrf, created_at, seen_at, expires_at, must_change, factor
        ) in connection.execute(query)
    ]  # fmt: skip


def times(connection: sa.Connection, token: str) -> tuple[int, int] | None:
    """When a session of an active user was last used and when it expires."""
    query = sa.select(_sessions.seen_at, _sessions.expires_at).join(s.people)
    row = connection.execute(query.where(_sessions.token == token, _people.active.is_(True))).one_or_none()
    return None if row is None else (row.seen_at, row.expires_at)


def find_active_tokens(connection: sa.Connection, tokens: Sequence[str]) -> set[str]:
    """Which of several tokens still belong to sessions of active users."""
    query = sa.select(_sessions.token).join(s.people).where(_people.active.is_(True))
    return set(connection.execute(query.where(is_among(connection, _sessions.token, tokens))).scalars())


def touch(connection: sa.Connection, token: str, now: int) -> None:
    """Records that a session was used."""
    change = sa.update(s.sessions).where(_sessions.token == token, _sessions.seen_at < now)
    connection.execute(change.values(seen_at=now))


def delete(connection: sa.Connection, token: str) -> bool:
    """Ends a session; false if it has ended already."""
    return bool(connection.execute(sa.delete(s.sessions).where(_sessions.token == token)).rowcount)


def delete_of_user(connection: sa.Connection, name: str, *, except_token: str = "") -> int:
    """Ends every session of a user, except that of `except_token` if given; returns their number."""
    user = sa.select(_people.id).where(_people.name == name).scalar_subquery()
    query = sa.delete(s.sessions).where(_sessions.person_id == user)
    if except_token:
        query = query.where(_sessions.token != except_token)
    return connection.execute(query).rowcount


@dataclass(frozen=True, slots=True)
class ExpiredSession:
    """The user of a session that was over, and when it was last used."""

    name: str
    role: Role
    seen_at: int
    expires_at: int


def delete_expired(
    connection: sa.Connection, *, now: int, patrons_idle_since: int, staff_idle_since: int, tokens: Sequence[str] = ()
) -> list[ExpiredSession]:
    """Ends sessions, or those among some tokens, that have expired or were idle for too long; each is returned once."""
    patrons, staff = (sa.literal(time, sa.BigInteger) for time in (patrons_idle_since, staff_idle_since))
    idle_since = sa.case((_people.role == str(Role.PATRON), patrons), else_=staff)
    is_over = sa.or_(_sessions.expires_at <= now, _sessions.seen_at <= idle_since)
    over = sa.select(_sessions.token).join(s.people).where(is_over)
    if tokens:
        over = over.where(is_among(connection, _sessions.token, tokens))
    ended = sa.delete(s.sessions).where(_sessions.token.in_(over))
    rows = connection.execute(ended.returning(_sessions.person_id, _sessions.seen_at, _sessions.expires_at)).all()
    people = sa.select(_people.id, _people.name, _people.role).where(_people.id.in_({row.person_id for row in rows}))
    users = {user: (name, Role(role)) for user, name, role in connection.execute(people)} if rows else {}
    return [ExpiredSession(*users[row.person_id], row.seen_at, row.expires_at) for row in rows]


def count_guests(connection: sa.Connection, now: int) -> int:
    """The number of guests who are signed in."""
    query = sa.select(sa.func.count(sa.distinct(_sessions.person_id))).join(s.people)
    query = query.where(_people.guest.is_(True), _sessions.expires_at > now)
    return int(connection.execute(query).scalar_one())
