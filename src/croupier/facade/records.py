"""Records and databases: `audit`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from croupier.core.dataclass import dataclass
from croupier.facade.frames import Tabular
from croupier.facade.rounds import OpenTable
from croupier.table.record.file import Record


@dataclass(frozen=True, slots=True)
class AuditProblem:
    """A fault in a record; `seq` is the number of the event, 0 if it is about none, `table` empty for the house."""

    seq: int
    clause: str
    message: str
    table: str = ""


@dataclass(frozen=True, slots=True)
class AuditResult(Tabular):
    """What an audit checked and found."""

    record: str
    rounds: int
    events: int
    problems: tuple[AuditProblem, ...]
    corrections: tuple[AuditProblem, ...]
    """Payments that people corrected; they are allowed, but an auditor must look at each."""
    checked: Mapping[str, int]
    """What was checked, with the number of problems."""
    notes: tuple[str, ...]
    _document: Mapping[str, Any] = field(repr=False)

    @property
    def is_clean(self) -> bool:
        return not self.problems

    def rows(self) -> Sequence[Mapping[str, Any]]:
        return [
            {"table": problem.table, "seq": problem.seq, "clause": problem.clause, "message": problem.message}
            for problem in self.problems
        ]

    def to_dict(self) -> dict[str, Any]:
        """The document that `croupier audit --json` prints."""
        return dict(self._document)


def audit(source: str | Path | OpenTable | Record, *, table: str = "") -> AuditResult:
    """Replays a record, or every table of a database, and checks every event, card and cent against the rules.

    >>> import croupier
    >>> croupier.audit(croupier.open_table("pa-679a", seed="an example")).is_clean
    True

    `source` is the path of a record or of an SQLite file, the URL of a database, an open table or its record; `table`
    limits the audit of a database to one table. Raises `InputError` for a source that cannot be read.
    """
    from croupier.audits.record import audit_events
    from croupier.audits.sources import audit_source

    if isinstance(source, OpenTable):
        source = source.record()
    if isinstance(source, Record):
        events = list(enumerate(source.events, 1))
        document = audit_events("open table", source.setup, events, source.causes).as_json()
    else:
        document = audit_source(str(source), table).as_json()
    return AuditResult(
        record=document["record"],
        rounds=document["rounds"],
        events=document["events"],
        problems=tuple(AuditProblem(**problem) for problem in document["problems"]),
        corrections=tuple(AuditProblem(**correction) for correction in document.get("corrections", ())),
        checked={entry["check"]: entry["problems"] for entry in document["checked"]},
        notes=tuple(document["notes"]),
        _document=document,
    )
