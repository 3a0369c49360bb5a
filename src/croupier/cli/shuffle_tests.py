"""`croupier shuffle-test`"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier import __version__
from croupier.cli.output import print_json
from croupier.cli.progress import waiting
from croupier.core.errors import InputError

if TYPE_CHECKING:
    from croupier.table.procedure.shuffle import ShuffleSource

if TYPE_CHECKING:
    from croupier.shuffle_tests.bench import ShuffleVerdict
    from croupier.shuffle_tests.result import DeckTestResult

_WIDE = 110


@dataclass(slots=True)
class Sample:
    """What was tested and what was found."""

    source: str
    path: str
    decks: int = 0
    seconds: float = 0.0
    findings: list[DeckTestResult] = field(default_factory=list)
    files: list[dict[str, Any]] = field(default_factory=list)


def document(sample: Sample, verdict: ShuffleVerdict) -> dict[str, Any]:
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


def print_report(sample: Sample, verdict: ShuffleVerdict) -> None:
    """The report for people; how fast the decks came goes to standard error, since it differs each time."""
    from croupier.shuffle_tests.bench import BIAS_POWER

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
        f"shows in {BIAS_POWER:.0%} of such samples."
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


if TYPE_CHECKING:
    from croupier.shuffle_tests.result import Array

DECKS, MOST_DECKS = 100_000, 10_000_000
BYTES, MOST_BYTES = 1_000_000, 10_000_000_000
_AT_ONCE = 1 << 16
_OF_A_SOURCE = ("decks", "seed", "compiled", "collect_bits", "bytes", "collect_decks")


def add_shuffle_test_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--decks", metavar="N", help=f"how many decks to shuffle and test (default: {DECKS:,})")
    parser.add_argument("--seed", metavar="S", help="shuffle from a seed instead of the operating system's generator")
    parser.add_argument(
        "--compiled", action="store_true", help="the same decks from the faster compiled version of the shuffle"
    )
    parser.add_argument("--file", type=Path, metavar="DECKS.txt", help="test recorded decks, one per line: As Kd ...")
    parser.add_argument(
        "--confidence", metavar="PERCENT", help="confidence for all tests together (default: 99; 95 with --file)"
    )
    parser.add_argument("--collect-bits", type=Path, metavar="FILE", help="write the raw bytes, with their SHA-256")
    parser.add_argument("--bytes", metavar="N", help=f"how many raw bytes to draw and test (default: {BYTES:,})")
    parser.add_argument("--collect-decks", type=Path, metavar="FILE", help="write the decks, with their SHA-256")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_shuffle_test(arguments: argparse.Namespace) -> int:
    level = _level(arguments.confidence, "99" if arguments.file is None else "95")
    sample = _recorded(arguments) if arguments.file is not None else _produced(arguments)
    from croupier.shuffle_tests.bench import judge

    verdict = judge(sample.findings, level=level, decks=sample.decks)
    if arguments.json:
        print_json(document(sample, verdict))
    else:
        print_report(sample, verdict)
    return 0 if verdict.passed else 1


def _produced(arguments: argparse.Namespace) -> Sample:
    """Raw bytes first, then decks, from one source; either is written down where that is asked for."""
    from croupier.shuffle_tests.bench import MIN_DECKS, Bench
    from croupier.shuffle_tests.bits import MIN_BYTES, BitTests
    from croupier.shuffle_tests.collectors import open_collector
    from croupier.shuffle_tests.production import CHECK_INTERVAL_DECKS, compiled_decks, production_decks

    decks = _count("--decks", arguments.decks, DECKS, MIN_DECKS, MOST_DECKS)
    count = _count("--bytes", arguments.bytes, BYTES, MIN_BYTES, MOST_BYTES)
    bits_file, decks_file = arguments.collect_bits, arguments.collect_decks
    if bits_file is not None and decks_file is not None and bits_file.resolve() == decks_file.resolve():
        raise InputError("--collect-decks", f"{decks_file} is already the file for the raw bytes; name another file")
    source = _source(arguments.seed)
    compiled = f"its compiled version, one deck in {CHECK_INTERVAL_DECKS} shuffled again by the production code"
    path = f"production shuffle, {compiled}" if arguments.compiled else "production shuffle"
    sample = Sample(source.name, path)
    bits, bench = BitTests(), Bench()
    with ExitStack() as files:
        bits_out = files.enter_context(open_collector(bits_file)) if bits_file is not None else None
        decks_out = files.enter_context(open_collector(decks_file)) if decks_file is not None else None
        with waiting("raw bytes", count) as advance:
            for start in range(0, count, _AT_ONCE):
                chunk = _drawn(source, min(_AT_ONCE, count - start))
                bits.add(chunk)
                if bits_out is not None:
                    bits_out.write(chunk)
                advance(len(chunk))
        if decks_out is not None:
            head = (
                f"# croupier {__version__}: {decks} decks, one a line from the top; {path}; source: {source.name!r}\n"
            )
            decks_out.write(head.encode())
        batches = (compiled_decks if arguments.compiled else production_decks)(source, decks)
        with waiting("decks", decks) as advance:
            for batch in _timed(batches, sample):
                bench.add(batch)
                if decks_out is not None:
                    decks_out.write_decks(batch)
                advance(len(batch))
    for kind, out in (("bits", bits_out), ("decks", decks_out)):
        if out is not None:
            sample.files.append({"kind": kind, "file": str(out.path), "bytes": out.size, "sha256": out.sha256})
    sample.decks = bench.decks
    sample.findings = [*bench.findings(), *bits.findings()]
    return sample


def _source(seed: str | None) -> ShuffleSource:
    from croupier.table.procedure.shuffle import OperatingSystemShuffle, SeededShuffle

    if seed is None:
        return OperatingSystemShuffle()
    try:
        return SeededShuffle(seed)
    except UnicodeEncodeError as error:
        raise InputError("--seed", "is not text in UTF-8") from error


def _drawn(source: ShuffleSource, count: int) -> bytes:
    """So many bytes of a source, asked for in small helpings."""
    helping = 4096
    return b"".join(source.draw(min(helping, count - start)) for start in range(0, count, helping))


def _timed(batches: Iterator[Array], sample: Sample) -> Iterator[Array]:
    """The batches, with the time that making them takes."""
    while True:
        start = time.perf_counter()
        batch = next(batches, None)
        sample.seconds += time.perf_counter() - start
        if batch is None:
            return
        yield batch


def _recorded(arguments: argparse.Namespace) -> Sample:
    """The decks of a file."""
    from croupier.shuffle_tests.bench import MIN_DECKS, Bench
    from croupier.shuffle_tests.recorded_decks import open_deck_file, recorded_decks

    for option in _OF_A_SOURCE:
        if getattr(arguments, option) not in (None, False):
            raise InputError(
                f"--{option.replace('_', '-')}", "cannot be combined with --file: recorded decks are not shuffled again"
            )
    file: Path = arguments.file
    with open_deck_file(file) as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    sample, bench = Sample("recorded decks", f"recorded in {file}"), Bench()
    with waiting("recorded decks", None) as advance:
        for batch in _timed(recorded_decks(file), sample):
            bench.add(batch)
            advance(len(batch))
    if bench.decks < MIN_DECKS:
        decks = f"{bench.decks} deck{'' if bench.decks == 1 else 's'}"
        raise InputError(str(file), f"{decks} are too few to show a bias: at least {MIN_DECKS} are needed")
    sample.files.append({"kind": "recorded", "file": str(file), "bytes": file.stat().st_size, "sha256": digest})
    sample.decks = bench.decks
    sample.findings = bench.findings()
    return sample


def _count(option: str, text: str | None, default: int, least: int, most: int) -> int:
    if text is None:
        return default
    digits = text.replace(",", "").replace("_", "")
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > 30:
        raise InputError(option, f"{text[:40]!r} is not a number from {least:,} to {most:,}")
    count = int(digits)
    if count < least:
        raise InputError(option, f"{count:,} are too few to show a bias: at least {least:,} are needed")
    if count > most:
        raise InputError(option, f"{count:,} would take too long: at most {most:,}")
    return count


def _level(text: str | None, default: str) -> float:
    """One less the confidence."""
    try:
        confidence = Decimal(default if text is None else text)
    except InvalidOperation:
        confidence = Decimal("NaN")
    if not confidence.is_finite() or not 50 <= confidence <= Decimal("99.9999"):
        raise InputError("--confidence", f"{(text or '')[:40]!r} is not a percentage from 50 to 99.9999")
    return float((100 - confidence) / 100)
