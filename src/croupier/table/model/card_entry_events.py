"""The events of cards that are entered when they are turned up, at a table with a plain shoe."""

from __future__ import annotations

from croupier.core.dataclass import dataclass
from croupier.table.model.event import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class CardEntered(Event):
    """A card that lies face up on the layout was entered."""

    place: str
    seat: int
    number: int
    """Which card of the place it is, from 1."""
    card: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardCorrected(Event):
    """An entry was corrected: `before` was entered, but `card` lies there; `None` if the entry was taken back."""

    place: str
    seat: int
    number: int
    before: int
    card: int | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateCardReported(Event):
    """The dealer reported that a card lies on the layout although it was entered at another place."""

    place: str
    seat: int
    number: int
    card: int
    first_place: str
    """Where the card was entered first; empty for a card that was found face up and discarded."""
    first_seat: int
    first_number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateCardRuled(Event):
    """A floorperson ruled on a reported card: `is_duplicate`, or the report was wrong."""

    card: int
    is_duplicate: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerReduced(Event):
    """A floorperson returned the part of a wager that the hand, now turned up, does not allow."""

    seat: int
    wager: str
    before: int
    amount: int
    """What is left of the wager."""
    reason: str
