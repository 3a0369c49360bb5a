"""`croupier shuffle-test`"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections.abc import Iterator
from contextlib import ExitStack
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING

from croupier import __version__
from croupier.cli.show import print_json
from croupier.cli.shuffle_report import Sample, document, print_report
from croupier.cli.waiting import waiting
from croupier.errors import Malformed
from croupier.table.shuffling import OperatingSystemShuffle, SeededShuffle, ShuffleSource

if TYPE_CHECKING:
    from croupier.simulation.shuffles.finding import Array

DECKS, MOST_DECKS = 100_000, 10_000_000
BYTES, MOST_BYTES = 1_000_000, 10_000_000_000
_AT_ONCE = 1 << 16
_OF_A_SOURCE = ("decks", "seed", "compiled", "collect_bits", "bytes", "collect_decks")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--decks", metavar="N", help=f"how many decks to shuffle and test (default: {DECKS:,})")
    parser.add_argument("--seed", metavar="S", help="shuffle from a seed instead of the operating system's generator")
    parser.add_argument("--compiled", action="store_true", help="the same decks by the shuffle's faster compiled twin")
    parser.add_argument("--file", type=Path, metavar="DECKS.txt", help="test recorded decks: one a line, As Kd ...")
    parser.add_argument("--confidence", metavar="PERCENT", help="for all tests together (default: 99; 95 with --file)")
    parser.add_argument("--collect-bits", type=Path, metavar="FILE", help="write the raw bytes, with their SHA-256")
    parser.add_argument("--bytes", metavar="N", help=f"how many raw bytes to draw and test (default: {BYTES:,})")
    parser.add_argument("--collect-decks", type=Path, metavar="FILE", help="write the decks, with their SHA-256")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(arguments: argparse.Namespace) -> int:
    level = _level(arguments.confidence, "99" if arguments.file is None else "95")
    sample = _recorded(arguments) if arguments.file is not None else _produced(arguments)
    from croupier.simulation.shuffles.bench import judge

    verdict = judge(sample.findings, level=level, decks=sample.decks)
    if arguments.json:
        print_json(document(sample, verdict))
    else:
        print_report(sample, verdict)
    return 0 if verdict.passed else 1


def _produced(arguments: argparse.Namespace) -> Sample:
    """Raw bytes first, then decks, from one source; either is written down where that is asked for."""
    from croupier.simulation.shuffles.bench import LEAST_DECKS, Bench
    from croupier.simulation.shuffles.bits import LEAST_BYTES, BitTests
    from croupier.simulation.shuffles.collecting import collecting
    from croupier.simulation.shuffles.production import CHECKED, compiled_decks, production_decks

    decks = _count("--decks", arguments.decks, DECKS, LEAST_DECKS, MOST_DECKS)
    count = _count("--bytes", arguments.bytes, BYTES, LEAST_BYTES, MOST_BYTES)
    bits_file, decks_file = arguments.collect_bits, arguments.collect_decks
    if bits_file is not None and decks_file is not None and bits_file.resolve() == decks_file.resolve():
        raise Malformed("--collect-decks", f"{decks_file} is to hold the raw bytes: name another file")
    source = _source(arguments.seed)
    twin = f"its compiled twin, one deck in {CHECKED} shuffled again by the production code"
    path = f"production shuffle, {twin}" if arguments.compiled else "production shuffle"
    sample = Sample(source.name, path)
    bits, bench = BitTests(), Bench()
    with ExitStack() as files:
        bits_out = files.enter_context(collecting(bits_file)) if bits_file is not None else None
        decks_out = files.enter_context(collecting(decks_file)) if decks_file is not None else None
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
    if seed is None:
        return OperatingSystemShuffle()
    try:
        return SeededShuffle(seed)
    except UnicodeEncodeError as error:
        raise Malformed("--seed", "is not text in UTF-8") from error


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
    from croupier.simulation.shuffles.bench import LEAST_DECKS, Bench
    from croupier.simulation.shuffles.recorded import opened, recorded_decks

    for option in _OF_A_SOURCE:
        if getattr(arguments, option) not in (None, False):
            raise Malformed(f"--{option.replace('_', '-')}", "does not go with --file: recorded decks are as they are")
    file: Path = arguments.file
    with opened(file) as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    sample, bench = Sample("recorded decks", f"recorded in {file}"), Bench()
    with waiting("recorded decks", None) as advance:
        for batch in _timed(recorded_decks(file), sample):
            bench.add(batch)
            advance(len(batch))
    if bench.decks < LEAST_DECKS:
        decks = f"{bench.decks} deck{'' if bench.decks == 1 else 's'}"
        raise Malformed(str(file), f"{decks} cannot show a bias: at least {LEAST_DECKS} are needed")
    sample.files.append({"kind": "recorded", "file": str(file), "bytes": file.stat().st_size, "sha256": digest})
    sample.decks = bench.decks
    sample.findings = bench.findings()
    return sample


def _count(option: str, text: str | None, default: int, least: int, most: int) -> int:
    if text is None:
        return default
    digits = text.replace(",", "").replace("_", "")
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > 30:
        raise Malformed(option, f"{text[:40]!r} is not a number from {least:,} to {most:,}")
    count = int(digits)
    if count < least:
        raise Malformed(option, f"{count:,} cannot show a bias: at least {least:,} are needed")
    if count > most:
        raise Malformed(option, f"{count:,} would take too long: at most {most:,}")
    return count


def _level(text: str | None, default: str) -> float:
    """One less the confidence."""
    try:
        confidence = Decimal(default if text is None else text)
    except InvalidOperation:
        confidence = Decimal("NaN")
    if not confidence.is_finite() or not 50 <= confidence <= Decimal("99.9999"):
        raise Malformed("--confidence", f"{(text or '')[:40]!r} is not a percentage from 50 to 99.9999")
    return float((100 - confidence) / 100)
