"""Two-person approvals: one requests a movement of money, a meter change or a correction, another approves it.

`approval_kinds` states who may request and who may approve. An approval is carried out completely or not at all: if
the rules or the accounts do not allow it now, the request keeps waiting and the reason is returned.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any

import sqlalchemy as sa

from croupier.core.errors import InputError, NotFound, RuleViolation
from croupier.core.money import format_money
from croupier.storage.currency import CLAUSE as CURRENCY_CLAUSE
from croupier.storage.currency import Currency, currencies_of_wallets, currency_of_table
from croupier.storage.event_store import Store
from croupier.storage.ledger import Account, Holder
from croupier.storage.repositories import journal
from croupier.storage.repositories.journal import Move
from croupier.storage.snapshots import load_table
from croupier.storage.sql import schema as s
from croupier.storage.sql.database import WriteConflict, is_storable
from croupier.storage.unit_of_work import CommandEnvelope, CommandResult
from croupier.table.decide import decide
from croupier.table.model.commands import BuyIn, CashOut, Command, CorrectMeter, CorrectPayment, SetUpMeter
from croupier.table.model.events import Event, PaymentCorrected, Refusal
from croupier.table.model.roles import FLOOR, SYSTEM, Actor, Role
from croupier.table.settlement.steps import CORRECTION_APPROVERS

MAX_AMOUNT_CENTS = 10**15
"""The largest amount of one request."""
CASHIERS = frozenset({Role.ACCOUNTING})
CAGE_APPROVERS = frozenset({Role.ACCOUNTING, Role.SHIFT_MANAGER})
CHIP_SELLERS = frozenset({Role.DEALER, Role.ACCOUNTING})


@dataclass(frozen=True, slots=True)
class ApprovalKind:
    """One kind of approval: who may request it, who may approve it, and which accounts the money moves between."""

    requesters: frozenset[Role]
    approvers: frozenset[Role]
    needs_table: bool = False
    needs_patron: bool = False
    giver: Account | None = None
    taker: Account | None = None
    command: type[BuyIn | CashOut | SetUpMeter | CorrectMeter | CorrectPayment] | None = None
    """The command carried out at the table instead of a movement in the journal."""
    is_meter_change: bool = False
    """Whether it changes a meter; such a request also needs a reason."""
    clause: str = "ACC-1"
    """The clause that requires two people."""
    is_count: bool = False
    """Whether the amount is a count, which may be zero."""
    is_correction: bool = False
    """Whether it corrects a payment; such a request needs the entry with its amounts, and a reason."""


APPROVAL_KINDS = {
    "deposit": ApprovalKind(CASHIERS, CAGE_APPROVERS, needs_patron=True, giver=Account.CAGE, taker=Account.ACCOUNT),
    "withdrawal": ApprovalKind(CASHIERS, CAGE_APPROVERS, needs_patron=True, giver=Account.ACCOUNT, taker=Account.CAGE),
    "buy_in": ApprovalKind(CHIP_SELLERS, FLOOR | CASHIERS, needs_table=True, needs_patron=True, command=BuyIn),
    "cash_out": ApprovalKind(CHIP_SELLERS, FLOOR | CASHIERS, needs_table=True, needs_patron=True, command=CashOut),
    "opening_inventory": ApprovalKind(
        frozenset({Role.DEALER, Role.FLOORPERSON}),
        FLOOR,
        needs_table=True,
        giver=Account.CAGE,
        taker=Account.TRAY,
        is_count=True,
    ),
    "closing_inventory": ApprovalKind(
        frozenset({Role.DEALER, Role.FLOORPERSON}),
        FLOOR,
        needs_table=True,
        giver=Account.TRAY,
        taker=Account.CAGE,
        is_count=True,
    ),
    "fill": ApprovalKind(
        frozenset({Role.FLOORPERSON}), CAGE_APPROVERS, needs_table=True, giver=Account.CAGE, taker=Account.TRAY
    ),
    "credit": ApprovalKind(
        frozenset({Role.FLOORPERSON}), CAGE_APPROVERS, needs_table=True, giver=Account.TRAY, taker=Account.CAGE
    ),
    # The drop account goes negative as cash comes in, and returns to zero once the cage has counted the drop.
    "drop": ApprovalKind(
        CASHIERS, CAGE_APPROVERS, needs_table=True, giver=Account.CAGE, taker=Account.DROP, is_count=True
    ),
    # Setting up and correcting a meter are separate permissions.
    "meter_setup": ApprovalKind(
        frozenset({Role.ADMINISTRATOR}),
        FLOOR,
        needs_table=True,
        command=SetUpMeter,
        is_meter_change=True,
        clause="PRG-9",
    ),
    "meter_correction": ApprovalKind(
        CASHIERS,
        frozenset({Role.SHIFT_MANAGER}),
        needs_table=True,
        command=CorrectMeter,
        is_meter_change=True,
        clause="PRG-9",
    ),
    # The amount of a correction is its effect on the patron's money, up or down.
    "payment_correction": ApprovalKind(
        FLOOR,
        CORRECTION_APPROVERS,
        needs_table=True,
        needs_patron=True,
        command=CorrectPayment,
        is_correction=True,
        clause="GAM-7",
    ),
}


@dataclass(frozen=True, slots=True)
class PaymentCorrection:
    """The entry to correct, the amounts that it has, in cents, and those that it should have."""

    round: int
    seat: int
    wager: str
    old_returned: int
    old_paid: int
    returned: int
    paid: int
    number: int = 1
    """The number of the entry among the seat's entries of that name, from 1."""

    @property
    def change(self) -> int:
        """The effect on the patron's money."""
        return self.returned + self.paid - self.old_returned - self.old_paid


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """A request for a movement or meter change. `status` is waiting, approved, refused or expired."""

    id: str
    at: int
    kind: str
    by: Actor
    table: str
    patron: str
    cents: int
    reason: str
    status: str = "waiting"
    second: Actor | None = None
    decided_at: int = 0
    meter: str = ""
    correction: PaymentCorrection | None = None
    key: str = ""
    """The identifier that the person who made the request chose; `id`, unless somebody else had taken it."""


def build_command(request: ApprovalRequest, by: Actor, at: int) -> Command | None:
    """The command that an approval carries out at the table, or `None` if the money moves outside the tables."""
    kind: Any = APPROVAL_KINDS[request.kind].command
    if kind is None:
        return None
    fields: dict[str, Any] = {"by": request.by, "at": at}
    if APPROVAL_KINDS[request.kind].is_meter_change:
        fields |= {
            "meter": request.meter,
            "amount": Fraction(request.cents),
            "reason": request.reason,
            "approved_by": by,
        }
    elif request.correction is not None:
        fields |= {**asdict(request.correction), "reason": request.reason, "approved_by": by}
    else:
        fields |= {"patron": request.patron, "amount": request.cents}
    command: Command = kind(**fields)
    return command


def build_moves(rule: ApprovalKind, request: ApprovalRequest) -> list[Move]:
    """The movements of money outside the tables that a request asks for."""
    if rule.giver is None or rule.taker is None or not request.cents:
        return []
    return [(_holder(rule.giver, request), _holder(rule.taker, request), request.cents)]


def _holder(account: Account, request: ApprovalRequest) -> Holder:
    owner = {Account.ACCOUNT: request.patron, Account.TRAY: request.table, Account.DROP: request.table}
    return account, owner.get(account, "")


def request_from_row(row: sa.Row[Any]) -> ApprovalRequest:
    """A request from its row."""
    second = Actor(row.second, Role(row.second_role)) if row.second_role else None
    by = Actor(row.actor, Role(row.role))
    return ApprovalRequest(
        row.id,
        row.at,
        row.kind,
        by,
        row.table_name,
        row.patron,
        row.amount,
        row.reason,
        row.status,
        second,
        row.decided_at,
        row.meter,
        PaymentCorrection(**json.loads(row.details)) if row.details else None,
        row.key,
    )


def row_values(request: ApprovalRequest) -> dict[str, Any]:
    """A request as its row."""
    second = request.second
    return {
        "id": request.id,
        "at": request.at,
        "kind": request.kind,
        "actor": request.by.name,
        "role": request.by.role.value,
        "table_name": request.table,
        "patron": request.patron,
        "amount": request.cents,
        "reason": request.reason,
        "status": request.status,
        "second": second.name if second is not None else "",
        "second_role": second.role.value if second is not None else "",
        "decided_at": request.decided_at,
        "meter": request.meter,
        "key": request.key,
        "details": json.dumps(asdict(request.correction)) if request.correction is not None else "",
    }


def kind_with_article(kind: str) -> str:
    """The name of a kind in a sentence, with its article."""
    article = "an" if kind[0] in "aeio" else "a"
    return f"{article} {kind.replace('_', ' ')}"


def list_roles(roles: frozenset[Role]) -> str:
    """Roles joined for a sentence."""
    return " or ".join(sorted(role.label for role in roles))


@dataclass(frozen=True, slots=True)
class Decision:
    """The result of an approval: the current request and, if it is still waiting, the reason."""

    request: ApprovalRequest
    refusal: Refusal | None = None
    result: CommandResult | None = None
    """The result of the command at the table, if there was one."""


def create_request(
    store: Store,
    *,
    identifier: str,
    at: int,
    kind: str,
    by: Actor,
    cents: int,
    table: str = "",
    patron: str = "",
    meter: str = "",
    reason: str = "",
    correction: PaymentCorrection | None = None,
    play_money_only: bool = False,
) -> ApprovalRequest:
    """Creates a request under an identifier chosen by the caller; repeating the call returns the same request.

    The identifier belongs to the person: if somebody else has taken it, the request gets another `id`.
    Refused for people without the right role, an unknown table or account, an amount of zero, and a correction that
    the table does not allow; where there is `play_money_only`, also for every movement of real money.
    """
    request = ApprovalRequest(
        identifier,
        at,
        kind,
        by,
        table,
        patron,
        cents,
        reason,
        meter=meter,
        correction=correction,
        key=identifier,
    )
    rule = _validate(request)
    try:
        with store.database.write_transaction() as connection:
            return _insert(connection, rule, request, play_money_only=play_money_only)
    except WriteConflict:  # a concurrent duplicate, or somebody else's request with the same identifier
        with store.database.write_transaction() as connection:
            return _insert(connection, rule, request, play_money_only=play_money_only)


def _insert(
    connection: sa.Connection, rule: ApprovalKind, request: ApprovalRequest, *, play_money_only: bool
) -> ApprovalRequest:
    same_key = (s.requests.c.actor == request.by.name) & (s.requests.c.key == request.key)
    row = connection.execute(sa.select(s.requests).where(same_key)).one_or_none()
    if row is not None:
        return _require_same(request_from_row(row), request)
    _require_table_and_account(connection, rule, request, play_money_only=play_money_only)
    if rule.is_correction:
        _require_possible_correction(connection, request)
    if _load(connection, request.id) is not None:
        request = replace(request, id=secrets.token_hex(16))
    connection.execute(sa.insert(s.requests).values(**row_values(request)))
    return request


def _validate(request: ApprovalRequest) -> ApprovalKind:
    rule = APPROVAL_KINDS.get(request.kind)
    if rule is None:
        raise InputError("kind", f"{request.kind!r} is not one of {', '.join(APPROVAL_KINDS)}")
    texts = (request.id, request.by.name, request.table, request.patron, request.reason, request.meter)
    if not all(map(is_storable, texts)) or not 0 < len(request.id) <= 32:
        raise InputError("id", "needs 1 to 32 characters, and every text must be storable")
    fields = {
        "table": (rule.needs_table, request.table),
        "patron": (rule.needs_patron, request.patron),
        "meter": (rule.is_meter_change, request.meter),
    }
    for name, (is_needed, value) in fields.items():
        if is_needed != bool(value):
            raise InputError(name, f"{kind_with_article(request.kind)} {'needs a' if is_needed else 'takes no'} {name}")
    if (rule.is_meter_change or rule.is_correction) and not request.reason.strip():
        raise InputError("reason", f"{kind_with_article(request.kind)} needs a reason for the record")
    _validate_correction(rule, request)
    minimum = 0 if rule.is_count else 1
    if rule.command in (CorrectMeter, CorrectPayment):
        minimum = -MAX_AMOUNT_CENTS
    may_be_zero = rule.is_count or rule.is_correction
    if not minimum <= request.cents <= MAX_AMOUNT_CENTS or not (request.cents or may_be_zero):
        raise InputError("amount", f"{request.cents} cents is not a valid amount for {kind_with_article(request.kind)}")
    if request.by.role not in rule.requesters:
        raise RuleViolation(
            rule.clause,
            f"{kind_with_article(request.kind)} must be requested by {list_roles(rule.requesters)},"
            f" not {request.by.role.label}",
        )
    return rule


def _validate_correction(rule: ApprovalKind, request: ApprovalRequest) -> None:
    correction = request.correction
    if rule.is_correction != (correction is not None):
        need = "needs the entry to correct" if rule.is_correction else "takes no entry to correct"
        raise InputError("correction", f"{kind_with_article(request.kind)} {need}")
    if correction is not None and request.cents != correction.change:
        change = format_money(correction.change)
        raise RuleViolation("GAM-7", f"the correction changes the patron's money by {change}, not by the amount stated")


def _require_possible_correction(connection: sa.Connection, request: ApprovalRequest) -> None:
    """Refuses a correction that the table does not allow now, whoever approves it."""
    table = load_table(connection, request.table).table
    approver = Actor("", Role.SHIFT_MANAGER)  # stands in for the second person
    command = build_command(request, approver, max(request.at, table.at))
    outcome = decide(table, command) if command is not None else ()
    if isinstance(outcome, Refusal):
        raise outcome.violation()
    _require_same_patron(request, outcome)


def _require_same_patron(request: ApprovalRequest, events: Sequence[Event]) -> None:
    for event in events:
        if isinstance(event, PaymentCorrected) and event.patron != request.patron:
            raise RuleViolation("GAM-7", f"the entry is of {event.patron}, not of {request.patron}")


def _require_currency(
    connection: sa.Connection, rule: ApprovalKind, request: ApprovalRequest, *, play_money_only: bool
) -> None:
    """Refuses what would change one currency into the other, and real money where there is play money only.

    Chips at a play table are bought and cashed with an account that has play money, never by a dealer, who takes cash;
    nothing else moves it. Meters and corrected entries move no money outside their table.
    """
    if rule.is_meter_change or rule.is_correction:
        return
    kind = kind_with_article(request.kind)
    table = currency_of_table(connection, request.table) if rule.needs_table else None
    wallet = currencies_of_wallets(connection, [request.patron]).get(request.patron)
    if table is wallet is Currency.PLAY and request.by.role is not Role.DEALER:
        return
    if table is Currency.PLAY:
        raise RuleViolation(CURRENCY_CLAUSE, f"table {request.table} is for play money, and {kind} moves real money")
    if wallet is Currency.PLAY:
        raise RuleViolation(
            CURRENCY_CLAUSE, f"the account of {request.patron} has play money, and {kind} moves real money"
        )
    if play_money_only:
        raise RuleViolation(CURRENCY_CLAUSE, f"this server has play money only, and {kind} moves real money")


def _require_table_and_account(
    connection: sa.Connection, rule: ApprovalKind, request: ApprovalRequest, *, play_money_only: bool
) -> None:
    if rule.needs_table:
        status = connection.execute(sa.select(s.tables.c.status).where(s.tables.c.name == request.table)).scalar()
        if status is None:
            raise NotFound("table", f"there is no table {request.table!r}")
    if Account.ACCOUNT in (rule.giver, rule.taker):
        balance = connection.execute(sa.select(s.wallets.c.cents).where(s.wallets.c.patron == request.patron)).scalar()
        if balance is None:
            raise RuleViolation("", f"{request.patron} has no account with the house")
    _require_currency(connection, rule, request, play_money_only=play_money_only)


def approve(store: Store, identifier: str, *, by: Actor, at: int, play_money_only: bool = False) -> Decision:
    """Carries out a request; if it cannot be carried out now, it keeps waiting and the reason is returned.

    Refused for the person who made the request, for people without the right role, and once it has been decided.
    Approving again is idempotent: the same person gets the same result.
    """
    request = find(store, identifier)
    if request.status == "approved" and request.second == by:
        return Decision(request)
    rule = APPROVAL_KINDS[request.kind]
    command = build_command(request, by, at)
    if command is not None:
        return _approve_at_table(store, request, command, by, at, play_money_only=play_money_only)
    try:
        with store.database.write_transaction() as connection:
            _require_currency(connection, rule, request, play_money_only=play_money_only)
            decided_request = _record_decision(connection, request, by, at)
            try:
                _enter_in_journal(connection, decided_request, build_moves(rule, decided_request))
            except RuleViolation as error:
                raise _Refused(Refusal.of(error)) from error
    except _AlreadyDecided as error:
        return Decision(error.request)
    except _Refused as error:
        return Decision(request, error.refusal)
    return Decision(decided_request)


class _AlreadyDecided(Exception):
    """The same person has already made this decision."""

    def __init__(self, request: ApprovalRequest) -> None:
        super().__init__(request.id)
        self.request = request


class _Refused(Exception):
    """The table or the accounts refuse it: nothing is stored."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


def _approve_at_table(
    store: Store, request: ApprovalRequest, command: Command, by: Actor, at: int, *, play_money_only: bool
) -> Decision:
    decided_requests: list[ApprovalRequest] = []

    def begin(connection: sa.Connection) -> None:
        rule = APPROVAL_KINDS[request.kind]
        _require_currency(connection, rule, request, play_money_only=play_money_only)
        decided_requests[:] = [_record_decision(connection, request, by, at)]

    def finish(connection: sa.Connection, result: CommandResult) -> None:
        if result.refusal is not None:
            raise _Refused(result.refusal)
        if result.repeated:
            raise RuleViolation("", f"{request.id!r} was already used for another command at table {request.table}")
        _require_same_patron(request, result.events)
        _enter_in_journal(connection, decided_requests[0], [], seq=result.seq)

    try:
        result = store.executor.submit_with(
            CommandEnvelope(request.table, command, key=request.id, stamp=True, sender=SYSTEM.name), begin, finish
        )
    except _AlreadyDecided as error:
        return Decision(error.request)
    except _Refused as error:
        return Decision(request, error.refusal)
    return Decision(decided_requests[0], result=result)


def _record_decision(
    connection: sa.Connection, request: ApprovalRequest, by: Actor, at: int, status: str = "approved"
) -> ApprovalRequest:
    """Locks the request and writes the decision; refused if this person may not decide or it is already decided."""
    rule = APPROVAL_KINDS[request.kind]
    current = _load(connection, request.id, lock=True)
    if current is None:
        raise NotFound("request", f"there is no request {request.id!r}")
    if current.status == status and current.second == by:
        raise _AlreadyDecided(current)
    if current.status != "waiting":
        decider = f" by {current.second.name}" if current.second is not None else ""
        raise RuleViolation(rule.clause, f"the request was already {current.status}{decider}")
    if by.name == current.by.name and status == "approved":
        raise RuleViolation(
            rule.clause,
            f"{kind_with_article(current.kind)} needs two people: {by.name} requested it and cannot also approve it",
        )
    if (
        by.role not in rule.approvers
        and not (by.name == current.by.name and by.role is current.by.role)
        and by != SYSTEM
    ):
        raise RuleViolation(
            rule.clause,
            f"{kind_with_article(current.kind)} must be approved by {list_roles(rule.approvers)}, not {by.role.label}",
        )
    decided_request = replace(current, status=status, second=by, decided_at=at)
    connection.execute(sa.update(s.requests).where(s.requests.c.id == current.id).values(**row_values(decided_request)))
    return decided_request


def _enter_in_journal(
    connection: sa.Connection, request: ApprovalRequest, moves: list[journal.Move], kind: str = "", **extra: Any
) -> None:
    data = {
        "request": request.id,
        "cents": request.cents,
        "asked_at": request.at,
        "reason": request.reason,
        **extra,
    }
    if request.meter:
        data["meter"] = request.meter
    if request.correction is not None:
        data["correction"] = asdict(request.correction)
    journal.enter(
        connection,
        at=request.decided_at,
        kind=kind or request.kind,
        by=request.by,
        second=request.second,
        table=request.table,
        patron=request.patron,
        data=data,
        moves=moves,
    )


def refuse(store: Store, identifier: str, *, by: Actor, at: int) -> ApprovalRequest:
    """Refuses a request; those who may approve it and the person who made it can do so. Nothing is carried out."""
    request = find(store, identifier)
    try:
        with store.database.write_transaction() as connection:
            decided_request = _record_decision(connection, request, by, at, "refused")
            _enter_in_journal(connection, decided_request, [], "request_refused", asked=decided_request.kind)
    except _AlreadyDecided as error:
        return error.request
    return decided_request


def expire(store: Store, *, at: int, before: int) -> list[ApprovalRequest]:
    """Expires waiting requests made before a time, and returns them."""
    expired_requests = []
    for request in list_waiting(store):
        if request.at < before:
            with store.database.write_transaction() as connection:
                current = _load(connection, request.id, lock=True)
                if current is None or current.status != "waiting":
                    continue
                decided_request = _record_decision(connection, request, SYSTEM, at, "expired")
                _enter_in_journal(connection, decided_request, [], "request_expired", asked=decided_request.kind)
                expired_requests.append(decided_request)
    return expired_requests


def find(store: Store, identifier: str) -> ApprovalRequest:
    """The request with an identifier; raises `NotFound` if there is none."""
    with store.database.read_transaction() as connection:
        request = _load(connection, identifier) if is_storable(identifier) else None
    if request is None:
        raise NotFound("request", f"there is no request {identifier!r}")
    return request


def list_waiting(store: Store, *, role: Role | None = None, table: str = "") -> list[ApprovalRequest]:
    """Waiting requests, oldest first; optionally only those that a role may approve, or of one table."""
    column = s.requests.c
    query = sa.select(s.requests).where(column.status == "waiting").order_by(column.at, column.id)
    with store.database.read_transaction() as connection:
        requests = [request_from_row(row) for row in connection.execute(query)]
    return [
        request
        for request in requests
        if (role is None or role in APPROVAL_KINDS[request.kind].approvers) and table in ("", request.table)
    ]


def _load(connection: sa.Connection, identifier: str, *, lock: bool = False) -> ApprovalRequest | None:
    query = sa.select(s.requests).where(s.requests.c.id == identifier)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    return None if row is None else request_from_row(row)


def _require_same(stored_request: ApprovalRequest, request: ApprovalRequest) -> ApprovalRequest:
    original = replace(stored_request, id=request.id, at=request.at, status="waiting", second=None, decided_at=0)
    if original != request:
        kind, amount = kind_with_article(stored_request.kind), format_money(stored_request.cents)
        description = f"{kind} of {amount} by {stored_request.by.name}"
        raise RuleViolation("", f"the identifier {stored_request.key!r} belongs to another request: {description}")
    return stored_request
