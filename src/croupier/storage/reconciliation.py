"""Reconciliation: the balance of every account, whether the ledger adds up, and whether the tables agree with it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import sqlalchemy as sa

from croupier.storage.ledger import Account, Holder, holdings
from croupier.storage.snapshots import load_table
from croupier.storage.sql import schema as s
from croupier.storage.sql.database import Database

OUTSIDE_ACCOUNTS = (Account.CAGE, Account.DROP, Account.ACCOUNT)
"""Accounts that are not at a table."""


def balances(database: Database, table: str) -> dict[Holder, int]:
    """The balances of a table's accounts; those of zero are left out."""
    with database.read_transaction() as connection:
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


def find_unbalanced(database: Database) -> list[tuple[str, int, int]]:
    """Events whose entries do not add up to zero, as table, number and cents."""
    total = sa.func.sum(s.ledger.c.amount)
    query = (
        sa.select(s.tables.c.name, s.ledger.c.seq, total.label("cents"))
        .join(s.tables, s.tables.c.id == s.ledger.c.table_id)
        .group_by(s.tables.c.name, s.ledger.c.seq)
        .having(total != 0)
    )
    with database.read_transaction() as connection:
        return [(row.name, row.seq, int(row.cents)) for row in connection.execute(query)]


def ledger_total(database: Database) -> int:
    """The sum over all accounts of all tables and of the house, which must be zero."""
    with database.read_transaction() as connection:
        return sum(_sum(connection, column) for column in (s.ledger.c.amount, s.cage_entries.c.amount))


def _sum(connection: sa.Connection, column: sa.Column[int]) -> int:
    return int(connection.execute(sa.select(sa.func.coalesce(sa.func.sum(column), 0))).scalar_one())


def house_balances(database: Database) -> dict[Holder, int]:
    """The balances of the house's accounts from the journal; a table's inventory goes by its name."""
    with database.read_transaction() as connection:
        return _sum_by_holder(connection, s.cage_entries)


def _sum_by_holder(
    connection: sa.Connection, table: sa.Table, *conditions: sa.ColumnElement[bool]
) -> dict[Holder, int]:
    cents = sa.func.sum(table.c.amount)
    query = sa.select(table.c.account, table.c.owner, cents.label("cents")).where(*conditions)
    query = query.group_by(table.c.account, table.c.owner).having(cents != 0)
    return {(Account(row.account), row.owner): int(row.cents) for row in connection.execute(query)}


def find_wrong_wallets(database: Database) -> list[tuple[str, int, int]]:
    """Patrons' accounts that differ from both ledgers: patron, actual cents, expected cents."""
    with database.read_transaction() as connection:
        return compare_wallets(connection)


def compare_wallets(connection: sa.Connection) -> list[tuple[str, int, int]]:
    """The same within a transaction."""
    expected: dict[str, int] = defaultdict(int)
    for table in (s.ledger, s.cage_entries):
        for (_, owner), cents in _sum_by_holder(connection, table, table.c.account == Account.ACCOUNT.value).items():
            expected[owner] += cents
    query = sa.select(s.wallets.c.patron, s.wallets.c.cents)
    actual = {row.patron: row.cents for row in connection.execute(query)}
    return [
        (patron, actual.get(patron, 0), expected.get(patron, 0))
        for patron in sorted({*actual, *expected})
        if actual.get(patron, 0) != expected.get(patron, 0) or patron not in actual
    ]


def find_disagreements(database: Database, table: str) -> Iterator[str]:
    """One sentence for each account whose ledger balance differs from the table's state."""
    with database.read_transaction() as connection:
        ledger_balances = {
            holder: cents for holder, cents in _balances(connection, table).items() if holder[0] not in OUTSIDE_ACCOUNTS
        }
        table_balances = holdings(load_table(connection, table).table)
    for account, owner in sorted({*ledger_balances, *table_balances}):
        ledger_cents, table_cents = ledger_balances.get((account, owner), 0), table_balances.get((account, owner), 0)
        if ledger_cents != table_cents:
            name = f"{account} of {owner}" if owner else account
            yield f"table {table}: {name} has {table_cents} cents at the table and {ledger_cents} in the ledger"
