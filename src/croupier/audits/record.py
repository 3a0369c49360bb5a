"""The audit of a table: a list of checks, each a pure function that continues after a finding.

It needs a setup and numbered events, from a record file or from one table in a database.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from croupier.audits.chain import ParsedRecord, read_chain
from croupier.audits.checks.cards import check_cards
from croupier.audits.checks.conservation import check_conservation
from croupier.audits.checks.corrections import list_corrections
from croupier.audits.checks.legality import DAMAGED_RECORD_ERRORS, check_legality
from croupier.audits.checks.meters import check_meters
from croupier.audits.checks.payouts import check_payouts
from croupier.audits.checks.procedure import check_procedure
from croupier.audits.checks.procedure_version import check_procedure_version
from croupier.audits.checks.setup import check_setup
from croupier.audits.finding import Finding, NumberedEvents
from croupier.audits.replay import RoundSpan, check_continuity, split_rounds
from croupier.core.program_digest import installed_files, short_digest
from croupier.table.evolve import new_table
from croupier.table.model import events as e
from croupier.table.model.events import Event
from croupier.table.model.setup import Setup
from croupier.table.record.causation import Causes

LEGALITY_TITLE = "every event was allowed where it happened, by the person and under the clause it names"
PROCEDURE_VERSION_TITLE = "the record follows the procedure of the program that wrote it"
RECORD_CHECKS: tuple[tuple[str, Callable[[Setup, NumberedEvents], Iterator[Finding]]], ...] = (
    ("the table is set up as the regulation allows", check_setup),
    ("decks are complete, and every card follows the recorded order", check_cards),
    ("people attested, counted, changed and documented everything required, in time", check_procedure),
    ("meters follow from wagers, rates and settlements", check_meters),
)
"""Checks over a whole record besides legality, with the statement that each confirms."""
ROUND_CHECKS: tuple[tuple[str, Callable[[RoundSpan], Iterator[Finding]]], ...] = (
    ("every event is possible in the state before it", check_continuity),
    ("no cent appears or vanishes, and no balance is negative", check_conservation),
    ("every wager is settled as its cards, stake and paytable require", check_payouts),
)
"""Checks over one round at a time, with the statement that each confirms."""
CORRECTIONS_TITLE = "corrected payments equal the settlement computed again"
CHAIN_TITLE = "every line is unchanged and follows the one before it"


@dataclass
class Audit:
    """The audit of one table."""

    name: str
    setup: Setup | None
    rounds: int = 0
    """Rounds that began, including one that is not over."""
    events: int = 0
    findings: list[Finding] = field(default_factory=list)
    checked: list[tuple[str, int]] = field(default_factory=list)
    """What was checked, and the number of findings."""
    notes: list[str] = field(default_factory=list)
    corrections: list[Finding] = field(default_factory=list)
    """Payments that people corrected to another amount than the settlement computed again, or alone.

    They are allowed, and no findings; but an auditor must look at each.
    """
    cited_events: dict[int, Event] = field(default_factory=dict)
    """The events that findings are about."""

    def as_json(self) -> dict[str, Any]:
        """The document that `croupier audit --json` prints for a record."""
        return {
            "record": self.name,
            "rounds": self.rounds,
            "events": self.events,
            "problems": [{"seq": f.seq, "clause": f.clause, "message": f.message} for f in self.findings],
            "corrections": [{"seq": f.seq, "clause": f.clause, "message": f.message} for f in self.corrections],
            "checked": [{"check": title, "problems": count} for title, count in self.checked],
            "notes": self.notes,
        }


def audit_events(
    name: str,
    setup: Setup,
    events: NumberedEvents,
    causes: Causes = MappingProxyType({}),
    versioned: Collection[int] = (),
) -> Audit:
    """Runs every check over the events of one table and their recorded causes.

    `versioned` are the numbers of events that state a version, if the lines of the record are at hand.
    """
    report = Audit(name, setup, events=len(events))
    report.rounds = sum(1 for _, event in events if isinstance(event, e.BetsClosed))
    by_round: dict[str, list[Finding]] = {title: [] for title, _ in ROUND_CHECKS}
    for span in split_rounds(new_table(setup), events):
        for title, check in ROUND_CHECKS:
            by_round[title] += _run_check(title, check(span), span.steps[0].seq)
        report.corrections += _run_check(CORRECTIONS_TITLE, list_corrections(span), span.steps[0].seq)
    add_findings(report, LEGALITY_TITLE, list(_run_check(LEGALITY_TITLE, check_legality(setup, events, causes))))
    version_findings = check_procedure_version(setup, events, versioned)
    add_findings(report, PROCEDURE_VERSION_TITLE, list(_run_check(PROCEDURE_VERSION_TITLE, version_findings)))
    for title, check_record in RECORD_CHECKS:
        add_findings(report, title, list(_run_check(title, check_record(setup, events))))
    for title, findings in by_round.items():
        add_findings(report, title, findings)
    cited = {finding.seq for finding in (*report.findings, *report.corrections)}
    report.cited_events = {seq: event for seq, event in events if seq in cited}
    report.notes += [*_link_notes(events), *_version_notes(setup, events)]
    return report


def _run_check(title: str, findings: Iterator[Finding], seq: int = 0) -> Iterator[Finding]:
    """The findings of a check; if a damaged record stops it, that is a finding too."""
    try:
        yield from findings
    except DAMAGED_RECORD_ERRORS as error:
        yield Finding(seq, "", f"the record is too damaged to check that {title}: {error!r}")


def add_findings(report: Audit, title: str, findings: list[Finding]) -> None:
    """Adds the findings of a check to an audit."""
    report.checked.append((title, len(findings)))
    report.findings = sorted({*report.findings, *findings}, key=lambda finding: (finding.seq, finding.message))


def audit_file(path: Path) -> Audit:
    """Audits a record file, including its lines and hashes."""
    return audit_parsed(read_chain(path))


def audit_parsed(parsed: ParsedRecord) -> Audit:
    """Audits a record that was read line by line."""
    if parsed.setup is None:
        report = Audit(parsed.name, None)
    else:
        report = audit_events(parsed.name, parsed.setup, parsed.events, parsed.causes, parsed.versioned)
    report.checked.insert(0, (CHAIN_TITLE, len(parsed.findings)))
    report.findings = sorted({*report.findings, *parsed.findings}, key=lambda finding: (finding.seq, finding.message))
    if parsed.setup is not None:
        report.notes += _program_notes(parsed.digest)
    return report


def _program_notes(digest: str) -> Iterator[str]:
    current = short_digest(installed_files())
    if not digest:
        yield "the record does not say which program wrote it"
    elif digest != current:
        yield f"the record was written by program {digest}; this is program {current}"


def _version_notes(setup: Setup, events: NumberedEvents) -> Iterator[str]:
    """What an older record cannot show, up to the event that adopted the current procedure."""
    if setup.is_older:
        adopted = next((seq for seq, event in events if isinstance(event, e.ProcedureAdopted)), None)
        until = "" if adopted is None else f" before event {adopted}"
        yield f"an older program recorded neither the counts of cards nor who confirmed a device failure{until}"


def _link_notes(events: NumberedEvents) -> Iterator[str]:
    if any(isinstance(event, e.MetersRead) for _, event in events):
        yield "meters are linked: changes by other tables are taken from this record unchecked"
