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
"""`locked_until` of a person locked by an administrator."""
SIGN_IN_ROLES = tuple(role for role in Role if role is not Role.SYSTEM)
_RANDOM = random.SystemRandom()
_MAX_GUEST_NAME_ATTEMPTS = 8

UserNote = Callable[[str, str, Mapping[str, Any]], None]
"""Receives the kind, name and details of a change after it is stored, for the house journal (LOG-1)."""


def ignore_note(kind: str, name: str, details: Mapping[str, Any]) -> None:
    """Discards the note."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person and their role. Tables identify patrons by `name`."""

    name: str
    role: Role
    guest: bool = False


@dataclass(frozen=True, slots=True)
class AccountDetails:
    """The account of a person. `failures` counts wrong passwords since the last successful sign-in."""

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
        """Creates a person; `password` is a hash, or empty if they cannot sign in yet. Refuses a name in use."""
        try:
            with self.database.write_transaction() as connection:
                person = insert_person(connection, name, role, at=self.now(), by=by, password=password, guest=guest)
        except WriteConflict:
            raise name_conflict(name) from None
        self.note("person_created", person.name, {"role": str(role), "guest": guest, "by": by})
        return person

    def create_guest(self) -> Person:
        """Creates a patron such as `Guest 1234`, without a password, for one session. Names are never reused."""
        for attempt in range(_MAX_GUEST_NAME_ATTEMPTS):
            low = 10 ** (3 + attempt // 2)  # four digits, then more if those run out
            name = f"Guest {_RANDOM.randrange(low, 10 * low)}"
            with self.database.read_transaction() as connection:
                is_taken = accounts.exists(connection, fold_name(name))
            if not is_taken:
                try:
                    return self.create(name, Role.PATRON, by="", guest=True)
                except HttpError as error:
                    if error.status != 409:
                        raise
        raise conflict("no guest name is available: try again")

    def find(self, name: str) -> AccountDetails | None:
        """The account with a name, in any case; `None` if there is none."""
        if not is_valid_name(name):
            return None
        with self.database.read_transaction() as connection:
            account = accounts.find(connection, fold_name(name))
        return None if account is None else _account_details(account)

    def get(self, name: str) -> AccountDetails:
        """The account with a name; raises `NotFound` if there is none."""
        account = self.find(name)
        if account is None:
            raise NotFound("name", "nobody has this name")
        return account

    def list_accounts(self, *, guests: bool = False, after: str = "", limit: int = 1000) -> list[AccountDetails]:
        """A page of accounts in order of their folded names, starting after the name `after`."""
        if after and not is_valid_name(after):
            raise InputError("after", "not a name")
        folded = fold_name(after) if after else ""
        with self.database.read_transaction() as connection:
            page = accounts.page(connection, guests=guests, after=folded, limit=limit)
        return [_account_details(account) for account in page]

    def set_role(self, name: str, role: Role, *, by: str) -> Person:
        """Changes the role of a staff member. Patrons stay patrons: tables and the ledger know them by name."""
        with self.database.write_transaction() as connection:
            administrators = () if role is Role.ADMINISTRATOR else _lock_administrators(connection)
            account = _find_for_update(connection, name)
            if Role.PATRON in (role, account.person.role) and role is not account.person.role:
                raise RuleViolation("ACC-1", "a patron cannot become staff, nor staff a patron: create another account")
            _check_role(role)
            if role is not Role.ADMINISTRATOR:
                _require_another_administrator(account, administrators)
            accounts.update(connection, account.id, role=str(role))
        person = account.person
        self.note("role_changed", person.name, {"role": str(role), "was": str(person.role), "by": by})
        return Person(person.name, role, person.guest)

    def deactivate(self, name: str, *, by: str) -> Person:
        """Bars a person from signing in; nothing is deleted. Close their sessions as well."""
        return self._change(name, "person_deactivated", by, active=False)

    def reactivate(self, name: str, *, by: str) -> Person:
        """Lets a deactivated person sign in again."""
        return self._change(name, "person_reactivated", by, active=True)

    def lock(self, name: str, *, by: str) -> Person:
        """Bars a person from signing in until an administrator unlocks them. Close their sessions as well."""
        return self._change(name, "person_locked", by, locked_until=LOCKED_INDEFINITELY)

    def unlock(self, name: str, *, by: str) -> Person:
        """Ends a lockout or an administrator's lock."""
        return self._change(name, "person_unlocked", by, locked_until=0, failures=0)

    def _change(self, name: str, kind: str, by: str, **values: Any) -> Person:
        with self.database.write_transaction() as connection:
            bars_sign_in = values.get("active") is False or values.get("locked_until") == LOCKED_INDEFINITELY
            administrators = _lock_administrators(connection) if bars_sign_in else ()
            account = _find_for_update(connection, name)
            if bars_sign_in:
                _require_another_administrator(account, administrators)
            accounts.update(connection, account.id, **values)
        self.note(kind, account.person.name, {"by": by})
        return account.person

    def set_hash(self, account: AccountDetails, password: str, *, by: str, kind: str = "password_changed") -> None:
        """Stores the hash of a new password."""
        with self.database.write_transaction() as connection:
            accounts.update(connection, account.id, password=password)
        self.note(kind, account.person.name, {"by": by})

    def record_failure(self, account: AccountDetails) -> int:
        """Counts a wrong password in the database, for all processes; returns when the lock ends, or 0.

        The last allowed failure locks the name and resets the count.
        """
        now = self.now()
        until = now + self.lock_milliseconds
        with self.database.write_transaction() as connection:
            return accounts.count_failure(
                connection, account.id, now=now, lock_after=self.lock_after, locked_until=until
            )

    def record_success(self, account: AccountDetails) -> bool:
        """Clears the failure count; returns false if the name has been locked or deactivated in the meantime."""
        if not account.failures and not account.locked_until:  # nothing to write: most sign-ins only read
            with self.database.read_transaction() as connection:
                return accounts.can_sign_in(connection, account.id, self.now())
        with self.database.write_transaction() as connection:
            return accounts.clear_failures(connection, account.id, self.now())


def insert_person(
    connection: Connection, name: str, role: Role, *, at: int, by: str, password: str = "", guest: bool = False
) -> Person:
    """Inserts a person; raises `WriteConflict` if the name is in use."""
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


def name_conflict(name: str) -> HttpError:
    """The refusal of a name in use."""
    return conflict(f"the name {name!r}, or one that looks like it, is taken")


def _check_role(role: Role) -> None:
    if role not in SIGN_IN_ROLES:
        raise InputError("role", f"nobody signs in as {role.label}")


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
    """The account with a name, its row locked until the transaction ends."""
    account = accounts.find(connection, fold_name(name), lock=True) if is_valid_name(name) else None
    if account is None:
        raise NotFound("name", "nobody has this name")
    return _account_details(account)


def _lock_administrators(connection: Connection) -> Sequence[int]:
    """The ids of administrators who can sign in.

    Their rows are locked before any other, so that two who remove each other are serialized.
    """
    return accounts.administrators(connection, locked_forever=LOCKED_INDEFINITELY, lock=True)


def _require_another_administrator(account: AccountDetails, administrators: Sequence[int]) -> None:
    if account.id in administrators and len(administrators) == 1:
        raise RuleViolation("ACC-1", f"{account.person.name} is the last administrator who can sign in")


def has_administrator(connection: Connection) -> bool:
    """Whether an administrator can sign in, now or when a lockout ends."""
    return bool(accounts.administrators(connection, locked_forever=LOCKED_INDEFINITELY))
