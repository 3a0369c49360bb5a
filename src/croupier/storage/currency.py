"""The two currencies of a house: real money and play money. Nothing changes one into the other.

An account with the house and a table each have one currency from their creation. The play money of guests comes out of
nothing; it buys chips at play tables and never reaches the cage.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

import sqlalchemy as sa

from croupier.core.errors import RuleViolation
from croupier.storage.sql import schema as s
from croupier.storage.sql.database import is_storable
from croupier.table.model.commands import BuyIn, CashOut, Command, Sit
from croupier.table.model.roles import Role

CLAUSE = "GAM-1"
"""No balance comes out of nothing."""


class Currency(StrEnum):
    """What the chips of a table and the cents of an account are worth."""

    REAL = "real"
    PLAY = "play"

    @property
    def label(self) -> str:
        return f"{self.value} money"


def currency_of_table(connection: sa.Connection, table: str) -> Currency | None:
    """The currency of a table; `None` if there is no such table."""
    value = connection.execute(sa.select(s.tables.c.currency).where(s.tables.c.name == table)).scalar()
    return Currency(value) if value is not None else None


def currencies_of_wallets(connection: sa.Connection, patrons: Iterable[str]) -> dict[str, Currency]:
    """The currencies of those patrons' accounts with the house who have one."""
    names = sorted({patron for patron in patrons if patron and is_storable(patron)})
    if not names:
        return {}
    column = s.wallets.c
    rows = connection.execute(sa.select(column.patron, column.currency).where(column.patron.in_(names)))
    return {row.patron: Currency(row.currency) for row in rows}


def require_currency(table: str, currency: Currency, command: Command, wallet: Currency | None) -> None:
    """Refuses a patron whose account has another currency than the table, and cash at a play table.

    A patron with play money may take chips away from a real-money table, as from before currencies were told apart:
    they become play money again.
    """
    if not isinstance(command, Sit | BuyIn | CashOut):
        return
    is_for_cash = wallet is None or command.by.role is Role.DEALER
    if currency is Currency.PLAY and is_for_cash and not isinstance(command, Sit):
        raise RuleViolation(CLAUSE, f"table {table} is for play money: no chips are sold or cashed for money there")
    if wallet is None or wallet is currency or (wallet is Currency.PLAY and isinstance(command, CashOut)):
        return
    raise RuleViolation(
        CLAUSE, f"table {table} is for {currency.label}, and the account of {command.patron} has {wallet.label}"
    )
