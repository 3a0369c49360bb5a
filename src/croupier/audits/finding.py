"""Findings of an audit, each with the number of its event, its clause and a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from croupier.table.model.events import Event

NumberedEvents = Sequence[tuple[int, Event]]
"""Events in order, each with its number in the record; a line that could not be read leaves a gap."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault in a record. `seq` is 0 if it is not about one event."""

    seq: int
    clause: str
    message: str


def event_title(event: Event) -> str:
    """The name of an event in a sentence.

    >>> from croupier.table.model.events import RoundCompleted
    >>> from croupier.table.model.roles import SYSTEM
    >>> event_title(RoundCompleted(round=1, rack=(), clause="", by=SYSTEM, at=0))
    'round completed'
    """
    letters = (f" {letter.lower()}" if letter.isupper() else letter for letter in type(event).__name__)
    return "".join(letters).strip()
