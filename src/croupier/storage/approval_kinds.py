"""The kinds of money movement and meter change that need two people, as data, and their requests as stored."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sqlalchemy as sa

from croupier.storage.ledger import Account, Holder
from croupier.storage.repositories.journal import Move
from croupier.table.model.commands import BuyIn, CashOut, Command, CorrectMeter, SetUpMeter
from croupier.table.model.roles import FLOOR, Actor, Role

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
    command: type[BuyIn | CashOut | SetUpMeter | CorrectMeter] | None = None
    """The command carried out at the table instead of a movement in the journal."""
    is_meter_change: bool = False
    """Whether it changes a meter; such a request also needs a reason."""
    clause: str = "ACC-1"
    """The clause that requires two people."""
    is_count: bool = False
    """Whether the amount is a count, which may be zero."""


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
}


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
    }


def kind_with_article(kind: str) -> str:
    """The name of a kind in a sentence, with its article."""
    article = "an" if kind[0] in "aeio" else "a"
    return f"{article} {kind.replace('_', ' ')}"


def list_roles(roles: frozenset[Role]) -> str:
    """Roles joined for a sentence."""
    return " or ".join(sorted(role.label for role in roles))
