"""Retention periods (LOG-4), and the archive: records of closed tables moved from the database to files."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import sqlalchemy as sa

from croupier.core.errors import InputError, NotFound, RuleViolation
from croupier.storage.event_store import Store
from croupier.storage.private_files import make_private_folder, open_private
from croupier.storage.sql import schema as s
from croupier.table.record.file import read_record

DAY_MS = 86_400_000
YEAR_MS = 365.25 * DAY_MS


@dataclass(frozen=True, slots=True)
class Retention:
    """Retention in years, and the days after which the record of a closed table moves to the archive."""

    play_years: int = 10
    submission_years: int = 5
    """For superseded Rules Submissions."""
    archive_after_days: int = 400

    def __post_init__(self) -> None:
        for name in ("play_years", "submission_years", "archive_after_days"):
            if getattr(self, name) < 0:
                raise InputError(f"retention.{name}", "must not be negative")


@dataclass(frozen=True, slots=True)
class ArchivedRecord:
    """A record in the archive. `sha256` is the file's digest, `last_at` the time of its last event."""

    table: str
    path: Path
    sha256: str
    events: int
    last_at: int
    archived_at: int


def archive(store: Store, folder: Path, now: int, retention: Retention | None = None) -> list[ArchivedRecord]:
    """Moves the records of closed tables that are old enough to the archive, one file per table.

    A file is written to disk, read back and compared with the database before anything is removed; the
    ledger keeps the balance of every account.
    """
    retention = retention or Retention()
    until = now - retention.archive_after_days * DAY_MS
    return [_archive(store, folder, name, now) for name in _list_archivable(store, until)]


def _list_archivable(store: Store, until: int) -> list[str]:
    last = sa.select(sa.func.max(s.events.c.at)).where(s.events.c.table_id == s.tables.c.id).scalar_subquery()
    query = sa.select(s.tables.c.name).where(
        s.tables.c.status == "closed", sa.func.coalesce(last, s.tables.c.opened_at) <= until
    )
    with store.database.read_transaction() as connection:
        return list(connection.execute(query.order_by(s.tables.c.id)).scalars())


def _archive(store: Store, folder: Path, name: str, now: int) -> ArchivedRecord:
    buffer = StringIO()
    count = store.export(name, buffer)
    path = folder / f"{re.sub(r'[^A-Za-z0-9._-]+', '_', name)}-{hashlib.sha256(name.encode()).hexdigest()[:8]}.jsonl"
    digest = _write(path, buffer.getvalue())
    record = read_record(path)  # verifies the hash chain of the file itself
    record.table()
    if len(record.events) != count:
        raise RuleViolation("", f"{path} does not have all events of table {name}, so nothing was removed")
    last_at = record.events[-1].at if record.events else 0
    with store.database.write_transaction() as connection:
        condition = (s.tables.c.name == name) & (s.tables.c.status == "closed")
        table_id = connection.execute(sa.select(s.tables.c.id).where(condition).with_for_update()).scalar()
        stored_count = connection.execute(
            sa.select(sa.func.count()).select_from(s.events).where(s.events.c.table_id == table_id)
        ).scalar_one()
        if table_id is None or stored_count != count:
            raise RuleViolation("", f"table {name} changed while it was being archived, so nothing was removed")
        _condense_ledger(connection, table_id, count)
        for table in (s.snapshots, s.commands, s.events):
            connection.execute(sa.delete(table).where(table.c.table_id == table_id))
        values = {"path": str(path), "sha256": digest, "events": count, "last_at": last_at, "archived_at": now}
        connection.execute(sa.insert(s.archives).values(table_id=table_id, **values))
        connection.execute(sa.update(s.tables).where(s.tables.c.id == table_id).values(status="archived"))
    return ArchivedRecord(name, path, digest, count, last_at, now)


def _write(path: Path, text: str) -> str:
    """Writes a file atomically and durably; never overwrites one with different content."""
    data = text.encode()
    try:
        make_private_folder(path.parent)
        if path.exists() and path.read_bytes() != data:
            raise RuleViolation("", f"{path} already exists with different content, so nothing was removed")
        partial = path.with_suffix(".partial")
        with os.fdopen(open_private(partial, os.O_WRONLY | os.O_TRUNC), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
        directory = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(str(path), f"cannot be written: {(error.strerror or str(error)).lower()}") from error


def _condense_ledger(connection: sa.Connection, table_id: int, seq: int) -> None:
    """Replaces all entries with one per account: the balances stay the same and still add up to zero."""
    amount = sa.func.sum(s.ledger.c.amount)
    query = (
        sa.select(s.ledger.c.account, s.ledger.c.owner, amount.label("amount"))
        .where(s.ledger.c.table_id == table_id)
        .group_by(s.ledger.c.account, s.ledger.c.owner)
        .having(amount != 0)
    )
    balances = [
        {"table_id": table_id, "seq": seq, "account": row.account, "owner": row.owner, "amount": int(row.amount)}
        for row in connection.execute(query)
    ]
    connection.execute(sa.delete(s.ledger).where(s.ledger.c.table_id == table_id))
    if balances:
        connection.execute(sa.insert(s.ledger), balances)


def list_archived(store: Store) -> list[ArchivedRecord]:
    """Every archived record, oldest table first."""
    query = sa.select(s.tables.c.name, s.archives).join(s.tables, s.tables.c.id == s.archives.c.table_id)
    with store.database.read_transaction() as connection:
        return [
            ArchivedRecord(row.name, Path(row.path), row.sha256, row.events, row.last_at, row.archived_at)
            for row in connection.execute(query.order_by(s.tables.c.id))
        ]


def read_archived_lines(store: Store, name: str) -> list[str]:
    """The lines of an archived record; refuses a file that is missing or was changed."""
    archived_record = next((record for record in list_archived(store) if record.table == name), None)
    if archived_record is None:
        raise NotFound("table", f"table {name} has no archived record")
    try:
        data = archived_record.path.read_bytes()
    except OSError as error:
        raise RuleViolation(
            "", f"the archived record of table {name} is missing: {archived_record.path.name}"
        ) from error
    if hashlib.sha256(data).hexdigest() != archived_record.sha256:
        raise RuleViolation("", f"the archived record of table {name} was changed: {archived_record.path.name}")
    return data.decode().splitlines(keepends=True)


def list_expired(store: Store, now: int, retention: Retention | None = None) -> list[ArchivedRecord]:
    """Archived records past their retention. Nothing is deleted here: that is a person's decision."""
    retention_ms = (retention or Retention()).play_years * YEAR_MS
    return [record for record in list_archived(store) if now - record.last_at > retention_ms]


def find_damaged(store: Store) -> Iterator[str]:
    """One sentence for each archived record that is missing or was changed."""
    for record in list_archived(store):
        if not record.path.is_file():
            yield f"{record.path}: the archived record of table {record.table} is missing"
        elif hashlib.sha256(record.path.read_bytes()).hexdigest() != record.sha256:
            yield f"{record.path}: the archived record of table {record.table} was changed"
