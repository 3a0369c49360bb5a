"""Signing in, joining and changing passwords. Hashing happens in threads of its own, the database in others."""

from __future__ import annotations

from anyio.to_thread import run_sync

from croupier.server import invitations
from croupier.server.errors import Refused, forbidden, not_signed_in
from croupier.server.names import readable, require_name
from croupier.server.passwords import prepared, require_password
from croupier.server.people import Entry, People, Person
from croupier.table.people import Role


async def sign_in(people: People, name: str, password: str, *, address: str = "") -> Person:
    """Who this is. A wrong name, a wrong password and a locked name are refused (401) with the same sentence.

    Each is checked against one hash, so the time tells no more than the sentence.
    """
    entry = await run_sync(people.find, name)
    usable = entry is not None and entry.active and entry.locked_until <= people.now()
    stored = entry.password if entry is not None and usable else ""
    fits = await people.passwords.fits(stored, password)
    if entry is not None and fits and await run_sync(people.succeeded, entry):
        if people.passwords.outdated(stored):
            fresh = await people.passwords.hash(prepared(password))
            await run_sync(lambda: people.set_hash(entry, fresh, by="", kind="password_rehashed"))
        return entry.person
    await run_sync(_note_failure, people, entry, usable and not fits, address)
    raise wrong(people)


def wrong(people: People) -> Refused:
    """The one sentence for whatever keeps somebody from signing in."""
    rule = (
        f"after {people.lock_after} wrong passwords in a row a name is locked for {people.lock_for // 60_000} minutes"
    )
    return not_signed_in(f"this name and password do not go together, or the name is locked: {rule}")


def _note_failure(people: People, entry: Entry | None, counts: bool, address: str) -> None:
    if entry is None:  # the name is not kept: people type passwords there by mistake
        people.note("sign_in_failed", "", {"known": False, "address": address})
        return
    name = entry.person.name
    locked = people.failed(entry) if counts else 0
    people.note("sign_in_failed", name, {"known": True, "address": address})
    if locked:
        people.note("locked_out", name, {"until": locked, "address": address})


async def join(people: People, token: str, name: str, password: str) -> Person:
    """Follows a one-time link: sets the password, and the name where the link has none."""
    invitation = await run_sync(invitations.opened, people, token)
    if invitation.name:
        if name and (not readable(name) or name != invitation.name):
            raise forbidden(f"this link is for {invitation.name}")
        name = invitation.name
    else:
        name = require_name(name)
    stored = await people.passwords.hash(require_password(password, name))
    return await run_sync(invitations.redeem, people, token, name, stored)


async def register(people: People, name: str, password: str) -> Person:
    """A patron who makes an account for himself."""
    name = require_name(name)
    stored = await people.passwords.hash(require_password(password, name))
    return await run_sync(lambda: people.create(name, Role.PATRON, by=name, password=stored))


async def create(people: People, name: str, role: Role, password: str, *, by: str) -> Person:
    """Somebody with a first password that is told to him; a link (`invitations.invite`) is better."""
    name = require_name(name)
    stored = await people.passwords.hash(require_password(password, name))
    return await run_sync(lambda: people.create(name, role, by=by, password=stored))


async def change_password(people: People, person: Person, old: str, new: str, *, address: str = "") -> None:
    """One's own password, with the old one. Wrong old ones count like wrong sign-ins."""
    if person.guest:
        raise forbidden("guests have no password")
    chosen = require_password(new, person.name)
    await sign_in(people, person.name, old, address=address)
    stored = await people.passwords.hash(chosen)
    entry = await run_sync(people.get, person.name)
    await run_sync(lambda: people.set_hash(entry, stored, by=person.name))
