"""Sign-in, one-time links and password changes, for coroutines: hashing and queries run in threads."""

from __future__ import annotations

from anyio.to_thread import run_sync

from croupier.server.accounts import invitations
from croupier.server.accounts.names import is_valid_name, require_name
from croupier.server.accounts.passwords import normalize_password, require_password
from croupier.server.accounts.users import AccountDetails, Person, Users
from croupier.server.errors import HttpError, forbidden, not_signed_in
from croupier.table.model.roles import Role


async def sign_in(users: Users, name: str, password: str, *, address: str = "") -> Person:
    """The person with this name and password.

    A wrong name, a wrong password and a locked name get the same refusal (401) after one hash computation, so neither
    the text nor the response time tells them apart.
    """
    account = await run_sync(users.find, name)
    can_sign_in = account is not None and account.active and account.locked_until <= users.now()
    stored = account.password if account is not None and can_sign_in else ""
    is_correct = await users.passwords.verify(stored, password)
    if account is not None and is_correct and await run_sync(users.record_success, account):
        if users.passwords.needs_rehash(stored):
            new_hash = await users.passwords.hash(normalize_password(password))
            await run_sync(lambda: users.set_hash(account, new_hash, by="", kind="password_rehashed"))
        return account.person
    await run_sync(_note_failure, users, account, can_sign_in and not is_correct, address)
    raise sign_in_refusal(users)


def sign_in_refusal(users: Users) -> HttpError:
    """The refusal for every reason why somebody cannot sign in."""
    rule = f"{users.lock_after} wrong passwords in a row lock a name for {users.lock_milliseconds // 60_000} minutes"
    return not_signed_in(f"wrong name or password, or the name is locked: {rule}")


def _note_failure(users: Users, account: AccountDetails | None, is_wrong_password: bool, address: str) -> None:
    if account is None:  # the name is not logged: people type passwords there by mistake
        users.note("sign_in_failed", "", {"known": False, "address": address})
        return
    name = account.person.name
    locked_until = users.record_failure(account) if is_wrong_password else 0
    users.note("sign_in_failed", name, {"known": True, "address": address})
    if locked_until:
        users.note("locked_out", name, {"until": locked_until, "address": address})


async def join(users: Users, token: str, name: str, password: str) -> Person:
    """Redeems a one-time link: sets the password, and the name if the link has none."""
    invitation = await run_sync(invitations.find_invitation, users, token)
    if invitation.name:
        if name and (not is_valid_name(name) or name != invitation.name):
            raise forbidden(f"this link is for {invitation.name}")
        name = invitation.name
    else:
        name = require_name(name)
    stored = await users.passwords.hash(require_password(password, name))
    return await run_sync(invitations.redeem, users, token, name, stored)


async def register(users: Users, name: str, password: str) -> Person:
    """Creates an account for a patron who signs up."""
    name = require_name(name)
    stored = await users.passwords.hash(require_password(password, name))
    return await run_sync(lambda: users.create(name, Role.PATRON, by=name, password=stored))


async def create(users: Users, name: str, role: Role, password: str, *, by: str) -> Person:
    """Creates a person with an initial password; prefer a link (`invitations.invite`)."""
    name = require_name(name)
    stored = await users.passwords.hash(require_password(password, name))
    return await run_sync(lambda: users.create(name, role, by=by, password=stored))


async def change_password(users: Users, person: Person, old: str, new: str, *, address: str = "") -> None:
    """Changes a person's password. A wrong old password counts like a failed sign-in."""
    if person.guest:
        raise forbidden("guests have no password")
    normalized = require_password(new, person.name)
    await sign_in(users, person.name, old, address=address)
    stored = await users.passwords.hash(normalized)
    account = await run_sync(users.get, person.name)
    await run_sync(lambda: users.set_hash(account, stored, by=person.name))
