"""Reads a record file and checks its hash chain: each line must be unchanged and follow the one before it.

Reading continues after a fault with every line that can still be read.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from croupier.audits.finding import Finding
from croupier.core.errors import InputError
from croupier.core.hash_chain import ChainVerifier, line_text
from croupier.table.model.events import Event, MetersRead
from croupier.table.model.setup import Setup
from croupier.table.record.causation import Cause, command_spans, decode_cause, split_line
from croupier.table.record.codec import decode_event, decode_setup
from croupier.table.record.file import RECORD_FORMAT

CHAIN_CLAUSE = "LOG-2"


@dataclass
class ParsedRecord:
    """The content of a record: the setup and events that can be read, and findings about the lines."""

    name: str
    setup: Setup | None = None
    digest: str = ""
    """The digest of the program that wrote it, if stated."""
    events: list[tuple[int, Event]] = field(default_factory=list)
    causes: dict[int, Cause] = field(default_factory=dict)
    """The commands that caused the events, by the number of their first event."""
    versioned: set[int] = field(default_factory=set)
    """The numbers of events that state a version, which only programs since 0.3 have written."""
    findings: list[Finding] = field(default_factory=list)
    lines: int = 0


def read_chain(path: Path) -> ParsedRecord:
    """Reads a record file; refuses only a file that is not a record or cannot be opened."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {(error.strerror or str(error)).lower()}") from error
    raw_lines = content.split(b"\n")
    is_incomplete = raw_lines[-1] != b""
    parsed = read_lines(str(path), raw_lines if is_incomplete else raw_lines[:-1])
    if is_incomplete:
        parsed.findings.append(
            Finding(len(raw_lines) - 1, CHAIN_CLAUSE, "the last line is incomplete: it has no line break")
        )
    return parsed


def read_lines(name: str, raw_lines: Sequence[bytes]) -> ParsedRecord:
    """Reads the lines of a record, for example from a database."""
    parsed = ParsedRecord(name)
    chain, expected, is_record = ChainVerifier(), 0, False
    cause_fields: dict[int, dict[str, Any]] = {}
    for number, raw_line in enumerate(raw_lines):
        line = _parse_line(raw_line, number, parsed)
        if line is None:
            expected = max(expected, number) + 1
            continue
        is_record = is_record or "record" in line or "event" in line
        seq = _check_sequence(line, number, expected, parsed)
        _check_hash(chain, line, raw_line, seq, parsed)
        _read_content(line, seq, parsed, cause_fields)
        expected = max(seq, expected - 1) + 1
    parsed.lines = len(raw_lines)
    _read_causes(parsed, cause_fields)
    if not is_record:
        raise InputError(f"{name}, line 1", "is not a record of a table: it must begin with the table's setup")
    if parsed.setup is None:
        parsed.findings.append(Finding(0, CHAIN_CLAUSE, "the table's setup cannot be read, so nothing can be replayed"))
    return parsed


def _parse_line(raw_line: bytes, number: int, parsed: ParsedRecord) -> dict[str, Any] | None:
    try:
        line = json.loads(raw_line.decode("utf-8"))
    except (ValueError, RecursionError):
        parsed.findings.append(Finding(number, CHAIN_CLAUSE, f"line {number + 1} cannot be read: it is not JSON"))
        return None
    if not isinstance(line, dict):
        parsed.findings.append(Finding(number, CHAIN_CLAUSE, f"line {number + 1} is not a JSON object"))
        return None
    return line


def _check_sequence(line: dict[str, Any], number: int, expected: int, parsed: ParsedRecord) -> int:
    """The number of a line: 0 for the setup, otherwise the number it states or else the expected one."""
    seq = 0 if "record" in line else line.get("seq")
    if type(seq) is not int or seq < 0:
        parsed.findings.append(Finding(expected, CHAIN_CLAUSE, f"line {number + 1} has no sequence number"))
        return expected
    if seq > expected:
        gap = f"event {expected} is" if seq == expected + 1 else f"events {expected} to {seq - 1} are"
        parsed.findings.append(Finding(seq, CHAIN_CLAUSE, f"{gap} missing before event {seq}"))
    elif seq < expected:
        parsed.findings.append(Finding(seq, CHAIN_CLAUSE, f"event {seq} comes after event {expected - 1}"))
    return seq


def _check_hash(chain: ChainVerifier, line: dict[str, Any], raw_line: bytes, seq: int, parsed: ParsedRecord) -> None:
    if not chain.follows(line, line.get("hash")):
        text = f"the line of event {seq} or a line before it was changed: its hash does not match"
        parsed.findings.append(Finding(seq, CHAIN_CLAUSE, text))
    elif line_text(line).encode("utf-8", "surrogatepass") != raw_line:
        parsed.findings.append(
            Finding(seq, CHAIN_CLAUSE, f"the line of event {seq} is not in the canonical format of a record")
        )


def _read_content(
    line: dict[str, Any], seq: int, parsed: ParsedRecord, cause_fields: dict[int, dict[str, Any]]
) -> None:
    """Reads the setup or event of a line; `cause_fields` collects the causes, by the position of their events."""
    try:
        if "record" in line:
            _read_header(line, parsed)
            return
        data, cause = split_line(line)
        parsed.events.append((seq, decode_event(data)))
        if "version" in line:
            parsed.versioned.add(seq)
        if cause:
            cause_fields[len(parsed.events) - 1] = cause
    except InputError as error:
        clause = str(line.get("clause", "")) if isinstance(line.get("clause"), str) else ""
        parsed.findings.append(Finding(seq, clause, f"cannot be read: {error}"))


def _read_causes(parsed: ParsedRecord, cause_fields: dict[int, dict[str, Any]]) -> None:
    events = [event for _, event in parsed.events]
    for start, end in command_spans(events, list(cause_fields)):
        seq, event = parsed.events[start]
        try:
            if isinstance(event, MetersRead):
                raise InputError("command", "no command reads the meters of a link")
            parsed.causes[seq] = decode_cause(cause_fields[start], events[start:end])
        except InputError as error:
            parsed.findings.append(Finding(seq, event.clause, f"cannot be read: {error}"))


def _read_header(line: dict[str, Any], parsed: ParsedRecord) -> None:
    if line["record"] != RECORD_FORMAT or parsed.setup is not None:
        fault = "appears twice" if parsed.setup is not None else f"has the unknown format {line['record']!r}"
        parsed.findings.append(Finding(0, CHAIN_CLAUSE, f"the setup of the table {fault}"))
    if parsed.setup is None:
        parsed.setup = decode_setup(line.get("table"))
        parsed.digest = str(line.get("digest", ""))
