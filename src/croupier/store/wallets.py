"""Patrons' accounts with the house, held while money moves: nobody else changes them until the transaction ends.

They are locked in order of name, after tables and links and before the journal, so that no two processes ever wait
for each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import sqlalchemy as sa

from croupier.errors import NotPermitted
from croupier.money import show
from croupier.store import schema as s
from croupier.store.inserting import require_storable, storable

CLAUSE = "GAM-1"
"""No balance is ever negative."""


def held(connection: sa.Connection, patrons: Iterable[str]) -> dict[str, int]:
    """Cents on the accounts of those patrons who have one, locked until the transaction ends."""
    wanted = sorted({patron for patron in patrons if patron and storable(patron)})
    if not wanted:
        return {}
    column = s.wallets.c
    query = sa.select(column.patron, column.cents).where(column.patron.in_(wanted)).order_by(column.patron)
    return {row.patron: row.cents for row in connection.execute(query.with_for_update())}


def taken(balances: Mapping[str, int], patron: str, cents: int) -> int:
    """What is on an account after so much was added, or taken where it is negative; refused below nothing."""
    if patron not in balances:
        raise NotPermitted(CLAUSE, f"{patron} has no account with the house")
    left = balances[patron] + cents
    if left < 0:
        there, asked = show(balances[patron]), show(-cents)
        raise NotPermitted(CLAUSE, f"{patron} has {there} on the account with the house, and {asked} is asked for")
    require_storable(patron, left)
    return left


def write(connection: sa.Connection, before: Mapping[str, int], after: Mapping[str, int]) -> None:
    """Writes accounts that changed."""
    changed = [{"whose": patron, "cents": cents} for patron, cents in after.items() if before[patron] != cents]
    if changed:
        whose = s.wallets.c.patron == sa.bindparam("whose")
        connection.execute(sa.update(s.wallets).where(whose).values(cents=sa.bindparam("cents")), changed)


def open_wallet(connection: sa.Connection, patron: str) -> bool:
    """An account with nothing on it; gives whether it is new."""
    known = connection.execute(sa.select(s.wallets.c.cents).where(s.wallets.c.patron == patron)).scalar()
    if known is None:
        connection.execute(sa.insert(s.wallets).values(patron=patron, cents=0))
    return known is None
