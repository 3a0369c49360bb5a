"""`croupier shuffle-test`."""

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

from croupier.cli.files import input_file
from croupier.cli.output import print_json, show_progress
from croupier.core.errors import InputError
from croupier.core.version import VERSION

if TYPE_CHECKING:
    from croupier.shuffle_tests.bench import ShuffleVerdict
    from croupier.shuffle_tests.result import Array, DeckTestResult
    from croupier.table.procedure.shuffle import ShuffleSource

_WIDE_TERMINAL = 110


@dataclass(slots=True)
class Sample:
    """The decks that were tested, and the results."""

    source: str
    path: str
    decks: int = 0
    seconds: float = 0.0
    results: list[DeckTestResult] = field(default_factory=list)
    files: list[dict[str, Any]] = field(default_factory=list)


def report_document(sample: Sample, verdict: ShuffleVerdict) -> dict[str, Any]:
    """The report as JSON."""
    return {
        "passed": verdict.passed,
        "confidence_percent": round(100 - 100 * verdict.level, 6),
        "source": sample.source,
        "path": sample.path,
        "decks": sample.decks,
        "decks_per_second": round(sample.decks / sample.seconds) if sample.seconds else None,
        "visible_bias_percent": 100 * verdict.detectable_bias,
        "tests": [judged.as_json() for judged in verdict.tests],
        "files": sample.files,
    }


def print_report(sample: Sample, verdict: ShuffleVerdict) -> None:
    """Prints the report; the rate goes to standard error, since it differs each time."""
    from croupier.shuffle_tests.bench import BIAS_POWER

    rate = sample.decks / sample.seconds if sample.seconds else 0
    print(f"{sample.decks:,} decks in {sample.seconds:.1f} s, {rate:,.0f} a second", file=sys.stderr)
    print(f"Shuffle test of {sample.decks:,} decks; source: {sample.source}; {sample.path}.\n")
    rows = [
        (
            judged.result.test,
            judged.result.asks,
            f"{judged.result.statistic:.2f}",
            "" if judged.result.degrees is None else str(judged.result.degrees),
            _format_p(judged.result.p),
            _format_p(judged.adjusted_p),
            "pass" if judged.passed else "FAIL",
        )
        for judged in verdict.tests
    ]
    _print_table(rows)
    print()
    for file in sample.files:
        print(f"{file['file']}: {file['bytes']:,} bytes, SHA-256 {file['sha256']}")
    for judged in verdict.tests:
        if not judged.passed:
            print(f"FAIL {judged.result.test}: {judged.result.detail}")
    print(
        f"A card whose chance of one position is larger than 1/52 by {verdict.detectable_bias:.1%} "
        f"shows in {BIAS_POWER:.0%} of such samples."
    )
    confidence = f"{100 - 100 * verdict.level:.6g} %"
    fair = f"a fair shuffle fails in at most {100 * verdict.level:.6g} of 100 samples"
    print(f"{'PASS' if verdict.passed else 'FAIL'} at {confidence} for all {len(rows)} tests together: {fair} (Holm).")


def _print_table(rows: Sequence[Sequence[str]]) -> None:
    """Prints the tests as a table; in a narrow terminal the question of a test is below its name."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    if not console.is_terminal:
        console.width = 160
    is_narrow = console.width < _WIDE_TERMINAL
    table = Table(box=None, padding=(0, 1 if is_narrow else 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("test", no_wrap=not is_narrow)
    if not is_narrow:
        table.add_column("asks", no_wrap=True)
    for column in ("statistic", "degrees", "p", "Holm p"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for test, asks, *cells in rows:
        name_cells = (f"{test}\n  {asks}",) if is_narrow else (test, asks)
        table.add_row(*name_cells, *cells, style="bold red" if cells[-1] == "FAIL" else "")
    with console.capture() as capture:
        console.print(table, markup=False)
    print("\n".join(line.rstrip() for line in capture.get().splitlines()))


def _format_p(value: float) -> str:
    if value >= 0.0001:
        return f"{value:.4f}"
    return f"{value:.1e}" if value > 0 else "< 1e-300"


DEFAULT_DECKS, MAX_DECKS = 100_000, 10_000_000
DEFAULT_BYTES, MAX_BYTES = 1_000_000, 10_000_000_000
_CHUNK_BYTES = 1 << 16
_SHUFFLE_OPTIONS = ("decks", "seed", "compiled", "collect_bits", "bytes", "collect_decks")


def add_shuffle_test_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--decks", metavar="N", help=f"how many decks to shuffle and test (default: {DEFAULT_DECKS:,})")
    parser.add_argument("--seed", metavar="S", help="shuffle from a seed instead of the operating system's generator")
    parser.add_argument(
        "--compiled", action="store_true", help="shuffle the same decks with the faster, compiled version"
    )
    parser.add_argument(
        "--file", type=input_file, metavar="DECKS.txt", help="test recorded decks, one per line: As Kd ..."
    )
    parser.add_argument(
        "--confidence", metavar="PERCENT", help="confidence for all tests together (default: 99; 95 with --file)"
    )
    parser.add_argument("--collect-bits", type=Path, metavar="FILE", help="write the raw bytes, with their SHA-256")
    parser.add_argument(
        "--bytes", metavar="N", help=f"how many raw bytes to draw and test (default: {DEFAULT_BYTES:,})"
    )
    parser.add_argument("--collect-decks", type=Path, metavar="FILE", help="write the decks, with their SHA-256")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run_shuffle_test(arguments: argparse.Namespace) -> int:
    level = _parse_level(arguments.confidence, "99" if arguments.file is None else "95")
    sample = _test_recorded_decks(arguments) if arguments.file is not None else _test_shuffle(arguments)
    from croupier.shuffle_tests.bench import judge

    verdict = judge(sample.results, level=level, decks=sample.decks)
    if arguments.json:
        print_json(report_document(sample, verdict))
    else:
        print_report(sample, verdict)
    return 0 if verdict.passed else 1


def _test_shuffle(arguments: argparse.Namespace) -> Sample:
    """Tests raw bytes and then decks from one source, and writes them to the files of the options."""
    from croupier.shuffle_tests.bench import MIN_DECKS, Battery
    from croupier.shuffle_tests.bits import MIN_BYTES, BitTests
    from croupier.shuffle_tests.collectors import open_collector
    from croupier.shuffle_tests.production import CHECK_INTERVAL_DECKS, compiled_decks, production_decks

    decks = _parse_count("--decks", arguments.decks, DEFAULT_DECKS, MIN_DECKS, MAX_DECKS)
    count = _parse_count("--bytes", arguments.bytes, DEFAULT_BYTES, MIN_BYTES, MAX_BYTES)
    bits_file, decks_file = arguments.collect_bits, arguments.collect_decks
    if bits_file is not None and decks_file is not None and bits_file.resolve() == decks_file.resolve():
        raise InputError("--collect-decks", f"{decks_file} is already the file for the raw bytes; name another file")
    source = _open_source(arguments.seed)
    compiled = f"its compiled version, one deck in {CHECK_INTERVAL_DECKS} shuffled again by the production code"
    path = f"production shuffle, {compiled}" if arguments.compiled else "production shuffle"
    sample = Sample(source.name, path)
    bits, battery = BitTests(), Battery()
    with ExitStack() as files:
        bits_out = files.enter_context(open_collector(bits_file)) if bits_file is not None else None
        decks_out = files.enter_context(open_collector(decks_file)) if decks_file is not None else None
        with show_progress("raw bytes", count) as advance:
            for start in range(0, count, _CHUNK_BYTES):
                chunk = _draw_bytes(source, min(_CHUNK_BYTES, count - start))
                bits.add(chunk)
                if bits_out is not None:
                    bits_out.write(chunk)
                advance(len(chunk))
        if decks_out is not None:
            header = f"# croupier {VERSION}: {decks} decks, one a line from the top; {path}; source: {source.name!r}\n"
            decks_out.write(header.encode())
        batches = (compiled_decks if arguments.compiled else production_decks)(source, decks)
        with show_progress("decks", decks) as advance:
            for batch in _time_batches(batches, sample):
                battery.add(batch)
                if decks_out is not None:
                    decks_out.write_decks(batch)
                advance(len(batch))
    for kind, out in (("bits", bits_out), ("decks", decks_out)):
        if out is not None:
            sample.files.append({"kind": kind, "file": str(out.path), "bytes": out.size, "sha256": out.sha256})
    sample.decks = battery.decks
    sample.results = [*battery.results(), *bits.results()]
    return sample


def _open_source(seed: str | None) -> ShuffleSource:
    from croupier.table.procedure.shuffle import OperatingSystemShuffle, SeededShuffle

    if seed is None:
        return OperatingSystemShuffle()
    try:
        return SeededShuffle(seed)
    except UnicodeEncodeError as error:
        raise InputError("--seed", "is not text in UTF-8") from error


def _draw_bytes(source: ShuffleSource, count: int) -> bytes:
    """Draws bytes from a source, block by block."""
    block_size = 4096
    return b"".join(source.draw(min(block_size, count - start)) for start in range(0, count, block_size))


def _time_batches(batches: Iterator[Array], sample: Sample) -> Iterator[Array]:
    """Yields the batches, and adds the time to produce them to the sample."""
    while True:
        start = time.perf_counter()
        batch = next(batches, None)
        sample.seconds += time.perf_counter() - start
        if batch is None:
            return
        yield batch


def _test_recorded_decks(arguments: argparse.Namespace) -> Sample:
    """Tests the decks in a file."""
    from croupier.shuffle_tests.bench import MIN_DECKS, Battery
    from croupier.shuffle_tests.recorded_decks import open_deck_file, recorded_decks

    for option in _SHUFFLE_OPTIONS:
        if getattr(arguments, option) not in (None, False):
            raise InputError(
                f"--{option.replace('_', '-')}", "cannot be combined with --file: recorded decks are not shuffled again"
            )
    file: Path = arguments.file
    with open_deck_file(file) as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    sample, battery = Sample("recorded decks", f"recorded in {file}"), Battery()
    with show_progress("recorded decks", None) as advance:
        for batch in _time_batches(recorded_decks(file), sample):
            battery.add(batch)
            advance(len(batch))
    if battery.decks < MIN_DECKS:
        decks = f"{battery.decks} deck{'' if battery.decks == 1 else 's'}"
        raise InputError(str(file), f"{decks} are too few to show a bias: at least {MIN_DECKS} are needed")
    sample.files.append({"kind": "recorded", "file": str(file), "bytes": file.stat().st_size, "sha256": digest})
    sample.decks = battery.decks
    sample.results = battery.results()
    return sample


def _parse_count(option: str, text: str | None, default: int, minimum: int, maximum: int) -> int:
    if text is None:
        return default
    digits = text.replace(",", "").replace("_", "")
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > 30:
        raise InputError(option, f"{text[:40]!r} is not a number from {minimum:,} to {maximum:,}")
    count = int(digits)
    if count < minimum:
        raise InputError(option, f"{count:,} are too few to show a bias: at least {minimum:,} are needed")
    if count > maximum:
        raise InputError(option, f"{count:,} would take too long: the maximum is {maximum:,}")
    return count


def _parse_level(text: str | None, default: str) -> float:
    """The significance level: 1 minus the confidence."""
    try:
        confidence = Decimal(default if text is None else text)
    except InvalidOperation:
        confidence = Decimal("NaN")
    if not confidence.is_finite() or not 50 <= confidence <= Decimal("99.9999"):
        raise InputError("--confidence", f"{(text or '')[:40]!r} is not a percentage from 50 to 99.9999")
    return float((100 - confidence) / 100)
