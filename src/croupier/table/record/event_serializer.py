"""The event serializer: the JSON line of an event with its cause, and the canonical text that is hashed.

Both come from templates prepared for each kind of event, and each value is serialized once. The bytes equal those of
`json.dumps` over `encode_event`: this fast path beside the codec exists because every command runs it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cache
from json.encoder import encode_basestring
from operator import attrgetter, itemgetter
from typing import Any

from croupier.core.hash_chain import canonical_text, line_text
from croupier.table.model.commands import Command
from croupier.table.model.events import Event
from croupier.table.model.roles import Actor
from croupier.table.record import upcasting
from croupier.table.record.causation import stated_values
from croupier.table.record.codec import encode_event, encode_value


@dataclass(frozen=True, slots=True)
class CauseText:
    """The cause on the line of an event: as JSON, and as the parts that are hashed."""

    names: tuple[str, ...]
    written: str
    hashed: tuple[str, ...]


NO_CAUSE = CauseText((), "", ())
"""For an event that is not the first of its command."""


def cause_text(command: Command, events: Sequence[Event], key: str = "") -> CauseText:
    """The cause for the line of a command's first event."""
    name = type(command).__name__
    values = stated_values(command, events)
    if not key and not values:
        return _bare_cause(name)
    names, written, hashed = ["command"], [f'"command": "{name}"'], [f'"{name}"']
    if key:
        names.append("key")
        hashed.append(encode_basestring(key))
        written.append(f'"key": {hashed[-1]}')
    if values:
        names.append("values")
        hashed.append(canonical_text(values))
        written.append(f'"values": {line_text(values)}')
    return CauseText(tuple(names), f"{{{', '.join(written)}}}", tuple(hashed))


@cache
def _bare_cause(name: str) -> CauseText:
    return CauseText(("command",), f'{{"command": "{name}"}}', (f'"{name}"',))


def serialize_event(event: Event, seq: int, cause: CauseText = NO_CAUSE) -> tuple[str, str]:
    """The JSON of an event alone, and the canonical text of its whole line, with number and cause."""
    kind: Any = type(event)
    if kind.__name__ in upcasting.VERSIONS:
        data = encode_event(event)
        cause_data = json.loads(cause.written) if cause.written else {}
        return line_text(data), canonical_text({"seq": seq, **data, **cause_data})
    template = _template(kind, cause.names)
    written: list[str] = []
    hashed: list[str] = [str(seq)]
    for value in template.take(event):
        scalar = _SCALARS.get(type(value))
        if scalar is not None:
            text = compact = scalar(value)
        else:
            text, compact = _line_and_canonical(value)
        written.append(text)
        hashed.append(compact)
    hashed += cause.hashed
    return template.written % tuple(written), template.hashed % template.order(hashed)


@dataclass(frozen=True, slots=True)
class _Template:
    """The templates of a kind of event; `order` sorts the parts of its line for the hash.

    The parts come as the number, the event's values, and the cause.
    """

    take: Callable[[Any], tuple[Any, ...]]
    written: str
    hashed: str
    order: Callable[[list[str]], tuple[str, ...]]


@cache
def _template(kind: Any, cause: tuple[str, ...] = ()) -> _Template:
    names = [field.name for field in fields(kind)]  # never fewer than clause, by and at
    places = ["seq", *names, *cause]
    ordered = sorted(places)
    written = ", ".join([f'"event": "{kind.__name__}"', *(f'"{name}": %s' for name in names)])
    parts = {name: f'"{name}":%s' for name in ordered} | {"event": f'"event":"{kind.__name__}"'}
    hashed = ",".join(parts[name] for name in sorted(parts))
    return _Template(
        attrgetter(*names),
        f"{{{written}}}",
        f"{{{hashed}}}",
        itemgetter(*(places.index(name) for name in ordered)),
    )


def _truth(value: bool) -> str:
    return "true" if value else "false"


_SCALARS: dict[type, Callable[[Any], str]] = {
    int: int.__repr__,
    str: encode_basestring,
    bool: _truth,
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
