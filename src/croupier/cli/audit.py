"""`croupier audit`: a record checked from nothing but itself and the rule files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from croupier.audit.auditing import Audit, audit_file
from croupier.audit.finding import Finding
from croupier.cli.show import print_json
from croupier.table.people import Role
from croupier.table.telling import tell

SHOWN = 50
"""How many findings are told one by one unless all are asked for."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="a record of a table, as play --record writes it")
    parser.add_argument("--all", action="store_true", help=f"tell every finding, not the first {SHOWN} of a record")
    parser.add_argument("--json", action="store_true", help="JSON on standard output")


def run(arguments: argparse.Namespace) -> int:
    audits = [audit_file(Path(file)) for file in arguments.files]
    if arguments.json:
        documents = [_as_json(audit) for audit in audits]
        print_json(documents[0] if len(documents) == 1 else documents)
    else:
        for number, audit in enumerate(audits):
            print("\n" if number else "", end="")
            _print(audit, None if arguments.all else SHOWN)
    return 1 if any(audit.findings for audit in audits) else 0


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
    for title, count in audit.checked:
        found = f"{count:,} finding{'s' * (count != 1)}" if count else "yes"
        print(f"  {found:>12}  {title}")
    for note in audit.notes:
        print(f"  Note: {note}.")
    if not audit.findings:
        print("Nothing was found.")
        return
    last = None
    for finding in audit.findings[:most]:
        if finding.seq != last:
            print(_heading(audit, finding))
        last = finding.seq
        print(
            f"  {finding.message[:1].upper()}{finding.message[1:]}" + (f" ({finding.clause})" if finding.clause else "")
        )
    if most is not None and len(audit.findings) > most:
        print(f"... and {len(audit.findings) - most:,} more findings: see --all.")


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
