"""Forged records: one event changed, dropped, doubled or swapped, with all hashes recomputed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from croupier.audits.chain import read_lines
from croupier.audits.finding import Finding
from croupier.audits.record import audit_parsed
from croupier.core.errors import InputError
from croupier.core.hash_chain import START, line_text, next_hash
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.model.setup import Setup
from croupier.table.record.causation import COMMAND_TYPES, command_spans, encode_cause
from croupier.table.record.codec import decode_event, encode_event, encode_setup, encode_value
from croupier.table.record.file import RECORD_FORMAT, Record


def altered_values(value: Any, rng: random.Random) -> Iterator[tuple[str, Any]]:
    """Other values of the same type, each with a label for the change."""
    match value:
        case bool():
            yield "flipped", not value
        case int():
            yield "more", value + rng.choice((1, 100))
            yield "less", value - rng.choice((1, 100))
        case Fraction():
            yield "more", value + Fraction(rng.choice((1, 100)), 3)
        case StrEnum():
            yield "another", rng.choice([other for other in type(value) if other is not value])
        case str():
            yield "another", f"{value}x"
            if value:
                yield "empty", ""
        case Actor():
            yield "name", replace(value, name=f"{value.name} II")
            yield "role", replace(value, role=rng.choice([role for role in Role if role is not value.role]))
        case tuple() if value:
            yield "shorter", value[:-1]
            place = rng.randrange(len(value))
            for word, other in altered_values(value[place], rng):
                yield f"item {word}", (*value[:place], other, *value[place + 1 :])
                break
            if len(value) > 1:
                swapped = list(value)
                first, second = rng.sample(range(len(value)), 2)
                swapped[first], swapped[second] = swapped[second], swapped[first]
                if tuple(swapped) != value:
                    yield "swapped", tuple(swapped)
        case None:
            yield "something", 7


def altered_events(event: e.Event, rng: random.Random) -> Iterator[tuple[str, e.Event]]:
    """Copies of an event with one field changed, each with a label for the change."""
    for field in fields(event):
        for word, other in altered_values(getattr(event, field.name), rng):
            forged = replace(event, **{field.name: other})
            if _is_readable(forged):
                yield f"{field.name} {word}", forged


def _is_readable(event: e.Event) -> bool:
    """Whether the event survives a round trip through the codec."""
    try:
        return decode_event(encode_event(event)) == event
    except (InputError, ValueError, AttributeError):
        return False


@dataclass(frozen=True)
class RecordLines:
    """The lines of a record: each event with its encoded cause, empty if it has none."""

    setup: Setup
    lines: tuple[tuple[e.Event, Mapping[str, Any]], ...]

    @staticmethod
    def from_record(record: Record, *, with_causes: bool = True) -> RecordLines:
        """The lines of a record; without causes they look like those of version 0.1."""
        starts = [seq - 1 for seq in record.causes]
        ends = dict(command_spans(record.events, starts))
        return RecordLines(
            record.setup,
            tuple(
                (event, encode_cause(record.causes[seq], record.events[seq - 1 : ends[seq - 1]]))
                if with_causes and seq in record.causes
                else (event, {})
                for seq, event in enumerate(record.events, 1)
            ),
        )

    def encode(self) -> list[bytes]:
        """The lines of a file, with valid sequence numbers and hashes."""
        head: dict[str, Any] = {"record": RECORD_FORMAT, "digest": "", "table": encode_setup(self.setup)}
        lines = [head]
        lines += [{"seq": n, **encode_event(event), **cause} for n, (event, cause) in enumerate(self.lines, 1)]
        previous = START
        for line in lines:
            previous = line["hash"] = next_hash(previous, line)
        return [line_text(line).encode() for line in lines]

    def findings(self) -> list[Finding]:
        """The findings of an audit of these lines."""
        return audit_parsed(read_lines("a record", self.encode())).findings


def forgeries(record: RecordLines, place: int, rng: random.Random) -> Iterator[tuple[str, RecordLines]]:
    """Every forgery of one event: each value changed, the event dropped, doubled, or swapped with the next."""
    lines = record.lines
    before, (event, cause), after = lines[:place], lines[place], lines[place + 1 :]
    for word, other in altered_events(event, rng):
        yield word, RecordLines(record.setup, (*before, (other, cause), *after))
    yield "dropped", RecordLines(record.setup, before + after)
    yield "doubled", RecordLines(record.setup, (*before, (event, cause), (event, cause), *after))
    if after and after[0][0] != event:
        yield "swapped with the next", RecordLines(record.setup, (*before, after[0], (event, cause), *after[1:]))


def cause_forgeries(record: RecordLines, place: int, rng: random.Random) -> Iterator[tuple[str, RecordLines]]:
    """Every forgery of the cause of one event."""
    lines = record.lines
    before, (event, cause), after = lines[:place], lines[place], lines[place + 1 :]

    def with_cause(other: Mapping[str, Any]) -> RecordLines:
        return RecordLines(record.setup, (*before, (event, other), *after))

    if not cause:
        yield "added", with_cause({"command": rng.choice(sorted(COMMAND_TYPES))})
        return
    yield "removed", with_cause({})
    for name in rng.sample(sorted({*COMMAND_TYPES} - {cause["command"]}), 8):
        yield f"command {name}", with_cause({**cause, "command": name})
    yield "command unknown", with_cause({**cause, "command": "Cheat"})
    values = cause.get("values", {})
    for name, value in values.items():
        yield f"{name} left out", with_cause({**cause, "values": {k: v for k, v in values.items() if k != name}})
        for word, other in altered_values(tuple(value) if isinstance(value, list) else value, rng):
            yield f"{name} {word}", with_cause({**cause, "values": {**values, name: other}})
    for name, value in {"at": event.at, "by": encode_value(event.by), "cheat": 1}.items():
        yield f"{name} added", with_cause({**cause, "values": {**values, name: value}})
    yield (
        "by another",
        with_cause({**cause, "values": {**values, "by": {"name": "Mallory", "role": event.by.role.value}}}),
    )
