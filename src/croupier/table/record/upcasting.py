"""Upcasting: events of older versions are converted when they are read; stored events never change.

Every kind of event begins with version 1, which is not written. When its form changes, its number in
`VERSIONS` goes up, and a function registered with `upcaster` converts the old form to the next one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.core.errors import InputError

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
VERSIONS: dict[str, int] = {
    "CardsInspected": 2,
    "CardsReceived": 2,
    "CardsShuffled": 2,
    "PaymentCorrected": 2,
    "RoundVoided": 2,
    "StubCounted": 2,
}
"""The current version of each kind of event that has older ones."""
_UPCASTERS: dict[tuple[str, int], Upcaster] = {}


def upcaster(kind: str, version: int) -> Callable[[Upcaster], Upcaster]:
    """Registers the function that converts an event of a version, as JSON, to the next version or to another kind."""

    def register(function: Upcaster) -> Upcaster:
        _UPCASTERS[kind, version] = function
        return function

    return register


def add_version(data: dict[str, Any]) -> dict[str, Any]:
    """Adds the version to the JSON of an event unless it is the first version."""
    version = VERSIONS.get(data["event"], 1)
    return data if version == 1 else {"event": data["event"], "version": version, **data}


def upcast(data: dict[str, Any]) -> dict[str, Any]:
    """The JSON of an event in its current version; refuses an event from a newer program."""
    kind, version = data.get("event"), data.get("version", 1)
    if type(kind) is not str or type(version) is not int:
        raise InputError("event", f"{kind!r} of version {version!r} is not a kind of event")
    data = {key: value for key, value in data.items() if key != "version"}
    while step := _UPCASTERS.get((kind, version)):
        data = step(data)
        kind, version = data["event"], data.pop("version", version + 1)
    if version != VERSIONS.get(kind, 1):
        raise InputError("event", f"{kind} of version {version!r} is unknown to this program")
    return data


@upcaster("CardsReceived", 1)
def _state_preshuffled(data: dict[str, Any]) -> dict[str, Any]:
    """A deck without an order had not been shuffled."""
    return {**data, "preshuffled": bool(data.get("order"))}


def _add_unstated(kind: str, values: dict[str, Any]) -> None:
    """Registers values that version 1 of an event did not state."""

    @upcaster(kind, 1)
    def add(data: dict[str, Any]) -> dict[str, Any]:
        return {**data, **values}


_UNSTATED: dict[str, dict[str, Any]] = {
    "CardsInspected": {"defect": ""},
    "CardsShuffled": {"device": "", "count": None},
    "PaymentCorrected": {"approved_by": None},
    "RoundVoided": {"where": ""},
    "StubCounted": {"total": None, "hands": []},
}
for _kind, _values in _UNSTATED.items():
    _add_unstated(_kind, _values)
LATER_FIELDS: dict[str, tuple[str, ...]] = {
    "CardsReceived": ("preshuffled",),
    **{kind: tuple(values) for kind, values in _UNSTATED.items()},
}
"""The fields that version 1 of an event lacks."""
