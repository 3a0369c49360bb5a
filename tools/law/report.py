"""What the campaign found, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from croupier.regulations.coverage import compute
from tools.law.campaign import Campaign
from tools.law.mutations import ROOT
from tools.law.runner import Outcome

Results = Mapping[str, Mapping[str, tuple[Outcome, Any]]]


def print_summary(results: Results) -> None:
    """Prints every mutation that no test noticed, and how many were."""
    counts: Counter[str] = Counter()
    for key, by_mutation in results.items():
        for what, (outcome, result) in sorted(by_mutation.items()):
            counts["noticed" if result else "not noticed"] += 1
            if result is None:
                print(f"{key}\t{what}\t{outcome.error or f'{outcome.passed} tests pass'}")
    print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())))


def print_sample(results: Results) -> int:
    """Prints the share of a sample that tests still notice; the exit code is 1 if they miss any."""
    missed = [
        f"{key}: {what}" for key, by_mutation in results.items() for what, (_, result) in by_mutation.items() if not result
    ]
    total = sum(len(by_mutation) for by_mutation in results.values())
    for line in missed:
        print(line)
    print(f"{len(results)} clauses: tests notice {total - len(missed)} of {total} mutations")
    return 1 if missed or not total else 0


def write_report(campaign: Campaign, path: Path = ROOT / "docs" / "reference" / "untested-clauses.md") -> None:
    del campaign, path
