"""The audit of a table: a list of checks, each a pure function that goes on after whatever it finds.

A source of any kind can be audited that gives a setup and numbered events: a record file, or the events of
one table in a database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from croupier.audit.cards import cards
from croupier.audit.chain import Reading, read_chain
from croupier.audit.conservation import conservation
from croupier.audit.finding import Finding, Numbered
from croupier.audit.legality import IMPOSSIBLE, legality
from croupier.audit.meters import meters
from croupier.audit.payouts import payouts
from croupier.audit.procedure import procedure
from croupier.audit.replay import Stretch, continuity, stretches
from croupier.digest import installed, short
from croupier.table import events as e
from croupier.table.events import Event
from croupier.table.evolve import new_table
from croupier.table.setup import Setup

OF_A_RECORD: tuple[tuple[str, Callable[[Setup, Numbered], Iterator[Finding]]], ...] = (
    ("every event could happen where it stands, by the person and under the clause that it names", legality),
    ("decks are whole, and every card comes off its recorded order", cards),
    ("people attested, counted, changed and documented what they must, in time", procedure),
    ("meters follow from wagers, rates and settlements", meters),
)
"""Checks over a whole table, with what each says when it finds nothing."""
OF_A_ROUND: tuple[tuple[str, Callable[[Stretch], Iterator[Finding]]], ...] = (
    ("a state follows every event", continuity),
    ("no cent appears or vanishes, and nobody has less than nothing", conservation),
    ("every wager is settled as its cards, stake and table make it", payouts),
)
"""Checks over one round after another."""
CHAINED = "every line is as it was written, and follows the one before it"


@dataclass
class Audit:
    """What an audit of one table found."""

    name: str
    setup: Setup | None
    rounds: int = 0
    """Rounds that began, the last one even if it is not over."""
    events: int = 0
    findings: list[Finding] = field(default_factory=list)
    checked: list[tuple[str, int]] = field(default_factory=list)
    """What was checked, and how many findings it gave."""
    notes: list[str] = field(default_factory=list)
    at: dict[int, Event] = field(default_factory=dict)
    """The events that findings are about."""


def audit(name: str, setup: Setup, events: Numbered) -> Audit:
    """Every check over the events of one table."""
    found = Audit(name, setup, events=len(events))
    found.rounds = sum(1 for _, event in events if isinstance(event, e.BetsClosed))
    by_round: dict[str, list[Finding]] = {title: [] for title, _ in OF_A_ROUND}
    for stretch in stretches(new_table(setup), events):
        for title, check in OF_A_ROUND:
            by_round[title] += _all(title, check(stretch), stretch.steps[0].seq)
    for title, whole in OF_A_RECORD:
        add(found, title, list(_all(title, whole(setup, events))))
    for title, findings in by_round.items():
        add(found, title, findings)
    about = {finding.seq for finding in found.findings}
    found.at = {seq: event for seq, event in events if seq in about}
    found.notes += _linked(events)
    return found


def _all(title: str, findings: Iterator[Finding], seq: int = 0) -> Iterator[Finding]:
    """What a check finds; one that a record brings to a halt says so instead of going unheard."""
    try:
        yield from findings
    except IMPOSSIBLE as error:
        yield Finding(seq, "", f"the record is such that it could not be checked that {title}: {error!r}")


def add(found: Audit, title: str, findings: list[Finding]) -> None:
    """Adds what another check found."""
    found.checked.append((title, len(findings)))
    found.findings = sorted({*found.findings, *findings}, key=lambda finding: (finding.seq, finding.message))


def audit_file(path: Path) -> Audit:
    """The audit of a record file, its lines and hashes included."""
    return audit_reading(read_chain(path))


def audit_reading(reading: Reading) -> Audit:
    """The audit of lines that were read."""
    found = audit(reading.name, reading.setup, reading.events) if reading.setup else Audit(reading.name, None)
    found.checked.insert(0, (CHAINED, len(reading.findings)))
    found.findings = sorted({*found.findings, *reading.findings}, key=lambda finding: (finding.seq, finding.message))
    if reading.setup is not None:
        found.notes += _program(reading.digest)
    return found


def _program(digest: str) -> Iterator[str]:
    now = short(installed())
    if not digest:
        yield "the record does not say which program wrote it"
    elif digest != now:
        yield f"the record was written by program {digest}, and this is {now}"


def _linked(events: Numbered) -> Iterator[str]:
    if any(isinstance(event, e.MetersRead) for _, event in events):
        yield "meters are linked: what other tables did to them is taken from this record as it was read"
