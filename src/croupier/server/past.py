"""Every table there ever was: open, retired, or with its record in the archive; and its record, wherever that is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from croupier.errors import Malformed
from croupier.rules import edition
from croupier.store import Store
from croupier.store import schema as s
from croupier.store.archive import archived_lines
from croupier.table.codec import decode_setup
from croupier.table.record import Record, read_record_lines
from croupier.table.setup import Setup
from croupier.table.state import Table

OPEN, RETIRED, ARCHIVED = "open", "retired", "archived"
_STATUS = {"open": OPEN, "closed": RETIRED, "archived": ARCHIVED}


@dataclass(frozen=True, slots=True)
class Kept:
    """A table of the database. `linked` says whether it shares its meters with others."""

    name: str
    edition: str
    status: str
    opened_at: int
    linked: bool

    def said(self) -> dict[str, Any]:
        rules = edition(self.edition)
        return {
            "table": self.name,
            "edition": self.edition,
            "game": rules.title,
            "jurisdiction": rules.jurisdiction,
            "status": self.status,
            "opened_at": self.opened_at,
        }


def kept_tables(store: Store) -> list[Kept]:
    """Every table, the oldest first."""
    return list(_kept(store, sa.true()))


def kept_table(store: Store, name: str) -> Kept:
    """A table by its name; refuses one that there never was."""
    for found in _kept(store, s.tables.c.name == name):
        return found
    raise Malformed("table", f"there is no table {name!r}")


def _kept(store: Store, which: sa.ColumnElement[bool]) -> Iterator[Kept]:
    columns = s.tables.c
    query = sa.select(columns.name, columns.edition, columns.status, columns.opened_at, columns.link_id)
    with store.database.reading() as connection:
        rows = connection.execute(query.where(which).order_by(columns.id)).all()
    for row in rows:
        yield Kept(row.name, row.edition, _STATUS[row.status], row.opened_at, row.link_id is not None)


def setup_of(store: Store, name: str) -> Setup:
    """How a table was set up."""
    with store.database.reading() as connection:
        found = connection.execute(sa.select(s.tables.c.setup).where(s.tables.c.name == name)).scalar_one()
    return decode_setup(json.loads(found))


def record_of(store: Store, name: str) -> Record:
    """The record of a table, from the database or from its archive."""
    if kept_table(store, name).status == ARCHIVED:
        return read_record_lines(
            f"archive of {name}", [line.removesuffix("\n") for line in archived_lines(store, name)]
        )
    return store.record(name)


def state_of(store: Store, name: str) -> Table:
    """The table as it stands, or as it stood at its end."""
    return record_of(store, name).table() if kept_table(store, name).status == ARCHIVED else store.table(name)


def lines_of(store: Store, name: str, last: int) -> Iterator[str]:
    """The lines of a record up to an event."""
    if kept_table(store, name).status == ARCHIVED:
        yield from archived_lines(store, name)[: last + 1]
    else:
        yield from store.lines(name, last)
