"""Checks that concern no single table: journal, accounts, requests, linked meters, archives, and the file itself."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from croupier.audits.chain import CHAIN_CLAUSE
from croupier.audits.checks.legality import DAMAGED_RECORD_ERRORS
from croupier.audits.database.people import check_people
from croupier.audits.finding import Finding
from croupier.core.errors import InputError
from croupier.core.money import format_money, format_signed_money
from croupier.progressive.links import Link
from croupier.progressive.meters import MeterCause
from croupier.storage import reconciliation
from croupier.storage.approvals import APPROVAL_KINDS, ApprovalRequest, PaymentCorrection, build_moves
from croupier.storage.repositories import audit, journal
from croupier.storage.repositories.links import journal_of, load_link
from croupier.storage.sql.database import Connection, Database, StorageUnavailable, file_faults
from croupier.table.linked_session import member_of
from croupier.table.model.events import MeterChanged, PaymentCorrected
from croupier.table.model.roles import Actor
from croupier.table.record.codec import decode_event, decode_setup
from croupier.table.record.file import read_record

MONEY_CLAUSE = "GAM-1"
APPROVED_KINDS = [kind for kind, rule in APPROVAL_KINDS.items() if rule.is_correction or rule.is_meter_change]


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
    for row, entries in journal.load_rows(connection):
        line = f"line {row.number} of the journal"
        if row.kind not in APPROVAL_KINDS:
            if entries and row.kind != journal.PLAY_MONEY:
                yield Finding(row.number, MONEY_CLAUSE, f"{line} moves money, but nobody has approved it")
            continue
        identifier = str(journal.parse_data(row.data).get("request", ""))
        request = by_id.get(identifier)
        if request is None or request.status != "approved":
            yield Finding(row.number, CHAIN_CLAUSE, f"{line} is for request {identifier}, which was never approved")
        elif identifier in journaled_ids:
            yield Finding(row.number, MONEY_CLAUSE, f"{line} carries out request {identifier} a second time")
        elif (row.kind, row.actor, row.second, row.table_name, row.patron) != _journal_columns(request):
            yield Finding(row.number, CHAIN_CLAUSE, f"{line} differs from request {identifier}")
        elif entries != journal.net_moves(build_moves(APPROVAL_KINDS[row.kind], request)):
            yield Finding(row.number, MONEY_CLAUSE, f"{line} moves another amount than request {identifier}")
        journaled_ids.add(identifier)
    for request in by_id.values():
        if request.status == "approved" and request.id not in journaled_ids:
            yield Finding(0, CHAIN_CLAUSE, f"request {request.id} was approved, but is not in the journal")


def _journal_columns(request: ApprovalRequest) -> tuple[str, str, str, str, str]:
    """The columns of a request in the journal: its kind, both people, table and patron."""
    second = request.second.name if request.second is not None else ""
    return request.kind, request.by.name, second, request.table, request.patron


def check_approved_events(connection: Connection) -> Iterator[Finding]:
    """Corrected payments and changed meters that the journal lacks or states differently, and the other way round."""
    lines = [
        (row.number, _approved_line(row.table_name, row.actor, row.second, journal.parse_data(row.data)))
        for row, _ in journal.load_rows(connection)
        if row.kind in APPROVED_KINDS
    ]
    for table, seq, data in audit.approved_events(connection):
        event = _approved_event(table, data)
        number = next((number for number, line in lines if line == event), None)
        if event is not None and number is None:
            change = "corrected payment" if "wager" in event else "changed meter"
            people = f"{event['by']} and {event['second']}"
            yield Finding(
                seq, CHAIN_CLAUSE, f"table {table}, event {seq}: the {change} of {people} is not in the journal"
            )
        lines = [(other, line) for other, line in lines if other != number]
    archived = {row.table for row in audit.archives(connection)}
    for number, line in lines:
        if line["table"] not in archived:
            message = f"line {number} of the journal is for a change that table {line['table']} does not have"
            yield Finding(number, CHAIN_CLAUSE, message)


def _approved_line(table: str, by: str, second: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """What a line of the journal says about a change that two people have made at a table."""
    change = data.get("correction") or {"meter": data.get("meter"), "amount": data.get("cents")}
    return {"table": table, "by": by, "second": second, **change}


def _approved_event(table: str, data: str) -> dict[str, Any] | None:
    """The same of an event; `None` if one person was enough, or if the event cannot be read."""
    try:
        event = decode_event(json.loads(data))
    except (InputError, *DAMAGED_RECORD_ERRORS):
        return None  # the audit of the table reports it
    match event:
        case PaymentCorrected(approved_by=Actor(name=second)):
            change = {name.name: getattr(event, name.name) for name in fields(PaymentCorrection)}
        case MeterChanged(approved_by=Actor(name=second)):
            amount = event.after if event.cause is MeterCause.SET_UP else event.amount
            change = {"meter": event.meter, "amount": int(amount)}
        case _:
            return None
    return {"table": table, "by": event.by.name, "second": second, **change}


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
    ("the journal has both people behind every corrected payment and changed meter", check_approved_events),
    ("the journal has every act on an account, and the roles of all staff", check_people),
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
