"""Signing in, joining and changing passwords. Hashing happens in threads of its own, the database in others."""

from __future__ import annotations

from anyio.to_thread import run_sync

from croupier.server.accounts import invitations
from croupier.server.accounts.names import is_valid_name, require_name
from croupier.server.accounts.passwords import normalize_password, require_password
from croupier.server.accounts.users import AccountDetails, Person, Users
from croupier.server.errors import HttpError, forbidden, not_signed_in
from croupier.table.model.roles import Role


async def sign_in(users: Users, name: str, password: str, *, address: str = "") -> Person:
    """Who this is. A wrong name, a wrong password and a locked name are refused (401) with the same sentence.

    Each is checked against one hash, so the time tells no more than the sentence.
    """
    entry = await run_sync(users.find, name)
    usable = entry is not None and entry.active and entry.locked_until <= users.now()
    stored = entry.password if entry is not None and usable else ""
    verify = await users.passwords.verify(stored, password)
    if entry is not None and verify and await run_sync(users.record_success, entry):
        if users.passwords.needs_rehash(stored):
            fresh = await users.passwords.hash(normalize_password(password))
            await run_sync(lambda: users.set_hash(entry, fresh, by="", kind="password_rehashed"))
        return entry.person
    await run_sync(_note_failure, users, entry, usable and not verify, address)
    raise sign_in_refusal(users)


def sign_in_refusal(users: Users) -> HttpError:
    """The one sentence for whatever keeps somebody from signing in."""
    rule = f"{users.lock_after} wrong passwords in a row lock a name for {users.lock_milliseconds // 60_000} minutes"
    return not_signed_in(f"wrong name or password, or the name is locked: {rule}")


def _note_failure(users: Users, entry: AccountDetails | None, counts: bool, address: str) -> None:
    if entry is None:  # the name is not kept: people type passwords there by mistake
        users.note("sign_in_failed", "", {"known": False, "address": address})
        return
    name = entry.person.name
    locked = users.record_failure(entry) if counts else 0
    users.note("sign_in_failed", name, {"known": True, "address": address})
    if locked:
        users.note("locked_out", name, {"until": locked, "address": address})


async def join(users: Users, token: str, name: str, password: str) -> Person:
    """Follows a one-time link: sets the password, and the name where the link has none."""
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
    """A patron who makes an account for himself."""
    name = require_name(name)
    stored = await users.passwords.hash(require_password(password, name))
    return await run_sync(lambda: users.create(name, Role.PATRON, by=name, password=stored))


async def create(users: Users, name: str, role: Role, password: str, *, by: str) -> Person:
    """A person with a first password that is given to them; a link (`invitations.invite`) is better."""
    name = require_name(name)
    stored = await users.passwords.hash(require_password(password, name))
    return await run_sync(lambda: users.create(name, role, by=by, password=stored))


async def change_password(users: Users, person: Person, old: str, new: str, *, address: str = "") -> None:
    """One's own password, with the old one. Wrong old ones count like wrong sign-ins."""
    if person.guest:
        raise forbidden("guests have no password")
    chosen = require_password(new, person.name)
    await sign_in(users, person.name, old, address=address)
    stored = await users.passwords.hash(chosen)
    entry = await run_sync(users.get, person.name)
    await run_sync(lambda: users.set_hash(entry, stored, by=person.name))
