"""A record file line by line: whether each line is as it was written and follows the one before it.

Reading goes on after whatever is wrong, with everything that can still be read.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from croupier.audit.finding import Finding
from croupier.errors import Malformed
from croupier.table.codec import decode_event, decode_setup
from croupier.table.events import Event
from croupier.table.record import FORMAT, as_line, chained
from croupier.table.setup import Setup

CHAIN = "LOG-2"


@dataclass
class Reading:
    """What a file says: the setup if it can be read, the events that can, and what is wrong with the lines."""

    name: str
    setup: Setup | None = None
    digest: str = ""
    """Which program wrote it, where it says so."""
    events: list[tuple[int, Event]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    lines: int = 0


def read_chain(path: Path) -> Reading:
    """Everything in a record file; refuses only what is no record at all, or cannot be opened."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise Malformed(str(path), f"cannot be read: {(error.strerror or str(error)).lower()}") from error
    raw = content.split(b"\n")
    incomplete = raw[-1] != b""
    reading = read_lines(str(path), raw if incomplete else raw[:-1])
    if incomplete:
        reading.findings.append(Finding(len(raw) - 1, CHAIN, "the last line is not complete: it has no end"))
    return reading


def read_lines(name: str, raw: Sequence[bytes]) -> Reading:
    """The same from lines, of a database perhaps."""
    reading = Reading(name)
    previous, expected, known = "", 0, False
    for number, bare in enumerate(raw):
        line = _line(bare, number, reading)
        if line is None:
            expected = max(expected, number) + 1
            continue
        known = known or "record" in line or "event" in line
        seq = _sequence(line, number, expected, reading)
        _follows(line, bare, previous, seq, reading)
        previous = line["hash"] if isinstance(line.get("hash"), str) else ""
        _content(line, seq, reading)
        expected = max(seq, expected - 1) + 1
    reading.lines = len(raw)
    if not known:
        raise Malformed(f"{name}, line 1", "is not a record of a table: it must begin with the table's setup")
    if reading.setup is None:
        reading.findings.append(Finding(0, CHAIN, "the table's setup cannot be read, and so nothing can be replayed"))
    return reading


def _line(bare: bytes, number: int, reading: Reading) -> dict[str, Any] | None:
    try:
        found = json.loads(bare.decode("utf-8"))
    except (ValueError, RecursionError):
        reading.findings.append(Finding(number, CHAIN, f"line {number + 1} cannot be read: it is not JSON"))
        return None
    if not isinstance(found, dict):
        reading.findings.append(Finding(number, CHAIN, f"line {number + 1} is not a JSON object"))
        return None
    return found


def _sequence(line: dict[str, Any], number: int, expected: int, reading: Reading) -> int:
    """The number of a line: 0 for the setup, then as it says, if it says one."""
    said = 0 if "record" in line else line.get("seq")
    if type(said) is not int or said < 0:
        reading.findings.append(Finding(expected, CHAIN, f"line {number + 1} has no number in the sequence"))
        return expected
    if said > expected:
        gap = str(expected) if said == expected + 1 else f"{expected} to {said - 1}"
        reading.findings.append(Finding(said, CHAIN, f"event {gap} is missing before event {said}"))
    elif said < expected:
        reading.findings.append(Finding(said, CHAIN, f"event {said} stands after event {expected - 1}"))
    return said


def _follows(line: dict[str, Any], bare: bytes, previous: str, seq: int, reading: Reading) -> None:
    if line.get("hash") != chained(previous, line):
        text = "was changed, or what was before it was: its hash does not follow"
        reading.findings.append(Finding(seq, CHAIN, f"the line of event {seq} {text}"))
    elif as_line(line).encode("utf-8", "surrogatepass") != bare:
        reading.findings.append(Finding(seq, CHAIN, f"the line of event {seq} is not written as a record is written"))


def _content(line: dict[str, Any], seq: int, reading: Reading) -> None:
    try:
        if "record" in line:
            _header(line, reading)
            return
        event = decode_event({key: value for key, value in line.items() if key not in ("seq", "hash")})
        reading.events.append((seq, event))
    except Malformed as error:
        said = str(line.get("clause", "")) if isinstance(line.get("clause"), str) else ""
        reading.findings.append(Finding(seq, said, f"cannot be read: {error}"))


def _header(line: dict[str, Any], reading: Reading) -> None:
    if line["record"] != FORMAT or reading.setup is not None:
        what = "stands there twice" if reading.setup is not None else f"is of format {line['record']!r}"
        reading.findings.append(Finding(0, CHAIN, f"the setup of the table {what}"))
    if reading.setup is None:
        reading.setup = decode_setup(line.get("table"))
        reading.digest = str(line.get("digest", ""))
