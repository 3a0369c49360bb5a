"""Kinds of movements and changes of meters that need two people, as data, and requests for them as they are stored."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sqlalchemy as sa

from croupier.store.journal import Move
from croupier.store.ledger import Account, Holder
from croupier.table.commands import BuyIn, CashOut, Command, CorrectMeter, SetUpMeter
from croupier.table.people import FLOOR, Actor, Role

MOST = 10**15
"""No amount in cents is larger."""
CASHIERS = frozenset({Role.ACCOUNTING})
MONEY_ABOVE = frozenset({Role.ACCOUNTING, Role.SHIFT_MANAGER})
AT_THE_TABLE = frozenset({Role.DEALER, Role.ACCOUNTING})


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of movement: who may ask and who approves, whose it is, from where to where money goes."""

    asks: frozenset[Role]
    approves: frozenset[Role]
    table: bool = False
    patron: bool = False
    giver: Account | None = None
    taker: Account | None = None
    command: type[BuyIn | CashOut | SetUpMeter | CorrectMeter] | None = None
    """What is carried out at the table, in place of a movement in the journal."""
    meter: bool = False
    """Whether it is about a meter, with a reason."""
    clause: str = "ACC-1"
    """Why it takes two people."""
    counted: bool = False
    """Whether it is a count, which may come to nothing."""


KINDS = {
    "deposit": Kind(CASHIERS, MONEY_ABOVE, patron=True, giver=Account.CAGE, taker=Account.ACCOUNT),
    "withdrawal": Kind(CASHIERS, MONEY_ABOVE, patron=True, giver=Account.ACCOUNT, taker=Account.CAGE),
    "buy_in": Kind(AT_THE_TABLE, FLOOR | CASHIERS, table=True, patron=True, command=BuyIn),
    "cash_out": Kind(AT_THE_TABLE, FLOOR | CASHIERS, table=True, patron=True, command=CashOut),
    "opening_inventory": Kind(
        frozenset({Role.DEALER, Role.FLOORPERSON}),
        FLOOR,
        table=True,
        giver=Account.CAGE,
        taker=Account.TRAY,
        counted=True,
    ),
    "closing_inventory": Kind(
        frozenset({Role.DEALER, Role.FLOORPERSON}),
        FLOOR,
        table=True,
        giver=Account.TRAY,
        taker=Account.CAGE,
        counted=True,
    ),
    "fill": Kind(frozenset({Role.FLOORPERSON}), MONEY_ABOVE, table=True, giver=Account.CAGE, taker=Account.TRAY),
    "credit": Kind(frozenset({Role.FLOORPERSON}), MONEY_ABOVE, table=True, giver=Account.TRAY, taker=Account.CAGE),
    # The drop box fell by the cash that came in, and is level again once that is counted at the cage.
    "drop": Kind(CASHIERS, MONEY_ABOVE, table=True, giver=Account.CAGE, taker=Account.DROP, counted=True),
    # Setting up and correcting are different rights.
    "meter_setup": Kind(
        frozenset({Role.ADMINISTRATOR}), FLOOR, table=True, command=SetUpMeter, meter=True, clause="PRG-9"
    ),
    "meter_correction": Kind(
        CASHIERS, frozenset({Role.SHIFT_MANAGER}), table=True, command=CorrectMeter, meter=True, clause="PRG-9"
    ),
}


@dataclass(frozen=True, slots=True)
class Request:
    """A movement that was asked for. `status` is waiting, approved, refused or expired."""

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


def command_of(request: Request, by: Actor, at: int) -> Command | None:
    """What is carried out at the table when somebody approves, if anything is."""
    kind: Any = KINDS[request.kind].command
    if kind is None:
        return None
    said: dict[str, Any] = {"by": request.by, "at": at}
    if KINDS[request.kind].meter:
        said |= {"meter": request.meter, "amount": Fraction(request.cents), "reason": request.reason, "approved_by": by}
    else:
        said |= {"patron": request.patron, "amount": request.cents}
    command: Command = kind(**said)
    return command


def moves(rule: Kind, request: Request) -> list[Move]:
    """From where to where its money goes outside the tables."""
    if rule.giver is None or rule.taker is None or not request.cents:
        return []
    return [(_holder(rule.giver, request), _holder(rule.taker, request), request.cents)]


def _holder(account: Account, request: Request) -> Holder:
    owner = {Account.ACCOUNT: request.patron, Account.TRAY: request.table, Account.DROP: request.table}
    return account, owner.get(account, "")


def request_of(row: sa.Row[Any]) -> Request:
    """A request from its row."""
    second = Actor(row.second, Role(row.second_role)) if row.second_role else None
    by = Actor(row.actor, Role(row.role))
    return Request(
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


def values_of(request: Request) -> dict[str, Any]:
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


def said(kind: str) -> str:
    """What a kind is called in a sentence."""
    article = "an" if kind[0] in "aeio" else "a"
    return f"{article} {kind.replace('_', ' ')}"


def people(roles: frozenset[Role]) -> str:
    """Roles in a sentence."""
    return " or ".join(sorted(role.called for role in roles))
