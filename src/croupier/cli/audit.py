"""`croupier audit`: a record, or a whole database, checked from nothing but itself and the rule files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.audit.auditing import Audit, audit_file
from croupier.audit.finding import Finding
from croupier.cli.show import print_json
from croupier.cli.sources import is_database
from croupier.errors import Malformed
from croupier.table.people import Role
from croupier.table.telling import tell

if TYPE_CHECKING:
    from croupier.inspection.auditing import DatabaseAudit

SHOWN = 50
"""How many findings are told one by one unless all are asked for."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    text = "a record of a table, as play --record writes it; a database: its address, or the path of an SQLite file"
    parser.add_argument("files", nargs="+", metavar="FILE", help=text)
    parser.add_argument("--table", metavar="NAME", default="", help="of a database, this table alone, and the house")
    parser.add_argument("--all", action="store_true", help=f"tell every finding, not the first {SHOWN} of a record")
    parser.add_argument("--json", action="store_true", help="JSON on standard output")


def run(arguments: argparse.Namespace) -> int:
    audits = [_audited(file, arguments.table) for file in arguments.files]
    most = None if arguments.all else SHOWN
    if arguments.json:
        documents = [_as_json(audit) if isinstance(audit, Audit) else _database_as_json(audit) for audit in audits]
        print_json(documents[0] if len(documents) == 1 else documents)
    else:
        for number, audit in enumerate(audits):
            print("\n" if number else "", end="")
            _print(audit, most) if isinstance(audit, Audit) else _print_database(audit, most)
    return 1 if any(audit.findings if isinstance(audit, Audit) else audit.problems for audit in audits) else 0


def _audited(file: str, table: str) -> Audit | DatabaseAudit:
    if is_database(file):
        from croupier.inspection.auditing import audit_database  # only where there is a database

        return audit_database(file, table)
    if table:
        raise Malformed("--table", f"{file} is no database: a record is of one table")
    return audit_file(Path(file))


def _database_as_json(audit: DatabaseAudit) -> dict[str, Any]:
    return {
        "record": audit.name,
        "rounds": audit.rounds,
        "events": audit.events,
        "problems": [
            {"table": table, "seq": f.seq, "clause": f.clause, "message": f.message} for table, f in audit.problems
        ],
        "tables": [{"table": table.name, **_as_json(table), "problems": len(table.findings)} for table in audit.tables],
        "checked": [{"check": title, "problems": count} for title, count in audit.checked],
        "notes": audit.notes,
    }


def _print_database(audit: DatabaseAudit, most: int | None) -> None:
    tables = f"{len(audit.tables):,} table{'s' * (len(audit.tables) != 1)}"
    print(f"{audit.name}: {tables}, {audit.rounds:,} rounds, {audit.events:,} events")
    _print_checked(audit.checked, audit.notes)
    for finding in audit.findings[:most]:
        print(f"  {_sentence(finding)}")
    for table in audit.tables:
        print()
        _print(table, most)
    print()
    print(f"{len(audit.problems):,} findings in all." if audit.problems else "Nothing was found in all of it.")


def _as_json(audit: Audit) -> dict[str, Any]:
    return {
        "record": audit.name,
        "rounds": audit.rounds,
        "events": audit.events,
        "problems": [{"seq": f.seq, "clause": f.clause, "message": f.message} for f in audit.findings],
        "checked": [{"check": title, "problems": count} for title, count in audit.checked],
        "notes": audit.notes,
    }


def _print(audit: Audit, most: int | None) -> None:
    counted = f"{audit.rounds:,} round{'s' * (audit.rounds != 1)}, {audit.events:,} event{'s' * (audit.events != 1)}"
    print(f"{audit.name}: {counted}")
    _print_checked(audit.checked, audit.notes)
    if not audit.findings:
        print("Nothing was found.")
        return
    last = None
    for finding in audit.findings[:most]:
        if finding.seq != last:
            print(_heading(audit, finding))
        last = finding.seq
        print(f"  {_sentence(finding)}")
    if most is not None and len(audit.findings) > most:
        print(f"... and {len(audit.findings) - most:,} more findings: see --all.")


def _print_checked(checked: list[tuple[str, int]], notes: list[str]) -> None:
    for title, count in checked:
        found = f"{count:,} finding{'s' * (count != 1)}" if count else "yes"
        print(f"  {found:>12}  {title}")
    for note in notes:
        print(f"  Note: {note}.")


def _sentence(finding: Finding) -> str:
    return f"{finding.message[:1].upper()}{finding.message[1:]}" + (f" ({finding.clause})" if finding.clause else "")


def _heading(audit: Audit, finding: Finding) -> str:
    event = audit.at.get(finding.seq)
    if event is None or audit.setup is None:
        return f"Event {finding.seq}" if finding.seq else "The table's setup"
    try:
        told = tell(audit.setup, event)
    except (LookupError, ValueError, TypeError, AttributeError):
        told = type(event).__name__  # what it says is not of this game
    by = f"{event.by.name}, {event.by.role.called}" if event.by.role is not Role.SYSTEM else Role.SYSTEM.called
    return f"Event {finding.seq}, by {by}: {told}"
