"""Wrong passwords by name and source, and the devices on which people have signed in before."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from croupier.storage.sql import schema as s

_failures, _devices = s.sign_in_failures.c, s.devices.c


def blocked_until(connection: sa.Connection, person_id: int, source: str) -> int:
    """Until when a source may not sign in under a name; 0 if it may."""
    query = sa.select(_failures.blocked_until).where(_failures.person_id == person_id, _failures.source == source)
    return int(connection.execute(query).scalar() or 0)


def count_failure(
    connection: sa.Connection, person_id: int, source: str, *, now: int, block_after: int, until: int
) -> int:
    """Counts a wrong password, atomically across processes; returns until when the source is blocked, or 0.

    The last allowed failure blocks the source and resets the count. A failure while it is blocked changes nothing.
    """
    _insert_if_missing(
        connection, s.sign_in_failures, person_id=person_id, source=source, failures=0, at=now, blocked_until=0
    )
    is_last, limit = _failures.failures + 1 >= block_after, sa.literal(until, sa.BigInteger)
    conditions = (_failures.person_id == person_id, _failures.source == source, _failures.blocked_until <= now)
    values = {
        "failures": sa.case((is_last, 0), else_=_failures.failures + 1),
        "at": now,
        "blocked_until": sa.case((is_last, limit), else_=0),
    }
    change = sa.update(s.sign_in_failures).where(*conditions).values(**values).returning(_failures.blocked_until)
    return int(connection.execute(change).scalar_one_or_none() or 0)


def _insert_if_missing(connection: sa.Connection, table: sa.Table, **values: Any) -> None:
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    connection.execute(insert(table).values(**values).on_conflict_do_nothing())


def clear(connection: sa.Connection, person_id: int, source: str | None = None) -> None:
    """Forgets the wrong passwords of one source, or of all."""
    query = sa.delete(s.sign_in_failures).where(_failures.person_id == person_id)
    connection.execute(query if source is None else query.where(_failures.source == source))


def purge(connection: sa.Connection, *, before: int, devices_before: int) -> None:
    """Forgets old failures that no longer block anybody, and devices that were not used for long."""
    connection.execute(sa.delete(s.sign_in_failures).where(_failures.at < before, _failures.blocked_until < before))
    connection.execute(sa.delete(s.devices).where(_devices.seen_at < devices_before))


def is_known_device(connection: sa.Connection, person_id: int, token: str) -> bool:
    """Whether a person has signed in on a device before."""
    query = sa.select(_devices.token).where(_devices.person_id == person_id, _devices.token == token)
    return connection.execute(query).first() is not None


def remember_device(connection: sa.Connection, person_id: int, token: str, now: int) -> None:
    """Stores that a person has signed in on a device."""
    _insert_if_missing(connection, s.devices, person_id=person_id, token=token, seen_at=now)
    same_device = (_devices.person_id == person_id) & (_devices.token == token)
    connection.execute(sa.update(s.devices).where(same_device).values(seen_at=now))


def forget_devices(connection: sa.Connection, person_id: int) -> None:
    """Forgets the devices of a person, whose password was reset."""
    connection.execute(sa.delete(s.devices).where(_devices.person_id == person_id))
