"""What the campaign found, for people."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from croupier.regulations.coverage import ENFORCED_STATUSES, ClauseCoverage, compute
from croupier.regulations.evidence import read_evidence
from croupier.regulations.rule_paths import DOCUMENTS
from tools.clause_figures import write_figures
from tools.law.mutations import ROOT
from tools.law.runner import Outcome

Results = Mapping[str, Mapping[str, tuple[Outcome, Any]]]
REPORT = ROOT / "docs" / "reference" / "tested-clauses.md"


def print_line(line: str) -> None:
    """Prints a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def print_summary(results: Results) -> None:
    """Prints every mutation that no test noticed, and how many were."""
    counts: Counter[str] = Counter()
    for key, by_mutation in results.items():
        for description, (outcome, result) in sorted(by_mutation.items()):
            counts["noticed" if result else "not noticed"] += 1
            if result is None:
                print_line(f"{key}\t{description}\t{outcome.error or f'{outcome.passed} tests pass'}")
    print_line(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))


def print_sample(results: Results) -> int:
    """Prints the share of a sample that tests still notice; the exit code is 1 if they miss any."""
    missed = [
        f"{key}: {description}"
        for key, by_mutation in results.items()
        for description, (_, result) in by_mutation.items()
        if not result
    ]
    total = sum(len(by_mutation) for by_mutation in results.values())
    for line in missed:
        print_line(line)
    print_line(f"{len(results)} clauses: tests notice {total - len(missed)} of {total} mutations")
    return 1 if missed or not total else 0


def write_report() -> None:
    """Writes the page that lists the clauses that are not tested, and why, and the figures in other documents."""
    coverage = compute(ROOT)
    REPORT.write_text("\n".join(_page(coverage)) + "\n", encoding="utf-8")
    write_figures(ROOT, coverage)


def _page(coverage: list[ClauseCoverage]) -> Iterator[str]:
    evidence = read_evidence(ROOT)
    enforced = [each for each in coverage if each.status_by_code in ENFORCED_STATUSES]
    tested = [each for each in enforced if each.tested]
    mutations = [description for entry in evidence.values() for description in entry["mutations"].values()]
    noticed = sum(result is not None for result in mutations)
    yield "# Tested clauses"
    yield ""
    yield "A clause counts as tested only where a test depends on its rule. The campaign (`make law-campaign`) breaks"
    yield "what stands behind each clause that the program enforces or checks, one mutation at a time: it switches off"
    yield "the refusals under a rule, changes a figure or a payout by one, swaps two classes of hands, or negates a"
    yield "condition. For each mutation it runs the tests that claim the clause. A clause is tested if they notice all."
    yield ""
    yield "So a test depends on the rule of each tested clause. That is not to say that every detail of the clause is"
    yield "tested: most rules are broken in one way only, and clauses that an edition gives for one rule are broken"
    yield "together."
    yield ""
    yield "The results are in `tests/law/evidence.json`, with digests of the rule, of the code that was broken and of"
    yield "the test that failed; a clause whose rule, code or test has changed since is not tested until the campaign"
    yield "runs again. Golden rounds that cite a clause show it, but do not make it tested."
    yield ""
    yield f"Of {len(coverage)} clauses, {len(enforced)} are enforced or checked, and {len(tested)} of these are tested."
    yield f"Tests notice {noticed:,} of {len(mutations):,} mutations. This page is written by the campaign."
    yield ""
    yield "| document | enforced or checked | tested |"
    yield "| --- | ---: | ---: |"
    for document in DOCUMENTS:
        counts = (sum(each.clause.document == document for each in part) for part in (enforced, tested))
        yield f"| {document} | {' | '.join(map(str, counts))} |"
    untested = [each for each in enforced if not each.tested]
    if untested:
        yield ""
        yield "## Not tested"
        yield ""
        yield "| clause | why |"
        yield "| --- | --- |"
        for each in untested:
            yield f"| {each.clause.document} {each.clause.clause} | {_reason(each, evidence)} |"


def _reason(coverage: ClauseCoverage, evidence: Mapping[str, Mapping[str, Any]]) -> str:
    if not coverage.tests:
        return "no test claims it"
    entry = evidence.get(f"{coverage.clause.document} {coverage.clause.clause}")
    if entry is None:
        return "not tried yet"
    if not entry["mutations"]:
        return "no refusal, computation or figure is known to stand behind it"
    missed = [description for description, result in entry["mutations"].items() if result is None]
    return f"not noticed: {'; '.join(missed)}" if missed else "its rule, code or test has changed since"
