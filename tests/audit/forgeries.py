"""Forged records: one thing changed, dropped, doubled or swapped, and every hash made to follow."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from croupier.audit.chain import read_lines
from croupier.audit.finding import Finding
from croupier.audit.record import audit_parsed
from croupier.core.errors import InputError
from croupier.core.hash_chain import START, line_text, next_hash
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.model.setup import Setup
from croupier.table.record.causation import COMMAND_TYPES, command_spans, encode_cause
from croupier.table.record.codec import decode_event, encode_event, encode_setup, encode_value
from croupier.table.record.file import RECORD_FORMAT, Record

HEAD = ("clause", "by", "at")


def others(value: Any, chance: random.Random) -> Iterator[tuple[str, Any]]:
    """Other values of the same type, each with a word for the change."""
    match value:
        case bool():
            yield "turned", not value
        case int():
            yield "more", value + chance.choice((1, 100))
            yield "less", value - chance.choice((1, 100))
        case Fraction():
            yield "more", value + Fraction(chance.choice((1, 100)), 3)
        case StrEnum():
            yield "another", chance.choice([other for other in type(value) if other is not value])
        case str():
            yield "another", f"{value}x"
            if value:
                yield "empty", ""
        case Actor():
            yield "name", replace(value, name=f"{value.name} II")
            yield "role", replace(value, role=chance.choice([role for role in Role if role is not value.role]))
        case tuple() if value:
            yield "shorter", value[:-1]
            place = chance.randrange(len(value))
            for word, other in others(value[place], chance):
                yield f"item {word}", (*value[:place], other, *value[place + 1 :])
                break
            if len(value) > 1:
                swapped = list(value)
                first, second = chance.sample(range(len(value)), 2)
                swapped[first], swapped[second] = swapped[second], swapped[first]
                if tuple(swapped) != value:
                    yield "swapped", tuple(swapped)
        case None:
            yield "something", 7


def changes(event: e.Event, chance: random.Random) -> Iterator[tuple[str, e.Event]]:
    """Every way to change one value of an event, with the name of the value."""
    for field in fields(event):
        for word, other in others(getattr(event, field.name), chance):
            forged = replace(event, **{field.name: other})
            if _readable(forged):
                yield f"{field.name} {word}", forged


def _readable(event: e.Event) -> bool:
    """Whether it can be written at all, and the reader of records would not refuse it at once."""
    try:
        return decode_event(encode_event(event)) == event
    except (InputError, ValueError, AttributeError):
        return False


@dataclass(frozen=True)
class Lines:
    """A record as its lines have it: each event with what is said about the command behind it, empty for nothing."""

    setup: Setup
    lines: tuple[tuple[e.Event, Mapping[str, Any]], ...]

    @staticmethod
    def of(record: Record, *, causes: bool = True) -> Lines:
        """The lines of a record; without causes it is one from before events carried their commands."""
        starts = [seq - 1 for seq in record.causes]
        ends = dict(command_spans(record.events, starts))
        return Lines(
            record.setup,
            tuple(
                (event, encode_cause(record.causes[seq], record.events[seq - 1 : ends[seq - 1]]))
                if causes and seq in record.causes
                else (event, {})
                for seq, event in enumerate(record.events, 1)
            ),
        )

    def written(self) -> list[bytes]:
        """The lines of a file, with numbers and hashes that all follow."""
        head: dict[str, Any] = {"record": RECORD_FORMAT, "digest": "", "table": encode_setup(self.setup)}
        written = [head]
        written += [{"seq": n, **encode_event(event), **cause} for n, (event, cause) in enumerate(self.lines, 1)]
        previous = START
        for line in written:
            previous = line["hash"] = next_hash(previous, line)
        return [line_text(line).encode() for line in written]

    def findings(self) -> list[Finding]:
        """What an audit of the file finds."""
        return audit_parsed(read_lines("a record", self.written())).findings


def forgeries(record: Lines, place: int, chance: random.Random) -> Iterator[tuple[str, Lines]]:
    """Every forgery of one event: each value changed, the event dropped, doubled, or swapped with the next."""
    lines = record.lines
    before, (event, cause), after = lines[:place], lines[place], lines[place + 1 :]
    for word, other in changes(event, chance):
        yield word, Lines(record.setup, (*before, (other, cause), *after))
    yield "dropped", Lines(record.setup, before + after)
    yield "doubled", Lines(record.setup, (*before, (event, cause), (event, cause), *after))
    if after and after[0][0] != event:
        yield "swapped with the next", Lines(record.setup, (*before, after[0], (event, cause), *after[1:]))


def forged_causes(record: Lines, place: int, chance: random.Random) -> Iterator[tuple[str, Lines]]:
    """Every forgery of what one line says about the command behind its event."""
    lines = record.lines
    before, (event, cause), after = lines[:place], lines[place], lines[place + 1 :]

    def put(other: Mapping[str, Any]) -> Lines:
        return Lines(record.setup, (*before, (event, other), *after))

    if not cause:
        yield "added", put({"command": chance.choice(sorted(COMMAND_TYPES))})
        return
    yield "removed", put({})
    for name in chance.sample(sorted({*COMMAND_TYPES} - {cause["command"]}), 8):
        yield f"command {name}", put({**cause, "command": name})
    yield "command unknown", put({**cause, "command": "Cheat"})
    values = cause.get("values", {})
    for name, value in values.items():
        yield f"{name} left out", put({**cause, "values": {k: v for k, v in values.items() if k != name}})
        for word, other in others(tuple(value) if isinstance(value, list) else value, chance):
            yield f"{name} {word}", put({**cause, "values": {**values, name: other}})
    for name, value in {"at": event.at, "by": encode_value(event.by), "cheat": 1}.items():
        yield f"{name} added", put({**cause, "values": {**values, name: value}})
    yield "by another", put({**cause, "values": {**values, "by": {"name": "Mallory", "role": event.by.role.value}}})
