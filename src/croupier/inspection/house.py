"""What belongs to no single table: journal, accounts, requests, linked meters, archives, and the file itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from croupier.audit.chain import CHAIN
from croupier.audit.finding import Finding
from croupier.audit.legality import IMPOSSIBLE
from croupier.errors import Malformed
from croupier.money import show
from croupier.progressive.link import Link
from croupier.store import books, journal
from croupier.store import schema as s
from croupier.store.linking import journal_of, load_link
from croupier.store.movements import request_of
from croupier.table.codec import decode_setup
from croupier.table.linked import member_of
from croupier.table.record import read_record

MONEY = "GAM-1"


def whole(connection: sa.Connection) -> Iterator[Finding]:
    """What SQLite itself finds wrong with its file."""
    if connection.dialect.name == "sqlite":
        for (said,) in connection.exec_driver_sql("PRAGMA integrity_check"):
            if said != "ok":
                yield Finding(0, CHAIN, f"the file is damaged: {said}")


def lines(connection: sa.Connection) -> Iterator[Finding]:
    """Lines of the journal that are missing or not as they were written; a finding has the line's number."""
    for number, message in journal.faults(connection):
        yield Finding(number, CHAIN, message)


def sums(connection: sa.Connection) -> Iterator[Finding]:
    """Entries of tables and of the house that do not add up to nothing."""
    for table, words in ((s.ledger, "tables"), (s.cage_entries, "the house")):
        cents = int(connection.execute(sa.select(sa.func.coalesce(sa.func.sum(table.c.amount), 0))).scalar_one())
        if cents:
            yield Finding(0, MONEY, f"the entries of {words} add up to {cents} cents, not to nothing")


def wallets(connection: sa.Connection) -> Iterator[Finding]:
    """Accounts of patrons that are not what both ledgers add up to."""
    for patron, there, due in books.wallets_off(connection):
        yield Finding(0, MONEY, f"{patron} has {show(there)} on the account, and both ledgers come to {show(due)}")


def requests(connection: sa.Connection) -> Iterator[Finding]:
    """Approved movements that the journal does not have, or has otherwise, and movements that nobody asked for."""
    found = {row.id: request_of(row) for row in connection.execute(sa.select(s.requests))}
    seen: set[str] = set()
    for row, _ in journal.lines(connection):
        identifier = _identifier(row.data)
        if identifier is None or row.kind.startswith("request_"):
            continue
        one = found.get(identifier)
        seen.add(identifier)
        said = (row.kind, row.actor, row.second, row.table_name, row.patron)
        if one is None or one.status != "approved":
            yield Finding(
                row.number, CHAIN, f"line {row.number} of the journal is of request {identifier}, never approved"
            )
        elif said != (one.kind, one.by.name, one.second.name if one.second else "", one.table, one.patron):
            yield Finding(row.number, CHAIN, f"line {row.number} of the journal is not what request {identifier} says")
    for one in found.values():
        if one.status == "approved" and one.id not in seen:
            yield Finding(0, CHAIN, f"request {one.id} was approved, and the journal does not have it")


def _identifier(data: str) -> str | None:
    try:
        said = json.loads(data)
    except ValueError:
        return None
    found = said.get("request") if isinstance(said, dict) else None
    return found if isinstance(found, str) else None


def links(connection: sa.Connection) -> Iterator[Finding]:
    """Linked meters that do not follow from their journals."""
    for row in connection.execute(sa.select(s.links).order_by(s.links.c.id)):
        try:
            stored = load_link(connection, name=row.name, lock=False)
            again = Link(row.name, row.facility, row.clause)
            for setup in connection.execute(
                sa.select(s.tables.c.setup).where(s.tables.c.link_id == row.id).order_by(s.tables.c.id)
            ).scalars():
                again.join(member_of(decode_setup(json.loads(setup)), row.facility))
            entries = journal_of(connection, row.id)
            for entry in entries:
                again.enter(entry)
        except IMPOSSIBLE as error:
            yield Finding(0, MONEY, f"the meters of link {row.name} cannot be followed: {error}")
            continue
        if len(entries) != row.entries:
            yield Finding(0, CHAIN, f"link {row.name} has {len(entries)} entries and says {row.entries}")
        for name, meter in again.meters.items():
            if stored.link.meters.get(name) != meter:
                yield Finding(0, MONEY, f"meter {name} of link {row.name} is not what its journal comes to")


def archives(connection: sa.Connection) -> Iterator[Finding]:
    """Archived records that are missing, changed, or do not bear out what the ledger still has."""
    query = sa.select(s.tables.c.name, s.archives).join(s.tables, s.tables.c.id == s.archives.c.table_id)
    for row in connection.execute(query.order_by(s.tables.c.id)):
        path = Path(row.path)
        try:
            same = hashlib.sha256(path.read_bytes()).hexdigest() == row.sha256
            count = len(read_record(path).events)
        except (OSError, Malformed) as error:
            yield Finding(0, CHAIN, f"the archived record of table {row.name} cannot be read: {error}")
            continue
        if not same or count != row.events:
            yield Finding(0, CHAIN, f"{path}: the record of table {row.name} was changed since it was archived")


CHECKS: tuple[tuple[str, Callable[[sa.Connection], Iterator[Finding]]], ...] = (
    ("the file is whole", whole),
    ("every line of the journal is as it was written, and follows the one before it", lines),
    ("all entries add up to nothing", sums),
    ("patrons' accounts are what both ledgers add up to", wallets),
    ("what two people approved is in the journal, and nothing else", requests),
    ("linked meters follow from their journals", links),
    ("archived records are there, as they were", archives),
)
"""Checks over the house, with what each says when it finds nothing."""


def checked(connection: sa.Connection) -> Iterator[tuple[str, list[Finding]]]:
    """Every check, whatever the ones before found."""
    for title, check in CHECKS:
        try:
            yield title, list(check(connection))
        except IMPOSSIBLE as error:
            yield title, [Finding(0, "", f"the database is such that it could not be checked that {title}: {error!r}")]


def rows(connection: sa.Connection) -> list[sa.Row[Any]]:
    """The tables, oldest first."""
    return list(connection.execute(sa.select(s.tables).order_by(s.tables.c.id)))
