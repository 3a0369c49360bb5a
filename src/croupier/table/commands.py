"""What people can ask of a table. A command carries who asks, when, and all that chance decided.

`rule` names the rule of the edition that a wrong role is refused under.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from croupier.table.people import DEALING, FLOOR, FLOOR_OR_SYSTEM, Actor, Role

PATRON = frozenset({Role.PATRON})
PATRON_OR_SYSTEM = frozenset({Role.PATRON, Role.SYSTEM})
PATRON_OR_DEALER = frozenset({Role.PATRON, Role.DEALER, Role.SYSTEM})
MONEY = frozenset({Role.DEALER, Role.ACCOUNTING, Role.SYSTEM})


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Asks for something. `at` is milliseconds since 1970, UTC."""

    by: Actor
    at: int
    roles: ClassVar[frozenset[Role]] = frozenset()
    rule: ClassVar[str] = ""


# Cards arrive and are prepared.


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiveCards(Command):
    """Decks arrive, as number 1 or 2 of the table; `orders` are those of preshuffled decks."""

    decks: tuple[int, ...]
    orders: tuple[tuple[int, ...], ...] = ()
    roles = DEALING
    rule = "inspect_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectCards(Command):
    deck: int
    roles = DEALING
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
    roles = DEALING
    rule = "spread_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class WashCards(Command):
    """Face down, washed and stacked."""

    deck: int
    roles = DEALING
    rule = "wash_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffle(Command):
    """A deck is shuffled; the order arrives as data, top card first.

    `source` says where the order came from. `count` is what a counting device reports.
    """

    deck: int
    order: tuple[int, ...]
    source: str
    by_device: bool
    count: int | None = None
    roles = DEALING
    rule = "shuffle_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderShuffle(Command):
    """A floorperson directs a shuffle."""

    reason: str
    roles = FLOOR
    rule = "shuffle_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut(Command):
    """The cover card goes in so many cards from the top; what is above it goes to the bottom."""

    depth: int
    roles = DEALING
    rule = "cut_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderRecut(Command):
    reason: str
    roles = FLOOR
    rule = "recut_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadCards(Command):
    """The stack goes into the shoe, or into the dealer's hand."""

    roles = DEALING
    rule = "load"


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadIdleCards(Command):
    """No gaming activity: the cards are spread, face down unless a player asks."""

    face_up: bool = False
    roles = DEALING
    rule = "idle_table"


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseTable(Command):
    roles = FLOOR_OR_SYSTEM
    rule = "seated_players_only"


# Patrons and their money.


@dataclass(frozen=True, slots=True, kw_only=True)
class Sit(Command):
    """A patron takes seats: his own, and adjacent boxes he will also wager on."""

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
    """A patron in a round will leave when it is over, and adds nothing to it."""

    patron: str
    roles = PATRON_OR_SYSTEM
    rule = "leaving_the_table"


@dataclass(frozen=True, slots=True, kw_only=True)
class GetReady(Command):
    """A patron with a wager that is dealt cards needs no more betting time."""

    patron: str
    roles = PATRON_OR_SYSTEM
    rule = "wagers_close"


@dataclass(frozen=True, slots=True, kw_only=True)
class BuyIn(Command):
    patron: str
    amount: int
    roles = MONEY
    rule = "chips_only"


@dataclass(frozen=True, slots=True, kw_only=True)
class CashOut(Command):
    patron: str
    amount: int
    roles = MONEY
    rule = "chips_only"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceWager(Command):
    """Chips on a betting area: the wager is then this amount; nothing takes it back.

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
    """Chips become credit of the patron's game account; a negative amount the other way."""

    patron: str
    amount: int
    roles = PATRON_OR_DEALER
    rule = "electronic_wagering"


# The round.


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnounceNoMoreBets(Command):
    roles = DEALING
    rule = "no_more_bets"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountProgressiveChips(Command):
    """The dealer counts the chips on the progressive devices, in cents, before they go into the inventory."""

    counted: int
    roles = DEALING
    rule = "count_progressive_chips"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveChipCount(Command):
    """A floorperson puts right what the count and the system's list disagree about."""

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
    """Physical cards are read as they leave the shoe, in the order of the deal; those found face up included."""

    cards: tuple[int, ...]
    roles = DEALING
    rule = "deal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(Command):
    """Deals the round. `face_up` are cards found face up in the shoe or deck when reached."""

    face_up: frozenset[int] = frozenset()
    roles = DEALING
    rule = "deal"


@dataclass(frozen=True, slots=True, kw_only=True)
class RackStub(Command):
    roles = DEALING
    rule = "rack_stub"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountStub(Command):
    """The stub counted face down; `total` is the count of all cards, taken when the stub is wrong."""

    stub: int
    total: int | None = None
    roles = DEALING
    rule = "stub_count"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide(Command):
    """A player makes the wager of the street (`amount` in cents) or folds (no amount).

    On a street where a wager may be pulled back: lets it ride (its amount) or takes it back (no amount).
    """

    seat: int
    amount: int | None
    roles = PATRON_OR_DEALER
    rule = "decide_1"


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectForfeits(Command):
    roles = DEALING
    rule = "collect_forfeits"


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealCards(Command):
    """The dealer turns up his cards or the next community card."""

    roles = DEALING
    rule = "reveal_1"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettleSeat(Command):
    """The dealer settles the next seat in turn, wager by wager."""

    seat: int
    roles = DEALING
    rule = "settle_in_turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyWin(Command):
    """The dealer verifies a seat's winning hands on meters, and that the light of its position is lit."""

    seat: int
    lit: bool = True
    roles = DEALING
    rule = "verify_progressive_hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidateWin(Command):
    """A floorperson validates what was verified; a reason is needed where the light was out."""

    seat: int
    reason: str = ""
    roles = FLOOR_OR_SYSTEM
    rule = "validate_progressive"


@dataclass(frozen=True, slots=True, kw_only=True)
class CompleteDocuments(Command):
    """The documents of a meter win are done, under a reference, and the patron has been paid."""

    seat: int
    reference: str
    roles = FLOOR_OR_SYSTEM | {Role.ACCOUNTING}
    rule = "pay_progressive"


@dataclass(frozen=True, slots=True, kw_only=True)
class RackCards(Command):
    """The remaining cards go into the discard rack so that each hand can be rebuilt."""

    roles = DEALING
    rule = "rack_cards"


# What goes wrong.


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportCardDrawnInError(Command):
    """A card was drawn in error; unseen it is the next card."""

    exposed: bool
    roles = DEALING
    rule = "card_drawn_in_error"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportWrongNumberOfCards(Command):
    where: str
    roles = DEALING | FLOOR
    rule = "wrong_number_of_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportExposedCard(Command):
    """A card of the dealer's hand or the board was seen before its time."""

    roles = DEALING | FLOOR
    rule = "exposed_card"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportShufflerJam(Command):
    roles = DEALING
    rule = "shuffler_jam"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportShoeJam(Command):
    roles = DEALING
    rule = "shoe_jam"


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeDeviceOutOfOrder(Command):
    """A shuffler or shoe cannot be used: covered, or with a sign on it, before another way is used."""

    device: str
    marked: str
    method: str
    shuffler: str
    roles = DEALING | FLOOR
    rule = "device_out_of_order"


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreDevice(Command):
    """Devices that were out of order work again: the table deals as its Rules Submission says."""

    roles = FLOOR
    rule = "device_out_of_order"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideOnAbsence(Command):
    """A patron left during a round: his wagers are abandoned, or his hand is played out."""

    patron: str
    abandoned: bool
    reason: str
    roles = FLOOR
    rule = "leaving_the_table"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecideOnTheFloor(Command):
    """A floorperson decides what no clause provides: `continue` the round or `void` it."""

    outcome: str
    reason: str
    roles = FLOOR
    rule = "settle_in_turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectPayment(Command):
    """A floorperson corrects an error: the old entry is reversed and a new one made."""

    round: int
    seat: int
    wager: str
    returned: int
    paid: int
    reason: str
    number: int | None = None
    """Which of several entries of that name, from 1, as with two Envy Bonuses."""
    roles = FLOOR
    rule = "settle_in_turn"


# Settings of meters: two people, and different ones for setting up and for correcting.


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUpMeter(Command):
    """Puts a meter that no wager has fed yet to an amount, as when it moves here from elsewhere."""

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
    """A patron adds a text to the seed of the coming deal, before its shuffle."""

    patron: str
    text: str
    roles = PATRON_OR_DEALER
    rule = "shuffle_cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealDeal(Command):
    """The system shows the seeds of deals whose cards are out of play."""

    roles = frozenset({Role.SYSTEM})
    rule = "shuffle_cards"
