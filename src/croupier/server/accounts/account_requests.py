"""Acts on accounts: one person asks, and another approves where `duties` says so.

A link for somebody is worth nothing in one hand: whoever asked has the link, whoever approved has its code, and the
person needs both. So neither of the two can take the account for themselves.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace

from croupier.core.errors import InputError, NotFound, RuleViolation
from croupier.server.accounts.duties import CLAUSE, Act, Duty, duty_of, require_approver, require_requester
from croupier.server.accounts.invitations import LINK_VALID_MILLISECONDS, code_digest, join_path
from croupier.server.accounts.names import fold_name, name_skeleton, require_name
from croupier.server.accounts.users import (
    Users,
    apply_act,
    find_account,
    insert_person,
    name_conflict,
    token_digest,
)
from croupier.storage.repositories import account_requests as requests
from croupier.storage.repositories import accounts, invitations
from croupier.storage.repositories.account_requests import AccountRequest
from croupier.storage.repositories.invitations import Invitation
from croupier.storage.sql.database import Connection, WriteConflict, is_storable
from croupier.table.model.roles import SYSTEM, Actor, Role

_CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_CODE_LENGTH = 10
JOURNAL_KINDS = {
    Act.CREATE: "person_created",
    Act.ISSUE_LINK: "link_issued",
    Act.CHANGE_ROLE: "role_changed",
    Act.RESET_SECOND_FACTOR: "second_factor_reset",
    Act.REACTIVATE: "person_reactivated",
    Act.DEACTIVATE: "person_deactivated",
    Act.LOCK: "person_locked",
    Act.UNLOCK: "person_unlocked",
    Act.CLOSE_SESSIONS: "sessions_closed",
}
ENDS_SESSIONS = frozenset({Act.CHANGE_ROLE, Act.RESET_SECOND_FACTOR, Act.DEACTIVATE, Act.LOCK, Act.CLOSE_SESSIONS})
"""After these, the person has to sign in again, if they still can."""
OVERSIGHT_KINDS = (
    *JOURNAL_KINDS.values(),
    "account_requested",
    "account_request_refused",
    "account_request_expired",
    "machine_link_issued",
    "person_joined",
    "second_factor_set",
)
"""The journal entries that regulators look through: who appointed whom, and how they came in."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A request as it is now. `path` is the link, for whoever asked; `code` is for whoever approved. Shown once."""

    request: AccountRequest
    path: str = ""
    code: str = ""

    @property
    def is_done(self) -> bool:
        """Whether the act was carried out."""
        return self.request.status == "approved"


def ask(users: Users, act: Act, name: str, *, by: Actor, role: Role | None = None) -> Outcome:
    """Asks for an act; it is carried out at once if nobody has to approve it. `role` is the new role."""
    at, token = users.now(), secrets.token_urlsafe(32) if act.issues_link else ""
    try:
        with users.database.write_transaction() as connection:
            request = _new_request(connection, act, name, role, by, at)
            duty = _duty(users, connection, request)
            require_requester(duty, act, by.role, request.role)
            if act is Act.CREATE:
                request = replace(request, name=_require_free(connection, request.name))
            if token:
                _issue(connection, request, token, approved=not duty.needs_second_person)
            if duty.needs_second_person:
                requests.insert(connection, request)
            else:
                _carry_out(connection, request, second=None)
                request = replace(request, status="approved", decided_at=at)
    except WriteConflict:
        raise name_conflict(name) from None
    if duty.needs_second_person:
        details = {"act": act.value, "role": request.role.value, "request": request.id}
        users.note("account_requested", request.name, details, by=by)
    else:
        _note_done(users, request)
    return Outcome(request, path=join_path(token) if token else "")


def approve(users: Users, identifier: str, *, by: Actor) -> Outcome:
    """Approves a request of somebody else and carries it out; returns the code of its link, if it has one."""
    code = "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))
    at = users.now()
    with users.database.read_transaction() as connection:
        request = _waiting_request(connection, identifier)
    act = Act(request.act)
    try:
        with users.database.write_transaction() as connection:
            request = _waiting_request(connection, identifier, lock=True)
            _require_requester_unchanged(connection, request)
            duty = _duty(users, connection, request)
            _require_second_person(connection, duty, request, by)
            request = replace(request, status="approved", second=by, decided_at=at)
            requests.update(connection, request)
            _carry_out(connection, request, second=by)
            if act.issues_link:
                _open_link(connection, request, code, at)
    except WriteConflict:
        raise name_conflict(request.name) from None
    _note_done(users, request)
    return Outcome(request, code=f"{code[:5]}-{code[5:]}" if act.issues_link else "")


def refuse(users: Users, identifier: str, *, by: Actor) -> Outcome:
    """Refuses a request; those who may approve it and the person who made it can do so."""
    with users.database.write_transaction() as connection:
        request = _waiting_request(connection, identifier, lock=True)
        if by != request.by:
            require_approver(_duty(users, connection, request), Act(request.act), by.role, request.role)
        request = replace(request, status="refused", second=by, decided_at=users.now())
        requests.update(connection, request)
        invitations.void_request(connection, request.id)
    details = {"act": request.act, "role": request.role.value, "request": request.id}
    users.note("account_request_refused", request.name, details, by=request.by, second=by)
    return Outcome(request)


def expire(users: Users, *, before: int) -> list[AccountRequest]:
    """Expires waiting requests made before a time."""
    expired = []
    with users.database.write_transaction() as connection:
        for request in requests.waiting(connection, before=before):
            expired.append(replace(request, status="expired", second=SYSTEM, decided_at=users.now()))
            requests.update(connection, expired[-1])
            invitations.void_request(connection, request.id)
    for request in expired:
        details = {"act": request.act, "role": request.role.value, "request": request.id}
        users.note("account_request_expired", request.name, details, by=request.by, second=SYSTEM)
    return expired


def list_waiting(users: Users) -> list[AccountRequest]:
    """Waiting requests, oldest first."""
    with users.database.read_transaction() as connection:
        return requests.waiting(connection)


def _new_request(connection: Connection, act: Act, name: str, role: Role | None, by: Actor, at: int) -> AccountRequest:
    was = None
    if act is Act.CREATE:
        name = require_name(name)
    else:
        account = find_account(connection, name)
        if account.person.guest and act.issues_link:
            raise RuleViolation(CLAUSE, "guests have no password")
        name, was = account.person.name, account.person.role
    new_role = role if act in (Act.CREATE, Act.CHANGE_ROLE) else was
    if new_role is None:
        raise InputError("role", f"to {act.replace('_', ' ')} needs a role")
    return AccountRequest(secrets.token_hex(16), at, act.value, name, new_role, was, by)


def _duty(users: Users, connection: Connection, request: AccountRequest) -> Duty:
    roles = (request.role,) if request.was is None else (request.was, request.role)
    duty = duty_of(Act(request.act), *roles, play_money=users.play_money)
    if request.act == Act.ISSUE_LINK and request.was is Role.PATRON and not _has_password(connection, request.name):
        return Duty(duty.requesters)  # an account that nobody has used yet
    return duty


def _has_password(connection: Connection, name: str) -> bool:
    return bool(find_account(connection, name).password)


def _require_free(connection: Connection, name: str) -> str:
    if accounts.exists(connection, fold_name(name)) or accounts.looks_like(connection, name_skeleton(name)):
        raise name_conflict(name)
    return name


def _waiting_request(connection: Connection, identifier: str, *, lock: bool = False) -> AccountRequest:
    request = requests.find(connection, identifier, lock=lock) if is_storable(identifier) else None
    if request is None:
        raise NotFound("request", f"there is no request {identifier!r}")
    if request.status != "waiting":
        second = f" by {request.second.name}" if request.second is not None else ""
        raise RuleViolation(CLAUSE, f"the request was already {request.status}{second}")
    return request


def _require_requester_unchanged(connection: Connection, request: AccountRequest) -> None:
    """Refuses a request by a person who could not make it any more."""
    requester = find_account(connection, request.by.name)
    if requester.person.role is not request.by.role or not requester.active:
        raise RuleViolation(CLAUSE, f"{request.by.name} is no longer {request.by.role.label}: ask again")


def _require_second_person(connection: Connection, duty: Duty, request: AccountRequest, by: Actor) -> None:
    act = Act(request.act)
    if by.name == request.by.name:
        raise RuleViolation(CLAUSE, f"this needs two people: {by.name} asked for it and cannot also approve it")
    if by.name == request.name:
        raise RuleViolation(CLAUSE, f"{by.name} cannot approve what concerns their own account")
    require_approver(duty, act, by.role, request.role)
    approver = find_account(connection, by.name)
    if approver.person.role is not by.role or not approver.active:
        raise RuleViolation(CLAUSE, f"{by.name} is no longer {by.role.label}")


def _carry_out(connection: Connection, request: AccountRequest, *, second: Actor | None) -> None:
    if request.was is None:
        approved_by = "" if second is None else second.name
        insert_person(connection, request.name, request.role, at=request.at, by=request.by, approved_by=approved_by)
    else:
        apply_act(connection, Act(request.act), request.name, was=request.was, role=request.role)


def _issue(connection: Connection, request: AccountRequest, token: str, *, approved: bool) -> None:
    invitation = Invitation(request.name, request.role, "" if approved else request.id)
    invitations.issue(
        connection,
        token=token_digest(token),
        invitation=invitation,
        created_by=request.by.name,
        expires_at=request.at + LINK_VALID_MILLISECONDS,
    )


def _open_link(connection: Connection, request: AccountRequest, code: str, at: int) -> None:
    second = request.second
    if second is None:
        return
    invitations.void(connection, request.name, except_request=request.id)
    digest = code_digest(invitations.token_of_request(connection, request.id), code)
    expires_at = at + LINK_VALID_MILLISECONDS
    if not invitations.approve(connection, request.id, code=digest, approved_by=second.name, expires_at=expires_at):
        raise RuleViolation(CLAUSE, "the link of this request is void: ask again")


def _note_done(users: Users, request: AccountRequest) -> None:
    details: dict[str, object] = {"role": request.role.value}
    if request.act == Act.CREATE:
        details["guest"] = False
    if request.act == Act.CHANGE_ROLE and request.was is not None:
        details["was"] = request.was.value
    if request.second is not None:
        details |= {"request": request.id, "asked_at": request.at}
    users.note(JOURNAL_KINDS[Act(request.act)], request.name, details, by=request.by, second=request.second)
