"""One table in a database: its record audited as a file is, and all that was derived from it derived again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from croupier.audit.auditing import Audit, add, audit_reading
from croupier.audit.chain import CHAIN, read_lines
from croupier.audit.finding import Finding, Numbered
from croupier.audit.legality import IMPOSSIBLE
from croupier.inspection.sources import head, line_of
from croupier.store import schema as s
from croupier.store.ledger import postings
from croupier.store.loading import pack_table, raw_lines, state_shape
from croupier.table.events import ChipsBought, ChipsCashed, Event
from croupier.table.evolve import evolve, new_table
from croupier.table.setup import Setup
from croupier.table.state import Table

COLUMNS = "the columns by which events are found say what the events say"
LEDGER = "the ledger has the entries of every event, and no others"
SNAPSHOTS = "the states that are kept follow from the events"


@dataclass
class _Stored:
    """What the database derived from a table's events, by their numbers."""

    columns: dict[int, sa.Row[Any]] = field(default_factory=dict)
    entries: dict[int, dict[tuple[str, str], int]] = field(default_factory=lambda: defaultdict(dict))
    snapshots: dict[int, str] = field(default_factory=dict)


def audit_table(connection: sa.Connection, row: sa.Row[Any]) -> Audit:
    """Every check over a table: its record, its columns, its ledger, its kept states."""
    raw, kinds = [head(row)], list[Finding]()
    for line in raw_lines(connection, row.id):
        raw.append(line_of(line))
        if not line.data.startswith(f'{{"event": "{line.kind}"'):
            kinds.append(Finding(line.seq, CHAIN, f"event {line.seq} is found as {line.kind!r}, and it says otherwise"))
    reading = read_lines(row.name, raw)
    found = audit_reading(reading)
    setup = reading.setup
    if setup is not None:
        if (setup.name, setup.elected.edition.name) != (row.name, row.edition):
            said = f"the table is called {row.name} of {row.edition}, and its setup {setup.name} of"
            reading.findings.append(Finding(0, CHAIN, f"{said} {setup.elected.edition.name}"))
            add(found, "a table goes by the name in its setup", reading.findings[-1:])
        _derived(found, setup, reading.events, _stored(connection, row.id), kinds)
    return found


def _stored(connection: sa.Connection, table_id: int) -> _Stored:
    found, column = _Stored(), s.events.c
    names = (column.seq, column.at, column.kind, column.round, column.actor, column.role, column.seat)
    columns: sa.Select[Any] = sa.select(*names).where(column.table_id == table_id)
    found.columns = {row.seq: row for row in connection.execute(columns)}
    for row in connection.execute(sa.select(s.ledger).where(s.ledger.c.table_id == table_id)):
        found.entries[row.seq][row.account, row.owner] = row.amount
    kept = sa.select(s.snapshots).where(s.snapshots.c.table_id == table_id, s.snapshots.c.shape == state_shape())
    found.snapshots = {row.seq: row.state for row in connection.execute(kept)}
    return found


def _derived(found: Audit, setup: Setup, events: Numbered, stored: _Stored, columns: list[Finding]) -> None:
    ledger: list[Finding] = []
    snapshots: list[Finding] = []
    table, last = new_table(setup), 0
    for seq, event in events:
        try:
            after = evolve(table, event)
            ledger += _entries(table, seq, event, stored.entries.pop(seq, {}))
        except IMPOSSIBLE:
            after = table  # other checks say so
        columns += _columns(seq, event, table, after, stored.columns.get(seq))
        if seq in stored.snapshots and stored.snapshots[seq] != pack_table(after):
            snapshots.append(Finding(seq, CHAIN, f"the state kept after event {seq} is not the one that follows"))
        table, last = after, seq
    ledger += [
        Finding(seq, "GAM-1", f"the ledger has entries of event {seq}, which there is not, or cannot be followed")
        for seq in sorted(stored.entries)
    ]
    snapshots += [
        Finding(seq, CHAIN, f"a state is kept after event {seq}, which there is not")
        for seq in sorted(stored.snapshots)
        if seq > last
    ]
    for title, findings in ((COLUMNS, columns), (LEDGER, ledger), (SNAPSHOTS, snapshots)):
        add(found, title, findings)


def _columns(seq: int, event: Event, before: Table, after: Table, row: sa.Row[Any] | None) -> Iterator[Finding]:
    round_ = after.round or before.round
    said = {
        "at": event.at,
        "round": round_.number if round_ is not None else getattr(event, "round", 0),
        "actor": event.by.name,
        "role": event.by.role.value,
        "seat": getattr(event, "seat", 0),
    }
    for name, value in said.items():
        there = None if row is None else row._mapping[name]
        if there != value:
            yield Finding(seq, CHAIN, f"the column {name} of event {seq} has {there!r} where the event says {value!r}")


def _entries(table: Table, seq: int, event: Event, there: dict[tuple[str, str], int]) -> Iterator[Finding]:
    """A patron may have had an account with the house or not: which it was, the accounts' sums tell."""
    patron = [event.patron] if isinstance(event, ChipsBought | ChipsCashed) else []
    due = [
        {(account.value, owner): cents for (account, owner), cents in postings(table, event, accounts).items()}
        for accounts in ((), patron)
    ]
    if there not in due:
        yield Finding(
            seq, event.clause or "GAM-1", f"the ledger has {_told(there)} for event {seq}, due is {_told(due[0])}"
        )


def _told(entries: dict[tuple[str, str], int]) -> str:
    parts = [
        f"{account}{f' of {owner}' if owner else ''} {cents:+}" for (account, owner), cents in sorted(entries.items())
    ]
    return ", ".join(parts) or "nothing"
