"""All tables, open, retired or archived, with their records from the database or the archive."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from croupier.core.errors import NotFound
from croupier.regulations import edition
from croupier.server.payloads.records import HistoricTableEntry
from croupier.storage import Store
from croupier.storage.archive import read_archived_lines
from croupier.storage.repositories import tables
from croupier.storage.repositories.tables import TableSummary
from croupier.table.model.setup import Setup
from croupier.table.model.state import Table
from croupier.table.record.file import Record, read_record_lines

OPEN, RETIRED, ARCHIVED = "open", "retired", "archived"
_STATUS = {"open": OPEN, "closed": RETIRED, "archived": ARCHIVED}


@dataclass(frozen=True, slots=True)
class HistoricTable:
    """A table in the database. `linked`: it shares meters with other tables."""

    name: str
    edition: str
    status: str
    opened_at: int
    linked: bool

    def to_json(self) -> HistoricTableEntry:
        rules = edition(self.edition)
        return {
            "table": self.name,
            "edition": self.edition,
            "game": rules.title,
            "jurisdiction": rules.jurisdiction,
            "status": self.status,
            "opened_at": self.opened_at,
        }


def list_historic_tables(store: Store) -> list[HistoricTable]:
    """Every table, oldest first."""
    with store.database.read_transaction() as connection:
        return [_historic_table(row) for row in tables.summaries(connection)]


def find_historic_table(store: Store, name: str) -> HistoricTable:
    """A table by its name; raises `NotFound` if there never was one."""
    with store.database.read_transaction() as connection:
        rows = tables.summaries(connection, name) if name else []
    if not rows:
        raise NotFound("table", f"there is no table {name!r}")
    return _historic_table(rows[0])


def _historic_table(row: TableSummary) -> HistoricTable:
    return HistoricTable(row.name, row.edition, _STATUS[row.status], row.opened_at, row.linked)


def load_setup(store: Store, name: str) -> Setup:
    """The setup of a table."""
    with store.database.read_transaction() as connection:
        return tables.setup_of(connection, name)


def load_record(store: Store, name: str) -> Record:
    """The record of a table, from the database or its archive."""
    if find_historic_table(store, name).status == ARCHIVED:
        return read_record_lines(
            f"archive of {name}", [line.removesuffix("\n") for line in read_archived_lines(store, name)]
        )
    return store.record(name)


def load_state(store: Store, name: str) -> Table:
    """The state of a table: its current one, or its last one if it is retired."""
    return (
        load_record(store, name).table() if find_historic_table(store, name).status == ARCHIVED else store.table(name)
    )


def record_lines(store: Store, name: str, last: int) -> Iterator[str]:
    """The lines of a record up to the event `last`."""
    if find_historic_table(store, name).status == ARCHIVED:
        yield from read_archived_lines(store, name)[: last + 1]
    else:
        yield from store.lines(name, last)
