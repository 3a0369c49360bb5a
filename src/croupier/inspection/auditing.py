"""The audit of a whole database: every table, what was derived from its events, and the house behind the tables."""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.audit.auditing import Audit
from croupier.audit.finding import Finding
from croupier.errors import Malformed
from croupier.inspection import house
from croupier.inspection.sources import opened
from croupier.inspection.tables import audit_table


@dataclass
class DatabaseAudit:
    """What an audit of a database found, table by table and for the house."""

    name: str
    tables: list[Audit] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    """What is about no single table; where it is about a line of the journal, `seq` is its number."""
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
        """Every finding with its table; with none for what is about the house."""
        at_tables = [(table.name, finding) for table in self.tables for finding in table.findings]
        return [*at_tables, *(("", finding) for finding in self.findings)]


def audit_database(where: str, table: str = "") -> DatabaseAudit:
    """Every table, or one, and the house; opened for reading only. Refused is what is no database of today's schema."""
    with opened(where) as (database, connection):
        found = DatabaseAudit(database.name)
        for title, findings in house.checked(connection):
            found.checked.append((title, len(findings)))
            found.findings += findings
        rows = [row for row in house.rows(connection) if table in ("", row.name)]
        if table and not rows:
            raise Malformed("--table", f"there is no table {table!r} in {database.name}")
        for row in rows:
            if row.status == "archived":
                found.notes.append(f"the record of table {row.name} is in its archive: audit that file")
            else:
                found.tables.append(audit_table(connection, row))
        return found
