"""Events as sentences, each with its clause: what a regulator reads and what golden rounds keep."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch

from croupier.cards import DECK, show_cards
from croupier.money import show
from croupier.table import events as e
from croupier.table.people import SYSTEM
from croupier.table.setup import Setup
from croupier.table.why import exactly, meter_title, title_of, why, words

_PLACES = {
    "dealer": "the dealer",
    "board": "the board",
    "bonus": "the bonus area",
    "community": "the community area",
    "discard": "the discard rack",
}


def tell(setup: Setup, event: e.Event) -> str:
    """One event as a sentence with its clause."""
    text = _tell(event, setup)
    return text if isinstance(event, e.WagerSettled) else f"{text} ({event.clause})" if event.clause else text


def _place(place: str, seat: int) -> str:
    if seat:
        return f"seat {seat}" if place == "player" else f"the fourth card of seat {seat}"
    return _PLACES[place]


def _does(name: str, verb: str) -> str:
    """Somebody does something: in the second person where a terminal calls its player `You`."""
    if name == "You":
        return f"You {verb.removesuffix('s')}"
    subject = "the system" if name == SYSTEM.name else name
    return f"{subject[:1].upper()}{subject[1:]} {verb}"


@singledispatch
def _tell(event: e.Event, setup: Setup) -> str:
    return type(event).__name__


@_tell.register
def _(event: e.CardsReceived, setup: Setup) -> str:
    return f"Deck {event.deck} is received" + (", inspected and shuffled already" if event.order else "")


@_tell.register
def _(event: e.CardsInspected, setup: Setup) -> str:
    return f"{_does(event.by.name, 'inspects')} deck {event.deck}"


@_tell.register
def _(event: e.InspectionVerified, setup: Setup) -> str:
    return f"{_does(event.by.name, 'verifies')} the inspection of deck {event.deck}"


@_tell.register
def _(event: e.CardsSpread, setup: Setup) -> str:
    return f"Deck {event.deck} is spread face up for the first player"


@_tell.register
def _(event: e.CardsWashed, setup: Setup) -> str:
    return f"Deck {event.deck} is turned face down, washed and stacked"


@_tell.register
def _(event: e.CardsShuffled, setup: Setup) -> str:
    how = "by the device" if event.by_device else "by hand"
    return f"Deck {event.deck} is shuffled {how}, order from {event.source}"


@_tell.register
def _(event: e.ShuffleOrdered, setup: Setup) -> str:
    return f"{_does(event.by.name, 'orders')} a shuffle: {event.reason}"


@_tell.register
def _(event: e.DeckRemoved, setup: Setup) -> str:
    return f"Deck {event.deck} is removed from the table: {event.reason}"


@_tell.register
def _(event: e.CardsCut, setup: Setup) -> str:
    return f"Deck {event.deck} is cut, the cover card {event.depth} cards from the top"


@_tell.register
def _(event: e.RecutOrdered, setup: Setup) -> str:
    return f"{_does(event.by.name, 'orders')} a recut: {event.reason}"


@_tell.register
def _(event: e.CardsLoaded, setup: Setup) -> str:
    where = {"hand": "taken in the dealer's hand", "manual_shoe": "placed in the shoe"}
    return f"Deck {event.deck} is {where.get(event.method, 'placed in the automated shoe')}"


@_tell.register
def _(event: e.CardsSpreadIdle, setup: Setup) -> str:
    return f"The table is idle: the cards are spread face {'up' if event.face_up else 'down'}"


@_tell.register
def _(event: e.TableClosed, setup: Setup) -> str:
    return "The table is closed"


@_tell.register
def _(event: e.PatronSeated, setup: Setup) -> str:
    seats = " and ".join(str(seat) for seat in event.seats)
    return f"{_does(event.patron, 'takes')} seat{'s' * (len(event.seats) > 1)} {seats}"


@_tell.register
def _(event: e.PatronLeft, setup: Setup) -> str:
    return f"{_does(event.patron, 'leaves')} the table"


@_tell.register
def _(event: e.PatronAbsent, setup: Setup) -> str:
    return f"{_does(event.patron, 'leaves')} during the round"


@_tell.register
def _(event: e.LeavingAnnounced, setup: Setup) -> str:
    return f"{_does(event.patron, 'leaves')} when the round is over"


@_tell.register
def _(event: e.PatronReady, setup: Setup) -> str:
    return f"{_does(event.patron, 'waits')} for the deal"


@_tell.register
def _(event: e.AbsenceDecided, setup: Setup) -> str:
    outcome = "wagers of {} are abandoned" if event.abandoned else "hand of {} is played out"
    return f"{_does(event.by.name, 'decides')}: the {outcome.format(event.patron)} ({event.reason})"


@_tell.register
def _(event: e.ChipsBought, setup: Setup) -> str:
    return f"{_does(event.patron, 'buys')} {show(event.amount)}"


@_tell.register
def _(event: e.ChipsCashed, setup: Setup) -> str:
    return f"{_does(event.patron, 'cashes')} {show(event.amount)}"


@_tell.register
def _(event: e.WagerPlaced, setup: Setup) -> str:
    title = title_of(setup, event.wager)
    if not event.amount:
        return f"Seat {event.seat} takes its {title} back"
    return f"Seat {event.seat} places {show(event.amount)} on the {title}"


@_tell.register
def _(event: e.BetsClosed, setup: Setup) -> str:
    return f"Round {event.round}: “no more bets”"


@_tell.register
def _(event: e.CardsRead, setup: Setup) -> str:
    return f"{len(event.cards)} cards of deck {event.deck} are read as they leave the shoe"


@_tell.register
def _(event: e.CardDealt, setup: Setup) -> str:
    face = ", face up" if event.face_up else ""
    return f"{DECK[event.card]} to {_place(event.place, event.seat)}{face}"


@_tell.register
def _(event: e.FaceUpCardDiscarded, setup: Setup) -> str:
    return f"{DECK[event.card]} is found face up and discarded"


@_tell.register
def _(event: e.DealCompleted, setup: Setup) -> str:
    return f"The deal is complete; the stub has {event.stub} cards"


@_tell.register
def _(event: e.StubRacked, setup: Setup) -> str:
    return "The stub goes into the discard rack, unexposed"


@_tell.register
def _(event: e.StubCounted, setup: Setup) -> str:
    return f"The stub is counted: {event.stub} cards, {'as it should be' if event.right else 'which is wrong'}"


@_tell.register
def _(event: e.WagerMade, setup: Setup) -> str:
    return f"Seat {event.seat} makes a {title_of(setup, event.wager)} of {show(event.amount)}"


@_tell.register
def _(event: e.WagerLetRide, setup: Setup) -> str:
    return f"Seat {event.seat} lets its {title_of(setup, event.wager)} ride"


@_tell.register
def _(event: e.WagerPulledBack, setup: Setup) -> str:
    return f"Seat {event.seat} pulls its {title_of(setup, event.wager)} of {show(event.amount)} back"


@_tell.register
def _(event: e.Folded, setup: Setup) -> str:
    names = ", ".join(title_of(setup, wager) for wager in event.forfeits)
    return f"Seat {event.seat} folds and forfeits: {names}"


@_tell.register
def _(event: e.ForfeitsCollected, setup: Setup) -> str:
    if not event.seats and not event.kept:
        return "Nobody folded: there is nothing to collect"
    if not event.seats:
        return f"The dealer collects forfeited wagers; the cards of {_seats(event.kept)} stay for other wagers"
    return f"The dealer collects forfeited wagers, and the cards of {_seats(event.seats)}"


def _seats(seats: Sequence[int]) -> str:
    return f"seat{'s' * (len(seats) > 1)} {', '.join(map(str, seats))}"


@_tell.register
def _(event: e.CardsRevealed, setup: Setup) -> str:
    ordinal = {1: "first", 2: "second", 3: "third"}.get(event.count, "next")
    what = {
        "dealer": "The dealer's cards are",
        "board": f"The {ordinal} community card is",
        "community": "The community card is",
        "fourth": f"The fourth card of seat {event.seat} is",
        "bonus": "The bonus card is" if event.count == 1 else "The bonus cards are",
    }
    return f"{what[event.place]} revealed"


@_tell.register
def _(event: e.HandTurnedUp, setup: Setup) -> str:
    return f"The cards of seat {event.seat} are turned up"


@_tell.register
def _(event: e.WagerSettled, setup: Setup) -> str:
    under = f" under {event.procedure}" if event.procedure and event.procedure != event.clause else ""
    return f"Seat {event.seat}: {why(setup, event)}{under}"


@_tell.register
def _(event: e.MetersFed, setup: Setup) -> str:
    fed = ", ".join(f"the {meter_title(setup, name)} rises by {exactly(amount)}" for name, amount in event.amounts)
    return f"Wagers on meters are locked out; {fed}"


@_tell.register
def _(event: e.MeterChanged, setup: Setup) -> str:
    went = f"from {exactly(event.before)} to {exactly(event.after)}, {event.cause.value}"
    text = f"The {meter_title(setup, event.meter)} goes {went}"
    if event.approved_by is None:
        return text
    return f"{text}: {event.by.name} and {event.approved_by.name} ({event.reason})"


@_tell.register
def _(event: e.MeterLocked, setup: Setup) -> str:
    return f"The {meter_title(setup, event.meter)} is locked for the win of seat {event.seat}"


@_tell.register
def _(event: e.MeterReleased, setup: Setup) -> str:
    return f"The {meter_title(setup, event.meter)} is released"


@_tell.register
def _(event: e.MetersRead, setup: Setup) -> str:
    read = ", ".join(f"the {meter_title(setup, meter.plan.name)} at {show(meter.display)}" for meter in event.meters)
    return f"Linked meters now stand: {read}"


@_tell.register
def _(event: e.ProgressiveChipsCounted, setup: Setup) -> str:
    if event.counted == event.accepted:
        return f"Progressive chips of {show(event.counted)} match the system and go into the table inventory"
    return (
        f"Progressive chips of {show(event.counted)} do not match the {show(event.accepted)} that the system accepted"
    )


@_tell.register
def _(event: e.ChipCountResolved, setup: Setup) -> str:
    put_right = f"{_does(event.by.name, 'puts')} the progressive chips right"
    return f"{put_right}: {show(event.accepted)} go into the table inventory ({event.reason})"


@_tell.register
def _(event: e.WinVerified, setup: Setup) -> str:
    won = f"the winning {title_of(setup, event.wager)} of seat {event.seat}"
    return f"{_does(event.by.name, 'verifies')} {won}{f': {words(event.row)}' if event.row else ''}"


@_tell.register
def _(event: e.LightVerified, setup: Setup) -> str:
    return f"The progressive light of seat {event.seat} is {'lit' if event.lit else 'not lit'}"


@_tell.register
def _(event: e.WinValidated, setup: Setup) -> str:
    reason = f" ({event.reason})" if event.reason else ""
    return f"{_does(event.by.name, 'validates')} the {title_of(setup, event.wager)} of seat {event.seat}{reason}"


@_tell.register
def _(event: e.DocumentsCompleted, setup: Setup) -> str:
    paid = show(sum(cents for _, cents in event.amounts))
    done = f"The documents of the win of seat {event.seat} are done (reference: {event.reference})"
    return f"{done}; an attendant pays {paid} to {event.patron}"


@_tell.register
def _(event: e.MysteryArmed, setup: Setup) -> str:
    return f"A hidden trigger of the mystery meter is fixed; its commitment is {event.commitment}"


@_tell.register
def _(event: e.MysteryHit, setup: Setup) -> str:
    hit = f"The wager of seat {event.seat} takes the mystery meter to its trigger and wins {show(event.amount)}"
    return f"{hit}; the trigger was {show(event.trigger)}, nonce {event.nonce}"


@_tell.register
def _(event: e.DealCommitted, setup: Setup) -> str:
    return f"The hidden seed of deal {event.deal} is fixed; its commitment is {event.commitment}"


@_tell.register
def _(event: e.DealContributed, setup: Setup) -> str:
    return f"{_does(event.patron, 'contributes')} {event.text!r} to deal {event.deal}"


@_tell.register
def _(event: e.DealRevealed, setup: Setup) -> str:
    return f"Deal {event.deal} is revealed: its seed was {event.server_seed}"


@_tell.register
def _(event: e.AccountFunded, setup: Setup) -> str:
    if event.amount < 0:
        return f"{_does(event.patron, 'takes')} {show(-event.amount)} from the game account"
    return f"{_does(event.patron, 'puts')} {show(event.amount)} into the game account"


@_tell.register
def _(event: e.BonusDrawn, setup: Setup) -> str:
    card = f"Magic Card {DECK[event.magic_card]}" if event.magic_card is not None else ""
    place = {None: "", 0: "lucky position: the dealer"}.get(event.lucky_position, f"lucky seat {event.lucky_position}")
    return f"The system draws: {', '.join(text for text in (card, place) if text) or 'nothing in this round'}"


@_tell.register
def _(event: e.JackpotDivided, setup: Setup) -> str:
    shares = ", ".join(f"seat {seat} {show(cents)}" for seat, cents in event.shares)
    return f"The jackpot on the dealer's hand is divided: {shares}"


@_tell.register
def _(event: e.SeatSettled, setup: Setup) -> str:
    return f"Seat {event.seat} is settled"


@_tell.register
def _(event: e.RoundCompleted, setup: Setup) -> str:
    hands = "; ".join(
        f"{_place(place, seat)} {show_cards(DECK[card] for card in cards)}" for place, seat, cards in event.rack
    )
    return f"Round {event.round} is complete" + (f"; the rack keeps {hands}" if hands else "")


@_tell.register
def _(event: e.RoundVoided, setup: Setup) -> str:
    kept = setup.choice("void_forfeited") == "kept"
    returned = "every wager not forfeited is returned" if kept else "every wager is returned"
    rest = "; optional wagers are settled" if event.settles_optional else f"; {returned}"
    return f"The hands are void: {_CAUSES[event.cause]}{rest}"


_CAUSES = {
    "exposed_card": "a card was exposed",
    "several_face_up_cards": "several cards lay face up",
    "wrong_number_of_cards": "a wrong number of cards was dealt",
    "shoe_jam": "the shoe jammed",
    "stub_wrong": "the stub had a wrong number of cards",
    "floor_decision": "a floorperson decided so",
}


@_tell.register
def _(event: e.Noted, setup: Setup) -> str:
    return event.what[:1].upper() + event.what[1:]


@_tell.register
def _(event: e.ShufflerJammed, setup: Setup) -> str:
    return "The shuffler jams: the cards are shuffled again"


@_tell.register
def _(event: e.DeviceTakenOut, setup: Setup) -> str:
    marked = "covered" if event.marked == "covered" else "marked out of order"
    method = event.method.replace("_", " ")
    return f"The {event.device} is {marked}; cards are dealt by {method}, shuffler {event.shuffler}"


@_tell.register
def _(event: e.DeviceRestored, setup: Setup) -> str:
    method = event.method.replace("_", " ")
    return f"Devices work again; cards are dealt by {method}, shuffler {event.shuffler}"


@_tell.register
def _(event: e.FloorDecided, setup: Setup) -> str:
    return f"{_does(event.by.name, 'decides')}: {event.outcome} the round ({event.reason})"


@_tell.register
def _(event: e.PaymentCorrected, setup: Setup) -> str:
    old, new = show(event.old_returned + event.old_paid), show(event.returned + event.paid)
    title = title_of(setup, event.wager)
    where = f"round {event.round}, seat {event.seat}, {title}"
    return f"{_does(event.by.name, 'corrects')} {where}: {old} reversed, {new} given ({event.reason})"
