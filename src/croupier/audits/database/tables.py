"""The audit of one table in a database: its record, and every row derived from it, recomputed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from croupier.audits.chain import CHAIN_CLAUSE, read_lines
from croupier.audits.checks.legality import DAMAGED_RECORD_ERRORS
from croupier.audits.database.records import event_line_bytes, header_line
from croupier.audits.finding import Finding, NumberedEvents
from croupier.audits.record import Audit, add_findings, audit_parsed
from croupier.core.money import format_signed_money
from croupier.storage.ledger import postings
from croupier.storage.repositories.audit import DerivedRows, load_derived, load_keyed_commands
from croupier.storage.repositories.tables import StoredTable
from croupier.storage.snapshots import load_raw_lines, pack_table, state_shape
from croupier.storage.sql.database import Connection
from croupier.table.evolve import evolve_recorded, new_table
from croupier.table.model.events import ChipsBought, ChipsCashed, Event
from croupier.table.model.setup import Setup
from croupier.table.model.state import Table
from croupier.table.record.causation import Causes

COLUMNS_TITLE = "the query columns agree with the events"
LEDGER_TITLE = "the ledger has the entries of every event and no others"
SNAPSHOTS_TITLE = "the snapshots follow from the events"
KEYS_TITLE = "commands are stored under their keys with the events they caused"


def audit_table(connection: Connection, row: StoredTable) -> Audit:
    """Runs every check over a table: record, columns, ledger, snapshots and keys."""
    raw_lines, column_findings = [header_line(row)], list[Finding]()
    for line in load_raw_lines(connection, row.id):
        raw_lines.append(event_line_bytes(line))
        if not line.data.startswith(f'{{"event": "{line.kind}"'):
            column_findings.append(
                Finding(
                    line.seq,
                    CHAIN_CLAUSE,
                    f"the column kind of event {line.seq} is {line.kind!r}, but the event differs",
                )
            )
    parsed = read_lines(row.name, raw_lines)
    report = audit_parsed(parsed)
    setup = parsed.setup
    if setup is not None:
        if (setup.name, setup.elected.edition.name) != (row.name, row.edition):
            stored_as, set_up_as = f"{row.name} of {row.edition}", f"{setup.name} of {setup.elected.edition.name}"
            message = f"the table is stored as {stored_as}, but its setup is {set_up_as}"
            parsed.findings.append(Finding(0, CHAIN_CLAUSE, message))
            add_findings(report, "the table has the name in its setup", parsed.findings[-1:])
        derived_rows = load_derived(connection, row.id, state_shape())
        _check_derived_rows(report, setup, parsed.events, derived_rows, column_findings)
        add_findings(report, KEYS_TITLE, list(_check_keys(connection, row.id, parsed.causes)))
    return report


def _check_keys(connection: Connection, table_id: int, causes: Causes) -> Iterator[Finding]:
    """Commands whose key is missing or stored with other events, so that a retry would carry them out again."""
    keyed_commands = load_keyed_commands(connection, table_id)
    for seq, cause in causes.items():
        if cause.key and not any(seq in events for events in keyed_commands.get(cause.key, ())):
            yield Finding(
                seq, CHAIN_CLAUSE, f"event {seq} was caused by the command {cause.key!r}, which is not stored with it"
            )


def _check_derived_rows(
    report: Audit, setup: Setup, events: NumberedEvents, derived_rows: DerivedRows, columns: list[Finding]
) -> None:
    ledger: list[Finding] = []
    snapshots: list[Finding] = []
    table, last = new_table(setup), 0
    for seq, event in events:
        try:
            after = evolve_recorded(table, event)
            ledger += _check_entries(table, seq, event, derived_rows.entries.pop(seq, {}))
        except DAMAGED_RECORD_ERRORS:
            after = table  # other checks report it
        columns += _check_columns(seq, event, table, after, derived_rows.columns.get(seq))
        if seq in derived_rows.snapshots and derived_rows.snapshots[seq] != pack_table(after):
            snapshots.append(
                Finding(seq, CHAIN_CLAUSE, f"the snapshot after event {seq} does not follow from the events")
            )
        table, last = after, seq
    ledger += [
        Finding(seq, "GAM-1", f"the ledger has entries for event {seq}, which is missing or impossible")
        for seq in sorted(derived_rows.entries)
    ]
    snapshots += [
        Finding(seq, CHAIN_CLAUSE, f"there is a snapshot after event {seq}, which is missing")
        for seq in sorted(derived_rows.snapshots)
        if seq > last
    ]
    for title, findings in ((COLUMNS_TITLE, columns), (LEDGER_TITLE, ledger), (SNAPSHOTS_TITLE, snapshots)):
        add_findings(report, title, findings)


def _check_columns(
    seq: int, event: Event, before: Table, after: Table, row: Mapping[str, Any] | None
) -> Iterator[Finding]:
    round_ = after.round or before.round
    expected = {
        "at": event.at,
        "round": round_.number if round_ is not None else getattr(event, "round", 0),
        "actor": event.by.name,
        "role": event.by.role.value,
        "seat": getattr(event, "seat", 0),
    }
    for name, value in expected.items():
        stored = None if row is None else row[name]
        if stored != value:
            yield Finding(
                seq, CHAIN_CLAUSE, f"the column {name} of event {seq} is {stored!r}, but the event has {value!r}"
            )


def _check_entries(table: Table, seq: int, event: Event, stored: dict[tuple[str, str], int]) -> Iterator[Finding]:
    """Accepts the entries of a patron with or without a house account: the account sums show which applies."""
    patron = [event.patron] if isinstance(event, ChipsBought | ChipsCashed) else []
    expected = [
        {(account.value, owner): cents for (account, owner), cents in postings(table, event, accounts).items()}
        for accounts in ((), patron)
    ]
    if stored not in expected:
        yield Finding(
            seq,
            event.clause or "GAM-1",
            f"the ledger has {_format_entries(stored)} for event {seq}, but should have {_format_entries(expected[0])}",
        )


def _format_entries(entries: dict[tuple[str, str], int]) -> str:
    parts = [
        f"{account}{f' of {owner}' if owner else ''} {format_signed_money(cents)}"
        for (account, owner), cents in sorted(entries.items())
    ]
    return ", ".join(parts) or "nothing"
