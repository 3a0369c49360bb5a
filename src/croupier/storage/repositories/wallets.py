"""Patrons' accounts with the house, locked while money moves.

Rows are locked in the order of names, after tables and links and before the journal, so that no two processes deadlock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import sqlalchemy as sa

from croupier.core.errors import RuleViolation
from croupier.core.money import format_money
from croupier.storage.sql import schema as s
from croupier.storage.sql.bulk_insert import is_storable, require_storable

CLAUSE = "GAM-1"
"""No balance is ever negative."""


def lock_balances(connection: sa.Connection, patrons: Iterable[str]) -> dict[str, int]:
    """Balances in cents of those patrons who have an account, locked until the transaction ends."""
    names = sorted({patron for patron in patrons if patron and is_storable(patron)})
    if not names:
        return {}
    column = s.wallets.c
    query = sa.select(column.patron, column.cents).where(column.patron.in_(names)).order_by(column.patron)
    return {row.patron: row.cents for row in connection.execute(query.with_for_update())}


def balance_after(balances: Mapping[str, int], patron: str, cents: int) -> int:
    """The balance after an amount is added, or withdrawn if negative; refused if it would be negative."""
    if patron not in balances:
        raise RuleViolation(CLAUSE, f"{patron} has no account with the house")
    new_balance = balances[patron] + cents
    if new_balance < 0:
        balance, amount = format_money(balances[patron]), format_money(-cents)
        raise RuleViolation(
            CLAUSE, f"{patron} has {balance} in their account with the house, which does not cover {amount}"
        )
    require_storable(patron, new_balance)
    return new_balance


def write_balances(connection: sa.Connection, before: Mapping[str, int], after: Mapping[str, int]) -> None:
    """Writes the balances that changed."""
    rows = [{"name": patron, "cents": cents} for patron, cents in after.items() if before[patron] != cents]
    if rows:
        is_patron = s.wallets.c.patron == sa.bindparam("name")
        connection.execute(sa.update(s.wallets).where(is_patron).values(cents=sa.bindparam("cents")), rows)


def open_wallet(connection: sa.Connection, patron: str) -> bool:
    """Opens an empty account; false if the patron has one already."""
    balance = connection.execute(sa.select(s.wallets.c.cents).where(s.wallets.c.patron == patron)).scalar()
    if balance is None:
        connection.execute(sa.insert(s.wallets).values(patron=patron, cents=0))
    return balance is None
