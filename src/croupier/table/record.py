"""The record of a table as a file: its setup, then one event a line, each chained to the one before by its hash."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from croupier.digest import installed, short
from croupier.errors import BrokenInvariant, Malformed
from croupier.table.codec import decode_event, decode_setup, encode_setup
from croupier.table.events import Event
from croupier.table.evolve import evolve, new_table
from croupier.table.setup import Setup
from croupier.table.state import Table
from croupier.table.writing import canonical, chained_text, spaced, texts

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Record:
    """A table from its opening on: how it was set up and everything that happened, in order."""

    setup: Setup
    events: tuple[Event, ...]

    def table(self) -> Table:
        """The state that follows from the record alone; an event that cannot follow is refused with its number."""
        table = new_table(self.setup)
        for seq, event in enumerate(self.events, 1):
            try:
                table = evolve(table, event)
            except (BrokenInvariant, LookupError, TypeError, AttributeError, ValueError) as error:
                raise Malformed(f"event {seq}", f"{type(event).__name__} cannot follow what was before it") from error
        return table


class RecordWriter:
    """Writes a record as it happens; each line is on its way to the disk before the next step."""

    def __init__(self, file: TextIO, setup: Setup) -> None:
        self._file = file
        head: dict[str, Any] = {"record": FORMAT, "digest": short(installed()), "table": encode_setup(setup)}
        self._hash = head["hash"] = chained("", head)
        self._count = 0
        self._write(as_line(head))

    def append(self, events: Iterable[Event]) -> None:
        """Adds events in order."""
        for event in events:
            self._count += 1
            data, hashed = texts(event, self._count)
            self._hash = chained_text(self._hash, hashed)
            self._write(event_line(self._count, data, self._hash))

    def _write(self, line: str) -> None:
        self._file.write(line + "\n")
        self._file.flush()


def as_line(line: dict[str, Any]) -> str:
    """How a line is written."""
    return spaced(line)


def event_line(seq: int, data: str, digest: str) -> str:
    """The line of an event, of which `data` is the JSON without number and hash."""
    return f'{{"seq": {seq}, {data[1:-1]}, "hash": "{digest}"}}'


def chained(previous: str, line: dict[str, Any]) -> str:
    """The hash of a line: of the hash before it and of all that the line says."""
    return chained_text(previous, canonical({key: value for key, value in line.items() if key != "hash"}))


def read_record(path: Path) -> Record:
    """The record in a file; a line that cannot be read, is out of order or was changed is refused with its number."""
    return read_record_lines(str(path), _lines(path))


def read_record_lines(path: str, said: Sequence[str]) -> Record:
    """The same from lines of a database; `path` is what messages call them."""
    lines = list(_parsed(path, said))
    if not lines or lines[0].get("record") != FORMAT:
        raise Malformed(f"{path}, line 1", "is not a record of a table: it must begin with the table's setup")
    previous = ""
    events = []
    for number, line in enumerate(lines, 1):
        place = f"{path}, line {number}"
        if line.get("hash") != chained(previous, line):
            raise Malformed(place, "was changed, or a line before it is missing: its hash does not follow")
        previous = line["hash"]
        if number == 1:
            continue
        if line.get("seq") != number - 1:
            raise Malformed(place, f"has the number {line.get('seq')!r} in the sequence, not {number - 1}")
        try:
            events.append(decode_event({key: value for key, value in line.items() if key not in ("seq", "hash")}))
        except Malformed as error:
            raise Malformed(f"{place}, {error.place}", error.reason) from error
    try:
        return Record(decode_setup(lines[0].get("table")), tuple(events))
    except Malformed as error:
        raise Malformed(f"{path}, line 1, {error.place}", error.reason) from error


def _lines(path: Path) -> Sequence[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise Malformed(str(path), f"cannot be read: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise Malformed(str(path), f"is not a text in UTF-8: byte {error.start} is wrong") from error
    return text.removesuffix("\n").split("\n") if text else ()


def _parsed(path: str, lines: Sequence[str]) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, 1):
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise Malformed(f"{path}, line {number}", "is not JSON") from error
        if not isinstance(found, dict):
            raise Malformed(f"{path}, line {number}", "is not a JSON object")
        yield found
