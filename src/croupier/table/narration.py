"""Narration: events as sentences with their clauses, for regulators and golden rounds."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import singledispatch

from croupier.core.cards import DECK
from croupier.core.money import format_money
from croupier.hands.names import hand_label as hand_label  # noqa: PLC0414 - narration exports it
from croupier.submissions.table_terms import RESERVE
from croupier.table.card_narration import CardEntryEvent, describe_card_entry
from croupier.table.hand_narration import describe_hands
from croupier.table.model import events as e
from croupier.table.model.events import WagerSettled
from croupier.table.model.roles import SYSTEM
from croupier.table.model.setup import Setup
from croupier.table.model.state import Round


def wager_title(setup: Setup, wager: str) -> str:
    """The title of a wager or a bonus."""
    return setup.elected.edition.title_of(wager)


def meter_title(setup: Setup, name: str) -> str:
    """The title of a meter: its wager's, with its tier if there are several."""
    plan = setup.meters[name]
    title = wager_title(setup, plan.table)
    if plan.tier == RESERVE:
        return f"reserve of the {title}"
    return f"meter of the {title}" if name == plan.table else f"{plan.tier} meter of the {title}"


def meter_label(setup: Setup, name: str) -> str:
    """The name of a meter on a display: its wager's title, with its tier if there are several."""
    plan = setup.meters[name]
    title = wager_title(setup, plan.table)
    return title if name == plan.table else f"{title}, {plan.tier}"


def format_meter_amount(cents: Fraction) -> str:
    """An amount on a meter with its fractions of a cent, to a millionth of a dollar.

    >>> tuple(map(format_meter_amount, (Fraction(500_058), Fraction(39, 2), Fraction(-13))))
    ('$5,000.58', '$0.195', '-$0.13')
    """
    if cents.denominator == 1:
        return format_money(int(cents))
    dollars, fraction = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}${dollars:,}.{int(fraction * 10_000):06d}".rstrip("0")


def explain(setup: Setup, entry: WagerSettled, round_: Round | None = None) -> str:
    """Explains an entry: wager, outcome, hand, row and clause; with its round, the hands are named with their ranks."""
    title, hands = wager_title(setup, entry.wager), describe_hands(setup, entry, round_)
    stake = f" of {format_money(entry.staked)}" if entry.staked else ""
    reasons = {
        "win": f"wins {format_money(entry.paid)}",
        "push": f"pushes, {format_money(entry.returned)} back",
        "lose": "loses",
        "forfeit": "is forfeited by the fold",
        "returned": f"is returned{' to the game account' * entry.account}: {format_money(entry.returned)}",
    }
    text = f"{title}{stake} {reasons[entry.outcome]}"
    details = []
    if entry.row and entry.outcome == "win":
        details.append(f"{hand_label(entry.row)} pays {entry.pays}")
    elif entry.outcome == "win":
        details += [*([hands] if hands else []), f"paid {entry.pays}"]
    elif hands and entry.outcome in ("lose", "push"):
        details.append(hands)
    if entry.table:
        details.append(f"table {entry.table.rsplit(' ', 1)[-1]}")
    if entry.holder:
        details.append(f"held by seat {entry.holder}")
    if entry.meter and entry.wager in setup.game.on_dealer:
        details.append("divided among those who bet on it")
    if entry.meter:
        electronic = entry.wager in setup.electronic
        details.append("not to the game account" if electronic else "not from the table inventory")
    if entry.account and entry.outcome == "win":
        details.append("credited to the game account")
    if entry.limited:
        details.append("cut by the payout limit")
    reason = f": {', '.join(details)}" if details else ""
    return f"{text}{reason} ({entry.clause})"


_PLACE_NAMES = {
    "dealer": "the dealer",
    "board": "the board",
    "bonus": "the bonus area",
    "community": "the community area",
    "discard": "the discard rack",
}


def describe(setup: Setup, event: e.Event, round_: Round | None = None) -> str:
    """One event as a sentence with its clause; give the round only to readers who may see its hands."""
    if isinstance(event, e.WagerSettled):
        return _describe_entry(event, setup, round_)
    text = _describe(event, setup)
    return f"{text} ({event.clause})" if event.clause else text


def _place_name(place: str, seat: int) -> str:
    if seat:
        return f"seat {seat}" if place == "player" else f"the fourth card of seat {seat}"
    return _PLACE_NAMES[place]


def _subject_and_verb(name: str, verb: str) -> str:
    """Subject and verb of a sentence; second person if a terminal calls its player `You`."""
    if name == "You":
        return f"You {verb.removesuffix('s')}"
    subject = "the system" if name == SYSTEM.name else name
    return f"{subject[:1].upper()}{subject[1:]} {verb}"


@singledispatch
def _describe(event: e.Event, setup: Setup) -> str:
    return type(event).__name__


@_describe.register
def _(event: e.CardsReceived, setup: Setup) -> str:
    return f"Deck {event.deck} is received" + (", inspected and shuffled already" if event.order else "")


@_describe.register
def _(event: e.CardsInspected, setup: Setup) -> str:
    finding = f" and finds a defect: {event.defect}" if event.defect else ""
    return f"{_subject_and_verb(event.by.name, 'inspects')} deck {event.deck}{finding}"


@_describe.register
def _(event: e.InspectionVerified, setup: Setup) -> str:
    return f"{_subject_and_verb(event.by.name, 'verifies')} the inspection of deck {event.deck}"


@_describe.register
def _(event: e.CardsSpread, setup: Setup) -> str:
    return f"Deck {event.deck} is spread face up for the first player"


@_describe.register
def _(event: e.CardsWashed, setup: Setup) -> str:
    return f"Deck {event.deck} is turned face down, washed and stacked"


@_describe.register
def _(event: e.CardsShuffled, setup: Setup) -> str:
    count = f", which counts {event.count} cards" if event.count is not None else ""
    method = f"by the device{count}" if event.by_device else "by hand"
    return f"Deck {event.deck} is shuffled {method}, order from {event.source}"


@_describe.register
def _(event: e.ShuffleOrdered, setup: Setup) -> str:
    return f"{_subject_and_verb(event.by.name, 'orders')} a shuffle: {event.reason}"


@_describe.register
def _(event: e.DeckRemoved, setup: Setup) -> str:
    return f"Deck {event.deck} is removed from the table: {event.reason}"


@_describe.register
def _(event: e.CardsCut, setup: Setup) -> str:
    return f"Deck {event.deck} is cut, the cover card {event.depth} cards from the top"


@_describe.register
def _(event: e.RecutOrdered, setup: Setup) -> str:
    return f"{_subject_and_verb(event.by.name, 'orders')} a recut: {event.reason}"


@_describe.register
def _(event: e.CardsLoaded, setup: Setup) -> str:
    placements = {"hand": "taken in the dealer's hand", "manual_shoe": "placed in the shoe"}
    return f"Deck {event.deck} is {placements.get(event.method, 'placed in the automated shoe')}"


@_describe.register
def _(event: e.CardsSpreadIdle, setup: Setup) -> str:
    return f"The table is idle: the cards are spread face {'up' if event.face_up else 'down'}"


@_describe.register
def _(event: e.TableClosed, setup: Setup) -> str:
    return "The table is closed"


@_describe.register
def _(event: e.PatronSeated, setup: Setup) -> str:
    seats = " and ".join(str(seat) for seat in event.seats)
    return f"{_subject_and_verb(event.patron, 'takes')} seat{'s' * (len(event.seats) > 1)} {seats}"


@_describe.register
def _(event: e.PatronLeft, setup: Setup) -> str:
    return f"{_subject_and_verb(event.patron, 'leaves')} the table"


@_describe.register
def _(event: e.PatronAbsent, setup: Setup) -> str:
    return f"{_subject_and_verb(event.patron, 'leaves')} during the round"


@_describe.register
def _(event: e.LeavingAnnounced, setup: Setup) -> str:
    return f"{_subject_and_verb(event.patron, 'leaves')} when the round is over"


@_describe.register
def _(event: e.PatronReady, setup: Setup) -> str:
    return f"{_subject_and_verb(event.patron, 'waits')} for the deal"


@_describe.register
def _(event: e.AbsenceDecided, setup: Setup) -> str:
    outcome = "wagers of {} are abandoned" if event.abandoned else "hand of {} is played out"
    return f"{_subject_and_verb(event.by.name, 'decides')}: the {outcome.format(event.patron)} ({event.reason})"


@_describe.register
def _(event: e.ChipsBought, setup: Setup) -> str:
    return f"{_subject_and_verb(event.patron, 'buys')} {format_money(event.amount)}"


@_describe.register
def _(event: e.ChipsCashed, setup: Setup) -> str:
    return f"{_subject_and_verb(event.patron, 'cashes')} {format_money(event.amount)}"


@_describe.register
def _(event: e.WagerPlaced, setup: Setup) -> str:
    title = wager_title(setup, event.wager)
    if not event.amount:
        return f"Seat {event.seat} takes its {title} back"
    return f"Seat {event.seat} places {format_money(event.amount)} on the {title}"


@_describe.register
def _(event: e.BetsClosed, setup: Setup) -> str:
    return f"Round {event.round}: “no more bets”"


@_describe.register
def _(event: e.CardsRead, setup: Setup) -> str:
    return f"{len(event.cards)} cards of deck {event.deck} are read as they leave the shoe"


@_describe.register
def _(event: e.CardDealt, setup: Setup) -> str:
    card = "A card face down" if event.card is None or event.card == e.FACE_DOWN else DECK[event.card]
    face = ", face up" if event.face_up else ""
    return f"{card} to {_place_name(event.place, event.seat)}{face}"


@_describe.register(e.CardEntered)
@_describe.register(e.CardCorrected)
@_describe.register(e.DuplicateCardReported)
@_describe.register(e.DuplicateCardRuled)
@_describe.register(e.WagerReduced)
def _(event: CardEntryEvent, setup: Setup) -> str:
    return describe_card_entry(event)


@_describe.register
def _(event: e.FaceUpCardDiscarded, setup: Setup) -> str:
    return f"{DECK[event.card]} is found face up and discarded"


@_describe.register
def _(event: e.DealCompleted, setup: Setup) -> str:
    return f"The deal is complete; the stub has {event.stub} cards"


@_describe.register
def _(event: e.StubRacked, setup: Setup) -> str:
    return "The stub goes into the discard rack, unexposed"


@_describe.register
def _(event: e.StubCounted, setup: Setup) -> str:
    text = f"The stub is counted: {event.stub} cards, {'as expected' if event.right else 'which is wrong'}"
    if not event.hands:
        return text
    hands = ", ".join(f"{_hand_count_title(hand)}: {hand.cards}" for hand in event.hands)
    return f"{text}; hand by hand: {hands}; {event.total} in all"


def _hand_count_title(hand: e.HandCount) -> str:
    return f"seat {hand.seat}" if hand.place == "player" else f"{hand.place} {hand.seat}".removesuffix(" 0")


@_describe.register
def _(event: e.WagerMade, setup: Setup) -> str:
    return f"Seat {event.seat} makes a {wager_title(setup, event.wager)} of {format_money(event.amount)}"


@_describe.register
def _(event: e.WagerLetRide, setup: Setup) -> str:
    return f"Seat {event.seat} lets its {wager_title(setup, event.wager)} ride"


@_describe.register
def _(event: e.WagerPulledBack, setup: Setup) -> str:
    return f"Seat {event.seat} pulls its {wager_title(setup, event.wager)} of {format_money(event.amount)} back"


@_describe.register
def _(event: e.Folded, setup: Setup) -> str:
    names = ", ".join(wager_title(setup, wager) for wager in event.forfeits)
    return f"Seat {event.seat} folds and forfeits: {names}"


@_describe.register
def _(event: e.ForfeitsCollected, setup: Setup) -> str:
    if not event.seats and not event.kept:
        return "Nobody folded: there is nothing to collect"
    if not event.seats:
        return f"The dealer collects forfeited wagers; the cards of {_seat_list(event.kept)} stay for other wagers"
    return f"The dealer collects forfeited wagers, and the cards of {_seat_list(event.seats)}"


def _seat_list(seats: Sequence[int]) -> str:
    return f"seat{'s' * (len(seats) > 1)} {', '.join(map(str, seats))}"


@_describe.register
def _(event: e.CardsRevealed, setup: Setup) -> str:
    ordinal = {1: "first", 2: "second", 3: "third"}.get(event.count, "next")
    subjects = {
        "dealer": "The dealer's cards are",
        "board": f"The {ordinal} community card is",
        "community": "The community card is",
        "fourth": f"The fourth card of seat {event.seat} is",
        "bonus": "The bonus card is" if event.count == 1 else "The bonus cards are",
    }
    return f"{subjects[event.place]} revealed"


@_describe.register
def _(event: e.HandTurnedUp, setup: Setup) -> str:
    return f"The cards of seat {event.seat} are turned up"


@_describe.register
def _describe_entry(event: e.WagerSettled, setup: Setup, round_: Round | None = None) -> str:
    procedure = f" under {event.procedure}" if event.procedure and event.procedure != event.clause else ""
    return f"Seat {event.seat}: {explain(setup, event, round_)}{procedure}"


@_describe.register
def _(event: e.MetersFed, setup: Setup) -> str:
    changes = ", ".join(
        f"the {meter_title(setup, name)} rises by {format_meter_amount(amount)}" for name, amount in event.amounts
    )
    return f"Wagers on meters are locked out; {changes}"


@_describe.register
def _(event: e.MeterChanged, setup: Setup) -> str:
    change = f"from {format_meter_amount(event.before)} to {format_meter_amount(event.after)}, {event.cause.value}"
    text = f"The {meter_title(setup, event.meter)} goes {change}"
    if event.approved_by is None:
        return text
    return f"{text}: {event.by.name} and {event.approved_by.name} ({event.reason})"


@_describe.register
def _(event: e.MeterLocked, setup: Setup) -> str:
    return f"The {meter_title(setup, event.meter)} is locked for the win of seat {event.seat}"


@_describe.register
def _(event: e.MeterReleased, setup: Setup) -> str:
    return f"The {meter_title(setup, event.meter)} is released"


@_describe.register
def _(event: e.MetersRead, setup: Setup) -> str:
    amounts = ", ".join(
        f"the {meter_title(setup, meter.plan.name)} at {format_money(meter.display)}" for meter in event.meters
    )
    return f"Linked meters: {amounts}"


@_describe.register
def _(event: e.ProgressiveChipsCounted, setup: Setup) -> str:
    if event.counted == event.accepted:
        return f"Progressive chips of {format_money(event.counted)} match the system and go into the table inventory"
    counted, accepted = format_money(event.counted), format_money(event.accepted)
    return f"Progressive chips of {counted} do not match the {accepted} that the system accepted"


@_describe.register
def _(event: e.ChipCountResolved, setup: Setup) -> str:
    resolution = f"{_subject_and_verb(event.by.name, 'puts')} the progressive chips right"
    return f"{resolution}: {format_money(event.accepted)} go into the table inventory ({event.reason})"


@_describe.register
def _(event: e.WinVerified, setup: Setup) -> str:
    win = f"the winning {wager_title(setup, event.wager)} of seat {event.seat}"
    return f"{_subject_and_verb(event.by.name, 'verifies')} {win}{f': {hand_label(event.row)}' if event.row else ''}"


@_describe.register
def _(event: e.LightVerified, setup: Setup) -> str:
    return f"The progressive light of seat {event.seat} is {'lit' if event.lit else 'not lit'}"


@_describe.register
def _(event: e.WinValidated, setup: Setup) -> str:
    win = f"the {wager_title(setup, event.wager)} of seat {event.seat}"
    reason = f" ({event.reason})" if event.reason else ""
    return f"{_subject_and_verb(event.by.name, 'validates')} {win}{reason}"


@_describe.register
def _(event: e.DocumentsCompleted, setup: Setup) -> str:
    paid = format_money(sum(cents for _, cents in event.amounts))
    completion = f"The documents for the win at seat {event.seat} are complete (reference: {event.reference})"
    return f"{completion}; an attendant pays {paid} to {event.patron}"


@_describe.register
def _(event: e.MysteryArmed, setup: Setup) -> str:
    return f"A hidden trigger of the mystery meter is fixed; its commitment is {event.commitment}"


@_describe.register
def _(event: e.MysteryHit, setup: Setup) -> str:
    hit = f"The wager of seat {event.seat} takes the mystery meter to its trigger and wins {format_money(event.amount)}"
    return f"{hit}; the trigger was {format_money(event.trigger)}, nonce {event.nonce}"


@_describe.register
def _(event: e.DealCommitted, setup: Setup) -> str:
    return f"The hidden seed of deal {event.deal} is fixed; its commitment is {event.commitment}"


@_describe.register
def _(event: e.DealContributed, setup: Setup) -> str:
    return f"{_subject_and_verb(event.patron, 'contributes')} {event.text!r} to deal {event.deal}"


@_describe.register
def _(event: e.DealRevealed, setup: Setup) -> str:
    return f"Deal {event.deal} is revealed: its seed was {event.server_seed}"


@_describe.register
def _(event: e.AccountFunded, setup: Setup) -> str:
    if event.amount < 0:
        return f"{_subject_and_verb(event.patron, 'takes')} {format_money(-event.amount)} from the game account"
    return f"{_subject_and_verb(event.patron, 'puts')} {format_money(event.amount)} into the game account"


@_describe.register
def _(event: e.BonusDrawn, setup: Setup) -> str:
    card = f"Magic Card {DECK[event.magic_card]}" if event.magic_card is not None else ""
    place = {None: "", 0: "lucky position: the dealer"}.get(event.lucky_position, f"lucky seat {event.lucky_position}")
    return f"The system draws: {', '.join(text for text in (card, place) if text) or 'nothing in this round'}"


@_describe.register
def _(event: e.JackpotDivided, setup: Setup) -> str:
    shares = ", ".join(f"seat {seat} {format_money(cents)}" for seat, cents in event.shares)
    return f"The jackpot on the dealer's hand is divided: {shares}"


@_describe.register
def _(event: e.SeatSettled, setup: Setup) -> str:
    return f"Seat {event.seat} is settled"


@_describe.register
def _(event: e.RoundCompleted, setup: Setup) -> str:
    hands = "; ".join(
        f"{_place_name(place, seat)} {' '.join('?' if card is None else str(DECK[card]) for card in cards)}"
        for place, seat, cards in event.rack
    )
    return f"Round {event.round} is complete" + (f"; the rack keeps {hands}" if hands else "")


@_describe.register
def _(event: e.RoundVoided, setup: Setup) -> str:
    keeps_forfeits = setup.choice("void_forfeited") == "kept"
    returned = "every wager not forfeited is returned" if keeps_forfeits else "every wager is returned"
    consequence = "; optional wagers are settled" if event.settles_optional else f"; {returned}"
    where = f" ({event.where})" if event.where else ""
    return f"The hands are void: {_VOID_CAUSES[event.cause]}{where}{consequence}"


_VOID_CAUSES = {
    "exposed_card": "a card was exposed",
    "several_face_up_cards": "several cards lay face up",
    "wrong_number_of_cards": "a wrong number of cards was dealt",
    "shoe_jam": "the shoe jammed",
    "stub_wrong": "the stub had a wrong number of cards",
    "stub_misdealt": "the cards were misdealt",
    "duplicate_card": "the same card lay on the layout twice",
    "floor_decision": "by decision of a floorperson",
}


@_describe.register
def _(event: e.Noted, setup: Setup) -> str:
    return event.what[:1].upper() + event.what[1:]


@_describe.register
def _(event: e.ShufflerJammed, setup: Setup) -> str:
    return "The shuffler jams: the cards are shuffled again"


@_describe.register
def _(event: e.DeviceReported, setup: Setup) -> str:
    return f"{_subject_and_verb(event.by.name, 'reports')} that the {event.device} malfunctions"


@_describe.register
def _(event: e.DeviceTakenOut, setup: Setup) -> str:
    state = "covered" if event.marked == "covered" else "marked out of order"
    return f"The {event.device} is {state}; {_describe_dealing(event.method, event.shuffler)}"


@_describe.register
def _(event: e.DeviceRestored, setup: Setup) -> str:
    return f"Devices work again; {_describe_dealing(event.method, event.shuffler)}"


def _describe_dealing(method: str, shuffler: str) -> str:
    source = {"manual_shoe": "from a manual shoe", "automated_shoe": "from an automated shoe"}.get(method, "by hand")
    device = "by hand" if shuffler == "none" else f"by {'an' if shuffler == 'automated' else 'a'} {shuffler} shuffler"
    return f"cards are shuffled {device} and dealt {source}"


@_describe.register
def _(event: e.FloorDecided, setup: Setup) -> str:
    outcome = "replace a card" if event.outcome == "replace" else f"{event.outcome} the round"
    return f"{_subject_and_verb(event.by.name, 'decides')}: {outcome} ({event.reason})"


@_describe.register
def _(event: e.CardReplaced, setup: Setup) -> str:
    where = f"seat {event.seat}" if event.seat else event.place
    discarded = "a card" if event.discarded < 0 else str(DECK[event.discarded])
    replacement = "the next card" if event.card is None or event.card < 0 else f"the next card, {DECK[event.card]},"
    return f"{discarded} of {where} is discarded; {replacement} takes its place"


@_describe.register
def _(event: e.ProcedureAdopted, setup: Setup) -> str:
    return f"The table follows version {event.procedure_version} of the procedure from here on"


@_describe.register
def _(event: e.PaymentCorrected, setup: Setup) -> str:
    old, new = format_money(event.old_returned + event.old_paid), format_money(event.returned + event.paid)
    title = wager_title(setup, event.wager)
    entry = f"round {event.round}, seat {event.seat}, {title}"
    people = _subject_and_verb(event.by.name, "corrects")
    if event.approved_by is not None:
        people = f"{event.by.name} and {event.approved_by.name} correct"
    return f"{people} {entry}: {old} reversed, {new} given ({event.reason})"
