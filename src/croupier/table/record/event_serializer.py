"""The event serializer: the JSON line of an event with its cause, and the canonical text that is hashed.

Both come from templates prepared for each kind of event, and each value is serialized once. The bytes equal those of
`json.dumps` over `encode_event`: this fast path beside the codec exists because every command runs it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import cache
from json.encoder import encode_basestring
from operator import attrgetter, itemgetter
from typing import Any

from croupier.core.dataclass import dataclass
from croupier.core.hash_chain import canonical_text, line_text
from croupier.table.model.commands import Command
from croupier.table.model.events import Event
from croupier.table.model.roles import Actor
from croupier.table.record import upcasting
from croupier.table.record.causation import stated_values, value_sources
from croupier.table.record.codec import encode_event, encode_value


@dataclass(frozen=True, slots=True)
class CauseText:
    """The cause on the line of an event: its JSON, and the parts of the canonical text."""

    names: tuple[str, ...]
    json: str
    canonical_parts: tuple[str, ...]


NO_CAUSE = CauseText((), "", ())
"""For an event that is not the first of its command."""


def cause_text(command: Command, events: Sequence[Event], key: str = "") -> CauseText:
    """The cause for the line of a command's first event."""
    kind: Any = type(command)
    name, first = kind.__name__, events[0]
    first_kind: Any = type(first)
    sources = value_sources(kind, first_kind)
    is_implied = sources.get_shared(command) == sources.get_shared(first)
    is_implied = is_implied and sources.get_unshared(command) == sources.defaults
    values = {} if is_implied else stated_values(command, events)
    if not key and not values:
        return _keyless_cause(name)
    names, json_parts, canonical_parts = ["command"], [f'"command": "{name}"'], [f'"{name}"']
    if key:
        names.append("key")
        canonical_parts.append(encode_basestring(key))
        json_parts.append(f'"key": {canonical_parts[-1]}')
    if values:
        names.append("values")
        canonical_parts.append(canonical_text(values))
        json_parts.append(f'"values": {line_text(values)}')
    return CauseText(tuple(names), f"{{{', '.join(json_parts)}}}", tuple(canonical_parts))


@cache
def _keyless_cause(name: str) -> CauseText:
    return CauseText(("command",), f'{{"command": "{name}"}}', (f'"{name}"',))


def serialize_event(event: Event, seq: int, cause: CauseText = NO_CAUSE) -> tuple[str, str]:
    """The JSON of an event alone, and the canonical text of its whole line, with number and cause."""
    kind: Any = type(event)
    if kind.__name__ in upcasting.VERSIONS:
        data = encode_event(event)
        cause_data = json.loads(cause.json) if cause.json else {}
        return line_text(data), canonical_text({"seq": seq, **data, **cause_data})
    template = _template(kind, cause.names)
    line_parts: list[str] = []
    canonical_parts: list[str] = [str(seq)]
    for value in template.get_values(event):
        scalar = _SCALARS.get(type(value))
        if scalar is not None:
            text = canonical = scalar(value)
        else:
            text, canonical = _line_and_canonical(value)
        line_parts.append(text)
        canonical_parts.append(canonical)
    canonical_parts += cause.canonical_parts
    return template.line % tuple(line_parts), template.canonical % template.sort_parts(canonical_parts)


@dataclass(frozen=True, slots=True)
class _Template:
    """The templates of a kind of event; `sort_parts` sorts the parts of its line for the canonical text.

    The parts come as the number, the event's values, and the cause.
    """

    get_values: Callable[[Any], tuple[Any, ...]]
    line: str
    canonical: str
    sort_parts: Callable[[list[str]], tuple[str, ...]]


@cache
def _template(kind: Any, cause: tuple[str, ...] = ()) -> _Template:
    names = [field.name for field in fields(kind)]  # never fewer than clause, by and at
    part_names = ["seq", *names, *cause]
    sorted_names = sorted(part_names)
    line = ", ".join([f'"event": "{kind.__name__}"', *(f'"{name}": %s' for name in names)])
    parts = {name: f'"{name}":%s' for name in sorted_names} | {"event": f'"event":"{kind.__name__}"'}
    canonical = ",".join(parts[name] for name in sorted(parts))
    return _Template(
        attrgetter(*names),
        f"{{{line}}}",
        f"{{{canonical}}}",
        itemgetter(*(part_names.index(name) for name in sorted_names)),
    )


def _bool_text(value: bool) -> str:
    return "true" if value else "false"


_SCALARS: dict[type, Callable[[Any], str]] = {
    int: int.__repr__,
    str: encode_basestring,
    bool: _bool_text,
    type(None): lambda _: "null",
}
"""Types that are the same in both texts."""


def _line_and_canonical(value: Any) -> tuple[str, str]:
    if type(value) is Actor and type(value.name) is str:
        name, role = encode_basestring(value.name), value.role.value
        return f'{{"name": {name}, "role": "{role}"}}', f'{{"name":{name},"role":"{role}"}}'
    if type(value) is tuple and {type(item) for item in value} <= {int}:
        text = ", ".join(map(str, value))
        return f"[{text}]", f"[{text.replace(' ', '')}]"
    data = encode_value(value)
    return line_text(data), canonical_text(data)
