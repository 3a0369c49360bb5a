"""`evolve(table, event)` gives the next state. One small handler for each event; none makes a decision."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import singledispatch
from typing import Any, TypeVar

from croupier.core.errors import ImpossibleEvent, InvariantError
from croupier.progressive.meters import Meter, new_meter
from croupier.table.model import events as e
from croupier.table.model.setup import Setup
from croupier.table.model.state import (
    MAX_HISTORY_ROUNDS,
    Chips,
    Deck,
    DeckStep,
    Phase,
    Round,
    SeatsDealtIn,
    Table,
    accepted_chips,
)

S = TypeVar("S")


def copy_with(state: S, **changes: Any) -> S:
    """A copy of a state with some fields changed. Faster than `dataclasses.replace`."""
    new = object.__new__(type(state))
    object.__setattr__(new, "__dict__", state.__dict__ | changes)
    return new


def evolve(table: Table, event: e.Event) -> Table:
    """The state after an event that was just decided."""
    return evolve_all(table, (event,))


def evolve_all(table: Table, events: Iterable[e.Event]) -> Table:
    """The state after several events that were just decided; an impossible one is a bug in the decision."""
    event = None
    try:
        for event in events:
            table = _HANDLERS[type(event)](event, table)
    except ImpossibleEvent as error:
        raise InvariantError(f"{type(event).__name__} was decided but cannot happen: {error}") from error
    return table if event is None or event.at == table.at else copy_with(table, at=event.at)


def evolve_recorded(table: Table, event: e.Event, place: str = "") -> Table:
    """The state after a recorded event; raises `ImpossibleEvent` if it cannot follow, as in a damaged record."""
    try:
        table = _HANDLERS[type(event)](event, table)
    except (ImpossibleEvent, LookupError, TypeError, AttributeError, ValueError, ArithmeticError) as error:
        raise ImpossibleEvent(place, f"{type(event).__name__} cannot follow the events before it") from error
    return table if event.at == table.at else copy_with(table, at=event.at)


def new_table(setup: Setup) -> Table:
    """A closed table without cards."""
    decks = {number: Deck(number) for number in range(1, setup.decks + 1)}
    return Table(setup, decks=decks, meters=new_meters(setup))


def new_meters(setup: Setup) -> dict[str, Meter]:
    """The meters of a table before its first round."""
    return {name: new_meter(plan, setup.meter_amounts.get(name)) for name, plan in setup.meters.items()}


@singledispatch
def next_state(event: e.Event, table: Table) -> Table:
    raise InvariantError(f"no state follows {type(event).__name__}")


def _with_deck(table: Table, number: int, **changes: object) -> Table:
    return copy_with(table, decks={**table.decks, number: copy_with(table.decks[number], **changes)})


def with_round(table: Table, **changes: object) -> Table:
    return copy_with(table, round=copy_with(round_of(table), **changes))


def round_of(table: Table) -> Round:
    if table.round is None:
        raise ImpossibleEvent("", "there is no round")
    return table.round


def _after_preparation(table: Table) -> Table:
    """The table in the phase that follows from the preparation of its decks."""
    if any(deck.step in _OPENING_STEPS for deck in table.decks.values()):
        return copy_with(table, phase=Phase.OPENING)
    deck = table.deck
    if deck.step is DeckStep.LOADED:  # a recut after "no more bets" leads back to the deal
        return copy_with(table, phase=Phase.BETTING if table.round is None else Phase.DEALING)
    if deck.step is DeckStep.CUT or (deck.step is DeckStep.SHUFFLED and not needs_cut(table)):
        return copy_with(table, phase=Phase.LOADING)
    if deck.step is DeckStep.SHUFFLED and table.setup.method != "hand":
        return copy_with(table, phase=Phase.CUTTING)
    return copy_with(table, phase=Phase.SHUFFLING)  # cards dealt from the hand come uncut from the device


def needs_cut(table: Table) -> bool:
    """Whether the deck in use must be cut: preshuffled, or shuffled by hand.

    In the first version of the procedure, no deck was cut at a table with a reshuffling device.
    """
    if table.setup.is_older and table.setup.reshuffles_itself:
        return False
    return table.deck.preshuffled or not table.deck.shuffled_by


_OPENING_STEPS = (DeckStep.MISSING, DeckStep.RECEIVED, DeckStep.INSPECTED, DeckStep.VERIFIED, DeckStep.SPREAD)


@next_state.register
def _(event: e.CardsReceived, table: Table) -> Table:
    table = _with_deck(
        table,
        event.deck,
        step=DeckStep.SHUFFLED if event.preshuffled else DeckStep.RECEIVED,
        arrived_at=event.at,
        preshuffled=event.preshuffled,
        inspected_by="",
        shuffled_by="",
        dealt_by_hand=False,
        order=event.order,
    )
    return _after_preparation(copy_with(table, closing=False))


@next_state.register
def _(event: e.CardsInspected, table: Table) -> Table:
    return _with_deck(table, event.deck, step=DeckStep.INSPECTED, inspected_by=event.by.name)


@next_state.register
def _(event: e.InspectionVerified, table: Table) -> Table:
    return _with_deck(table, event.deck, step=DeckStep.VERIFIED)


@next_state.register
def _(event: e.CardsSpread, table: Table) -> Table:
    return _with_deck(table, event.deck, step=DeckStep.SPREAD)


@next_state.register
def _(event: e.CardsWashed, table: Table) -> Table:
    return _after_preparation(_with_deck(table, event.deck, step=DeckStep.STACKED, preshuffled=False))


@next_state.register
def _(event: e.CardsShuffled, table: Table) -> Table:
    table = _with_deck(
        table,
        event.deck,
        step=DeckStep.SHUFFLED,
        order=event.order,
        shuffled_by=(event.device or table.setup.shuffler) if event.by_device else "",
        source=event.source,
        preshuffled=False,
    )
    if table.committed_deal is not None:
        table = _retire_commitment(table, event.deck)
        table = copy_with(
            table, committed_deal=None, deck_commitments={**table.deck_commitments, event.deck: table.committed_deal}
        )
    is_other_deck = table.round is not None and event.deck != table.round.deck
    return table if is_other_deck else _after_preparation(table)


def _retire_commitment(table: Table, deck: int) -> Table:
    """Marks the deal behind a deck's order for reveal: its cards are out of play."""
    if deck not in table.deck_commitments:
        return table
    commitments = {number: deal for number, deal in table.deck_commitments.items() if number != deck}
    return copy_with(table, deck_commitments=commitments, unrevealed=(*table.unrevealed, table.deck_commitments[deck]))


@next_state.register
def _(event: e.ShuffleOrdered, table: Table) -> Table:
    return _after_preparation(_with_deck(table, table.deck_in_use, step=DeckStep.STACKED, preshuffled=False))


@next_state.register
def _(event: e.DeckRemoved, table: Table) -> Table:
    table = _with_deck(table, event.deck, step=DeckStep.MISSING, order=(), preshuffled=False)
    return table if table.round is not None else _after_preparation(table)


@next_state.register
def _(event: e.CardsCut, table: Table) -> Table:
    order = table.decks[event.deck].order
    cut = order[event.depth :] + order[: event.depth]
    return _after_preparation(_with_deck(table, event.deck, step=DeckStep.CUT, order=cut))


@next_state.register
def _(event: e.RecutOrdered, table: Table) -> Table:
    table = _with_deck(table, table.deck_in_use, step=DeckStep.SHUFFLED)
    return copy_with(table, phase=Phase.CUTTING)


@next_state.register
def _(event: e.CardsLoaded, table: Table) -> Table:
    by_hand = table.deck.dealt_by_hand or event.method == "hand"
    return _after_preparation(_with_deck(table, event.deck, step=DeckStep.LOADED, dealt_by_hand=by_hand))


@next_state.register
def _(event: e.CardsSpreadIdle, table: Table) -> Table:
    # Maryland repeats the whole opening, Pennsylvania only the wash.
    repeats_opening = bool(table.setup.clause("whole_opening_after_idle"))
    step = DeckStep.RECEIVED if repeats_opening else DeckStep.SPREAD
    decks = {number: copy_with(deck, step=step, preshuffled=False) for number, deck in table.decks.items()}
    return copy_with(table, decks=decks, phase=Phase.IDLE)


@next_state.register
def _(event: e.ProcedureAdopted, table: Table) -> Table:
    return copy_with(table, setup=copy_with(table.setup, procedure_version=event.procedure_version))


@next_state.register
def _(event: e.TableClosed, table: Table) -> Table:
    if table.round is not None:
        return copy_with(table, closing=True)
    decks = {number: copy_with(deck, step=DeckStep.MISSING, order=()) for number, deck in table.decks.items()}
    return copy_with(table, phase=Phase.CLOSED, decks=decks, closing=False)


@next_state.register
def _(event: e.PatronSeated, table: Table) -> Table:
    seats = {**table.seats, **dict.fromkeys(event.seats, event.patron)}
    balances = {event.patron: 0, **table.balances}
    return copy_with(table, seats=seats, balances=balances)


@next_state.register
def _(event: e.PatronLeft, table: Table) -> Table:
    seats = {seat: patron for seat, patron in table.seats.items() if patron != event.patron}
    patron = {event.patron}
    if not seats and not table.setup.is_older:  # once players have been there, preshuffled cards are idle like others
        table = copy_with(
            table, decks={number: copy_with(deck, preshuffled=False) for number, deck in table.decks.items()}
        )
    return copy_with(
        table, seats=seats, absent=table.absent - patron, leaving=table.leaving - patron, ready=table.ready - patron
    )


@next_state.register
def _(event: e.PatronAbsent, table: Table) -> Table:
    return copy_with(table, absent=table.absent | {event.patron})


@next_state.register
def _(event: e.LeavingAnnounced, table: Table) -> Table:
    return copy_with(table, leaving=table.leaving | {event.patron})


@next_state.register
def _(event: e.PatronReady, table: Table) -> Table:
    return copy_with(table, ready=table.ready | {event.patron})


@next_state.register
def _(event: e.AbsenceDecided, table: Table) -> Table:
    table = copy_with(table, absent=table.absent - {event.patron})
    if not event.abandoned:
        return table
    abandoned = {seat for seat, patron in round_of(table).patrons.items() if patron == event.patron}
    waiting = tuple(seat for seat in round_of(table).waiting if seat not in abandoned)
    table = with_round(
        table,
        abandoned=round_of(table).abandoned | {event.patron},
        waiting=waiting,
        folded=round_of(table).folded | abandoned,
    )
    return _after_decision(table) if table.phase is Phase.DECIDING else table


@next_state.register
def _(event: e.ChipsBought, table: Table) -> Table:
    return with_balance(table, event.patron, event.amount)


@next_state.register
def _(event: e.ChipsCashed, table: Table) -> Table:
    return with_balance(table, event.patron, -event.amount)


def with_balance(table: Table, patron: str, change: int) -> Table:
    return copy_with(table, balances={**table.balances, patron: table.balances.get(patron, 0) + change})


def with_account(table: Table, patron: str, change: int) -> Table:
    """A patron's game account after a change."""
    return copy_with(table, accounts={**table.accounts, patron: table.accounts.get(patron, 0) + change})


@next_state.register
def _(event: e.WagerPlaced, table: Table) -> Table:
    seat_wagers = dict(table.wagers.get(event.seat, {}))
    change = seat_wagers.pop(event.wager, 0) - event.amount
    if event.amount:
        seat_wagers[event.wager] = event.amount
    wagers = {**table.wagers, event.seat: seat_wagers}
    if not seat_wagers:
        del wagers[event.seat]
    pay = with_account if event.wager in table.setup.electronic else with_balance
    return pay(copy_with(table, wagers=wagers), table.seats[event.seat], change)


@next_state.register
def _(event: e.BetsClosed, table: Table) -> Table:
    setup, wagers = table.setup, {seat: table.wagers[seat] for seat in event.dealt}
    context = SeatsDealtIn(setup, event.dealt, wagers)
    slots = tuple(slot for step in setup.game.deals[setup.deal_name] for slot in step.slots(context))
    round_ = Round(
        number=event.round,
        deck=table.deck_in_use,
        dealt=event.dealt,
        wagers=wagers,
        patrons={seat: table.seats[seat] for seat in event.dealt},
        slots=slots,
        unsettled=tuple(sorted(event.dealt, reverse=True)),
        chips=Chips.TO_COUNT if setup.on_meters and accepted_chips(setup, wagers) else Chips.NONE,
        enters_cards=setup.enters_cards,
    )
    since_count = table.rounds_since_count + 1
    return copy_with(
        table,
        phase=Phase.DEALING,
        round=round_,
        wagers={},
        ready=frozenset(),
        rounds=event.round,
        rounds_since_count=since_count,
    )


@next_state.register
def _(event: e.CardDealt, table: Table) -> Table:
    round_ = round_of(table)
    place = (event.place, event.seat)
    cards = dict(round_.cards)
    cards[place] = (*cards.get(place, ()), event.card)
    return copy_with(table, round=copy_with(round_, cards=cards, drawn=round_.drawn + 1))


@next_state.register
def _(event: e.FaceUpCardDiscarded, table: Table) -> Table:
    round_ = round_of(table)
    cards = (*round_.face_up_found, event.card)
    return with_round(table, face_up_found=cards, drawn=round_.drawn + 1)


@next_state.register
def _(event: e.DealCompleted, table: Table) -> Table:
    round_ = round_of(table)
    waiting = tuple(seat for seat in round_.dealt if round_.staked(seat, "ante") and seat not in round_.folded)
    return copy_with(with_round(table, waiting=waiting), phase=Phase.STUB)


@next_state.register
def _(event: e.StubRacked, table: Table) -> Table:
    return _after_stub(table)


@next_state.register
def _(event: e.StubCounted, table: Table) -> Table:
    table = copy_with(table, rounds_since_count=0)
    return _after_stub(table) if event.right else table


def _after_stub(table: Table) -> Table:
    """The deal is complete: players look at their cards, unless the hands are void."""
    round_ = round_of(table)
    return table if round_.void else _after_decision(with_round(table, is_examined=True))


def _after_decision(table: Table) -> Table:
    round_ = round_of(table)
    if round_.void:
        return table
    return copy_with(table, phase=Phase.DECIDING if round_.waiting else Phase.COLLECTING)


@next_state.register
def _(event: e.WagerMade, table: Table) -> Table:
    round_ = round_of(table)
    staked = {**round_.wagers[event.seat], event.wager: event.amount}
    table = with_balance(table, round_.patrons[event.seat], -event.amount)
    waiting = tuple(seat for seat in round_.waiting if seat != event.seat)
    return _after_decision(with_round(table, wagers={**round_.wagers, event.seat: staked}, waiting=waiting))


@next_state.register
def _(event: e.WagerLetRide, table: Table) -> Table:
    round_ = round_of(table)
    return _after_decision(with_round(table, waiting=tuple(seat for seat in round_.waiting if seat != event.seat)))


@next_state.register
def _(event: e.WagerPulledBack, table: Table) -> Table:
    round_ = round_of(table)
    staked = {wager: cents for wager, cents in round_.wagers[event.seat].items() if wager != event.wager}
    table = with_balance(table, round_.patrons[event.seat], event.amount)
    waiting = tuple(seat for seat in round_.waiting if seat != event.seat)
    return _after_decision(with_round(table, wagers={**round_.wagers, event.seat: staked}, waiting=waiting))


@next_state.register
def _(event: e.Folded, table: Table) -> Table:
    round_ = round_of(table)
    waiting = tuple(seat for seat in round_.waiting if seat != event.seat)
    forfeited = {**round_.forfeited, event.seat: frozenset(event.forfeits)}
    table = with_round(table, folded=round_.folded | {event.seat}, forfeited=forfeited, waiting=waiting)
    return _after_decision(table)


@next_state.register
def _(event: e.ForfeitsCollected, table: Table) -> Table:
    round_ = round_of(table)
    return copy_with(with_round(table, collected=round_.collected | set(event.seats)), phase=Phase.REVEALING)


@next_state.register
def _(event: e.CardsRevealed, table: Table) -> Table:
    round_, game = round_of(table), table.setup.game
    place = f"{event.place} {event.seat}" if event.seat else event.place
    table = with_round(table, revealed={**round_.revealed, place: event.count})
    if event.seat or table.phase is not Phase.REVEALING:
        return table
    street = round_.street + 1
    if street >= len(game.streets):
        return copy_with(with_round(table, street=street), phase=Phase.SETTLING)
    last_street = game.streets[round_.street]
    wager = "ante" if last_street.pulls_back else last_street.wager
    waiting = tuple(seat for seat in round_.dealt if round_.staked(seat, wager) and seat not in round_.folded)
    return _after_decision(with_round(table, street=street, waiting=waiting))


@next_state.register
def _(event: e.HandTurnedUp, table: Table) -> Table:
    return with_round(table, turned_up=round_of(table).turned_up | {event.seat})


@next_state.register
def _(event: e.SeatSettled, table: Table) -> Table:
    round_ = round_of(table)
    unsettled = tuple(seat for seat in round_.unsettled if seat != event.seat)
    return copy_with(with_round(table, unsettled=unsettled), phase=Phase.SETTLING if unsettled else Phase.RACKING)


@next_state.register
def _(event: e.RoundCompleted, table: Table) -> Table:
    history = (*table.history, round_of(table))[-MAX_HISTORY_ROUNDS:]
    deck_number = table.deck_in_use
    table = copy_with(
        _retire_commitment(table, deck_number),
        round=None,
        history=history,
        deck_in_use=_next_deck(table),
    )
    if table.decks[deck_number].step not in (DeckStep.MISSING, DeckStep.SHUFFLED):
        table = _with_deck(table, deck_number, step=DeckStep.STACKED, preshuffled=False)
    if table.closing:
        decks = {number: copy_with(deck, step=DeckStep.MISSING, order=()) for number, deck in table.decks.items()}
        return copy_with(table, phase=Phase.CLOSED, decks=decks, closing=False)
    return _after_preparation(table)


def _next_deck(table: Table) -> int:
    """The deck of the next round: the decks of a table alternate."""
    numbers = sorted(table.decks)
    return numbers[(numbers.index(table.deck_in_use) + 1) % len(numbers)]


@next_state.register
def _(event: e.RoundVoided, table: Table) -> Table:
    table = with_round(table, void=event.cause, settles_optional=event.settles_optional, waiting=())
    return copy_with(table, phase=Phase.SETTLING)


@next_state.register
def _(event: e.Noted, table: Table) -> Table:
    return table


@next_state.register
def _(event: e.ShufflerJammed, table: Table) -> Table:
    jammed_decks = [
        number for number, deck in table.decks.items() if deck.step is DeckStep.SHUFFLED and deck.shuffled_by
    ]
    for number in jammed_decks:
        table = _with_deck(table, number, step=DeckStep.STACKED)
    return _after_preparation(table) if jammed_decks and table.round is None else table


@next_state.register
def _(event: e.DeviceReported, table: Table) -> Table:
    return copy_with(table, reported_devices={**table.reported_devices, event.device: event.by.name})


@next_state.register
def _(event: e.DeviceTakenOut, table: Table) -> Table:
    in_use = {"shuffler": event.shuffler != "none", "shoe": event.method == "automated_shoe"}
    reported_devices = {
        device: by for device, by in table.reported_devices.items() if device != event.device and in_use[device]
    }
    setup, usual_setup = table.setup, table.usual_setup or table.setup
    decks = 1 if event.shuffler == "none" else usual_setup.decks
    table = copy_with(table, reported_devices=reported_devices, usual_setup=usual_setup)
    return _with_devices(table, copy_with(setup, method=event.method, shuffler=event.shuffler, decks=decks))


@next_state.register
def _(event: e.DeviceRestored, table: Table) -> Table:
    setup = copy_with(
        table.setup, method=event.method, shuffler=event.shuffler, decks=(table.usual_setup or table.setup).decks
    )
    return _with_devices(copy_with(table, usual_setup=None, reported_devices={}), setup)


def _with_devices(table: Table, setup: Setup) -> Table:
    """The table with other devices; the deck in use is shuffled again. Two decks need a shuffler."""
    in_use = table.deck_in_use
    decks = {in_use: table.decks[in_use]}
    if setup.decks > 1:
        decks = {number: table.decks.get(number, Deck(number)) for number in range(1, setup.decks + 1)}
    is_opening = table.phase in (Phase.CLOSED, Phase.IDLE)
    table = copy_with(table, setup=setup, decks=decks)
    if is_opening:
        return table
    has_new_deck = len(decks) > 1 and any(deck.step in _OPENING_STEPS for deck in decks.values())
    if table.round is None and (has_new_deck or table.phase is Phase.OPENING):
        table = _after_preparation(table)
    if table.round is None and table.deck.step in (DeckStep.SHUFFLED, DeckStep.CUT, DeckStep.LOADED):
        table = _after_preparation(_with_deck(table, table.deck_in_use, step=DeckStep.STACKED))
    return table


@next_state.register
def _(event: e.FloorDecided, table: Table) -> Table:
    return table


@next_state.register
def _(event: e.CardReplaced, table: Table) -> Table:
    round_ = round_of(table)
    hand = list(round_.cards_at(event.place, event.seat))
    hand[event.number - 1] = event.card
    cards = {**round_.cards, (event.place, event.seat): tuple(hand)}
    discarded_cards = (*round_.face_up_found, event.discarded)
    return with_round(table, cards=cards, face_up_found=discarded_cards, drawn=round_.drawn + 1)


@next_state.register
def _(event: e.PaymentCorrected, table: Table) -> Table:
    change = event.returned + event.paid - event.old_returned - event.old_paid
    if event.account:
        table = copy_with(with_account(table, event.patron, change), fund=table.fund - change)
    else:
        table = copy_with(with_balance(table, event.patron, change), tray=table.tray - change)
    history = tuple(_correct_entry(r, event) if r.number == event.round else r for r in table.history)
    current = table.round
    if current is not None and current.number == event.round:
        current = _correct_entry(current, event)
    return copy_with(table, history=history, round=current)


def _correct_entry(round_: Round, event: e.PaymentCorrected) -> Round:
    """The round after a correction; the events keep both entries."""
    places = [
        place for place, entry in enumerate(round_.entries) if (entry.seat, entry.wager) == (event.seat, event.wager)
    ]
    entries = list(round_.entries)
    place = places[event.number - 1]
    entries[place] = replace(entries[place], returned=event.returned, paid=event.paid)
    return copy_with(round_, entries=tuple(entries))


_HANDLERS: Mapping[type, Callable[[Any, Table], Table]] = next_state.registry
"""The handler of each kind of event; a dictionary lookup is faster than the dispatcher."""
