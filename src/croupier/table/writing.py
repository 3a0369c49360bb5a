"""An event as the two texts that a record needs: the line that is written, and the text that is hashed.

Both are put together from the parts of the event, each of which is written once, by a form that every kind of event
has ready. The letters are those of `json.dumps` over `encode_event`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from json.encoder import encode_basestring
from operator import attrgetter, itemgetter
from typing import Any

from croupier.table import upcasting
from croupier.table.codec import encode_event, encoded
from croupier.table.events import Event
from croupier.table.people import Actor

spaced = json.JSONEncoder(ensure_ascii=False).encode
"""JSON as the lines of a record have it."""
canonical = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode
"""JSON as it is hashed."""


def texts(event: Event, seq: int) -> tuple[str, str]:
    """An event as JSON in the letters of a record, without its number; and with it, in those that are hashed."""
    kind: Any = type(event)
    if kind.__name__ in upcasting.VERSIONS:
        said = encode_event(event)
        return spaced(said), canonical({"seq": seq, **said})
    form = _form(kind)
    written: list[str] = []
    hashed: list[str] = [str(seq)]
    for value in form.take(event):
        quick = _QUICK.get(type(value))
        if quick is not None:
            text = compact = quick(value)
        else:
            text, compact = _both(value)
        written.append(text)
        hashed.append(compact)
    return form.written % tuple(written), form.hashed % form.order(hashed)


def chained_text(previous: str, text: str) -> str:
    """The hash of a line, of which `text` is all that it says in the letters that are hashed."""
    return hashlib.sha256(f"{previous}\n{text}".encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class _Form:
    """How a kind of event is written; `order` sorts its parts, the number before them, as they are hashed."""

    take: Callable[[Any], tuple[Any, ...]]
    written: str
    hashed: str
    order: Callable[[list[str]], tuple[str, ...]]


@cache
def _form(kind: Any) -> _Form:
    names = [field.name for field in fields(kind)]  # never fewer than clause, by and at
    ordered = sorted(["seq", *names])
    written = ", ".join([f'"event": "{kind.__name__}"', *(f'"{name}": %s' for name in names)])
    parts = {name: f'"{name}":%s' for name in ordered} | {"event": f'"event":"{kind.__name__}"'}
    hashed = ",".join(parts[name] for name in sorted(parts))
    places = ["seq", *names]
    return _Form(
        attrgetter(*names),
        f"{{{written}}}",
        f"{{{hashed}}}",
        itemgetter(*(places.index(name) for name in ordered)),
    )


def _truth(value: bool) -> str:
    return "true" if value else "false"


_QUICK: dict[type, Callable[[Any], str]] = {
    int: int.__repr__,
    str: encode_basestring,
    bool: _truth,
    type(None): lambda _: "null",
}
"""What both texts have alike."""


def _both(value: Any) -> tuple[str, str]:
    if type(value) is Actor and type(value.name) is str:
        name, role = encode_basestring(value.name), value.role.value
        return f'{{"name": {name}, "role": "{role}"}}', f'{{"name":{name},"role":"{role}"}}'
    if type(value) is tuple and {type(item) for item in value} <= {int}:
        text = ", ".join(map(str, value))
        return f"[{text}]", f"[{text.replace(' ', '')}]"
    data = encoded(value)
    return spaced(data), canonical(data)
