"""Events of an older version become events of today when they are read; what is stored is never changed.

A kind of event begins with version 1, which is not written down. When its form changes, its number in
`VERSIONS` goes up and a function registered with `upcaster` turns the old form into the next one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.errors import Malformed

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
VERSIONS: dict[str, int] = {}
"""The version of today of each kind of event that has had an older one."""
_UPCASTERS: dict[tuple[str, int], Upcaster] = {}


def upcaster(kind: str, version: int) -> Callable[[Upcaster], Upcaster]:
    """Registers what turns an event of a kind and version, as JSON, into the next version, or into another kind."""

    def register(function: Upcaster) -> Upcaster:
        _UPCASTERS[kind, version] = function
        return function

    return register


def stamped(data: dict[str, Any]) -> dict[str, Any]:
    """An event of today as JSON with its version, where that is not the first."""
    version = VERSIONS.get(data["event"], 1)
    return data if version == 1 else {"event": data["event"], "version": version, **data}


def upcast(data: dict[str, Any]) -> dict[str, Any]:
    """An event as JSON in the form of today, without its version; one from a newer program is refused."""
    kind, version = data.get("event"), data.get("version", 1)
    if type(kind) is not str or type(version) is not int:
        raise Malformed("event", f"{kind!r} of version {version!r} is no kind of event")
    data = {key: value for key, value in data.items() if key != "version"}
    while step := _UPCASTERS.get((kind, version)):
        data = step(data)
        kind, version = data["event"], data.pop("version", version + 1)
    if version != VERSIONS.get(kind, 1):
        raise Malformed("event", f"{kind} of version {version!r} is unknown to this program")
    return data
