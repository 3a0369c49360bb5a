"""The base of all events."""

from __future__ import annotations

from croupier.core.dataclass import dataclass
from croupier.table.model.roles import Actor


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened. `at` is in milliseconds since 1970, UTC."""

    clause: str
    by: Actor
    at: int
