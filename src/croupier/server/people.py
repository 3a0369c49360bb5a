"""The people of the house: who they are, in which role, who may still sign in, and who is locked out."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from croupier.errors import Malformed, NotPermitted
from croupier.server.errors import Refused, conflict, not_found
from croupier.server.names import folded, readable, require_name
from croupier.server.passwords import Passwords
from croupier.store import schema as s
from croupier.store.database import Database, Overtaken
from croupier.table.people import Role

MINUTE = 60_000
FOREVER = 2**62
"""`locked_until` of somebody whom an administrator has locked."""
ROLES = tuple(role for role in Role if role is not Role.SYSTEM)
_GUESTS = random.SystemRandom()
_TRIES = 8

Note = Callable[[str, str, Mapping[str, Any]], None]
"""Is told what happened (a kind, a name, details) after it is stored: the journal of the house (LOG-1)."""


def unnoted(kind: str, name: str, details: Mapping[str, Any]) -> None:
    """Writes nothing down."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a role. Tables know patrons by `name`."""

    name: str
    role: Role
    guest: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """What is on file about a person. `failures` are wrong passwords in a row since the last right one."""

    id: int
    person: Person
    password: str
    active: bool
    created_at: int
    created_by: str
    failures: int
    locked_until: int


class People:
    """People in a database. Everything here waits for the database: call it from a thread, not from the event loop."""

    def __init__(
        self,
        database: Database,
        *,
        now: Callable[[], int],
        note: Note = unnoted,
        passwords: Passwords | None = None,
        lock_after: int = 5,
        lock_for: int = 15 * MINUTE,
    ) -> None:
        self.database = database
        self.now = now
        self.note = note
        self.passwords = passwords or Passwords()
        self.lock_after = lock_after
        self.lock_for = lock_for

    def create(self, name: str, role: Role, *, by: str, password: str = "", guest: bool = False) -> Person:
        """A new person; `password` is a hash, or empty for one who cannot sign in yet. Refuses a name that is taken."""
        try:
            with self.database.writing() as connection:
                person = add(connection, name, role, at=self.now(), by=by, password=password, guest=guest)
        except Overtaken:
            raise taken(name) from None
        self.note("person_created", person.name, {"role": str(role), "guest": guest, "by": by})
        return person

    def welcome_guest(self) -> Person:
        """A new patron without a password, `Guest 1234`, who lasts as long as his session. No name is used twice."""
        for attempt in range(_TRIES):
            low = 10 ** (3 + attempt // 2)  # four digits, and more when these run out
            name = f"Guest {_GUESTS.randrange(low, 10 * low)}"
            with self.database.reading() as connection:
                used = connection.execute(sa.select(s.people.c.id).where(s.people.c.folded == folded(name))).first()
            if used is None:
                try:
                    return self.create(name, Role.PATRON, by="", guest=True)
                except Refused as error:
                    if error.status != 409:
                        raise
        raise conflict("no number is free for another guest: try again")

    def find(self, name: str) -> Entry | None:
        """Who has a name, written in any case; nobody for a text that cannot be a name."""
        if not readable(name):
            return None
        with self.database.reading() as connection:
            row = connection.execute(_entries().where(s.people.c.folded == folded(name))).one_or_none()
        return None if row is None else _entry(row)

    def get(self, name: str) -> Entry:
        """The same, and `Refused` (404) where there is nobody."""
        found = self.find(name)
        if found is None:
            raise not_found("there is nobody of this name")
        return found

    def everyone(self, *, guests: bool = False, after: str = "", limit: int = 1000) -> list[Entry]:
        """A page of people in the order of their folded names, beginning behind the name `after`."""
        query = _entries().order_by(s.people.c.folded).limit(limit)
        if not guests:
            query = query.where(s.people.c.guest.is_(False))
        if after:
            if not readable(after):
                raise Malformed("after", "not a name")
            query = query.where(s.people.c.folded > folded(after))
        with self.database.reading() as connection:
            return [_entry(row) for row in connection.execute(query)]

    def set_role(self, name: str, role: Role, *, by: str) -> Person:
        """Another role for a member of staff. Patrons stay patrons: tables and accounts know them by their names."""
        with self.database.writing() as connection:
            able = () if role is Role.ADMINISTRATOR else _hold_administrators(connection)
            found = _locked(connection, name)
            if Role.PATRON in (role, found.person.role) and role is not found.person.role:
                who = "a patron cannot become staff nor staff a patron"
                raise NotPermitted("ACC-1", f"{who}: make another name for it, because tables know patrons by theirs")
            _check_role(role)
            if role is not Role.ADMINISTRATOR:
                _keep_an_administrator(found, able)
            _update(connection, found, role=str(role))
        was = str(found.person.role)
        self.note("role_changed", found.person.name, {"role": str(role), "was": was, "by": by})
        return Person(found.person.name, role, found.person.guest)

    def deactivate(self, name: str, *, by: str) -> Person:
        """This person cannot sign in any more; nothing is deleted. Close the sessions as well."""
        return self._change(name, "person_deactivated", by, active=False)

    def reactivate(self, name: str, *, by: str) -> Person:
        """May sign in again."""
        return self._change(name, "person_reactivated", by, active=True)

    def lock(self, name: str, *, by: str) -> Person:
        """Cannot sign in until an administrator unlocks. Close the sessions as well."""
        return self._change(name, "person_locked", by, locked_until=FOREVER)

    def unlock(self, name: str, *, by: str) -> Person:
        """Ends a lock-out or an administrator's lock."""
        return self._change(name, "person_unlocked", by, locked_until=0, failures=0)

    def _change(self, name: str, kind: str, by: str, **values: Any) -> Person:
        with self.database.writing() as connection:
            leaves = values.get("active") is False or values.get("locked_until") == FOREVER
            able = _hold_administrators(connection) if leaves else ()
            found = _locked(connection, name)
            if leaves:
                _keep_an_administrator(found, able)
            _update(connection, found, **values)
        self.note(kind, found.person.name, {"by": by})
        return found.person

    def set_hash(self, entry: Entry, password: str, *, by: str, kind: str = "password_changed") -> None:
        """Stores the hash of a new password."""
        with self.database.writing() as connection:
            _update(connection, entry, password=password)
        self.note(kind, entry.person.name, {"by": by})

    def failed(self, entry: Entry) -> int:
        """Counts a wrong password, in the database and so for all processes; gives when the lock ends, or 0.

        At the last one that is allowed the name is locked and the count begins anew.
        """
        people, now = s.people.c, self.now()
        last, until = people.failures + 1 >= self.lock_after, sa.literal(now + self.lock_for, sa.BigInteger)
        change = (
            sa.update(s.people)
            .where(people.id == entry.id, people.locked_until <= now)
            .values(
                failures=sa.case((last, 0), else_=people.failures + 1),
                locked_until=sa.case((last, until), else_=0),
            )
            .returning(people.locked_until)
        )
        with self.database.writing() as connection:
            locked = connection.execute(change).scalar_one_or_none()
        return int(locked or 0)

    def succeeded(self, entry: Entry) -> bool:
        """Forgets wrong passwords after a right one; no where the name was locked or deactivated meanwhile."""
        people = s.people.c
        mine = (people.id == entry.id, people.locked_until <= self.now(), people.active.is_(True))
        if not entry.failures and not entry.locked_until:  # nothing to write, so most sign-ins are one read
            with self.database.reading() as connection:
                return connection.execute(sa.select(people.id).where(*mine)).first() is not None
        change = sa.update(s.people).where(*mine).values(failures=0, locked_until=0).returning(people.id)
        with self.database.writing() as connection:
            return connection.execute(change).first() is not None


def add(
    connection: sa.Connection, name: str, role: Role, *, at: int, by: str, password: str = "", guest: bool = False
) -> Person:
    """A new row; the database refuses a name that is taken with `Overtaken`."""
    name = require_name(name, guest=guest)
    _check_role(role)
    row = {"name": name, "folded": folded(name), "role": str(role), "password": password, "guest": guest}
    row |= {"active": True, "created_at": at, "created_by": by, "failures": 0, "locked_until": 0}
    connection.execute(sa.insert(s.people).values(row))
    return Person(name, role, guest)


def taken(name: str) -> Refused:
    """The name belongs to somebody."""
    return conflict(f"the name {name!r}, or one that looks like it, is taken")


def _check_role(role: Role) -> None:
    if role not in ROLES:
        raise Malformed("role", f"{role.called} is nobody who signs in")


def _entries() -> sa.Select[Any]:
    return sa.select(s.people)


def _entry(row: Any) -> Entry:
    person = Person(row.name, Role(row.role), row.guest)
    return Entry(
        row.id,
        person,
        row.password,
        row.active,
        row.created_at,
        row.created_by,
        row.failures,
        row.locked_until,
    )


def _locked(connection: sa.Connection, name: str) -> Entry:
    """The entry, with its row held until the transaction ends."""
    row = None
    if readable(name):
        query = _entries().where(s.people.c.folded == folded(name)).with_for_update()
        row = connection.execute(query).one_or_none()
    if row is None:
        raise not_found("there is nobody of this name")
    return _entry(row)


def _update(connection: sa.Connection, entry: Entry, **values: Any) -> None:
    connection.execute(sa.update(s.people).where(s.people.c.id == entry.id).values(**values))


def _hold_administrators(connection: sa.Connection) -> Sequence[int]:
    """Their rows, held in one order before any other, so that two who remove each other do it one after the other."""
    return connection.execute(administrators().order_by(s.people.c.id).with_for_update()).scalars().all()


def _keep_an_administrator(leaving: Entry, able: Sequence[int]) -> None:
    if leaving.id in able and len(able) == 1:
        raise NotPermitted("ACC-1", f"{leaving.person.name} is the last administrator who can sign in")


def administrators() -> sa.Select[Any]:
    """Those who can sign in, now or when a lock-out ends."""
    people = s.people.c
    able = (people.active.is_(True), people.password != "", people.locked_until < FOREVER)
    return sa.select(people.id).where(people.role == str(Role.ADMINISTRATOR), *able)
