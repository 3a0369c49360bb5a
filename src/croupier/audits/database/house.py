"""Checks that concern no single table: journal, accounts, requests, linked meters, archives, and the file itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from croupier.audits.chain import CHAIN_CLAUSE
from croupier.audits.checks.legality import DAMAGED_RECORD_ERRORS
from croupier.audits.finding import Finding
from croupier.core.errors import InputError
from croupier.core.money import format_money, format_signed_money
from croupier.progressive.links import Link
from croupier.storage import reconciliation
from croupier.storage.approvals import ApprovalRequest
from croupier.storage.repositories import audit, journal
from croupier.storage.repositories.links import journal_of, load_link
from croupier.storage.sql.database import Connection, Database, StorageUnavailable, file_faults
from croupier.table.linked_session import member_of
from croupier.table.record.codec import decode_setup
from croupier.table.record.file import read_record

MONEY_CLAUSE = "GAM-1"


def check_file(connection: Connection) -> Iterator[Finding]:
    """Faults that SQLite reports about its own file."""
    for fault in file_faults(connection):
        yield Finding(0, CHAIN_CLAUSE, f"the file is damaged: {fault}")


def check_journal(connection: Connection) -> Iterator[Finding]:
    """Lines of the journal that are missing or changed; a finding has the line's number."""
    for number, message in journal.find_faults(connection):
        yield Finding(number, CHAIN_CLAUSE, message)


def check_sums(connection: Connection) -> Iterator[Finding]:
    """Entries of tables and of the house that do not add up to zero."""
    for cents, owner in zip(audit.ledger_sums(connection), ("tables", "the house"), strict=True):
        if cents:
            yield Finding(
                0, MONEY_CLAUSE, f"the entries of {owner} add up to {format_signed_money(cents)} instead of zero"
            )


def check_wallets(connection: Connection) -> Iterator[Finding]:
    """Patrons' accounts that differ from what both ledgers add up to."""
    for patron, actual, expected in reconciliation.compare_wallets(connection):
        yield Finding(
            0,
            MONEY_CLAUSE,
            f"the account of {patron} has {format_money(actual)}, but both ledgers add up to {format_money(expected)}",
        )


def check_requests(connection: Connection) -> Iterator[Finding]:
    """Approved movements that the journal lacks or states differently, and movements without a request."""
    by_id = audit.requests(connection)
    journaled_ids: set[str] = set()
    for row, _ in journal.load_rows(connection):
        identifier = _request_id(row.data)
        if identifier is None or row.kind.startswith("request_"):
            continue
        request = by_id.get(identifier)
        journaled_ids.add(identifier)
        columns = (row.kind, row.actor, row.second, row.table_name, row.patron)
        if request is None or request.status != "approved":
            yield Finding(
                row.number,
                CHAIN_CLAUSE,
                f"line {row.number} of the journal is for request {identifier}, which was never approved",
            )
        elif columns != _journal_columns(request):
            yield Finding(
                row.number, CHAIN_CLAUSE, f"line {row.number} of the journal differs from request {identifier}"
            )
    for request in by_id.values():
        if request.status == "approved" and request.id not in journaled_ids:
            yield Finding(0, CHAIN_CLAUSE, f"request {request.id} was approved, but is not in the journal")


def _journal_columns(request: ApprovalRequest) -> tuple[str, str, str, str, str]:
    """The columns of a request in the journal: its kind, both people, table and patron."""
    second = request.second.name if request.second is not None else ""
    return request.kind, request.by.name, second, request.table, request.patron


def _request_id(data: str) -> str | None:
    try:
        fields = json.loads(data)
    except ValueError:
        return None
    identifier = fields.get("request") if isinstance(fields, dict) else None
    return identifier if isinstance(identifier, str) else None


def check_links(connection: Connection) -> Iterator[Finding]:
    """Linked meters that do not follow from their journals."""
    for row in audit.links(connection):
        try:
            stored_link = load_link(connection, name=row.name, lock=False)
            rebuilt_link = Link(row.name, row.facility, row.clause)
            for setup in audit.setups_on_link(connection, row.id):
                rebuilt_link.join(member_of(decode_setup(json.loads(setup)), row.facility))
            entries = journal_of(connection, row.id)
            for entry in entries:
                rebuilt_link.book(entry)
        except DAMAGED_RECORD_ERRORS as error:
            yield Finding(0, MONEY_CLAUSE, f"the meters of link {row.name} cannot be rebuilt: {error}")
            continue
        if len(entries) != row.entries:
            yield Finding(0, CHAIN_CLAUSE, f"link {row.name} has {len(entries)} entries, but should have {row.entries}")
        for name, meter in rebuilt_link.meters.items():
            if stored_link.link.meters.get(name) != meter:
                yield Finding(0, MONEY_CLAUSE, f"meter {name} of link {row.name} does not follow from its journal")


def check_archives(connection: Connection) -> Iterator[Finding]:
    """Archived records that are missing, unreadable or changed."""
    for row in audit.archives(connection):
        path = Path(row.path)
        try:
            is_unchanged = hashlib.sha256(path.read_bytes()).hexdigest() == row.sha256
            count = len(read_record(path).events)
        except (OSError, InputError) as error:
            yield Finding(0, CHAIN_CLAUSE, f"the archived record of table {row.table} cannot be read: {error}")
            continue
        if not is_unchanged or count != row.events:
            yield Finding(0, CHAIN_CLAUSE, f"{path}: the archived record of table {row.table} was changed")


HOUSE_CHECKS: tuple[tuple[str, Callable[[Connection], Iterator[Finding]]], ...] = (
    ("the file is intact", check_file),
    ("every line of the journal is unchanged and follows the one before it", check_journal),
    ("all entries add up to zero", check_sums),
    ("patrons' accounts equal what both ledgers add up to", check_wallets),
    ("the journal has every approved movement and no others", check_requests),
    ("linked meters follow from their journals", check_links),
    ("archived records exist and are unchanged", check_archives),
)
"""Checks over the house, with the statement that each confirms."""


def run_checks(database: Database, connection: Connection) -> Iterator[tuple[str, list[Finding]]]:
    """Runs every check; a database that stops one is a finding too."""
    for title, check in HOUSE_CHECKS:
        try:
            with database.translated_errors():
                yield title, list(check(connection))
        except DAMAGED_RECORD_ERRORS as error:
            yield title, [Finding(0, "", f"the database is too damaged to check that {title}: {error!r}")]
        except StorageUnavailable as error:
            if not database.is_sqlite:
                raise
            yield (
                title,
                [Finding(0, CHAIN_CLAUSE, f"the database is too damaged to check that {title}: {error.reason}")],
            )
