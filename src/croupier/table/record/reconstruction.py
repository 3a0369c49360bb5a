"""Reconstructs the commands of records from before events carried their commands.

Most events state all values of their command; the rest follow from the events around them or the state of the table.
Only those older records are read this way: a recorded command is never second-guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from croupier.progressive.meters import MeterCause
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.state import Phase, Table
from croupier.table.procedure.irregularities import FLOOR_RULES

Candidates = Callable[[Table, Any, Sequence[e.Event], int], Iterator[c.Command]]
"""Takes the table, the event, all events and the event's index among them."""
_CANDIDATES: dict[type[e.Event], Candidates] = {}

NEVER_FIRST = frozenset(
    {
        e.MetersFed,
        e.MysteryHit,
        e.DealCompleted,
        e.LightVerified,
        e.MeterLocked,
        e.MeterReleased,
        e.JackpotDivided,
        e.CardReplaced,
    }
)
"""Events that are never the first of a command."""
SETTLEMENT_EVENTS = (
    e.HandTurnedUp,
    e.CardsRevealed,
    e.WagerSettled,
    e.MeterChanged,
    e.MeterReleased,
    e.JackpotDivided,
)
DEAL_EVENTS = (e.CardDealt, e.FaceUpCardDiscarded)
_MAX_LOOKAHEAD = 60
"""The number of events searched for the end of a command."""


def candidates(table: Table, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    """The commands that could have caused the event at an index and those after it, the likeliest first."""
    event = events[place]
    commands = _CANDIDATES.get(type(event))
    return iter(()) if commands is None else commands(table, event, events, place)


def first_event_types() -> frozenset[type[e.Event]]:
    """The kinds of events that can be the first of a command."""
    return frozenset(_CANDIDATES)


def count_refused_events(events: Sequence[e.Event], place: int, command: c.Command | None) -> int:
    """How many events belong to a command that should have been refused."""
    end = place + 1
    if isinstance(events[place], DEAL_EVENTS):
        while end < len(events) and isinstance(events[end], (*DEAL_EVENTS, e.DealCompleted)):
            end += 1
    elif isinstance(command, c.SettleSeat):
        while end < len(events) and isinstance(events[end], SETTLEMENT_EVENTS):
            end += 1
        end += end < len(events) and isinstance(events[end], e.SeatSettled)
    while end < len(events) and type(events[end]) in NEVER_FIRST:
        end += 1
    return end - place


def _actor_and_time(event: e.Event) -> dict[str, Any]:
    return {"by": event.by, "at": event.at}


def _reconstructs(*kinds: type[e.Event]) -> Callable[[Candidates], Candidates]:
    """Registers the function that reconstructs the commands of some kinds of events."""

    def register(commands: Candidates) -> Candidates:
        for kind in kinds:
            _CANDIDATES[kind] = commands
        return commands

    return register


def _register_complete(kind: type[e.Event], command: Callable[..., c.Command], *names: str) -> None:
    """Registers a kind of event that states every value of its command."""

    def commands(table: Table, event: Any, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
        yield command(**{name: getattr(event, name) for name in names}, **_actor_and_time(event))

    _CANDIDATES[kind] = commands


_register_complete(e.CardsInspected, c.InspectCards, "deck", "defect")
_register_complete(e.InspectionVerified, c.VerifyInspection, "deck")
_register_complete(e.CardsSpread, c.SpreadCards, "deck")
_register_complete(e.CardsWashed, c.WashCards, "deck")
_register_complete(e.ShuffleOrdered, c.OrderShuffle, "reason")
_register_complete(e.CardsCut, c.Cut, "depth")
_register_complete(e.RecutOrdered, c.OrderRecut, "reason")
_register_complete(e.CardsLoaded, c.LoadCards)
_register_complete(e.CardsSpreadIdle, c.SpreadIdleCards, "face_up")
_register_complete(e.ProcedureAdopted, c.AdoptProcedure)
_register_complete(e.TableClosed, c.CloseTable)
_register_complete(e.PatronSeated, c.Sit, "patron", "seats")
_register_complete(e.PatronLeft, c.Leave, "patron")
_register_complete(e.PatronAbsent, c.Leave, "patron")
_register_complete(e.LeavingAnnounced, c.AnnounceLeaving, "patron")
_register_complete(e.PatronReady, c.GetReady, "patron")
_register_complete(e.AbsenceDecided, c.DecideOnAbsence, "patron", "abandoned", "reason")
_register_complete(e.ChipsBought, c.BuyIn, "patron", "amount")
_register_complete(e.ChipsCashed, c.CashOut, "patron", "amount")
_register_complete(e.AccountFunded, c.FundAccount, "patron", "amount")
_register_complete(e.BetsClosed, c.AnnounceNoMoreBets)
_register_complete(e.ProgressiveChipsCounted, c.CountProgressiveChips, "counted")
_register_complete(e.ChipCountResolved, c.ResolveChipCount, "reason")
_register_complete(e.BonusDrawn, c.DrawBonus, "magic_card", "lucky_position")
_register_complete(e.CardsRead, c.ReadCards, "cards")
_register_complete(e.CardCorrected, c.CorrectCard, "place", "seat", "number", "card", "reason")
_register_complete(e.DuplicateCardReported, c.ReportDuplicateCard, "place", "seat", "number", "card")
_register_complete(e.DuplicateCardRuled, c.RuleOnDuplicateCard, "is_duplicate", "reason")
_register_complete(e.WagerReduced, c.ReturnExcessWager, "seat", "reason")
_register_complete(e.StubRacked, c.RackStub)
_register_complete(e.WagerMade, c.Decide, "seat", "amount")
_register_complete(e.ForfeitsCollected, c.CollectForfeits)
_register_complete(e.WinValidated, c.ValidateWin, "seat", "reason")
_register_complete(e.DocumentsCompleted, c.CompleteDocuments, "seat", "reference")
_register_complete(e.RoundCompleted, c.RackCards)
_register_complete(e.ShufflerJammed, c.ReportShufflerJam)
_register_complete(e.DeviceReported, c.ReportDeviceFailure, "device")
_register_complete(e.DeviceTakenOut, c.TakeDeviceOutOfOrder, "device", "marked", "method", "shuffler")
_register_complete(e.DeviceRestored, c.RestoreDevice)
_register_complete(
    e.PaymentCorrected,
    c.CorrectPayment,
    "round",
    "seat",
    "wager",
    "old_returned",
    "old_paid",
    "returned",
    "paid",
    "reason",
    "approved_by",
    "number",
)
_register_complete(e.DealCommitted, c.CommitDeal, "server_seed")
_register_complete(e.DealContributed, c.ContributeToDeal, "patron", "text")
_register_complete(e.DealRevealed, c.RevealDeal)
_register_complete(e.MysteryArmed, c.ArmMystery, "trigger", "nonce")


@_reconstructs(e.CardsReceived)
def _receive(table: Table, event: e.CardsReceived, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    orders = (event.order,) if event.order else ()
    yield c.ReceiveCards(decks=(event.deck,), orders=orders, preshuffled=event.preshuffled, **_actor_and_time(event))


@_reconstructs(e.CardsShuffled)
def _shuffle(table: Table, event: e.CardsShuffled, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    is_counted = event.by_device and table.setup.counts_cards
    yield c.Shuffle(
        deck=event.deck,
        order=event.order,
        source=event.source,
        by_device=event.by_device,
        count=table.setup.elected.edition.figure("deck_cards") if is_counted and event.count is None else event.count,
        **_actor_and_time(event),
    )


@_reconstructs(e.DeckRemoved)
def _remove_deck(table: Table, event: e.DeckRemoved, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    """A wrong count by a device, or the second deck of a table whose shuffler is taken out.

    Only the reason has the count; the order of the deck was not recorded.
    """
    following = events[place + 1] if place + 1 < len(events) else None
    if isinstance(following, e.DeviceTakenOut):
        names = ("device", "marked", "method", "shuffler")
        values = {name: getattr(following, name) for name in names}
        yield c.TakeDeviceOutOfOrder(**values, **_actor_and_time(event))
        return
    match = re.fullmatch(r"the device counted (-?\d+) cards", event.reason)
    if match:
        yield c.Shuffle(
            deck=event.deck,
            order=tuple(range(52)),
            source="",
            by_device=True,
            count=int(match[1]),
            **_actor_and_time(event),
        )


@_reconstructs(e.WagerPlaced)
def _wager(table: Table, event: e.WagerPlaced, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    """A wager, or a patron who leaves before the round and takes the chips back."""
    patron = table.seats.get(event.seat)
    is_leaving = (
        event.amount == 0
        and patron is not None
        and any(
            isinstance(later, e.PatronLeft) and later.patron == patron
            for later in events[place + 1 : place + _MAX_LOOKAHEAD]
        )
    )
    if is_leaving and patron is not None:
        yield c.Leave(patron=patron, **_actor_and_time(event))
    yield c.PlaceWager(seat=event.seat, wager=event.wager, amount=event.amount, **_actor_and_time(event))


@_reconstructs(e.CardDealt, e.FaceUpCardDiscarded)
def _deal(table: Table, event: e.Event, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    run = _run(events, place, DEAL_EVENTS)
    face_up = frozenset(later.card for later in run if isinstance(later, e.FaceUpCardDiscarded))
    yield c.Deal(face_up=face_up, **_actor_and_time(event))


def _run(events: Sequence[e.Event], place: int, kinds: tuple[type[e.Event], ...]) -> Iterator[e.Event]:
    """The unbroken run of events of some kinds that begins at an index."""
    while place < len(events) and isinstance(events[place], kinds):
        yield events[place]
        place += 1


@_reconstructs(e.CardEntered)
def _enter(table: Table, event: e.CardEntered, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    fields: dict[str, Any] = {"place": event.place, "seat": event.seat, "number": event.number}
    yield c.EnterCards(cards=(event.card,), **fields, **_actor_and_time(event))


@_reconstructs(e.StubCounted)
def _count_stub(table: Table, event: e.StubCounted, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    """In older records all cards were counted if the stub was wrong; only a wrong total was recorded, as a reason."""
    if event.hands:
        yield c.CountStub(stub=event.stub, hands=event.hands, **_actor_and_time(event))
        return
    total = None if event.right else table.setup.elected.edition.figure("deck_cards")
    for later in events[place + 1 : place + _MAX_LOOKAHEAD]:
        match = re.fullmatch(r"(\d+) cards were counted", later.reason) if isinstance(later, e.DeckRemoved) else None
        if match and not event.right:
            total = int(match[1])
        if (later.by, later.at) != (event.by, event.at) or isinstance(later, e.RoundCompleted):
            break
    yield c.CountStub(stub=event.stub, total=total, **_actor_and_time(event))


@_reconstructs(e.WagerLetRide)
def _let_ride(table: Table, event: e.WagerLetRide, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    staked = table.round.staked(event.seat, event.wager) if table.round is not None else 0
    yield c.Decide(seat=event.seat, amount=staked, **_actor_and_time(event))


@_reconstructs(e.WagerPulledBack, e.Folded)
def _fold(table: Table, event: Any, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    yield c.Decide(seat=event.seat, amount=None, **_actor_and_time(event))


@_reconstructs(e.HandTurnedUp, e.CardsRevealed, e.WagerSettled, e.SeatSettled)
def _settle(table: Table, event: Any, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    """The cards of a street, or the settlement of a seat; a hand may be turned up first to verify a win."""
    if isinstance(event, e.CardsRevealed) and table.phase is not Phase.SETTLING:
        yield c.RevealCards(**_actor_and_time(event))
        return
    following = events[place + 1] if place + 1 < len(events) else None
    if isinstance(event, e.HandTurnedUp) and isinstance(following, e.WinVerified):
        yield from _verify(table, event, events, place)
        return
    if isinstance(following, e.CardEntered) and isinstance(event, e.HandTurnedUp | e.CardsRevealed):
        yield from _enter(table, following, events, place + 1)
        return
    end = place + sum(1 for _ in _run(events, place, SETTLEMENT_EVENTS))
    last = events[end] if end < len(events) else None
    if isinstance(last, e.SeatSettled):
        seat = last.seat
    else:
        seat = table.round.unsettled[0] if table.round and table.round.unsettled else event.seat
    yield c.SettleSeat(seat=seat, **_actor_and_time(event))


@_reconstructs(e.WinVerified)
def _verify(table: Table, event: Any, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    run = _run(events, place, (e.HandTurnedUp, e.WinVerified, e.LightVerified))
    lit = [later.lit for later in run if isinstance(later, e.LightVerified) and later.seat == event.seat]
    yield c.VerifyWin(seat=event.seat, lit=lit[0] if lit else True, **_actor_and_time(event))


@_reconstructs(e.RoundVoided)
def _void(table: Table, event: e.RoundVoided, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    match event.cause:
        case "wrong_number_of_cards":
            yield c.ReportWrongNumberOfCards(where=event.where, **_actor_and_time(event))
        case "exposed_card":
            yield c.ReportExposedCard(**_actor_and_time(event))
        case "shoe_jam":
            yield c.ReportShoeJam(**_actor_and_time(event))


@_reconstructs(e.FloorDecided)
def _decide_on_the_floor(
    table: Table, event: e.FloorDecided, events: Sequence[e.Event], place: int
) -> Iterator[c.Command]:
    """The rule that the decision concerns follows from its clause, and a replaced card from the next event."""
    following = events[place + 1] if place + 1 < len(events) else None
    card: dict[str, Any] = {}
    if isinstance(following, e.CardReplaced):
        is_read = table.setup.reads_cards
        card = {"place": following.place, "seat": following.seat, "number": following.number}
        card["card"] = following.card if is_read else None
    for concerns in ("", *FLOOR_RULES):
        yield c.DecideOnTheFloor(
            outcome=event.outcome, reason=event.reason, concerns=concerns, **card, **_actor_and_time(event)
        )


@_reconstructs(e.Noted)
def _note(table: Table, event: e.Noted, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    yield c.ReportCardDrawnInError(exposed=False, **_actor_and_time(event))
    yield c.ReportExposedCard(**_actor_and_time(event))


@_reconstructs(e.MeterChanged)
def _change_meter(table: Table, event: e.MeterChanged, events: Sequence[e.Event], place: int) -> Iterator[c.Command]:
    meter = table.meters.get(event.meter)
    if meter is None or event.approved_by is None:
        return
    values = {"meter": event.meter, "reason": event.reason, "approved_by": event.approved_by, **_actor_and_time(event)}
    if event.cause is MeterCause.SET_UP:
        yield c.SetUpMeter(amount=meter.amount + event.amount, **values)
    else:
        yield c.CorrectMeter(amount=event.amount, **values)
