"""The ledger asked: what is on every account, whether it adds up, and whether the tables agree with it."""

from __future__ import annotations

from collections.abc import Iterator

import sqlalchemy as sa

from croupier.store import schema as s
from croupier.store.database import Database
from croupier.store.ledger import Account, Holder, holdings
from croupier.store.loading import load

OUTSIDE = (Account.CAGE, Account.DROP)


def balances(database: Database, table: str) -> dict[Holder, int]:
    """What the entries of a table come to, account by account; accounts with nothing are left out."""
    with database.reading() as connection:
        return _balances(connection, table)


def _balances(connection: sa.Connection, table: str) -> dict[Holder, int]:
    total = sa.func.sum(s.ledger.c.amount)
    query = (
        sa.select(s.ledger.c.account, s.ledger.c.owner, total.label("cents"))
        .join(s.tables, s.tables.c.id == s.ledger.c.table_id)
        .where(s.tables.c.name == table)
        .group_by(s.ledger.c.account, s.ledger.c.owner)
        .having(total != 0)
    )
    return {(Account(row.account), row.owner): int(row.cents) for row in connection.execute(query)}


def unbalanced(database: Database) -> list[tuple[str, int, int]]:
    """Transactions whose entries do not add up to nothing, as table, number and cents. There are none."""
    total = sa.func.sum(s.ledger.c.amount)
    query = (
        sa.select(s.tables.c.name, s.ledger.c.seq, total.label("cents"))
        .join(s.tables, s.tables.c.id == s.ledger.c.table_id)
        .group_by(s.tables.c.name, s.ledger.c.seq)
        .having(total != 0)
    )
    with database.reading() as connection:
        return [(row.name, row.seq, int(row.cents)) for row in connection.execute(query)]


def total(database: Database) -> int:
    """The sum over all accounts of all tables: always nothing."""
    with database.reading() as connection:
        return int(connection.execute(sa.select(sa.func.coalesce(sa.func.sum(s.ledger.c.amount), 0))).scalar_one())


def disagreements(database: Database, table: str) -> Iterator[str]:
    """Where the ledger and the state that follows from the events differ; empty where all is well."""
    with database.reading() as connection:
        booked = {holder: cents for holder, cents in _balances(connection, table).items() if holder[0] not in OUTSIDE}
        held = holdings(load(connection, table).table)
    for account, owner in sorted({*booked, *held}):
        left, right = booked.get((account, owner), 0), held.get((account, owner), 0)
        if left != right:
            whose = f" of {owner}" if owner else ""
            yield f"table {table}: {account}{whose} has {right} cents at the table and {left} in the ledger"
