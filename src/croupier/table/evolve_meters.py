"""The state after events about settlement, meters, progressive chips and game accounts."""

from __future__ import annotations

from croupier.core.errors import ImpossibleEvent
from croupier.progressive.meters import Meter, MeterClaim
from croupier.progressive.mystery import MYSTERY, Trigger
from croupier.table.evolve import copy_with, next_state, round_of, with_account, with_balance, with_round
from croupier.table.model import events as e
from croupier.table.model.state import Chips, Table, VerifiedWin, is_banked


def _with_meters(table: Table, *changed: Meter) -> Table:
    """The table with changed meters; refuses meters that do not add up (PRG-4)."""
    for meter in changed:
        if not meter.is_balanced:
            raise ImpossibleEvent("", f"meter {meter.plan.name} does not add up: {meter}")
    return copy_with(table, meters={**table.meters, **{meter.plan.name: meter for meter in changed}})


@next_state.register
def _(event: e.WagerSettled, table: Table) -> Table:
    round_, setup = round_of(table), table.setup
    total, patron = event.returned + event.paid, round_.patrons[event.seat]
    staked = 0 if is_banked(setup, round_, event.wager) else event.staked
    if event.meter:
        table = _with_meter_payment(table, event, patron)
        table = copy_with(table, fund=table.fund - total, tray=table.tray + staked)
    elif event.account:
        table = copy_with(with_account(table, patron, total), fund=table.fund + staked - total)
    else:
        table = copy_with(with_balance(table, patron, total), tray=table.tray + staked - total)
    return with_round(table, entries=(*round_.entries, event))


def _with_meter_payment(table: Table, event: e.WagerSettled, patron: str) -> Table:
    if not event.attended:
        meter = table.meters[event.meter].with_payment(event.paid, by_attendant=False)
        return with_balance(_with_meters(table, meter), patron, event.paid)
    pending_documents = dict(round_of(table).awaiting_documents)
    pending_documents[event.seat] = (*pending_documents.get(event.seat, ()), (event.meter, event.paid))
    owed = {**table.owed, patron: table.owed.get(patron, 0) + event.paid}
    return with_round(copy_with(table, owed=owed), awaiting_documents=pending_documents)


@next_state.register
def _(event: e.DocumentsCompleted, table: Table) -> Table:
    meters, cents = dict(table.meters), sum(amount for _, amount in event.amounts)
    for name, amount in event.amounts:
        meters[name] = meters[name].with_payment(amount, by_attendant=True)
    table = with_balance(_with_meters(table, *meters.values()), event.patron, cents)
    owed = {**table.owed, event.patron: table.owed[event.patron] - cents}
    pending_documents = {
        seat: amounts for seat, amounts in round_of(table).awaiting_documents.items() if seat != event.seat
    }
    return with_round(
        copy_with(table, owed={name: amount for name, amount in owed.items() if amount}),
        awaiting_documents=pending_documents,
    )


@next_state.register
def _(event: e.MetersFed, table: Table) -> Table:
    hits = {name: table.meters[name].hits for name, _ in event.amounts}
    table = _with_meters(table, *(table.meters[name].with_contribution(amount) for name, amount in event.amounts))
    return with_round(table, contributions=dict(event.amounts), hits_at_contribution=hits)


@next_state.register
def _(event: e.MeterChanged, table: Table) -> Table:
    return _with_meters(table, table.meters[event.meter].with_change(event.amount, event.cause))


@next_state.register
def _(event: e.MeterLocked, table: Table) -> Table:
    claim = MeterClaim(table.setup.name, event.round, event.seat)
    return _with_meters(table, table.meters[event.meter].with_claim(claim))


@next_state.register
def _(event: e.MeterReleased, table: Table) -> Table:
    claim = MeterClaim(table.setup.name, event.round, event.seat)
    return _with_meters(table, table.meters[event.meter].without_claim(claim))


@next_state.register
def _(event: e.MetersRead, table: Table) -> Table:
    return _with_meters(table, *event.meters)


@next_state.register
def _(event: e.ProgressiveChipsCounted, table: Table) -> Table:
    if event.counted != event.accepted:
        return with_round(table, chips=Chips.MISMATCH)
    return with_round(copy_with(table, tray=table.tray + event.accepted), chips=Chips.BANKED)


@next_state.register
def _(event: e.ChipCountResolved, table: Table) -> Table:
    return with_round(copy_with(table, tray=table.tray + event.accepted), chips=Chips.BANKED)


@next_state.register
def _(event: e.WinVerified, table: Table) -> Table:
    verified = {**round_of(table).verified, (event.seat, event.wager): VerifiedWin(event.by.name, lit=True)}
    return with_round(table, verified=verified)


@next_state.register
def _(event: e.LightVerified, table: Table) -> Table:
    verified = {**round_of(table).verified, (event.seat, event.wager): VerifiedWin(event.by.name, event.lit)}
    return with_round(table, verified=verified)


@next_state.register
def _(event: e.WinValidated, table: Table) -> Table:
    return with_round(table, validated=round_of(table).validated | {(event.seat, event.wager)})


@next_state.register
def _(event: e.MysteryArmed, table: Table) -> Table:
    return copy_with(table, trigger=Trigger(event.trigger, event.nonce))


@next_state.register
def _(event: e.MysteryHit, table: Table) -> Table:
    owed = {**table.owed, event.patron: table.owed.get(event.patron, 0) + event.amount}
    table = copy_with(table, trigger=None, owed=owed, fund=table.fund - event.amount)
    pending_documents = dict(round_of(table).awaiting_documents)
    pending_documents[event.seat] = (*pending_documents.get(event.seat, ()), (MYSTERY, event.amount))
    return with_round(table, awaiting_documents=pending_documents)


@next_state.register
def _(event: e.AccountFunded, table: Table) -> Table:
    return with_balance(with_account(table, event.patron, event.amount), event.patron, -event.amount)


@next_state.register
def _(event: e.BonusDrawn, table: Table) -> Table:
    drawn = {"magic_card": event.magic_card, "lucky_position": event.lucky_position, "drawn_by_system": True}
    return with_round(table, **drawn)


@next_state.register
def _(event: e.JackpotDivided, table: Table) -> Table:
    return with_round(table, shares=dict(event.shares))
