"""Findings of an audit, each with the number of its event, its clause and a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from croupier.core.money import format_money
from croupier.table.model.events import Event
from croupier.table.record.codec import encode_value

NumberedEvents = Sequence[tuple[int, Event]]
"""Events in order, each with its number in the record; a line that could not be read leaves a gap."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault in a record. `seq` is 0 if it is not about one event."""

    seq: int
    clause: str
    message: str


MONEY_FIELDS = frozenset({"amount", "paid", "returned", "staked"})
"""Fields of events that are whole cents."""
MAX_FIELD_LENGTH = 60


def format_field(name: str, value: object) -> str:
    """The value of a field of an event, as people write it: money in dollars, everything else as it is stored.

    >>> format_field("paid", 51000), format_field("hand", "pair"), format_field("row", "")
    ('$510', 'pair', 'empty')
    """
    if name in MONEY_FIELDS and isinstance(value, int) and not isinstance(value, bool):
        return format_money(value)
    text = str(encode_value(value)) or "empty"
    return text if len(text) <= MAX_FIELD_LENGTH else f"{text[: MAX_FIELD_LENGTH - 3]}..."


def event_title(event: Event) -> str:
    """The name of an event in a sentence.

    >>> from croupier.table.model.events import RoundCompleted
    >>> from croupier.table.model.roles import SYSTEM
    >>> event_title(RoundCompleted(round=1, rack=(), clause="", by=SYSTEM, at=0))
    'round completed'
    """
    letters = (f" {letter.lower()}" if letter.isupper() else letter for letter in type(event).__name__)
    return "".join(letters).strip()
