"""What `croupier shuffle-test` prints."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.simulation.shuffles.bench import Verdict
    from croupier.simulation.shuffles.finding import Finding

_WIDE = 110


@dataclass(slots=True)
class Sample:
    """What was tested and what was found."""

    source: str
    path: str
    decks: int = 0
    seconds: float = 0.0
    findings: list[Finding] = field(default_factory=list)
    files: list[dict[str, Any]] = field(default_factory=list)


def document(sample: Sample, verdict: Verdict) -> dict[str, Any]:
    """The report for programs."""
    return {
        "passed": verdict.passed,
        "confidence_percent": round(100 - 100 * verdict.level, 6),
        "source": sample.source,
        "path": sample.path,
        "decks": sample.decks,
        "decks_per_second": round(sample.decks / sample.seconds) if sample.seconds else None,
        "visible_bias_percent": 100 * verdict.visible_bias,
        "tests": [judged.as_json() for judged in verdict.judged],
        "files": sample.files,
    }


def print_report(sample: Sample, verdict: Verdict) -> None:
    """The report for people; how fast the decks came goes to standard error, since it differs each time."""
    from croupier.simulation.shuffles.bench import POWER

    rate = sample.decks / sample.seconds if sample.seconds else 0
    print(f"{sample.decks:,} decks in {sample.seconds:.1f} s, {rate:,.0f} a second", file=sys.stderr)
    print(f"Shuffle test of {sample.decks:,} decks; source: {sample.source}; {sample.path}.\n")
    rows = [
        (
            judged.finding.test,
            judged.finding.asks,
            f"{judged.finding.statistic:.2f}",
            "" if judged.finding.degrees is None else str(judged.finding.degrees),
            _p(judged.finding.p),
            _p(judged.adjusted_p),
            "pass" if judged.passed else "FAIL",
        )
        for judged in verdict.judged
    ]
    _print_table(rows)
    print()
    for file in sample.files:
        print(f"{file['file']}: {file['bytes']:,} bytes, SHA-256 {file['sha256']}")
    for judged in verdict.judged:
        if not judged.passed:
            print(f"FAIL {judged.finding.test}: {judged.finding.detail}")
    print(
        f"A card whose chance of one position is larger than 1/52 by {verdict.visible_bias:.1%} "
        f"shows in {POWER:.0%} of such samples."
    )
    confidence = f"{100 - 100 * verdict.level:.6g} %"
    fair = f"a fair shuffle fails in at most {100 * verdict.level:.6g} of 100 samples"
    print(f"{'PASS' if verdict.passed else 'FAIL'} at {confidence} for all {len(rows)} tests together: {fair} (Holm).")


def _print_table(rows: Sequence[Sequence[str]]) -> None:
    """A table without frames; where a terminal is narrow, what a test asks stands below its name."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    if not console.is_terminal:
        console.width = 160
    narrow = console.width < _WIDE
    table = Table(box=None, padding=(0, 1 if narrow else 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("test", no_wrap=not narrow)
    if not narrow:
        table.add_column("asks", no_wrap=True)
    for column in ("statistic", "degrees", "p", "Holm p"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for test, asks, *others in rows:
        words = (f"{test}\n  {asks}",) if narrow else (test, asks)
        table.add_row(*words, *others, style="bold red" if others[-1] == "FAIL" else "")
    with console.capture() as capture:
        console.print(table, markup=False)
    print("\n".join(line.rstrip() for line in capture.get().splitlines()))


def _p(value: float) -> str:
    if value >= 0.0001:
        return f"{value:.4f}"
    return f"{value:.1e}" if value > 0 else "< 1e-300"
