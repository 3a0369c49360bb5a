"""User accounts: names and roles, who may sign in, and from where they have to wait after wrong passwords."""

from __future__ import annotations

import random
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol

from croupier.core.errors import InputError, NotFound, RuleViolation
from croupier.server.accounts.duties import Act
from croupier.server.accounts.names import fold_name, is_valid_name, name_skeleton, require_name
from croupier.server.accounts.passwords import Passwords
from croupier.server.accounts.second_factor import KEY_BYTES, SecretDeriver, matching_step
from croupier.server.errors import HttpError, conflict
from croupier.storage.repositories import accounts, sign_in_failures
from croupier.storage.repositories.accounts import UserAccount
from croupier.storage.sql.database import Connection, Database, WriteConflict
from croupier.table.model.roles import SYSTEM, Actor, Role

MINUTE_MILLISECONDS = 60_000
DEVICE_MILLISECONDS = 400 * 24 * 60 * MINUTE_MILLISECONDS
"""How long a device on which a person has signed in is remembered after its last use."""
TOKEN_PATTERN = re.compile(r"[A-Za-z0-9_-]{43}")
"""The format of `secrets.token_urlsafe(32)`."""
LOCKED_INDEFINITELY = 2**62
"""`locked_until` of a person locked by an administrator."""
SIGN_IN_ROLES = tuple(role for role in Role if role is not Role.SYSTEM)
_RANDOM = random.SystemRandom()
_MAX_GUEST_NAME_ATTEMPTS = 8


class UserNote(Protocol):
    """Receives an event about a person, for the house journal (LOG-1, LOG-2)."""

    def __call__(
        self,
        kind: str,
        name: str,
        details: Mapping[str, Any],
        *,
        by: Actor,
        second: Actor | None = None,
        connection: Connection | None = None,
    ) -> None:
        """`name` is the person concerned, `by` who acted and `second` who approved.

        With a connection, the note belongs to its transaction: an account does not change without it. It comes last.
        """


def ignore_note(
    kind: str,
    name: str,
    details: Mapping[str, Any],
    *,
    by: Actor,
    second: Actor | None = None,
    connection: Connection | None = None,
) -> None:
    """Discards the note."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person and their role. Tables identify patrons by `name`."""

    name: str
    role: Role
    guest: bool = False

    @property
    def actor(self) -> Actor:
        """The person as the actor of an event."""
        return Actor(self.name, self.role)


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
    approved_by: str = ""
    must_change: bool = False
    second_factor: str = ""
    new_second_factor: str = ""
    second_factor_step: int = 0


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
        play_money: bool = False,
        secret_deriver: SecretDeriver | None = None,
    ) -> None:
        """`play_money`: whether the server has play money only, so that one person may run it alone."""
        self.database = database
        self.now = now
        self.note = note
        self.passwords = passwords or Passwords()
        self.lock_after = lock_after
        self.lock_milliseconds = lock_milliseconds
        self.play_money = play_money
        self.secret_deriver = secret_deriver or SecretDeriver(lambda: secrets.token_bytes(KEY_BYTES))

    def create(
        self,
        name: str,
        role: Role,
        *,
        by: Actor,
        password: str = "",
        guest: bool = False,
        approved_by: str = "",
        must_change: bool = False,
    ) -> Person:
        """Creates a person; `password` is a hash, or empty if they cannot sign in yet. Refuses a name in use.

        This asks nobody: `account_requests` says who may do it and who must approve.
        """
        values: dict[str, Any] = {"password": password, "guest": guest}
        values |= {"approved_by": approved_by, "must_change": must_change}
        try:
            with self.database.write_transaction() as connection:
                person = insert_person(connection, name, role, at=self.now(), by=by, **values)
                details = {"role": str(role), "guest": guest}
                self.note("person_created", person.name, details, by=by, connection=connection)
        except WriteConflict:
            raise name_conflict(name) from None
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
                    return self.create(name, Role.PATRON, by=SYSTEM, guest=True)
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

    def may_sign_in(self, account: AccountDetails) -> bool:
        """Whether an account is active, not locked, and was not created by one person alone, if it is staff."""
        is_vouched_for = self.play_money or account.person.role is Role.PATRON or bool(account.approved_by)
        return account.active and account.locked_until <= self.now() and is_vouched_for

    def set_hash(self, account: AccountDetails, password: str, *, by: Actor) -> None:
        """Stores the hash of a new password."""
        with self.database.write_transaction() as connection:
            accounts.update(connection, account.id, password=password, must_change=False)
            self.note("password_changed", account.person.name, {}, by=by, connection=connection)

    def rehash(self, account: AccountDetails, password: str) -> None:
        """Stores the hash of the same password with other parameters."""
        with self.database.write_transaction() as connection:
            accounts.update(connection, account.id, password=password)
            self.note("password_rehashed", account.person.name, {}, by=SYSTEM, connection=connection)

    def unapproved_staff(self) -> list[str]:
        """Staff whom one person created alone, while the server had play money only."""
        with self.database.read_transaction() as connection:
            return accounts.unapproved_staff(connection)

    # The second factor.

    def begin_second_factor(self, person: Person) -> bytes:
        """A new secret for a person; it counts once they have confirmed it with a code."""
        nonce = self.secret_deriver.new_nonce()
        with self.database.write_transaction() as connection:
            accounts.update(connection, find_for_update(connection, person.name).id, new_second_factor=nonce)
        return self.secret_deriver.secret(nonce)

    def confirm_second_factor(self, person: Person, code: str) -> bool:
        """Puts a new secret to use; false if the code is not its own."""
        with self.database.write_transaction() as connection:
            account = find_for_update(connection, person.name)
            if not account.new_second_factor:
                raise RuleViolation("ACC-1", "ask for a new secret first")
            secret = self.secret_deriver.secret(account.new_second_factor)
            step = matching_step(secret, code, self.now(), after=0)
            if step is None:
                return False
            values = {"second_factor": account.new_second_factor, "new_second_factor": "", "second_factor_step": step}
            accounts.update(connection, account.id, **values)
            details = {"replaced": bool(account.second_factor)}
            self.note("second_factor_set", person.name, details, by=person.actor, connection=connection)
        return True

    def use_code(self, account: AccountDetails, code: str) -> bool:
        """Uses up a one-time code; false if it is wrong or was used before."""
        secret = self.secret_deriver.secret(account.second_factor)
        step = matching_step(secret, code, self.now(), after=account.second_factor_step)
        if step is None:
            return False
        with self.database.write_transaction() as connection:
            return accounts.use_step(connection, account.id, step)

    # Wrong passwords.

    def source_of(self, account: AccountDetails | None, address: str, device: str) -> str:
        """Where an attempt to sign in comes from: a device that the person has used before, or else an address.

        Attempts are counted for each source, so that nobody blocks a person by guessing somewhere else.
        """
        digest = token_digest(device)
        if account is not None and digest:
            with self.database.read_transaction() as connection:
                if sign_in_failures.is_known_device(connection, account.id, digest):
                    return f"device {digest}"
        return f"address {address}"

    def is_blocked(self, account: AccountDetails, source: str) -> bool:
        """Whether a source has to wait after wrong passwords for this name."""
        with self.database.read_transaction() as connection:
            return sign_in_failures.blocked_until(connection, account.id, source) > self.now()

    def record_failure(self, account: AccountDetails, source: str) -> int:
        """Counts a wrong password in the database, for all processes; returns until when the source waits, or 0.

        The last allowed failure blocks the source and resets the count.
        """
        now = self.now()
        until = now + self.lock_milliseconds
        with self.database.write_transaction() as connection:
            accounts.count_failure(connection, account.id)
            return sign_in_failures.count_failure(
                connection, account.id, source, now=now, block_after=self.lock_after, until=until
            )

    def record_success(self, account: AccountDetails, source: str) -> bool:
        """Forgets the failures of a source.

        Returns false if the source was blocked, or the name locked or deactivated, in the meantime.
        """
        with self.database.write_transaction() as connection:
            is_blocked = sign_in_failures.blocked_until(connection, account.id, source) > self.now()
            if is_blocked or not accounts.can_sign_in(connection, account.id, self.now()):
                return False
            if account.failures:
                accounts.update(connection, account.id, failures=0)
            sign_in_failures.clear(connection, account.id, source)
        return True

    def remember_device(self, name: str, device: str) -> None:
        """Stores that a person has signed in on a device."""
        account, digest = self.get(name), token_digest(device)
        if digest:
            with self.database.write_transaction() as connection:
                sign_in_failures.remember_device(connection, account.id, digest, self.now())

    def purge(self) -> None:
        """Forgets old failures and devices."""
        now = self.now()
        with self.database.write_transaction() as connection:
            sign_in_failures.purge(
                connection, before=now - self.lock_milliseconds, devices_before=now - DEVICE_MILLISECONDS
            )

    def add_skeletons(self) -> None:
        """Compares the look of names from an earlier version; one that looks like another keeps none."""
        with self.database.write_transaction() as connection:
            for account in accounts.without_skeleton(connection):
                skeleton = name_skeleton(account.name)
                if not accounts.looks_like(connection, skeleton):
                    accounts.update(connection, account.id, skeleton=skeleton)


def token_digest(token: str) -> str:
    """The digest under which a device is stored; empty if the text cannot be a token."""
    return sha256(token.encode()).hexdigest() if TOKEN_PATTERN.fullmatch(token) else ""


def insert_person(
    connection: Connection,
    name: str,
    role: Role,
    *,
    at: int,
    by: Actor,
    password: str = "",
    guest: bool = False,
    approved_by: str = "",
    must_change: bool = False,
) -> Person:
    """Inserts a person; raises `WriteConflict` if the name is in use."""
    name = require_name(name, guest=guest)
    _check_role(role)
    accounts.insert(
        connection,
        name=name,
        folded=fold_name(name),
        skeleton="" if guest else name_skeleton(name),
        role=role,
        password=password,
        guest=guest,
        created_at=at,
        created_by=_name_of(by),
        approved_by=approved_by,
        must_change=must_change,
    )
    return Person(name, role, guest)


def apply_act(connection: Connection, act: Act, name: str, *, was: Role, role: Role) -> None:
    """Changes the account of an existing person, who must still have the role `was`. Asks nobody."""
    administrators = _lock_administrators(connection) if act in _REMOVALS else ()
    account = find_for_update(connection, name)
    if account.person.role is not was:
        reason = f"the role of {account.person.name} has changed since this was requested"
        raise RuleViolation("ACC-1", f"{reason}: ask again")
    if act in _REMOVALS and not (act is Act.CHANGE_ROLE and role is Role.ADMINISTRATOR):
        _require_another_administrator(account, administrators)
    if act is Act.CHANGE_ROLE:
        _check_role(role)
    if act is Act.UNLOCK:
        sign_in_failures.clear(connection, account.id)
    values = {**_ACT_VALUES.get(act, {}), **({"role": str(role)} if act is Act.CHANGE_ROLE else {})}
    if values:
        accounts.update(connection, account.id, **values)


_REMOVALS = (Act.CHANGE_ROLE, Act.LOCK, Act.DEACTIVATE)
_ACT_VALUES: Mapping[Act, Mapping[str, Any]] = {
    Act.LOCK: {"locked_until": LOCKED_INDEFINITELY},
    Act.UNLOCK: {"locked_until": 0, "failures": 0},
    Act.DEACTIVATE: {"active": False},
    Act.REACTIVATE: {"active": True},
    Act.RESET_SECOND_FACTOR: {"second_factor": "", "new_second_factor": "", "second_factor_step": 0},
}


def _name_of(actor: Actor) -> str:
    """The name of a person, empty for the system."""
    return "" if actor == SYSTEM else actor.name


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
        account.approved_by,
        account.must_change,
        account.second_factor,
        account.new_second_factor,
        account.second_factor_step,
    )


def find_account(connection: Connection, name: str) -> AccountDetails:
    """The account with a name; raises `NotFound` if there is none."""
    account = accounts.find(connection, fold_name(name)) if is_valid_name(name) else None
    if account is None:
        raise NotFound("name", "nobody has this name")
    return _account_details(account)


def find_for_update(connection: Connection, name: str) -> AccountDetails:
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
