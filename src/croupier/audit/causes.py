"""From what happened to what was asked for: the commands that could have caused the next events of a record."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from croupier.progressive.meters import Cause
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.state import Phase, Table

Causes = Callable[[Table, Any, Sequence[e.Event], int], Iterator[c.Command]]
"""Takes the table, the event, all events and the event's place among them."""
_CAUSES: dict[type[e.Event], Causes] = {}

ALONE_NEVER = frozenset(
    {
        e.MetersFed,
        e.MysteryHit,
        e.DealCompleted,
        e.LightVerified,
        e.MeterLocked,
        e.MeterReleased,
        e.JackpotDivided,
    }
)
"""Events that only ever follow others of the same command."""
OF_A_SETTLEMENT = (
    e.HandTurnedUp,
    e.CardsRevealed,
    e.WagerSettled,
    e.MeterChanged,
    e.MeterReleased,
    e.JackpotDivided,
)
OF_A_DEAL = (e.CardDealt, e.FaceUpCardDiscarded)


def causes(table: Table, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    """The commands that could have caused the event at a place and those after it, the likeliest first."""
    event = events[place]
    found = _CAUSES.get(type(event))
    return iter(()) if found is None else found(table, event, events, place)


def explained() -> frozenset[type[e.Event]]:
    """The kinds of events that can be the first of a command."""
    return frozenset(_CAUSES)


def _said(event: e.Event) -> dict[str, Any]:
    return {"by": event.by, "at": event.at}


def _follows(kind: type[e.Event]) -> Callable[[Causes], Causes]:
    def register(found: Causes) -> Causes:
        _CAUSES[kind] = found
        return found

    return register


def _same_fields(kind: type[e.Event], command: Callable[..., c.Command], *names: str) -> None:
    """An event that says by itself what was asked for."""

    def found(table: Table, event: Any, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
        yield command(**{name: getattr(event, name) for name in names}, **_said(event))

    _CAUSES[kind] = found


_same_fields(e.CardsInspected, c.InspectCards, "deck")
_same_fields(e.InspectionVerified, c.VerifyInspection, "deck")
_same_fields(e.CardsSpread, c.SpreadCards, "deck")
_same_fields(e.CardsWashed, c.WashCards, "deck")
_same_fields(e.ShuffleOrdered, c.OrderShuffle, "reason")
_same_fields(e.CardsCut, c.Cut, "depth")
_same_fields(e.RecutOrdered, c.OrderRecut, "reason")
_same_fields(e.CardsLoaded, c.LoadCards)
_same_fields(e.CardsSpreadIdle, c.SpreadIdleCards, "face_up")
_same_fields(e.TableClosed, c.CloseTable)
_same_fields(e.PatronSeated, c.Sit, "patron", "seats")
_same_fields(e.PatronLeft, c.Leave, "patron")
_same_fields(e.PatronAbsent, c.Leave, "patron")
_same_fields(e.LeavingAnnounced, c.AnnounceLeaving, "patron")
_same_fields(e.PatronReady, c.GetReady, "patron")
_same_fields(e.AbsenceDecided, c.DecideOnAbsence, "patron", "abandoned", "reason")
_same_fields(e.ChipsBought, c.BuyIn, "patron", "amount")
_same_fields(e.ChipsCashed, c.CashOut, "patron", "amount")
_same_fields(e.AccountFunded, c.FundAccount, "patron", "amount")
_same_fields(e.BetsClosed, c.AnnounceNoMoreBets)
_same_fields(e.ProgressiveChipsCounted, c.CountProgressiveChips, "counted")
_same_fields(e.ChipCountResolved, c.ResolveChipCount, "reason")
_same_fields(e.BonusDrawn, c.DrawBonus, "magic_card", "lucky_position")
_same_fields(e.CardsRead, c.ReadCards, "cards")
_same_fields(e.StubRacked, c.RackStub)
_same_fields(e.WagerMade, c.Decide, "seat", "amount")
_same_fields(e.ForfeitsCollected, c.CollectForfeits)
_same_fields(e.WinValidated, c.ValidateWin, "seat", "reason")
_same_fields(e.DocumentsCompleted, c.CompleteDocuments, "seat", "reference")
_same_fields(e.RoundCompleted, c.RackCards)
_same_fields(e.ShufflerJammed, c.ReportShufflerJam)
_same_fields(e.DeviceTakenOut, c.TakeDeviceOutOfOrder, "device", "marked", "method", "shuffler")
_same_fields(e.DeviceRestored, c.RestoreDevice)
_same_fields(e.FloorDecided, c.DecideOnTheFloor, "outcome", "reason")
_same_fields(e.PaymentCorrected, c.CorrectPayment, "round", "seat", "wager", "returned", "paid", "reason")
_same_fields(e.DealCommitted, c.CommitDeal, "server_seed")
_same_fields(e.DealContributed, c.ContributeToDeal, "patron", "text")
_same_fields(e.DealRevealed, c.RevealDeal)
_same_fields(e.MysteryArmed, c.ArmMystery, "trigger", "nonce")


@_follows(e.CardsReceived)
def _received(table: Table, event: e.CardsReceived, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    orders = (event.order,) if event.order else ()
    yield c.ReceiveCards(decks=(event.deck,), orders=orders, **_said(event))


@_follows(e.CardsShuffled)
def _shuffled(table: Table, event: e.CardsShuffled, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    counted = event.by_device and table.setup.counts_cards
    yield c.Shuffle(
        deck=event.deck,
        order=event.order,
        source=event.source,
        by_device=event.by_device,
        count=table.setup.elected.edition.figure("deck_cards") if counted else None,
        **_said(event),
    )


@_follows(e.DeckRemoved)
def _removed(table: Table, event: e.DeckRemoved, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    """By a device that counted wrongly; the order that it made is not kept."""
    counted = re.fullmatch(r"the device counted (-?\d+) cards", event.reason)
    if counted:
        order = tuple(range(52))
        yield c.Shuffle(deck=event.deck, order=order, source="", by_device=True, count=int(counted[1]), **_said(event))


@_follows(e.WagerPlaced)
def _placed(table: Table, event: e.WagerPlaced, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    """A wager; or the chips of a patron who leaves before the round."""
    patron = table.seats.get(event.seat)
    leaving = (
        event.amount == 0
        and patron is not None
        and any(isinstance(later, e.PatronLeft) and later.patron == patron for later in events[place + 1 : place + 60])
    )
    if leaving and patron is not None:
        yield c.Leave(patron=patron, **_said(event))
    yield c.PlaceWager(seat=event.seat, wager=event.wager, amount=event.amount, **_said(event))


@_follows(e.CardDealt)
@_follows(e.FaceUpCardDiscarded)
def _dealt(table: Table, event: e.Event, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    found = set()
    for later in _run(events, place, OF_A_DEAL):
        if isinstance(later, e.FaceUpCardDiscarded):
            found.add(later.card)
    yield c.Deal(face_up=frozenset(found), **_said(event))


def _run(events: Sequence[e.Event], place: int, kinds: tuple[type[e.Event], ...]) -> Iterator[e.Event]:
    """The events from a place on that are of some kinds."""
    while place < len(events) and isinstance(events[place], kinds):
        yield events[place]
        place += 1


@_follows(e.StubCounted)
def _counted(table: Table, event: e.StubCounted, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    """Where the stub was wrong all cards were counted; only a wrong total is written down."""
    total = None if event.right else table.setup.elected.edition.figure("deck_cards")
    for later in events[place + 1 : place + 40]:
        counted = re.fullmatch(r"(\d+) cards were counted", later.reason) if isinstance(later, e.DeckRemoved) else None
        if counted and not event.right:
            total = int(counted[1])
        if (later.by, later.at) != (event.by, event.at) or isinstance(later, e.RoundCompleted):
            break
    yield c.CountStub(stub=event.stub, total=total, **_said(event))


@_follows(e.WagerLetRide)
def _let_ride(table: Table, event: e.WagerLetRide, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    staked = table.round.staked(event.seat, event.wager) if table.round is not None else 0
    yield c.Decide(seat=event.seat, amount=staked, **_said(event))


@_follows(e.WagerPulledBack)
@_follows(e.Folded)
def _folded(table: Table, event: Any, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    yield c.Decide(seat=event.seat, amount=None, **_said(event))


@_follows(e.HandTurnedUp)
@_follows(e.CardsRevealed)
@_follows(e.WagerSettled)
@_follows(e.SeatSettled)
def _settled(table: Table, event: Any, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    """A street's cards, or the settlement of a seat; a hand may be turned up to verify a win first."""
    if isinstance(event, e.CardsRevealed) and table.phase is not Phase.SETTLING:
        yield c.RevealCards(**_said(event))
        return
    if isinstance(event, e.HandTurnedUp) and place + 1 < len(events) and isinstance(events[place + 1], e.WinVerified):
        yield from _verified(table, event, events, place)
        return
    seat = next((later.seat for later in _to_the_end_of_a_seat(events, place)), None)
    if seat is None:
        seat = table.round.unsettled[0] if table.round and table.round.unsettled else event.seat
    yield c.SettleSeat(seat=seat, **_said(event))


def _to_the_end_of_a_seat(events: Sequence[e.Event], place: int) -> Iterator[e.SeatSettled]:
    while place < len(events) and isinstance(events[place], OF_A_SETTLEMENT):
        place += 1
    last = events[place] if place < len(events) else None
    if isinstance(last, e.SeatSettled):
        yield last


@_follows(e.WinVerified)
def _verified(table: Table, event: Any, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    run = _run(events, place, (e.HandTurnedUp, e.WinVerified, e.LightVerified))
    lit = [later.lit for later in run if isinstance(later, e.LightVerified) and later.seat == event.seat]
    yield c.VerifyWin(seat=event.seat, lit=lit[0] if lit else True, **_said(event))


@_follows(e.RoundVoided)
def _voided(table: Table, event: e.RoundVoided, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    match event.cause:
        case "wrong_number_of_cards":
            yield c.ReportWrongNumberOfCards(where="", **_said(event))
        case "exposed_card":
            yield c.ReportExposedCard(**_said(event))
        case "shoe_jam":
            yield c.ReportShoeJam(**_said(event))


@_follows(e.Noted)
def _noted(table: Table, event: e.Noted, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    yield c.ReportCardDrawnInError(exposed=False, **_said(event))
    yield c.ReportExposedCard(**_said(event))


@_follows(e.MeterChanged)
def _changed(table: Table, event: e.MeterChanged, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    meter = table.meters.get(event.meter)
    if meter is None or event.approved_by is None:
        return
    said = {"meter": event.meter, "reason": event.reason, "approved_by": event.approved_by, **_said(event)}
    if event.cause is Cause.SET_UP:
        yield c.SetUpMeter(amount=meter.amount + event.amount, **said)
    else:
        yield c.CorrectMeter(amount=event.amount, **said)
