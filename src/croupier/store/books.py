"""The ledger asked: what is on every account, whether it adds up, and whether the tables agree with it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import sqlalchemy as sa

from croupier.store import schema as s
from croupier.store.database import Database
from croupier.store.ledger import Account, Holder, holdings
from croupier.store.loading import load

OUTSIDE = (Account.CAGE, Account.DROP, Account.ACCOUNT)
"""Accounts that are not at a table."""


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
    """The sum over all accounts of all tables and of the house: always nothing."""
    with database.reading() as connection:
        return sum(_sum(connection, column) for column in (s.ledger.c.amount, s.cage_entries.c.amount))


def _sum(connection: sa.Connection, column: sa.Column[int]) -> int:
    return int(connection.execute(sa.select(sa.func.coalesce(sa.func.sum(column), 0))).scalar_one())


def house(database: Database) -> dict[Holder, int]:
    """What the journal's entries come to, account by account; those of a table's inventory have its name."""
    with database.reading() as connection:
        return _summed(connection, s.cage_entries)


def _summed(connection: sa.Connection, table: sa.Table, *which: sa.ColumnElement[bool]) -> dict[Holder, int]:
    cents = sa.func.sum(table.c.amount)
    query = sa.select(table.c.account, table.c.owner, cents.label("cents")).where(*which)
    query = query.group_by(table.c.account, table.c.owner).having(cents != 0)
    return {(Account(row.account), row.owner): int(row.cents) for row in connection.execute(query)}


def wrong_wallets(database: Database) -> list[tuple[str, int, int]]:
    """Patrons' accounts that are not what both ledgers add up to: patron, cents there, cents due. There are none."""
    with database.reading() as connection:
        return wallets_off(connection)


def wallets_off(connection: sa.Connection) -> list[tuple[str, int, int]]:
    """The same within a transaction."""
    due: dict[str, int] = defaultdict(int)
    for table in (s.ledger, s.cage_entries):
        for (_, owner), cents in _summed(connection, table, table.c.account == Account.ACCOUNT.value).items():
            due[owner] += cents
    query = sa.select(s.wallets.c.patron, s.wallets.c.cents)
    there = {row.patron: row.cents for row in connection.execute(query)}
    return [
        (patron, there.get(patron, 0), due.get(patron, 0))
        for patron in sorted({*there, *due})
        if there.get(patron, 0) != due.get(patron, 0) or patron not in there
    ]


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
