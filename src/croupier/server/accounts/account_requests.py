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
from croupier.server.accounts.names import fold_name, is_valid_name, name_skeleton, require_name
from croupier.server.accounts.users import (
    Users,
    apply_act,
    find_account,
    insert_person,
    name_conflict,
    token_digest,
)
from croupier.storage import ledger
from croupier.storage.repositories import account_requests as requests
from croupier.storage.repositories import accounts, invitations
from croupier.storage.repositories.account_requests import JOURNAL_KINDS, STATUS_KINDS, AccountRequest
from croupier.storage.repositories.invitations import Invitation
from croupier.storage.sql.database import Connection, WriteConflict, is_storable
from croupier.table.model.roles import SYSTEM, Actor, Role

_CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
_CODE_LENGTH = 10
ENDS_SESSIONS = frozenset({Act.CHANGE_ROLE, Act.RESET_SECOND_FACTOR, Act.DEACTIVATE, Act.LOCK, Act.CLOSE_SESSIONS})
"""After these, the person has to sign in again, if they still can."""
OVERSIGHT_KINDS = (
    *JOURNAL_KINDS.values(),
    *STATUS_KINDS.values(),
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
    is_repeated: bool = False

    @property
    def is_done(self) -> bool:
        """Whether the act was carried out now."""
        return self.request.status == "approved" and not self.is_repeated


def ask(users: Users, act: Act, name: str, *, by: Actor, role: Role | None = None, key: str = "") -> Outcome:
    """Asks for an act; it is carried out at once if nobody has to approve it. `role` is the new role.

    `key` belongs to the person who asks: the same key is the same request, which takes effect once.
    """
    try:
        return _ask(users, act, name, by=by, role=role, key=key)
    except WriteConflict:
        if not key:
            raise name_conflict(name) from None
    try:
        return _ask(users, act, name, by=by, role=role, key=key)  # a concurrent duplicate was first
    except WriteConflict:
        raise name_conflict(name) from None


def _ask(users: Users, act: Act, name: str, *, by: Actor, role: Role | None, key: str) -> Outcome:
    at, token = users.now(), secrets.token_urlsafe(32) if act.issues_link else ""
    with users.database.write_transaction() as connection:
        earlier = _earlier_request(connection, act, name, role, by, key)
        if earlier is not None:
            return _repeat(connection, earlier, token)
        request = replace(_new_request(connection, act, name, role, by, at), key=key)
        duty = _duty(users, connection, request)
        require_requester(duty, act, by.role, request.role)
        if act is Act.CREATE:
            request = replace(request, name=_require_free(connection, request.name))
        if not duty.needs_second_person:
            request = replace(request, status="approved", decided_at=at)
        if token:
            _issue(connection, request, token)
        requests.insert(connection, request)
        if request.status == "approved":
            _carry_out(users, connection, request)
        else:
            _note_status(users, connection, request)
    return Outcome(request, path=join_path(token) if token else "")


def approve(users: Users, identifier: str, *, by: Actor) -> Outcome:
    """Approves a request of somebody else and carries it out; returns the code of its link, if it has one.

    Approving again is idempotent: the same person gets the same request, with a new code in place of the first one.
    """
    code = "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))
    at = users.now()
    with users.database.read_transaction() as connection:
        request = _find(connection, identifier)
    act = Act(request.act)
    try:
        with users.database.write_transaction() as connection:
            request = _find(connection, identifier, lock=True)
            if request.status == "approved" and request.second == by:
                is_open = act.issues_link and invitations.token_of_request(connection, request.id)
                if not is_open:
                    return Outcome(request, is_repeated=True)
            else:
                _require_waiting(request)
                _require_requester_unchanged(connection, request)
                _require_second_person(connection, _duty(users, connection, request), request, by)
                request = replace(request, status="approved", second=by, decided_at=at)
                requests.update(connection, request)
                _carry_out(users, connection, request)
            if act.issues_link:
                _open_link(connection, request, code, request.decided_at)
    except WriteConflict:
        raise name_conflict(request.name) from None
    return Outcome(request, code=f"{code[:5]}-{code[5:]}" if act.issues_link else "")


def refuse(users: Users, identifier: str, *, by: Actor) -> Outcome:
    """Refuses a request; those who may approve it and the person who made it can do so."""
    with users.database.write_transaction() as connection:
        request = _find(connection, identifier, lock=True)
        if request.status == "refused" and request.second == by:
            return Outcome(request, is_repeated=True)
        _require_waiting(request)
        if by != request.by:
            require_approver(_duty(users, connection, request), Act(request.act), by.role, request.role)
        return Outcome(_close(users, connection, request, "refused", by))


def expire(users: Users, *, before: int) -> list[AccountRequest]:
    """Expires waiting requests made before a time."""
    with users.database.write_transaction() as connection:
        waiting = requests.waiting(connection, before=before)
        return [_close(users, connection, request, "expired", SYSTEM) for request in waiting]


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
    is_patron_link = request.act == Act.ISSUE_LINK and request.was is Role.PATRON
    if is_patron_link and not _has_password(connection, request.name) and not _has_money(connection, request.name):
        return Duty(duty.requesters)  # an account that nobody has used yet
    return duty


def _earlier_request(
    connection: Connection, act: Act, name: str, role: Role | None, by: Actor, key: str
) -> AccountRequest | None:
    """The request that a person has already made under a key; refused if it was another one."""
    earlier = requests.find_by_key(connection, by.name, key) if key else None
    if earlier is None:
        return None
    is_same_person = is_valid_name(name) and fold_name(name) == fold_name(earlier.name)
    if (earlier.act, earlier.by) != (act, by) or not is_same_person or role not in (None, earlier.role):
        raise RuleViolation(CLAUSE, f"the key {key!r} belongs to another request: {earlier.act} of {earlier.name}")
    return earlier


def _repeat(connection: Connection, request: AccountRequest, token: str) -> Outcome:
    """The outcome of a request that was made before. A link that nobody can have used yet is replaced by a new one."""
    is_unused = request.status == "waiting" or (
        request.status == "approved" and request.second is None and not _has_password(connection, request.name)
    )
    if not token or not is_unused:
        return Outcome(request, is_repeated=True)
    invitations.void_request(connection, request.id)
    _issue(connection, request, token)
    return Outcome(request, path=join_path(token), is_repeated=True)


def _has_password(connection: Connection, name: str) -> bool:
    return bool(find_account(connection, name).password)


def _has_money(connection: Connection, patron: str) -> bool:
    return any(ledger.lock_balances(connection, [patron]).values())


def _require_free(connection: Connection, name: str) -> str:
    if accounts.exists(connection, fold_name(name)) or accounts.looks_like(connection, name_skeleton(name)):
        raise name_conflict(name)
    return name


def _find(connection: Connection, identifier: str, *, lock: bool = False) -> AccountRequest:
    request = requests.find(connection, identifier, lock=lock) if is_storable(identifier) else None
    if request is None:
        raise NotFound("request", f"there is no request {identifier!r}")
    return request


def _require_waiting(request: AccountRequest) -> None:
    if request.status != "waiting":
        second = f" by {request.second.name}" if request.second is not None else ""
        raise RuleViolation(CLAUSE, f"the request was already {request.status}{second}")


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


def _carry_out(users: Users, connection: Connection, request: AccountRequest) -> None:
    """Does what an approved request asks for, with its line in the journal."""
    second = request.second
    details: dict[str, object] = {"role": request.role.value, "request": request.id, "asked_at": request.at}
    if request.was is None:
        approved_by = "" if second is None else second.name
        insert_person(connection, request.name, request.role, at=request.at, by=request.by, approved_by=approved_by)
        details["guest"] = False
    else:
        apply_act(connection, Act(request.act), request.name, was=request.was, role=request.role)
        if request.act == Act.CHANGE_ROLE:
            details["was"] = request.was.value
    users.note(JOURNAL_KINDS[request.act], request.name, details, by=request.by, second=second, connection=connection)


def _close(users: Users, connection: Connection, request: AccountRequest, status: str, second: Actor) -> AccountRequest:
    """Refuses or expires a request; its link becomes void."""
    request = replace(request, status=status, second=second, decided_at=users.now())
    requests.update(connection, request)
    invitations.void_request(connection, request.id)
    _note_status(users, connection, request)
    return request


def _note_status(users: Users, connection: Connection, request: AccountRequest) -> None:
    """Notes a request that was not carried out: not yet, or never."""
    details = {"act": request.act, "role": request.role.value, "request": request.id}
    kind = STATUS_KINDS[request.status]
    users.note(kind, request.name, details, by=request.by, second=request.second, connection=connection)


def _issue(connection: Connection, request: AccountRequest, token: str) -> None:
    invitations.issue(
        connection,
        token=token_digest(token),
        invitation=Invitation(request.name, request.role, request.id if request.status == "waiting" else ""),
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
