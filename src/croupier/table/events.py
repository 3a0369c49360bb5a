"""What happened at a table. An event names its clause, who did it and when; it is never changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from croupier.progressive.meters import Cause, Meter
from croupier.table.people import Actor


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened. `at` is milliseconds since 1970, UTC."""

    clause: str
    by: Actor
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsReceived(Event):
    deck: int
    order: tuple[int, ...]
    """The order of a deck that came inspected and shuffled; empty for any other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsInspected(Event):
    deck: int


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
    """A patron left during a round; a floorperson has to decide."""

    patron: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeavingAnnounced(Event):
    """A patron leaves when the round is over."""

    patron: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PatronReady(Event):
    """A patron waits for the deal."""

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
    card: int
    place: str
    seat: int
    face_up: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceUpCardDiscarded(Event):
    card: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DealCompleted(Event):
    stub: int
    """How many cards are left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StubRacked(Event):
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class StubCounted(Event):
    stub: int
    right: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerMade(Event):
    """The wager of a street was made."""

    seat: int
    wager: str
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerLetRide(Event):
    """A wager that could have been taken back on a street stays."""

    seat: int
    wager: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerPulledBack(Event):
    """A wager that was placed before the deal was taken back on its street; the seat stays in."""

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
    """Seats whose cards were collected as well: nothing of theirs is left to settle."""
    kept: tuple[int, ...] = ()
    """Seats that folded on this street and whose cards stay for wagers that are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsRevealed(Event):
    place: str
    count: int
    seat: int = 0
    """Whose card it is, where it is not for all."""


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
    """The clause that decides the outcome; `clause` is the one that fixes the amount."""
    hand: str = ""
    row: str = ""
    pays: str = ""
    table: str = ""
    limited: bool = False
    """Whether a payout limit cut what was paid."""
    meter: str = ""
    """The meter that pays, and not the table inventory."""
    account: bool = False
    """Whether what is given goes to the patron's game account."""
    attended: bool = False
    """Whether an attendant pays it once the documents are done."""
    holder: int = 0
    """The seat whose hand earns an Envy Bonus."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetersFed(Event):
    """What the wagers accepted at lock-out add to the meters, in exact cents."""

    amounts: tuple[tuple[str, Fraction], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterChanged(Event):
    """A meter gains or loses for a cause; `before` and `after` are what stands on it."""

    meter: str
    amount: Fraction
    cause: Cause
    before: Fraction
    after: Fraction
    reason: str = ""
    approved_by: Actor | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterLocked(Event):
    """A win is pending on a meter: later ones wait, and contributions are kept apart."""

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
    """Linked meters as they stand now: other tables have fed or hit them."""

    meters: tuple[Meter, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressiveChipsCounted(Event):
    """The chips on the progressive devices against what the system accepted, in cents."""

    counted: int
    accepted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipCountResolved(Event):
    """A floorperson put the chips right; what the system accepted decides who is in."""

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
    """The documents of a meter win are done and an attendant paid it; `amounts` are cents by meter."""

    seat: int
    patron: str
    reference: str
    amounts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MysteryArmed(Event):
    """A trigger was drawn. The commitment may be shown at once, trigger and nonce only after the hit."""

    commitment: str
    trigger: int
    nonce: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MysteryHit(Event):
    """A wager took the mystery meter to its trigger, which is shown now."""

    seat: int
    patron: str
    amount: int
    commitment: str
    trigger: int
    nonce: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealCommitted(Event):
    """A server seed was drawn for a deal. The commitment may be shown at once, the seed only when it is revealed."""

    deal: int
    commitment: str
    server_seed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealContributed(Event):
    """A patron added a text to the seed of the coming deal."""

    deal: int
    patron: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealRevealed(Event):
    """The cards of a deal are out of play: everybody may see its seed and compute the order again."""

    deal: int
    commitment: str
    server_seed: str
    contributions: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountFunded(Event):
    """Chips become credit of a game account; negative the other way."""

    patron: str
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusDrawn(Event):
    """What the system drew for this round."""

    magic_card: int | None
    lucky_position: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotDivided(Event):
    """A jackpot on the dealer's hand, divided among those who bet on it; each waits for his turn."""

    shares: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSettled(Event):
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCompleted(Event):
    """The cards are racked; `rack` keeps every hand for reconstruction."""

    round: int
    rack: tuple[tuple[str, int, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundVoided(Event):
    """The hands are void. `settles_optional` says that optional wagers are settled all the same."""

    cause: str
    settles_optional: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted(Event):
    """Something to record that changes nothing: a card drawn in error, a late exposure, a jam."""

    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShufflerJammed(Event):
    pass


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
class PaymentCorrected(Event):
    """An entry is reversed (`old_…`) and a new one made in its place."""

    round: int
    seat: int
    patron: str
    wager: str
    number: int
    """Which of the seat's entries of that name, from 1."""
    old_returned: int
    old_paid: int
    returned: int
    paid: int
    reason: str
    account: bool = False
    """Whether the wager was made from a game account."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A command that is not permitted now: why, and under which clause. Nothing changed."""

    clause: str
    reason: str
    command: str = field(default="")

    def __str__(self) -> str:
        return f"{self.reason} ({self.clause})" if self.clause else self.reason
