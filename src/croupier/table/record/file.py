"""The record file of a table: its setup, then one event per line, each chained to the line before by its hash.

The line of a command's first event also has the command.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from types import MappingProxyType
from typing import Any, TextIO

from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError
from croupier.core.hash_chain import START, ChainVerifier, line_text, next_hash, next_hash_of_text
from croupier.core.program_digest import installed_files, short_digest
from croupier.table.evolve import evolve_recorded, new_table
from croupier.table.model.events import Event
from croupier.table.model.setup import Setup
from croupier.table.model.state import Table
from croupier.table.record.causation import Cause, Causes, command_spans, decode_cause, split_line
from croupier.table.record.codec import decode_event, decode_setup, encode_setup
from croupier.table.record.event_serializer import NO_CAUSE, cause_text, serialize_event

RECORD_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Record:
    """A table since its opening: its setup and all its events, in order."""

    setup: Setup
    events: tuple[Event, ...]
    causes: Causes = field(default_factory=dict)
    """The commands behind the events; older records have none."""

    def table(self) -> Table:
        """The state that follows from the record; refuses an impossible event with its number."""
        table = new_table(self.setup)
        for seq, event in enumerate(self.events, 1):
            table = evolve_recorded(table, event, f"event {seq}")
        return table


class RecordWriter:
    """Writes a record as it grows; each line is flushed before the next step."""

    def __init__(self, file: TextIO, setup: Setup) -> None:
        self._file = file
        head: dict[str, Any] = {
            "record": RECORD_FORMAT,
            "digest": short_digest(installed_files()),
            "table": encode_setup(setup),
        }
        self._hash = head["hash"] = next_hash(START, head)
        self._count = 0
        self._write(line_text(head))

    def append(self, events: Sequence[Event], causes: Causes = MappingProxyType({})) -> None:
        """Adds events in order, all events of a command together; `causes` may include other events' commands."""
        first = self._count + 1
        starts = [place for place in range(len(events)) if first + place in causes]
        cause_texts = {
            start: cause_text(cause.command, events[start:end], cause.key)
            for start, end in command_spans(events, starts)
            for cause in [causes[first + start]]
        }
        for place, event in enumerate(events):
            self._count += 1
            cause = cause_texts.get(place, NO_CAUSE)
            data, canonical = serialize_event(event, self._count, cause)
            self._hash = next_hash_of_text(self._hash, canonical)
            self._write(event_line(self._count, data, self._hash, cause.json))

    def _write(self, line: str) -> None:
        self._file.write(line + "\n")
        self._file.flush()


def event_line(seq: int, data: str, digest: str, cause: str = "") -> str:
    """The line of an event: `data` is its JSON, `cause` that of its command, if any."""
    cause_part = f", {cause[1:-1]}" if cause else ""
    return f'{{"seq": {seq}, {data[1:-1]}{cause_part}, "hash": "{digest}"}}'


def read_record(path: Path) -> Record:
    """The record in a file; refuses a line that is unreadable, out of order or changed, with its number."""
    return read_record_lines(str(path), _read_lines(path))


def read_record_lines(path: str, texts: Sequence[str]) -> Record:
    """The record in lines; `path` names them in messages."""
    lines = list(_parse_lines(path, texts))
    if not lines or lines[0].get("record") != RECORD_FORMAT:
        raise InputError(f"{path}, line 1", "is not a record of a table: it must begin with the table's setup")
    chain = ChainVerifier()
    events: list[Event] = []
    cause_data: dict[int, dict[str, Any]] = {}
    for number, line in enumerate(lines, 1):
        place = f"{path}, line {number}"
        if not chain.follows(line, line.get("hash")):
            raise InputError(place, "was changed, or a line before it is missing: its hash does not follow")
        if number == 1:
            continue
        if line.get("seq") != number - 1:
            raise InputError(place, f"has the number {line.get('seq')!r} in the sequence, not {number - 1}")
        try:
            data, cause = split_line(line)
            events.append(decode_event(data))
            if cause:
                cause_data[number - 1] = cause
        except InputError as error:
            raise InputError(f"{place}, {error.place}", error.reason) from error
    causes = read_causes(events, cause_data, lambda seq: f"{path}, line {seq + 1}")
    try:
        return Record(decode_setup(lines[0].get("table")), tuple(events), causes)
    except InputError as error:
        raise InputError(f"{path}, line 1, {error.place}", error.reason) from error


def read_causes(
    events: Sequence[Event], cause_data: Mapping[int, Mapping[str, Any]], place: Callable[[int], str]
) -> dict[int, Cause]:
    """Commands by the number of their first event, decoded from its line; refuses an impossible one."""
    causes: dict[int, Cause] = {}
    for start, end in command_spans(events, [seq - 1 for seq in sorted(cause_data)]):
        try:
            causes[start + 1] = decode_cause(cause_data[start + 1], events[start:end])
        except InputError as error:
            raise InputError(f"{place(start + 1)}, {error.place}", error.reason) from error
    return causes


def _read_lines(path: Path) -> Sequence[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise InputError(str(path), f"is not UTF-8 text: byte {error.start} is invalid") from error
    return text.removesuffix("\n").split("\n") if text else ()


def _parse_lines(path: str, lines: Sequence[str]) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, 1):
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}, line {number}", "is not JSON") from error
        if not isinstance(data, dict):
            raise InputError(f"{path}, line {number}", "is not a JSON object")
        yield data
