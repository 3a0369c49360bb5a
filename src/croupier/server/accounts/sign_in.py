"""Sign-in, one-time links and password changes, for coroutines: hashing and queries run in threads."""

from __future__ import annotations

from anyio.to_thread import run_sync

from croupier.core.errors import ErrorCode, InputError, RuleViolation
from croupier.server.accounts import invitations
from croupier.server.accounts.duties import CLAUSE, Act, duty_of, require_requester
from croupier.server.accounts.names import is_valid_name, require_name
from croupier.server.accounts.passwords import normalize_password, require_password
from croupier.server.accounts.users import AccountDetails, Person, Users
from croupier.server.errors import HttpError, forbidden, not_signed_in
from croupier.table.model.roles import SYSTEM, Actor, Role


async def sign_in(
    users: Users, name: str, password: str, *, address: str = "", device: str = "", code: str = ""
) -> Person:
    """The person with this name and password; `device` is the token of the browser, `code` a one-time code.

    A wrong name, a wrong password, a locked name and a source that has to wait get the same refusal (401) after one
    hash computation, so neither the text nor the response time tells them apart.
    """
    account, source = await _verify_password(users, name, password, address=address, device=device)
    await _verify_code(users, account, code, source=source, address=address)
    if not await run_sync(users.record_success, account, source):
        raise sign_in_refusal(users)
    if users.passwords.needs_rehash(account.password):
        new_hash = await users.passwords.hash(normalize_password(password))
        await run_sync(users.rehash, account, new_hash)
    return account.person


async def _verify_password(
    users: Users, name: str, password: str, *, address: str, device: str
) -> tuple[AccountDetails, str]:
    """The account with this name and password, and the source of the attempt."""
    account = await run_sync(users.find, name)
    source = await run_sync(users.source_of, account, address, device)
    is_admitted = (
        account is not None and users.may_sign_in(account) and not await run_sync(users.is_blocked, account, source)
    )
    stored = account.password if account is not None and is_admitted else ""
    is_correct = await users.passwords.verify(stored, password)
    if account is not None and is_correct:
        return account, source
    await run_sync(_note_failure, users, account, source if is_admitted else "", address)
    raise sign_in_refusal(users)


async def _verify_code(users: Users, account: AccountDetails, code: str, *, source: str, address: str) -> None:
    """Refuses (401) a person with a second factor who gives no code, a wrong one, or one that was used before.

    A wrong code counts like a wrong password.
    """
    if not account.second_factor:
        return
    if not code:
        raise not_signed_in("enter the one-time code of your authenticator", code=ErrorCode.TOTP)
    if not await run_sync(users.use_code, account, code):
        await run_sync(_note_failure, users, account, source, address)
        raise not_signed_in("this code is wrong or was used before: wait for the next one", code=ErrorCode.TOTP)


async def _verify_code_only(users: Users, account: AccountDetails, code: str, *, address: str, device: str) -> None:
    """The same where no password was given: a source that has to wait is refused, too."""
    source = await run_sync(users.source_of, account, address, device)
    is_blocked: bool = await run_sync(users.is_blocked, account, source)
    if account.second_factor and is_blocked:
        raise sign_in_refusal(users)
    await _verify_code(users, account, code, source=source, address=address)


def sign_in_refusal(users: Users) -> HttpError:
    """The refusal for every reason why somebody cannot sign in."""
    rule = f"{users.lock_after} wrong passwords in a row, this device or address waits"
    return not_signed_in(f"wrong name or password, or too many attempts: after {rule} {_minutes(users)} minutes")


def _minutes(users: Users) -> int:
    return users.lock_milliseconds // 60_000


def _note_failure(users: Users, account: AccountDetails | None, source: str, address: str) -> None:
    """Counts and notes a failure; `source` is empty if no password was compared."""
    # The system notes it: whoever failed is not known to be the person whose name they gave.
    if account is None:  # the name is not logged: people type passwords there by mistake
        users.note("sign_in_failed", "", {"known": False, "address": address}, by=SYSTEM)
        return
    name = account.person.name
    blocked_until = users.record_failure(account, source) if source else 0
    users.note("sign_in_failed", name, {"known": True, "address": address}, by=SYSTEM)
    if blocked_until:
        kind = source.partition(" ")[0]
        users.note("sign_in_blocked", name, {"until": blocked_until, "source": kind, "address": address}, by=SYSTEM)


async def join(
    users: Users,
    token: str,
    name: str,
    password: str,
    *,
    link_code: str = "",
    code: str = "",
    address: str = "",
    device: str = "",
) -> Person:
    """Redeems a one-time link: sets the password, and the name if the link has none.

    `link_code` is what the person who approved the link has; `code` is of the person's authenticator, if they have one.
    """
    invitation = await run_sync(invitations.find_invitation, users, token)
    if invitation.name:
        if name and (not is_valid_name(name) or name != invitation.name):
            raise forbidden(f"this link is for {invitation.name}")
        name = invitation.name
    else:
        name = require_name(name)
    await run_sync(invitations.require_code, users, token, invitation, link_code)
    normalized = await run_sync(require_password, password, name)
    account: AccountDetails | None = await run_sync(users.find, name)
    if account is not None and invitation.name:
        await _verify_code_only(users, account, code, address=address, device=device)
    stored = await users.passwords.hash(normalized)
    return await run_sync(invitations.redeem, users, token, name, stored)


async def register(users: Users, name: str, password: str) -> Person:
    """Creates an account for a patron who signs up."""
    name = require_name(name)
    stored = await users.passwords.hash(await run_sync(require_password, password, name))
    return await run_sync(lambda: users.create(name, Role.PATRON, by=Actor(name, Role.PATRON), password=stored))


async def create(users: Users, name: str, role: Role, password: str, *, by: Actor) -> Person:
    """Creates a person with a first password, which they must change when they sign in; prefer a link.

    Refused for staff unless there is play money only: whoever knows the password would have the account alone.
    """
    name = require_name(name)
    duty = duty_of(Act.CREATE, role, play_money=users.play_money)
    require_requester(duty, Act.CREATE, by.role, role)
    if duty.needs_second_person:
        raise RuleViolation(CLAUSE, f"nobody else sets the password of {role.label}: use an invitation")
    stored = await users.passwords.hash(await run_sync(require_password, password, name))
    return await run_sync(lambda: users.create(name, role, by=by, password=stored, must_change=True))


async def change_password(
    users: Users, person: Person, old: str, new: str, *, address: str = "", device: str = ""
) -> None:
    """Changes a person's password. A wrong old password counts like a failed sign-in."""
    if person.guest:
        raise forbidden("guests have no password")
    normalized = await run_sync(require_password, new, person.name)
    account, source = await _verify_password(users, person.name, old, address=address, device=device)
    if normalized == normalize_password(old):
        raise InputError("new", "the new password is the old one")
    if not await run_sync(users.record_success, account, source):
        raise sign_in_refusal(users)
    stored = await users.passwords.hash(normalized)
    await run_sync(lambda: users.set_hash(account, stored, by=person.actor))


async def begin_second_factor(users: Users, person: Person, code: str, *, address: str, device: str) -> bytes:
    """A new secret for a staff member; whoever has one already gives a code of it."""
    if person.role is Role.PATRON:
        raise forbidden("a second factor is for staff")
    account = await run_sync(users.get, person.name)
    await _verify_code_only(users, account, code, address=address, device=device)
    return await run_sync(users.begin_second_factor, person)
