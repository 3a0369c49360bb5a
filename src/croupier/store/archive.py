"""How long records are kept (LOG-4), and records of closed tables that move out of the database into files."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import sqlalchemy as sa

from croupier.errors import Malformed, NotPermitted
from croupier.store import schema as s
from croupier.store.store import Store
from croupier.table.record import read_record

DAY = 86_400_000
YEAR = 365.25 * DAY


@dataclass(frozen=True, slots=True)
class Retention:
    """For how long what is kept, in years, and after how many days a closed table's record moves to a file."""

    play_years: int = 10
    submission_years: int = 5
    """For superseded Rules Submissions."""
    archive_after_days: int = 400

    def __post_init__(self) -> None:
        for name in ("play_years", "submission_years", "archive_after_days"):
            if getattr(self, name) < 0:
                raise Malformed(f"retention.{name}", "must not be less than nothing")


@dataclass(frozen=True, slots=True)
class Archived:
    """A record that went to a file. `sha256` is the file's digest, `last_at` the time of its last event."""

    table: str
    path: Path
    sha256: str
    events: int
    last_at: int
    archived_at: int


def archive(store: Store, folder: Path, now: int, retention: Retention | None = None) -> list[Archived]:
    """Moves closed tables' records that are old enough into files, one each.

    A file is written to the disk, read back and held against the database before anything is removed; the
    ledger keeps the balances of every account.
    """
    retention = retention or Retention()
    until = now - retention.archive_after_days * DAY
    return [_archive(store, folder, name, now) for name in _old_enough(store, until)]


def _old_enough(store: Store, until: int) -> list[str]:
    last = sa.select(sa.func.max(s.events.c.at)).where(s.events.c.table_id == s.tables.c.id).scalar_subquery()
    query = sa.select(s.tables.c.name).where(
        s.tables.c.status == "closed", sa.func.coalesce(last, s.tables.c.opened_at) <= until
    )
    with store.database.reading() as connection:
        return list(connection.execute(query.order_by(s.tables.c.id)).scalars())


def _archive(store: Store, folder: Path, name: str, now: int) -> Archived:
    exported = StringIO()
    count = store.export(name, exported)
    path = folder / f"{re.sub(r'[^A-Za-z0-9._-]+', '_', name)}-{hashlib.sha256(name.encode()).hexdigest()[:8]}.jsonl"
    digest = _write(path, exported.getvalue())
    record = read_record(path)  # the chain of hashes, line by line, from the file itself
    record.table()
    if len(record.events) != count:
        raise NotPermitted("", f"{path} does not hold all events of table {name}: nothing was removed")
    last_at = record.events[-1].at if record.events else 0
    with store.database.writing() as connection:
        which = (s.tables.c.name == name) & (s.tables.c.status == "closed")
        table_id = connection.execute(sa.select(s.tables.c.id).where(which).with_for_update()).scalar()
        stored = connection.execute(
            sa.select(sa.func.count()).select_from(s.events).where(s.events.c.table_id == table_id)
        ).scalar_one()
        if table_id is None or stored != count:
            raise NotPermitted("", f"table {name} changed while it was archived: nothing was removed")
        _condense_ledger(connection, table_id, count)
        for table in (s.snapshots, s.commands, s.events):
            connection.execute(sa.delete(table).where(table.c.table_id == table_id))
        values = {"path": str(path), "sha256": digest, "events": count, "last_at": last_at, "archived_at": now}
        connection.execute(sa.insert(s.archives).values(table_id=table_id, **values))
        connection.execute(sa.update(s.tables).where(s.tables.c.id == table_id).values(status="archived"))
    return Archived(name, path, digest, count, last_at, now)


def _write(path: Path, text: str) -> str:
    """Writes a file that is on the disk before it has its name; an older one is never overwritten."""
    data = text.encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.read_bytes() != data:
            raise NotPermitted("", f"{path} is there already, with something else in it: nothing was removed")
        partial = path.with_suffix(".partial")
        with partial.open("wb") as file:
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
        raise Malformed(str(path), f"cannot be written: {(error.strerror or str(error)).lower()}") from error


def _condense_ledger(connection: sa.Connection, table_id: int, seq: int) -> None:
    """One entry an account in place of all: the balances stay, and still add up to nothing."""
    amount = sa.func.sum(s.ledger.c.amount)
    query = (
        sa.select(s.ledger.c.account, s.ledger.c.owner, amount.label("amount"))
        .where(s.ledger.c.table_id == table_id)
        .group_by(s.ledger.c.account, s.ledger.c.owner)
        .having(amount != 0)
    )
    kept = [
        {"table_id": table_id, "seq": seq, "account": row.account, "owner": row.owner, "amount": int(row.amount)}
        for row in connection.execute(query)
    ]
    connection.execute(sa.delete(s.ledger).where(s.ledger.c.table_id == table_id))
    if kept:
        connection.execute(sa.insert(s.ledger), kept)


def archives(store: Store) -> list[Archived]:
    """Every record that went to a file."""
    query = sa.select(s.tables.c.name, s.archives).join(s.tables, s.tables.c.id == s.archives.c.table_id)
    with store.database.reading() as connection:
        return [
            Archived(row.name, Path(row.path), row.sha256, row.events, row.last_at, row.archived_at)
            for row in connection.execute(query.order_by(s.tables.c.id))
        ]


def archived_lines(store: Store, name: str) -> list[str]:
    """The lines of a record that went to a file; refuses a file that is missing or was changed."""
    one = next((one for one in archives(store) if one.table == name), None)
    if one is None:
        raise Malformed("table", f"the record of table {name} is in no archive")
    try:
        data = one.path.read_bytes()
    except OSError as error:
        raise NotPermitted("", f"the record of table {name} is missing from the archive: {one.path.name}") from error
    if hashlib.sha256(data).hexdigest() != one.sha256:
        raise NotPermitted("", f"the record of table {name} was changed since it was archived: {one.path.name}")
    return data.decode().splitlines(keepends=True)


def expired(store: Store, now: int, retention: Retention | None = None) -> list[Archived]:
    """Archived records that need not be kept any longer. Nothing is deleted here: that is somebody's decision."""
    kept = (retention or Retention()).play_years * YEAR
    return [one for one in archives(store) if now - one.last_at > kept]


def damaged(store: Store) -> Iterator[str]:
    """Archived records that are missing or changed, each in a sentence."""
    for one in archives(store):
        if not one.path.is_file():
            yield f"{one.path}: the record of table {one.table} is missing"
        elif hashlib.sha256(one.path.read_bytes()).hexdigest() != one.sha256:
            yield f"{one.path}: the record of table {one.table} was changed since it was archived"
