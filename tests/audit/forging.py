"""Forged records: one thing changed, dropped, doubled or swapped, and every hash made to follow."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from croupier.errors import Malformed
from croupier.table import events as e
from croupier.table.codec import decode_event, encode_event
from croupier.table.people import Actor, Role
from croupier.table.record import Record

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
    """Whether the reader of records would not refuse it at once."""
    try:
        return decode_event(encode_event(event)) == event
    except Malformed:
        return False


def forgeries(record: Record, place: int, chance: random.Random) -> Iterator[tuple[str, Record]]:
    """Every forgery of one event: each value changed, the event dropped, doubled, or swapped with the next."""
    events = record.events
    before, event, after = events[:place], events[place], events[place + 1 :]
    for word, other in changes(event, chance):
        yield word, Record(record.setup, (*before, other, *after))
    yield "dropped", Record(record.setup, before + after)
    yield "doubled", Record(record.setup, (*before, event, event, *after))
    if after and after[0] != event:
        yield "swapped with the next", Record(record.setup, (*before, after[0], event, *after[1:]))
