"""The index of clauses: the status of each, the code that backs it, and the tests that show that it bites.

It is computed from the sources, never written by hand, and needs only the standard library, so that the build of the
package can generate it.

The kind of a clause (`clauses.csv`) is our reading of its text: which sort of evidence would show that it is carried
out. Its status says whether that evidence is there (`croupier.regulations.code_evidence`); without it, the clause is
open.

| kind | status | evidence |
| --- | --- | --- |
| automatic | enforced | a guard, a computation that the campaign can break, or data that the table computes with |
| automatic | checked | none of these, but `croupier check` reports a problem under the clause |
| physical | checked | `croupier check` reports a problem under the clause |
| attested | attested | a person is asked for the step, and an event records it under the clause |
| config | elected | an election, or a setting of the Rules Submission |
| definition | defined | the program uses the term |
| manner | left_to_people | none: nothing that software sees tells; `left_to_people.csv` gives the reason |

An enforced or checked clause also needs a test that claims it, and is open if the campaign (`tools/law`) has shown that
its tests do not notice when the rule is switched off. It is `tested` where fresh evidence shows that they do. Evidence
that is merely out of date makes it untested, not open. A golden round (`tests/golden/**/*.txt`) cites the clause of
every step: it shows a clause, which does not make the clause tested.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from croupier.core.dataclass import dataclass
from croupier.core.disk_cache import CLAUSES, read_entry, write_entry
from croupier.core.program_digest import PACKAGE_FOLDER, digest_of_folders
from croupier.regulations.clauses import Clause, all_clauses
from croupier.regulations.evidence_kinds import Backing

ENFORCING = (Backing.GUARD, Backing.COMPUTATION, Backing.DATA)
EVIDENCE_BY_KIND: Mapping[str, Mapping[str, tuple[Backing, ...]]] = {
    "automatic": {"enforced": ENFORCING, "checked": (Backing.CHECK,)},
    "physical": {"checked": (Backing.CHECK,)},
    "attested": {"attested": (Backing.RECORD,)},
    "config": {"elected": (Backing.ELECTION,)},
    "definition": {"defined": (Backing.TERM,)},
    "manner": {"left_to_people": ()},
}
"""For each kind of clause, the statuses that it can have, the best first, with the evidence for each."""
SOURCES = ("src", "tests", "tools")
"""The folders of a checkout that the index is computed from."""
STATUSES = ("enforced", "checked", "attested", "elected", "defined", "left_to_people", "open")
ENFORCED_STATUSES = ("enforced", "checked")
"""The statuses of clauses that software enforces, so that a test can show it."""


@dataclass(frozen=True, slots=True)
class ClauseCoverage:
    """A clause with the code and tests behind it."""

    clause: Clause
    status: str
    code: tuple[str, ...]
    """The functions and rankings that back it; if none does, those that mention it."""
    tests: tuple[str, ...]
    """The tests that claim it."""
    tested: bool
    """Whether a test that claims it fails when its rule is broken."""
    transcripts: tuple[str, ...]
    """Golden rounds that cite it."""
    status_by_code: str = ""
    """The status that the code alone would give it, whatever tests show; empty if the index was read."""

    def as_json(self) -> dict[str, Any]:
        return {
            "document": self.clause.document,
            "clause": self.clause.clause,
            "status": self.status,
            "code": list(self.code),
            "tests": list(self.tests),
            "tested": self.tested,
            "shown": list(self.transcripts),
            "gist": self.clause.gist,
        }


@cache
def covered_clauses() -> tuple[ClauseCoverage, ...]:
    """Every clause with its code and tests: from the sources in a checkout, else from the built index."""
    root = Path(__file__).parents[3]
    if (root / "tests").is_dir() and (root / "src" / "croupier").is_dir():
        index = _index_of_checkout(root)
    else:
        built = PACKAGE_FOLDER / "regulations" / "data" / "clause_index.json"
        index = json.loads(built.read_text(encoding="utf-8")) if built.is_file() else []
    entries = {(entry["document"], entry["clause"]): entry for entry in index}
    uncovered: dict[str, Any] = {"status": "open", "code": [], "tests": [], "tested": False, "shown": []}
    return tuple(
        ClauseCoverage(
            clause, entry["status"], tuple(entry["code"]), tuple(entry["tests"]), entry["tested"], tuple(entry["shown"])
        )
        for clause in all_clauses()
        for entry in [entries.get((clause.document, clause.clause), uncovered)]
    )


def _index_of_checkout(root: Path) -> list[dict[str, Any]]:
    """The index of a source tree, computed once for each state of its files."""
    key = digest_of_folders(root, [name for name in SOURCES if (root / name).is_dir()])
    content = read_entry(CLAUSES, key, generation=key)
    if content is None:
        content = json.dumps([coverage.as_json() for coverage in compute(root)]).encode()
        write_entry(CLAUSES, key, content, generation=key)
    index: list[dict[str, Any]] = json.loads(content)
    return index


def compute(root: Path) -> list[ClauseCoverage]:
    """The index of a source tree."""
    from croupier.regulations.claims import cited_in_transcripts, claimed_clauses
    from croupier.regulations.code_evidence import backings
    from croupier.regulations.evidence import SourceTree, read_evidence
    from croupier.regulations.rule_paths import rule_digests

    places, tests, rounds = backings(root), claimed_clauses(root / "tests"), cited_in_transcripts(root / "tests")
    evidence, tree, digests = read_evidence(root), SourceTree(root), rule_digests(root)
    coverage = []
    for clause in all_clauses():
        key = (clause.document, clause.clause)
        claims, entry = _sort_names(tests.get(key)), evidence.get(" ".join(key))
        status_by_code, code = _judge(clause, places.get(key, {}))
        status, tested = status_by_code, False
        if status in ENFORCED_STATUSES:
            rests_on = digests.get(key, "")
            tested = entry is not None and bool(claims) and tree.is_fresh(entry, key[1], rests_on, claims)
            is_refuted = entry is not None and entry["rests_on"] == rests_on and not all(entry["mutations"].values())
            status = "open" if not claims or is_refuted else status
        transcripts = _sort_names(rounds.get(key))
        coverage.append(ClauseCoverage(clause, status, code, claims, tested, transcripts, status_by_code))
    return coverage


def _judge(clause: Clause, places: Mapping[Backing, set[str]]) -> tuple[str, tuple[str, ...]]:
    """The status of a clause by the code that backs it, and that code."""
    for status, sorts in EVIDENCE_BY_KIND[clause.kind].items():
        code = {place for sort in sorts for place in places.get(sort, ())}
        if code or not sorts:
            return status, _sort_names(code or places.get(Backing.MENTION))
    return "open", _sort_names(place for names in places.values() for place in names)


def _sort_names(names: Iterable[str] | None) -> tuple[str, ...]:
    return tuple(sorted(set(names or ())))


def count_statuses(coverage: Iterable[ClauseCoverage]) -> Mapping[str, Mapping[str, int]]:
    """For each document, and for `all`: the number of clauses of each status, those `tested`, and the `total`."""
    rows: dict[str, dict[str, int]] = {}
    for each in coverage:
        for name in (each.clause.document, "all"):
            row = rows.setdefault(name, dict.fromkeys((*STATUSES, "tested", "total"), 0))
            row[each.status] += 1
            row["tested"] += each.tested
            row["total"] += 1
    return {name: rows[name] for name in (*(name for name in rows if name != "all"), "all") if name in rows}
