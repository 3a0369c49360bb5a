"""What an audit gives: findings, each with the number of its event, the clause behind it and a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from croupier.table.events import Event

Numbered = Sequence[tuple[int, Event]]
"""Events in order, each with its number in the record; a line that could not be read leaves a gap."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong in a record. `seq` is 0 for what is not about one event."""

    seq: int
    clause: str
    message: str


def named(event: Event) -> str:
    """What an event is called in a sentence.

    >>> from croupier.table.events import RoundCompleted
    >>> from croupier.table.people import SYSTEM
    >>> named(RoundCompleted(round=1, rack=(), clause="", by=SYSTEM, at=0))
    'round completed'
    """
    letters = (f" {letter.lower()}" if letter.isupper() else letter for letter in type(event).__name__)
    return "".join(letters).strip()
