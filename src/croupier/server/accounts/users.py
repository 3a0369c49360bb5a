"""User accounts: names and roles, who may sign in, and who is locked out."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from croupier.core.errors import InputError, NotFound, RuleViolation
from croupier.server.accounts.names import fold_name, is_valid_name, require_name
from croupier.server.accounts.passwords import Passwords
from croupier.server.errors import HttpError, conflict
from croupier.storage.repositories import accounts
from croupier.storage.repositories.accounts import UserAccount
from croupier.storage.sql.database import Connection, Database, WriteConflict
from croupier.table.model.roles import Role

MINUTE_MILLISECONDS = 60_000
LOCKED_INDEFINITELY = 2**62
"""`locked_until` of somebody whom an administrator has locked."""
SIGN_IN_ROLES = tuple(role for role in Role if role is not Role.SYSTEM)
_RANDOM = random.SystemRandom()
_MAX_GUEST_NAME_ATTEMPTS = 8

UserNote = Callable[[str, str, Mapping[str, Any]], None]
"""Takes what happened (a kind, a name, details) after it is stored, for the journal of the house (LOG-1)."""


def ignore_note(kind: str, name: str, details: Mapping[str, Any]) -> None:
    """Writes nothing down."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a role. Tables know patrons by `name`."""

    name: str
    role: Role
    guest: bool = False


@dataclass(frozen=True, slots=True)
class AccountDetails:
    """What is on file about a person. `failures` are wrong passwords in a row since the last right one."""

    id: int
    person: Person
    password: str
    active: bool
    created_at: int
    created_by: str
    failures: int
    locked_until: int


class Users:
    """User accounts in a database. Every method blocks: call it from a thread, not from the event loop."""

    def __init__(
        self,
        database: Database,
        *,
        now: Callable[[], int],
        note: UserNote = ignore_note,
        passwords: Passwords | None = None,
        lock_after: int = 5,
        lock_milliseconds: int = 15 * MINUTE_MILLISECONDS,
    ) -> None:
        self.database = database
        self.now = now
        self.note = note
        self.passwords = passwords or Passwords()
        self.lock_after = lock_after
        self.lock_milliseconds = lock_milliseconds

    def create(self, name: str, role: Role, *, by: str, password: str = "", guest: bool = False) -> Person:
        """A new person; `password` is a hash, or empty for one who cannot sign in yet. Refuses a name that is taken."""
        try:
            with self.database.write_transaction() as connection:
                person = insert_person(connection, name, role, at=self.now(), by=by, password=password, guest=guest)
        except WriteConflict:
            raise name_taken(name) from None
        self.note("person_created", person.name, {"role": str(role), "guest": guest, "by": by})
        return person

    def create_guest(self) -> Person:
        """A new patron without a password, `Guest 1234`, who lasts as long as their session. No name is used twice."""
        for attempt in range(_MAX_GUEST_NAME_ATTEMPTS):
            low = 10 ** (3 + attempt // 2)  # four digits, and more when these run out
            name = f"Guest {_RANDOM.randrange(low, 10 * low)}"
            with self.database.read_transaction() as connection:
                is_taken = accounts.exists(connection, fold_name(name))
            if not is_taken:
                try:
                    return self.create(name, Role.PATRON, by="", guest=True)
                except HttpError as error:
                    if error.status != 409:
                        raise
        raise conflict("no number is free for another guest: try again")

    def find(self, name: str) -> AccountDetails | None:
        """Who has a name, written in any case; nobody for a text that cannot be a name."""
        if not is_valid_name(name):
            return None
        with self.database.read_transaction() as connection:
            account = accounts.find(connection, fold_name(name))
        return None if account is None else _account_details(account)

    def get(self, name: str) -> AccountDetails:
        """The same; raises `NotFound` if there is nobody of this name."""
        found = self.find(name)
        if found is None:
            raise NotFound("name", "there is nobody of this name")
        return found

    def list_accounts(self, *, guests: bool = False, after: str = "", limit: int = 1000) -> list[AccountDetails]:
        """A page of people in the order of their folded names, beginning behind the name `after`."""
        if after and not is_valid_name(after):
            raise InputError("after", "not a name")
        first = fold_name(after) if after else ""
        with self.database.read_transaction() as connection:
            return [_account_details(one) for one in accounts.page(connection, guests=guests, after=first, limit=limit)]

    def set_role(self, name: str, role: Role, *, by: str) -> Person:
        """Another role for a member of staff. Patrons stay patrons: tables and accounts know them by their names."""
        with self.database.write_transaction() as connection:
            able = () if role is Role.ADMINISTRATOR else _lock_administrators(connection)
            found = _find_for_update(connection, name)
            if Role.PATRON in (role, found.person.role) and role is not found.person.role:
                who = "a patron cannot become staff nor staff a patron"
                raise RuleViolation("ACC-1", f"{who}: make another name for it, because tables know patrons by theirs")
            _check_role(role)
            if role is not Role.ADMINISTRATOR:
                _require_another_administrator(found, able)
            accounts.update(connection, found.id, role=str(role))
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
        return self._change(name, "person_locked", by, locked_until=LOCKED_INDEFINITELY)

    def unlock(self, name: str, *, by: str) -> Person:
        """Ends a lock-out or an administrator's lock."""
        return self._change(name, "person_unlocked", by, locked_until=0, failures=0)

    def _change(self, name: str, kind: str, by: str, **values: Any) -> Person:
        with self.database.write_transaction() as connection:
            leaves = values.get("active") is False or values.get("locked_until") == LOCKED_INDEFINITELY
            able = _lock_administrators(connection) if leaves else ()
            found = _find_for_update(connection, name)
            if leaves:
                _require_another_administrator(found, able)
            accounts.update(connection, found.id, **values)
        self.note(kind, found.person.name, {"by": by})
        return found.person

    def set_hash(self, entry: AccountDetails, password: str, *, by: str, kind: str = "password_changed") -> None:
        """Stores the hash of a new password."""
        with self.database.write_transaction() as connection:
            accounts.update(connection, entry.id, password=password)
        self.note(kind, entry.person.name, {"by": by})

    def record_failure(self, entry: AccountDetails) -> int:
        """Counts a wrong password, in the database and so for all processes; gives when the lock ends, or 0.

        At the last one that is allowed the name is locked and the count begins anew.
        """
        now = self.now()
        until = now + self.lock_milliseconds
        with self.database.write_transaction() as connection:
            return accounts.count_failure(connection, entry.id, now=now, lock_after=self.lock_after, locked_until=until)

    def record_success(self, entry: AccountDetails) -> bool:
        """Forgets wrong passwords after a right one; no where the name was locked or deactivated meanwhile."""
        if not entry.failures and not entry.locked_until:  # nothing to write, so most sign-ins are one read
            with self.database.read_transaction() as connection:
                return accounts.may_sign_in(connection, entry.id, self.now())
        with self.database.write_transaction() as connection:
            return accounts.clear_failures(connection, entry.id, self.now())


def insert_person(
    connection: Connection, name: str, role: Role, *, at: int, by: str, password: str = "", guest: bool = False
) -> Person:
    """A new row; the database refuses a name that is taken with `WriteConflict`."""
    name = require_name(name, guest=guest)
    _check_role(role)
    accounts.insert(
        connection,
        name=name,
        folded=fold_name(name),
        role=role,
        password=password,
        guest=guest,
        created_at=at,
        created_by=by,
    )
    return Person(name, role, guest)


def name_taken(name: str) -> HttpError:
    """The name belongs to somebody."""
    return conflict(f"the name {name!r}, or one that looks like it, is taken")


def _check_role(role: Role) -> None:
    if role not in SIGN_IN_ROLES:
        raise InputError("role", f"{role.label} is nobody who signs in")


def _account_details(account: UserAccount) -> AccountDetails:
    return AccountDetails(
        account.id,
        Person(account.name, account.role, account.guest),
        account.password,
        account.active,
        account.created_at,
        account.created_by,
        account.failures,
        account.locked_until,
    )


def _find_for_update(connection: Connection, name: str) -> AccountDetails:
    """The entry, with its row locked until the transaction ends."""
    account = accounts.find(connection, fold_name(name), lock=True) if is_valid_name(name) else None
    if account is None:
        raise NotFound("name", "there is nobody of this name")
    return _account_details(account)


def _lock_administrators(connection: Connection) -> Sequence[int]:
    """Locked before any other row, so that two who remove each other do so one after the other."""
    return accounts.administrators(connection, locked_forever=LOCKED_INDEFINITELY, lock=True)


def _require_another_administrator(leaving: AccountDetails, able: Sequence[int]) -> None:
    if leaving.id in able and len(able) == 1:
        raise RuleViolation("ACC-1", f"{leaving.person.name} is the last administrator who can sign in")


def has_administrator(connection: Connection) -> bool:
    """Whether an administrator can sign in, now or when a lockout ends."""
    return bool(accounts.administrators(connection, locked_forever=LOCKED_INDEFINITELY))
