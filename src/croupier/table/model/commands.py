"""The commands of a table. A command carries its actor, its time and every random value it needs.

`rule` names the rule of the edition that is cited when the role may not give the command.
"""

from __future__ import annotations

from fractions import Fraction

from croupier.core.dataclass import dataclass
from croupier.table.model.card_entry_commands import CorrectCard as CorrectCard
from croupier.table.model.card_entry_commands import EnterCards as EnterCards
from croupier.table.model.card_entry_commands import ReportDuplicateCard as ReportDuplicateCard
from croupier.table.model.card_entry_commands import ReturnExcessWager as ReturnExcessWager
from croupier.table.model.card_entry_commands import RuleOnDuplicateCard as RuleOnDuplicateCard
from croupier.table.model.command import Command as Command
from croupier.table.model.events import HandCount
from croupier.table.model.roles import DEALER_OR_SYSTEM, FLOOR, FLOOR_OR_SYSTEM, Actor, Role

PATRON = frozenset({Role.PATRON})
PATRON_OR_SYSTEM = frozenset({Role.PATRON, Role.SYSTEM})
PATRON_OR_DEALER = frozenset({Role.PATRON, Role.DEALER, Role.SYSTEM})
MONEY_HANDLERS = frozenset({Role.DEALER, Role.ACCOUNTING, Role.SYSTEM})


# Receiving and preparing the cards.


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiveCards(Command):
    """Decks arrive as deck 1 or 2 of the table; `orders` are the orders of preshuffled decks, if they are known."""

    decks: tuple[int, ...]
    orders: tuple[tuple[int, ...], ...] = ()
    preshuffled: bool = False
    roles = DEALER_OR_SYSTEM
    rule = "inspect_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectCards(Command):
    """The dealer looks for defects; a deck with a `defect` is removed."""

    deck: int
    defect: str = ""
    roles = DEALER_OR_SYSTEM
    rule = "inspect_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyInspection(Command):
    deck: int
    roles = FLOOR_OR_SYSTEM
    rule = "verify_inspection"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadCards(Command):
    """Face up, by deck, suit and sequence, for the first patron to see."""

    deck: int
    roles = DEALER_OR_SYSTEM
    rule = "spread_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class WashCards(Command):
    """Face down, washed and stacked."""

    deck: int
    roles = DEALER_OR_SYSTEM
    rule = "wash_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffle(Command):
    """A deck is shuffled; the order arrives as data, top card first.

    `source` names the origin of the order. `count` is the count that a counting device reports.
    """

    deck: int
    order: tuple[int, ...]
    source: str
    by_device: bool
    count: int | None = None
    roles = DEALER_OR_SYSTEM
    rule = "shuffle_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderShuffle(Command):
    """A floorperson directs a shuffle."""

    reason: str
    roles = FLOOR
    rule = "shuffle_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut(Command):
    """The cover card goes in `depth` cards from the top; the cards above it go to the bottom."""

    depth: int
    roles = DEALER_OR_SYSTEM
    rule = "cut_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderRecut(Command):
    reason: str
    roles = FLOOR
    rule = "recut_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadCards(Command):
    """The stack goes into the shoe, or into the dealer's hand."""

    roles = DEALER_OR_SYSTEM
    rule = "load"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadIdleCards(Command):
    """No gaming activity: the cards are spread, face down unless a player asks."""

    face_up: bool = False
    roles = DEALER_OR_SYSTEM
    rule = "idle_table"


@dataclass(frozen=True, slots=True, kw_only=True)
class AdoptProcedure(Command):
    """A table of an older program follows the current version of the procedure from here on."""

    roles = frozenset({Role.SYSTEM})
    rule = "shuffle_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseTable(Command):
    roles = FLOOR_OR_SYSTEM
    rule = "seated_players_only"


# Patrons and their money.


@dataclass(frozen=True, slots=True, kw_only=True)
class Sit(Command):
    """A patron takes a seat, and any adjacent boxes on which they will also wager."""

    patron: str
    seats: tuple[int, ...]
    roles = PATRON_OR_DEALER
    rule = "seated_players_only"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave(Command):
    patron: str
    roles = PATRON_OR_DEALER
    rule = "leaving_the_table"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnounceLeaving(Command):
    """A patron in a round will leave when it is over and makes no further wager."""

    patron: str
    roles = PATRON_OR_SYSTEM
    rule = "leaving_the_table"


@dataclass(frozen=True, slots=True, kw_only=True)
class GetReady(Command):
    """A patron whose wagers are placed needs no more betting time."""

    patron: str
    roles = PATRON_OR_SYSTEM
    rule = "wagers_close"


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyIn(Command):
    patron: str
    amount: int
    roles = MONEY_HANDLERS
    rule = "chips_only"


@dataclass(frozen=True, slots=True, kw_only=True)
class CashOut(Command):
    patron: str
    amount: int
    roles = MONEY_HANDLERS
    rule = "chips_only"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceWager(Command):
    """Sets the chips on a betting area to this amount; zero takes the wager back.

    `spoken` marks a verbal wager with cash, which is refused.
    """

    seat: int
    wager: str
    amount: int
    spoken: bool = False
    roles = PATRON_OR_DEALER
    rule = "chips_only"


@dataclass(frozen=True, slots=True, kw_only=True)
class FundAccount(Command):
    """Moves chips to the patron's game account; a negative amount moves credit back to chips."""

    patron: str
    amount: int
    roles = PATRON_OR_DEALER
    rule = "electronic_wagering"


# The round.


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnounceNoMoreBets(Command):
    roles = DEALER_OR_SYSTEM
    rule = "no_more_bets"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountProgressiveChips(Command):
    """The dealer counts the chips on the progressive devices, in cents, before they go into the table inventory."""

    counted: int
    roles = DEALER_OR_SYSTEM
    rule = "count_progressive_chips"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveChipCount(Command):
    """A floorperson resolves a difference between the count and the system's list."""

    reason: str
    roles = FLOOR
    rule = "count_progressive_chips"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawBonus(Command):
    """The system draws a Magic Card or a lucky position (a seat, 0 for the dealer) before the deal, or nothing."""

    magic_card: int | None = None
    lucky_position: int | None = None
    roles = frozenset({Role.SYSTEM})
    rule = "drawn_by_the_system"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadCards(Command):
    """Physical cards are read as they leave the shoe, in the order of the deal; cards found face up included."""

    cards: tuple[int, ...]
    roles = DEALER_OR_SYSTEM
    rule = "deal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(Command):
    """Deals the round. `face_up` are the cards found face up in the shoe or deck.

    At a plain shoe `cards_dealt` says how many cards had been dealt when a second one was found face up.
    """

    face_up: frozenset[int] = frozenset()
    cards_dealt: int = 0
    roles = DEALER_OR_SYSTEM
    rule = "deal"


@dataclass(frozen=True, slots=True, kw_only=True)
class RackStub(Command):
    roles = DEALER_OR_SYSTEM
    rule = "rack_stub"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountStub(Command):
    """The stub is counted face down; if the count is wrong, every hand is counted as well.

    `total` is the count of all cards in records of the first version of the procedure, which had no `hands`.
    """

    stub: int
    total: int | None = None
    hands: tuple[HandCount, ...] = ()
    roles = DEALER_OR_SYSTEM
    rule = "stub_count"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide(Command):
    """A player makes the wager of the street (`amount` in cents) or folds (no amount).

    On a street with a pull-back option: lets the wager ride (its amount) or pulls it back (no amount).
    """

    seat: int
    amount: int | None
    roles = PATRON_OR_DEALER
    rule = "decide_1"


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectForfeits(Command):
    roles = DEALER_OR_SYSTEM
    rule = "collect_forfeits"


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealCards(Command):
    """The dealer turns up the dealer's cards or the next community card."""

    roles = DEALER_OR_SYSTEM
    rule = "reveal_1"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleSeat(Command):
    """The dealer settles the next seat in turn, wager by wager."""

    seat: int
    roles = DEALER_OR_SYSTEM
    rule = "settle_in_turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyWin(Command):
    """The dealer verifies a seat's winning hands on meters, and whether the light at its position is lit."""

    seat: int
    lit: bool = True
    roles = DEALER_OR_SYSTEM
    rule = "verify_progressive_hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidateWin(Command):
    """A floorperson validates a verified win; a reason is required if the light was not lit."""

    seat: int
    reason: str = ""
    roles = FLOOR_OR_SYSTEM
    rule = "validate_progressive"


@dataclass(frozen=True, slots=True, kw_only=True)
class CompleteDocuments(Command):
    """The documents of a meter win are complete, with their reference, and the patron has been paid."""

    seat: int
    reference: str
    roles = FLOOR_OR_SYSTEM | {Role.ACCOUNTING}
    rule = "pay_progressive"


@dataclass(frozen=True, slots=True, kw_only=True)
class RackCards(Command):
    """The remaining cards go into the discard rack so that each hand can be rebuilt."""

    roles = DEALER_OR_SYSTEM
    rule = "rack_cards"


# Irregularities.


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportCardDrawnInError(Command):
    """A card was drawn in error; if nobody saw it, it is used as the next card."""

    exposed: bool
    roles = DEALER_OR_SYSTEM
    rule = "card_drawn_in_error"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportWrongNumberOfCards(Command):
    """A hand has a wrong number of cards: `where` is `dealer`, `community`, `bonus` or, say, `seat 3`."""

    where: str
    roles = DEALER_OR_SYSTEM | FLOOR
    rule = "wrong_number_of_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportExposedCard(Command):
    """A card of the dealer's hand or the board was exposed too early."""

    roles = DEALER_OR_SYSTEM | FLOOR
    rule = "exposed_card"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportShufflerJam(Command):
    roles = DEALER_OR_SYSTEM
    rule = "shuffler_jam"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportShoeJam(Command):
    roles = DEALER_OR_SYSTEM
    rule = "shoe_jam"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportDeviceFailure(Command):
    """The dealer reports that the `shuffler` or the `shoe` malfunctions and cannot be used."""

    device: str
    roles = DEALER_OR_SYSTEM
    rule = "device_out_of_order"


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeDeviceOutOfOrder(Command):
    """A floorperson confirms a failure: the device is covered or bears a sign, and what is used in its place."""

    device: str
    marked: str
    method: str
    shuffler: str
    roles = FLOOR
    older_roles = DEALER_OR_SYSTEM
    rule = "device_out_of_order"


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreDevice(Command):
    """Devices work again: the table deals as its Rules Submission states."""

    roles = FLOOR
    rule = "device_out_of_order"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideOnAbsence(Command):
    """A patron left during a round: their wagers are abandoned, or their hand is played out."""

    patron: str
    abandoned: bool
    reason: str
    roles = FLOOR
    rule = "leaving_the_table"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideOnTheFloor(Command):
    """A floorperson decides a case that no clause covers: `continue` the round, `void` it or `replace` a card.

    `concerns` names the rule nearest to the case, whose clause is cited. To replace a card, `place` and `seat` say
    where it lies and `number` which one it is, from 1; `card` is the next card where physical cards are read.
    At a plain shoe `discarded` is the card that is replaced, unless it was entered; the next card stays unknown.
    """

    outcome: str
    reason: str
    concerns: str = ""
    place: str = ""
    seat: int = 0
    number: int = 0
    card: int | None = None
    discarded: int | None = None
    roles = FLOOR
    rule = "settle_in_turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectPayment(Command):
    """A floorperson corrects a payment, and a second person approves it: an entry is reversed and a new one made.

    `old_returned` and `old_paid` state the entry as it is, `reason` what was wrong with it.
    """

    round: int
    seat: int
    wager: str
    old_returned: int
    old_paid: int
    returned: int
    paid: int
    reason: str
    approved_by: Actor | None = None
    """The second person; only corrections of older programs have none."""
    number: int | None = None
    """The number of the entry, from 1, if several have that name, as with two Envy Bonuses."""
    roles = FLOOR
    rule = "settle_in_turn"


# Meter settings: two people each, in different roles for setup and for correction.


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUpMeter(Command):
    """Sets the amount of a meter that no wager has fed yet, for example after a transfer from another table."""

    meter: str
    amount: Fraction
    reason: str
    approved_by: Actor
    roles = frozenset({Role.ADMINISTRATOR})
    rule = "progressive_system"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectMeter(Command):
    """Changes a meter by an amount, up or down, with a reason."""

    meter: str
    amount: Fraction
    reason: str
    approved_by: Actor
    roles = frozenset({Role.ACCOUNTING})
    rule = "progressive_system"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmMystery(Command):
    """The system draws the hidden trigger of the mystery meter, in cents, with a nonce."""

    trigger: int
    nonce: str
    roles = frozenset({Role.SYSTEM})
    rule = "no_more_bets"


# Verifiable deals.


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitDeal(Command):
    """The system draws the hidden seed of the coming deal, in hexadecimal."""

    server_seed: str
    roles = frozenset({Role.SYSTEM})
    rule = "shuffle_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContributeToDeal(Command):
    """A patron contributes text to the seed of the coming deal, before its shuffle."""

    patron: str
    text: str
    roles = PATRON_OR_DEALER
    rule = "shuffle_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealDeal(Command):
    """The system reveals the seeds of deals whose cards are out of play."""

    roles = frozenset({Role.SYSTEM})
    rule = "shuffle_cards"
