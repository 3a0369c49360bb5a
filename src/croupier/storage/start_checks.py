"""Checks of a database before it is served: the file, the heads of all hash chains, and the balance of the ledgers.

They take seconds even on a large database. The audit checks everything else, and takes longer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import sqlalchemy as sa

from croupier.core.errors import InputError
from croupier.core.hash_chain import START, next_hash
from croupier.storage.reconciliation import compare_wallets
from croupier.storage.repositories import journal
from croupier.storage.repositories.audit import ledger_sums
from croupier.storage.snapshots import load_lines
from croupier.storage.sql import schema as s
from croupier.storage.sql.database import Database, StorageUnavailable, file_faults
from croupier.table.record.file import RECORD_FORMAT

CHECKED_JOURNAL_LINES = 100
MAX_MINUTES_AHEAD = 5
"""How far the clocks of machines that share a database may differ."""


def find_problems(database: Database, now: int) -> list[str]:
    """One sentence for each problem; later checks are left out if the file cannot be read."""
    problems: list[str] = []
    try:
        with database.read_transaction() as connection:
            problems += [
                f"the file is damaged: {fault.splitlines()[0]}" for fault in file_faults(connection, quick=True)
            ]
            if not problems:
                for check in (_check_tables, _check_journal, _check_ledgers):
                    problems += check(connection)
                problems += _check_times(connection, now)
    except StorageUnavailable as error:
        problems.append(error.reason)
    return problems


def _check_times(connection: sa.Connection, now: int) -> Iterator[str]:
    """Nothing was stamped in the future: new events would be stamped there as well, and fall into that gaming day."""
    is_open = s.events.c.table_id.in_(sa.select(s.tables.c.id).where(s.tables.c.status == "open"))
    for query in (sa.select(sa.func.max(s.events.c.at)).where(is_open), sa.select(sa.func.max(s.journal.c.at))):
        minutes = ((connection.execute(query).scalar() or 0) - now) // 60_000
        if minutes >= MAX_MINUTES_AHEAD:
            yield f"the last event was stamped {minutes:,} minutes in the future: set the clock of this machine"
            return


def _check_tables(connection: sa.Connection) -> Iterator[str]:
    """Every setup has its hash, and the last event of every table follows the one before it."""
    counts = sa.select(s.events.c.table_id, sa.func.max(s.events.c.seq), sa.func.count()).group_by(s.events.c.table_id)
    heads = {table_id: (last, count) for table_id, last, count in connection.execute(counts)}
    for row in list(connection.execute(sa.select(s.tables).where(s.tables.c.status != "archived"))):
        last, count = heads.get(row.id, (0, 0))
        try:
            fields = {"record": RECORD_FORMAT, "digest": row.digest, "table": json.loads(row.setup)}
            if next_hash(START, fields) != row.hash:
                yield f"table {row.name}: its setup was changed: its hash does not match"
            elif last != count:
                yield f"table {row.name}: has {count} events, but its last one is number {last}"
            elif last:
                before = (s.events.c.table_id == row.id) & (s.events.c.seq == last - 1)
                previous = connection.execute(sa.select(s.events.c.hash).where(before)).scalar() or row.hash
                list(load_lines(connection, row.id, row.name, last - 1, previous))
        except InputError as error:
            yield str(error)
        except ValueError:
            yield f"table {row.name}: its setup cannot be read"


def _check_journal(connection: sa.Connection) -> Iterator[str]:
    """The last lines of the journal follow each other."""
    last, count = connection.execute(sa.select(sa.func.max(s.journal.c.number), sa.func.count())).one()
    if (last or 0) != count:
        yield f"the journal has {count} lines, but its last one is number {last}"
    yield from (fault for _, fault in journal.find_faults(connection, max(0, (last or 0) - CHECKED_JOURNAL_LINES)))


def _check_ledgers(connection: sa.Connection) -> Iterator[str]:
    """Both ledgers add up to zero, and patrons' accounts to what both say."""
    for cents, owner in zip(ledger_sums(connection), ("tables", "the house"), strict=True):
        if cents:
            yield f"the entries of {owner} add up to {cents} cents instead of zero"
    for patron, actual, expected in compare_wallets(connection):
        yield f"the account of {patron} has {actual} cents, but both ledgers add up to {expected}"
