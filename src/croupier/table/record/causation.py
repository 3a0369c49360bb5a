"""Causation: the command behind events, encoded in a record and decoded again.

The first event of a command carries the command's name, its idempotency key if it has one, and the values that do not
follow from the events. Values that the first event states under the same name are not stored twice, above all the
order of a deck or a hidden seed; nor are default values. Later events carry nothing: they belong to the last command
before them. `MetersRead` has no command: it records changes by other tables to linked meters, right before a command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from functools import cache
from itertools import pairwise
from operator import attrgetter
from typing import Any, NamedTuple, get_type_hints

from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.record.codec import RECORD_CODEC

COMMAND_TYPES: Mapping[str, type[c.Command]] = {
    kind.__name__: kind
    for kind in vars(c).values()
    if isinstance(kind, type) and issubclass(kind, c.Command) and kind is not c.Command
}
"""Every kind of command by its name."""
CAUSE_KEYS = ("command", "key", "values")
"""The keys of a line about the command behind its event, in this order. No event has a field of that name."""
_MISSING = object()


class Cause(NamedTuple):
    """The command behind events, with its idempotency key, which is empty if it had none."""

    command: c.Command
    key: str = ""


Causes = Mapping[int, Cause]
"""Commands by the number of their first event."""


@dataclass(frozen=True, slots=True)
class ValueSources:
    """How the values of a command follow from its first event."""

    shared: tuple[str, ...]
    """Values that the event states under the same name and with the same type."""
    get_shared: Callable[[Any], tuple[Any, ...]]
    """Gets the shared values of a command or an event."""
    unshared: tuple[str, ...]
    get_unshared: Callable[[Any], tuple[Any, ...]]
    """Gets the unshared values of a command; the last is doubled so that `attrgetter` returns a tuple."""
    defaults: tuple[Any, ...]


@cache
def value_sources(command: Any, event: Any) -> ValueSources:
    """How the values of a kind of command follow from its first event, of another kind."""
    hints, event_hints = get_type_hints(command), get_type_hints(event)
    defaults = {field.name: _MISSING if field.default is MISSING else field.default for field in fields(command)}
    shared = tuple(name for name in defaults if name in event_hints and hints[name] | None == event_hints[name] | None)
    unshared = tuple(name for name in defaults if name not in shared)
    doubled_names = (*unshared, *unshared[-1:]) if unshared else ()
    return ValueSources(
        shared,
        attrgetter(*shared),
        unshared,
        attrgetter(*doubled_names) if doubled_names else lambda _: (),
        tuple(defaults[name] for name in doubled_names),
    )


def _decks(events: Sequence[e.Event]) -> dict[str, Any]:
    """The decks that arrive together, and their orders if they are preshuffled."""
    receipts = [event for event in events if isinstance(event, e.CardsReceived)]
    orders = tuple(event.order for event in receipts if event.order)
    return {"decks": tuple(event.deck for event in receipts), "orders": orders}


def _entered_cards(events: Sequence[e.Event]) -> dict[str, Any]:
    """The cards that were entered together, and where they lie."""
    entries = [event for event in events if isinstance(event, e.CardEntered)]
    if not entries:
        return {}
    first = entries[0]
    cards = tuple(event.card for event in entries)
    return {"place": first.place, "seat": first.seat, "number": first.number, "cards": cards}


_FROM_ALL_EVENTS: Mapping[type[c.Command], Callable[[Sequence[e.Event]], dict[str, Any]]] = {
    c.ReceiveCards: _decks,
    c.EnterCards: _entered_cards,
}
"""Values that follow from all events of a command, not from the first alone."""


def stated_values(command: c.Command, events: Sequence[e.Event]) -> dict[str, Any]:
    """The values of a command, as JSON, that do not follow from the events it caused."""
    kind: Any = type(command)
    first: Any = type(events[0])
    sources, implied, hints = value_sources(kind, first), _implied(kind, events), _hints(kind)
    names = (
        name for name in (*sources.shared, *sources.unshared) if implied.get(name, _MISSING) != getattr(command, name)
    )
    return {name: RECORD_CODEC.encoder(hints[name])(getattr(command, name)) for name in names}


def _implied(kind: Any, events: Sequence[e.Event]) -> dict[str, Any]:
    """The values of a command that follow from its events and its defaults."""
    first: Any = type(events[0])
    plan = value_sources(kind, first)
    defaults = zip(plan.unshared, plan.defaults, strict=False)
    values = {name: default for name, default in defaults if default is not _MISSING}
    values |= {name: getattr(events[0], name) for name in plan.shared}
    return values | _FROM_ALL_EVENTS[kind](events) if kind in _FROM_ALL_EVENTS else values


def encode_cause(cause: Cause, events: Sequence[e.Event]) -> dict[str, Any]:
    """The part of the first event's line about the command that caused these events."""
    data: dict[str, Any] = {"command": type(cause.command).__name__}
    if cause.key:
        data["key"] = cause.key
    values = stated_values(cause.command, events)
    if values:
        data["values"] = values
    return data


def decode_cause(data: Mapping[str, Any], events: Sequence[e.Event]) -> Cause:
    """The command behind events, from the first one's line; refuses anything that `encode_cause` would not write."""
    name, key, values = data.get("command"), data.get("key", ""), data.get("values", {})
    kind: Any = COMMAND_TYPES.get(name) if isinstance(name, str) else None
    if kind is None:
        raise InputError("command", f"{name!r} is not a kind of command")
    if not isinstance(key, str) or not isinstance(values, dict):
        raise InputError("command", "the key must be a string and the values an object")
    hints = _hints(kind)
    unknown = [field for field in values if field not in hints]
    if unknown:
        raise InputError(f"command.{unknown[0]}", f"{name} has no value of this name")
    decoded_values = {
        field: RECORD_CODEC.decoder(hints[field])(value, f"command.{field}") for field, value in values.items()
    }
    try:
        cause = Cause(kind(**{**_implied(kind, events), **decoded_values}), key)
    except TypeError as error:
        raise InputError("command", f"{name} lacks values that its events do not state") from error
    if encode_cause(cause, events) != data:
        raise InputError("command", f"{name} is not in the form that a record uses")
    return cause


@cache
def _hints(kind: Any) -> dict[str, Any]:
    """The types of a command's values."""
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def split_line(line: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Splits a line into its event and the command behind it, empty if there is none."""
    event = {name: value for name, value in line.items() if name not in ("seq", "hash", *CAUSE_KEYS)}
    return event, {name: line[name] for name in CAUSE_KEYS if name in line}


def command_spans(events: Sequence[e.Event], starts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Start and end indexes of the events of each command; `starts` are the indexes of the first events."""
    for start, next_start in pairwise([*starts, len(events)]):
        end = start + 1
        while end < next_start and not isinstance(events[end], e.MetersRead):
            end += 1
        yield start, end
