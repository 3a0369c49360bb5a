"""The audit of a whole database: every table, the rows derived from its events, and the house."""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.audit.database import house
from croupier.audit.database.tables import audit_table
from croupier.audit.finding import Finding
from croupier.audit.record import Audit
from croupier.core.errors import InputError
from croupier.storage.repositories import tables
from croupier.storage.repositories.audit import open_read_only


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
    def problems(self) -> list[tuple[str, Finding]]:
        """Every finding with its table, which is empty for the house."""
        at_tables = [(table.name, finding) for table in self.tables for finding in table.findings]
        return [*at_tables, *(("", finding) for finding in self.findings)]


def audit_database(location: str, table: str = "") -> DatabaseAudit:
    """Audits every table, or one, and the house, read-only; refuses a database without the current schema."""
    with open_read_only(location) as (database, connection):
        report = DatabaseAudit(database.name)
        for title, findings in house.run_checks(connection):
            report.checked.append((title, len(findings)))
            report.findings += findings
        rows = [row for row in tables.all_tables(connection) if table in ("", row.name)]
        if table and not rows:
            raise InputError("--table", f"there is no table {table!r} in {database.name}")
        for row in rows:
            if row.status == "archived":
                report.notes.append(f"the record of table {row.name} is in the archive: audit that file")
            else:
                report.tables.append(audit_table(connection, row))
        return report
