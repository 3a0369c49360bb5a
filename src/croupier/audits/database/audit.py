"""The audit of a whole database: every table, the rows derived from its events, and the house."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from croupier.audits.chain import CHAIN_CLAUSE
from croupier.audits.database import house
from croupier.audits.database.tables import audit_table
from croupier.audits.finding import Finding
from croupier.audits.record import Audit
from croupier.core.errors import InputError
from croupier.storage.repositories import tables
from croupier.storage.repositories.audit import open_read_only
from croupier.storage.repositories.tables import StoredTable
from croupier.storage.sql.database import Connection, Database, StorageUnavailable


@dataclass
class DatabaseAudit:
    """The audit of a database, by table and for the house."""

    name: str
    tables: list[Audit] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    """Findings about no single table; for a line of the journal, `seq` is its number."""
    checked: list[tuple[str, int]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def rounds(self) -> int:
        return sum(table.rounds for table in self.tables)

    @property
    def events(self) -> int:
        return sum(table.events for table in self.tables)

    @property
    def sound(self) -> list[str]:
        """The tables that could be read and have no findings; those in the archive are not among them."""
        return [table.name for table in self.tables if not table.findings]

    @property
    def problems(self) -> list[tuple[str, Finding]]:
        """Every finding with its table, which is empty for the house."""
        at_tables = [(table.name, finding) for table in self.tables for finding in table.findings]
        return [*at_tables, *(("", finding) for finding in self.findings)]

    def as_json(self) -> dict[str, Any]:
        """The document that `croupier audit --json` prints for a database."""
        return {
            "record": self.name,
            "rounds": self.rounds,
            "events": self.events,
            "problems": [
                {"table": table, "seq": f.seq, "clause": f.clause, "message": f.message} for table, f in self.problems
            ],
            "tables": [
                {"table": table.name, **table.as_json(), "problems": len(table.findings)} for table in self.tables
            ],
            "sound": self.sound,
            "checked": [{"check": title, "problems": count} for title, count in self.checked],
            "notes": self.notes,
        }


def audit_database(location: str, table: str = "") -> DatabaseAudit:
    """Audits every table, or one, and the house, read-only; refuses a database without the current schema."""
    with open_read_only(location) as (database, connection):
        report = DatabaseAudit(database.name)
        for title, findings in house.run_checks(database, connection):
            report.checked.append((title, len(findings)))
            report.findings += findings
        rows = [row for row in tables.all_tables(connection) if table in ("", row.name)]
        if table and not rows:
            raise InputError("--table", f"there is no table {table!r} in {database.name}")
        for row in rows:
            if row.status == "archived":
                report.notes.append(f"the record of table {row.name} is in the archive: audit that file")
            else:
                report.tables.append(_audit_table(database, connection, row))
        return report


def _audit_table(database: Database, connection: Connection, row: StoredTable) -> Audit:
    """The audit of a table; one that a damaged file keeps from being read has that finding."""
    try:
        with database.translated_errors():
            return audit_table(connection, row)
    except StorageUnavailable as error:
        if not database.is_sqlite:
            raise
        return Audit(row.name, None, findings=[Finding(0, CHAIN_CLAUSE, f"the table cannot be read: {error.reason}")])
