"""Commands about cards that are entered when they are turned up, at a table with a plain shoe.

People give all of them: the system never enters a card.
"""

from __future__ import annotations

from croupier.core.dataclass import dataclass
from croupier.table.model.command import Command
from croupier.table.model.roles import FLOOR, Role

DEALER = frozenset({Role.DEALER})


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterCards(Command):
    """The dealer enters cards that they turn up: those of a place from `number` on, all of them or some."""

    place: str
    seat: int = 0
    number: int = 1
    cards: tuple[int, ...]
    roles = DEALER
    rule = "turn_up_hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectCard(Command):
    """A card was entered wrongly: `card` lies there instead, or the entry is taken back (no card).

    A floorperson gives a reason; the dealer corrects only what nothing was settled by yet.
    """

    place: str
    seat: int = 0
    number: int
    card: int | None
    reason: str = ""
    roles = DEALER | FLOOR
    rule = "turn_up_hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportDuplicateCard(Command):
    """The card that the dealer turns up really lies on the layout a second time."""

    place: str
    seat: int = 0
    number: int
    card: int
    roles = DEALER
    rule = "stub_wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOnDuplicateCard(Command):
    """A floorperson rules on a reported card. If it lies there twice, the hands are void and the deck is removed."""

    is_duplicate: bool
    reason: str
    roles = FLOOR
    rule = "stub_wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnExcessWager(Command):
    """A floorperson returns the part of a seat's wager that its hand, now turned up, does not allow."""

    seat: int
    reason: str
    roles = FLOOR
    rule = "settle_in_turn"
