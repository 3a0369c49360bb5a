"""The events of a table. An event names its clause, its actor and its time, and is never changed."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from typing import Self

from croupier.core.dataclass import dataclass
from croupier.core.errors import ErrorCode, RuleViolation
from croupier.progressive.meters import Meter, MeterCause
from croupier.table.model.card_entry_events import CardCorrected as CardCorrected
from croupier.table.model.card_entry_events import CardEntered as CardEntered
from croupier.table.model.card_entry_events import DuplicateCardReported as DuplicateCardReported
from croupier.table.model.card_entry_events import DuplicateCardRuled as DuplicateCardRuled
from croupier.table.model.card_entry_events import WagerReduced as WagerReduced
from croupier.table.model.event import Event as Event
from croupier.table.model.roles import Actor

FACE_DOWN = -1
"""Stands for a hidden card in a redacted event; no recorded event has it."""


@dataclass(frozen=True, slots=True)
class HandCount:
    """How many cards were counted in a place of the layout: a player's hand, the dealer's, the bonus card."""

    place: str
    seat: int
    cards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsReceived(Event):
    deck: int
    order: tuple[int, ...]
    """The order of a deck that arrived inspected and shuffled; empty for any other, and where it is not known."""
    preshuffled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsInspected(Event):
    deck: int
    defect: str
    """What is wrong with the deck, which is then removed; empty if nothing is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectionVerified(Event):
    deck: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsSpread(Event):
    deck: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsWashed(Event):
    deck: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsShuffled(Event):
    deck: int
    order: tuple[int, ...]
    source: str
    by_device: bool
    device: str
    """The kind of device; empty for a shuffle by hand, and in older records."""
    count: int | None
    """The number of cards that the device showed, if it counts them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleOrdered(Event):
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckRemoved(Event):
    deck: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsCut(Event):
    deck: int
    depth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RecutOrdered(Event):
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsLoaded(Event):
    deck: int
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsSpreadIdle(Event):
    face_up: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureAdopted(Event):
    """A table that an older program opened follows this version of the procedure from here on."""

    procedure_version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosed(Event):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class PatronSeated(Event):
    patron: str
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PatronLeft(Event):
    patron: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PatronAbsent(Event):
    """A patron left during a round; a floorperson must decide on their wagers."""

    patron: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeavingAnnounced(Event):
    """A patron leaves when the round is over."""

    patron: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PatronReady(Event):
    """A patron is ready for the deal."""

    patron: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AbsenceDecided(Event):
    patron: str
    abandoned: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsBought(Event):
    patron: str
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsCashed(Event):
    patron: str
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerPlaced(Event):
    seat: int
    wager: str
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BetsClosed(Event):
    """No more bets: the round begins. `dealt` are the seats that receive cards."""

    round: int
    dealt: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsRead(Event):
    """Physical cards were read as they left the shoe; the rest of the deck stays unknown."""

    deck: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDealt(Event):
    card: int | None
    """`None` at a plain shoe: nobody knows the card until it is turned up."""
    place: str
    seat: int
    face_up: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceUpCardDiscarded(Event):
    card: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DealCompleted(Event):
    stub: int
    """The number of cards left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StubRacked(Event):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class StubCounted(Event):
    stub: int
    right: bool
    total: int | None
    """The number of cards counted in all; `None` in older records."""
    hands: tuple[HandCount, ...]
    """The count of every hand, if that of the stub was wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerMade(Event):
    """The wager of a street was made."""

    seat: int
    wager: str
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerLetRide(Event):
    """A wager that could have been pulled back on this street stays."""

    seat: int
    wager: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerPulledBack(Event):
    """A wager placed before the deal was pulled back on its street; the seat stays in."""

    seat: int
    wager: str
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded(Event):
    seat: int
    forfeits: tuple[str, ...]
    """Wagers that the fold forfeits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForfeitsCollected(Event):
    seats: tuple[int, ...]
    """Seats whose cards were collected as well: they have no wager left to settle."""
    kept: tuple[int, ...] = ()
    """Seats that folded on this street but keep their cards for wagers still to settle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsRevealed(Event):
    place: str
    count: int
    seat: int = 0
    """The seat whose card it is; 0 for a common card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandTurnedUp(Event):
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerSettled(Event):
    """One wager or bonus of one seat, with its reason."""

    seat: int
    wager: str
    staked: int
    outcome: str
    returned: int
    paid: int
    procedure: str
    """The clause that decides the outcome; `clause` fixes the amount."""
    hand: str = ""
    row: str = ""
    pays: str = ""
    table: str = ""
    limited: bool = False
    """Whether a payout limit reduced the payment."""
    meter: str = ""
    """The meter that pays instead of the table inventory."""
    account: bool = False
    """Whether the amounts go to the patron's game account."""
    attended: bool = False
    """Whether an attendant pays it once the documents are complete."""
    holder: int = 0
    """The seat whose hand earns an Envy Bonus."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetersFed(Event):
    """The contributions of the wagers accepted at lock-out, in exact cents by meter."""

    amounts: tuple[tuple[str, Fraction], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterChanged(Event):
    """The amount on a meter changed for a cause, from `before` to `after`."""

    meter: str
    amount: Fraction
    cause: MeterCause
    before: Fraction
    after: Fraction
    reason: str = ""
    approved_by: Actor | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterLocked(Event):
    """A win is pending on a meter: later wins wait, and contributions are kept apart."""

    meter: str
    round: int
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterReleased(Event):
    meter: str
    round: int
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MetersRead(Event):
    """The current state of linked meters that other tables have fed or hit."""

    meters: tuple[Meter, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressiveChipsCounted(Event):
    """The chips counted on the progressive devices and those the system accepted, in cents."""

    counted: int
    accepted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipCountResolved(Event):
    """A floorperson resolved a wrong chip count; the wagers that the system accepted stand."""

    accepted: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WinVerified(Event):
    """The dealer verified that a hand wins on a meter's paytable."""

    seat: int
    wager: str
    row: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LightVerified(Event):
    seat: int
    wager: str
    lit: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WinValidated(Event):
    seat: int
    wager: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentsCompleted(Event):
    """The documents of a meter win are complete and an attendant paid it; `amounts` are cents by meter."""

    seat: int
    patron: str
    reference: str
    amounts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MysteryArmed(Event):
    """A trigger was drawn. The commitment is public immediately, trigger and nonce only after the hit."""

    commitment: str
    trigger: int
    nonce: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MysteryHit(Event):
    """A wager took the mystery meter to its trigger, which is now public."""

    seat: int
    patron: str
    amount: int
    commitment: str
    trigger: int
    nonce: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealCommitted(Event):
    """A server seed was drawn for a deal. The commitment is public immediately, the seed only when it is revealed."""

    deal: int
    commitment: str
    server_seed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealContributed(Event):
    """A patron contributed text to the seed of the coming deal."""

    deal: int
    patron: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealRevealed(Event):
    """The cards of a deal are out of play: its seed is public, and anybody can recompute the order."""

    deal: int
    commitment: str
    server_seed: str
    contributions: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountFunded(Event):
    """Chips were moved to a game account; a negative amount was moved back to chips."""

    patron: str
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusDrawn(Event):
    """The system's draw for this round."""

    magic_card: int | None
    lucky_position: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotDivided(Event):
    """A jackpot on the dealer's hand was divided among its bettors; each is paid when their seat is settled."""

    shares: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSettled(Event):
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCompleted(Event):
    """The cards are racked; `rack` keeps every hand for reconstruction."""

    round: int
    rack: tuple[tuple[str, int, tuple[int | None, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundVoided(Event):
    """The hands are void. `settles_optional` tells whether optional wagers are still settled."""

    cause: str
    settles_optional: bool
    where: str
    """Where a wrong number of cards was found; empty for other causes, and in older records."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted(Event):
    """A fact to record that changes no state: a card drawn in error, a late exposure, a jam."""

    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShufflerJammed(Event):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceReported(Event):
    """The dealer reported that a device malfunctions; a floorperson decides what is used in its place."""

    device: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceTakenOut(Event):
    device: str
    marked: str
    method: str
    shuffler: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRestored(Event):
    method: str
    shuffler: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorDecided(Event):
    outcome: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardReplaced(Event):
    """A floorperson had a card discarded, face up, and the next card of the deck put in its place."""

    place: str
    seat: int
    number: int
    """Which card of the place it was, from 1."""
    discarded: int
    card: int | None
    """`None` at a plain shoe, where the next card is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentCorrected(Event):
    """An entry is reversed (`old_…`) and a new one replaces it."""

    round: int
    seat: int
    patron: str
    wager: str
    number: int
    """The number of the entry among the seat's entries of that name, from 1."""
    old_returned: int
    old_paid: int
    returned: int
    paid: int
    reason: str
    account: bool = False
    """Whether the wager was made from a game account."""
    approved_by: Actor | None = None
    """The second person; `None` for a correction of an older program, which one person could make alone."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The refusal of a command, with its reason and clause. Nothing changed."""

    clause: str
    reason: str
    command: str = field(default="")
    code: ErrorCode = ErrorCode.NONE

    @classmethod
    def of(cls, violation: RuleViolation, command: str = "") -> Self:
        """The refusal of a command that violates a rule."""
        return cls(violation.clause, violation.reason, command, violation.code)

    def violation(self) -> RuleViolation:
        """The refusal as an exception."""
        return RuleViolation(self.clause, self.reason, self.code)

    def __str__(self) -> str:
        return f"{self.reason} ({self.clause})" if self.clause else self.reason
