"""Settlement seat by seat from the dealer's right, the rack, and the correction of errors."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from croupier.errors import NotPermitted
from croupier.games.definition import BONUS, COMMUNITY, FOURTH
from croupier.progressive.meters import Cause, Claim, Meter, Meters
from croupier.rules.clauses import carries_out
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.decide import current_round, decides, require_phase, rule_clause, said
from croupier.table.jackpots import attended, documents_clause, require_validated
from croupier.table.settlement import Entry, SeatSettlement, counts_for_limit, limited
from croupier.table.state import Phase, Round, Table
from croupier.table.voiding import released
from croupier.table.wagering import MOST, account_returned


@decides(c.SettleSeat)
@carries_out("settle_in_turn", "turn_up_hand", "expose_bonus_cards", "reveal_deciding_card", "payout_limit")
@carries_out("table_win", "table_lose", "odds")
def settle_seat(table: Table, command: c.SettleSeat) -> Iterator[e.Event]:
    require_phase(table, "settle_in_turn", Phase.SETTLING)
    round_ = current_round(table, "settle_in_turn")
    clause = rule_clause(table, "settle_in_turn")
    if command.seat != round_.unsettled[0]:
        reason = f"seats are settled from the dealer's right: seat {round_.unsettled[0]} is next, not {command.seat}"
        raise NotPermitted(clause, reason)
    patron = round_.patrons[command.seat]
    if patron in table.absent:
        left = rule_clause(table, "leaving_the_table")
        raise NotPermitted(left, f"{patron} has left: a floorperson must decide on his wagers first")
    if not round_.void:
        require_validated(table, round_, command.seat)
    optional = any(round_.staked(command.seat, wager) for wager in table.setup.elected.edition.optional)
    hands_stand = not round_.void or (round_.settles_optional and optional)
    if hands_stand and command.seat not in round_.collected and command.seat not in round_.turned_up:
        yield e.HandTurnedUp(seat=command.seat, **said(table, command, "turn_up_hand"))
    meters = Meters(table.meters, table.setup.choice("reserve"))
    settlement = SeatSettlement(table.setup, round_, command.seat, meters)
    before = sum(
        entry.paid
        for entry in round_.entries
        if round_.patrons[entry.seat] == patron and counts_for_limit(table.setup, _as_entry(entry))
    )
    for entry in limited(table.setup, list(settlement.entries()), before):
        yield from _exposed(table, command, round_, entry)
        yield _settled(table, command, command.seat, entry)
    yield from _meters_changed(table, command, meters)
    yield from _abandoned_share(table, command, round_)
    if settlement.divided:
        shares = tuple(settlement.divided.items())
        wager = min(table.setup.game.on_dealer & round_.wagers[command.seat].keys())
        divided = said(table, command, "highest_hand_only", table.setup.game.table_of(wager))
        yield e.JackpotDivided(shares=shares, **divided)
    for seat, entry in settlement.envies():
        yield _settled(table, command, seat, entry)
    yield e.SeatSettled(seat=command.seat, **said(table, command, "settle_in_turn"))


def _meters_changed(table: Table, command: c.SettleSeat, meters: Meters) -> Iterator[e.Event]:
    """What the settlement does to meters; one that was locked for this seat is released."""
    rule, now = "meter_at_the_players_turn", dict(table.meters)
    for change in meters.changes:
        before = now[change.meter]
        now[change.meter] = before.changed(change.amount, change.cause)
        turn = said(table, command, rule, before.plan.table)
        if change.cause is not Cause.WON:
            turn["clause"] = _amount_clause(table, before)
        yield _meter_changed(change.meter, before, now[change.meter], change.amount, change.cause, turn)
    round_ = current_round(table, "settle_in_turn")
    claim = Claim(table.setup.name, round_.number, command.seat)
    for meter in now.values():
        if claim in meter.claims:
            turn = said(table, command, rule, meter.plan.table)
            yield from released(meter, claim, turn)


def _abandoned_share(table: Table, command: c.SettleSeat, round_: Round) -> Iterator[e.Event]:
    """A share of a jackpot that waits for somebody whose wagers are abandoned goes back to the meter."""
    share = round_.shares.get(command.seat, 0)
    if not share or round_.patrons[command.seat] not in round_.abandoned:
        return
    for wager in sorted(table.setup.game.on_dealer & round_.wagers[command.seat].keys()):
        paid = [entry for entry in round_.entries if entry.wager == wager and entry.meter]
        if paid:
            meter = table.meters[paid[0].meter]
            after, left = meter.changed(Fraction(share), Cause.RETURNED), said(table, command, "leaving_the_table")
            yield _meter_changed(paid[0].meter, meter, after, Fraction(share), Cause.RETURNED, left)


def _amount_clause(table: Table, meter: Meter) -> str:
    """The clause that fixes what a meter starts with and is reset to; a reserve has that of its meter."""
    paytable = meter.plan.table
    meters = table.setup.elected.edition.progressives[paytable].meters[table.setup.choice(paytable) or "A"]
    return meters[meter.plan.tier if meter.plan.tier in meters else "main"].clause


def _meter_changed(
    name: str, before: Meter, after: Meter, amount: Fraction, cause: Cause, turn: dict[str, Any]
) -> e.MeterChanged:
    return e.MeterChanged(meter=name, amount=amount, cause=cause, before=before.amount, after=after.amount, **turn)


def _settled(table: Table, command: c.SettleSeat, seat: int, entry: Entry) -> e.WagerSettled:
    return e.WagerSettled(
        seat=seat,
        wager=entry.wager,
        staked=entry.staked,
        outcome=entry.outcome,
        returned=entry.returned,
        paid=entry.paid,
        procedure=entry.procedure,
        hand=entry.hand,
        row=entry.row,
        pays=entry.pays,
        table=entry.table,
        limited=entry.limited,
        meter=entry.meter,
        account=not entry.meter and (entry.account or entry.wager in table.setup.electronic),
        attended=bool(entry.meter and entry.paid) and attended(table),
        holder=entry.holder,
        clause=entry.clause,
        by=command.by,
        at=command.at,
    )


def _as_entry(event: e.WagerSettled) -> Entry:
    return Entry(event.wager, event.staked, event.outcome, event.returned, event.paid, "", "", row=event.row)


def _exposed(table: Table, command: c.SettleSeat, round_: Round, entry: Entry) -> Iterator[e.Event]:
    """What is turned up to settle a wager: bonus cards once for all, at the first seat that bet on them.

    A card that only decides what a winning hand is paid stays down until there is one.
    """
    if entry.outcome not in ("win", "lose", "push"):
        return
    for place, seat in ((BONUS, 0), (COMMUNITY, 0), (FOURTH, command.seat)):
        cards = round_.hand(place, seat)
        if not cards or entry.wager not in table.setup.game.wagers_on(place) or round_.revealed.get(place):
            continue
        if place == BONUS or entry.outcome == "win":
            rule = "expose_bonus_cards" if place == BONUS else "reveal_deciding_card"
            yield e.CardsRevealed(place=place, count=len(cards), seat=seat, **said(table, command, rule))


@decides(c.RackCards)
@carries_out("rack_cards")
def rack_cards(table: Table, command: c.RackCards) -> Iterator[e.Event]:
    require_phase(table, "rack_cards", Phase.RACKING)
    round_ = current_round(table, "rack_cards")
    if round_.held:
        seats = " and ".join(f"seat {seat}" for seat in round_.held)
        clause = documents_clause(table, round_, next(iter(round_.held)))
        raise NotPermitted(clause, f"the cards of {seats} stay until the documents of the win are completed")
    rack = tuple((place, seat, cards) for (place, seat), cards in round_.cards.items())
    yield e.RoundCompleted(round=round_.number, rack=rack, **said(table, command, "rack_cards"))
    # Whoever left after his last wager was settled has nothing that a floorperson could decide on.
    for patron in sorted((round_.abandoned | table.absent) & set(table.seats.values())):
        yield from account_returned(table, command, patron)
        yield e.PatronLeft(patron=patron, **said(table, command, "leaving_the_table"))


@decides(c.CorrectPayment)
@carries_out("settle_in_turn")
def correct_payment(table: Table, command: c.CorrectPayment) -> Iterator[e.Event]:
    clause = rule_clause(table, "settle_in_turn")
    if not command.reason.strip():
        raise NotPermitted(clause, "a reason must be given, for the record")
    rounds = [*table.history, *([table.round] if table.round else [])]
    found = next((r for r in rounds if r.number == command.round), None)
    if found is None:
        raise NotPermitted(clause, f"round {command.round} is not among the rounds that can be corrected here")
    entries = [x for x in found.entries if (x.seat, x.wager) == (command.seat, command.wager)]
    if not entries:
        raise NotPermitted(clause, f"seat {command.seat} had no settled {command.wager!r} in round {command.round}")
    if command.number is None and len(entries) > 1:
        which = f"seat {command.seat} had {len(entries)} of {command.wager!r} in round {command.round}"
        raise NotPermitted(clause, f"{which}: say which by its number")
    number = command.number or 1
    if not 1 <= number <= len(entries):
        raise NotPermitted(clause, f"seat {command.seat} had no {command.wager!r} number {number}")
    entry = entries[number - 1]
    if entry.meter:
        raise NotPermitted(clause, "a payment from a meter is put right by a correction of the meter, by two people")
    if not (0 <= command.returned <= MOST and 0 <= command.paid <= MOST):
        raise NotPermitted(clause, "amounts are from nothing up to a hundred million dollars")
    patron = found.patrons[command.seat]
    change = command.returned + command.paid - entry.returned - entry.paid
    had = table.accounts if entry.account else table.balances
    if had.get(patron, 0) + change < 0:
        raise NotPermitted(clause, f"{patron} no longer has the chips to be taken back")
    yield e.PaymentCorrected(
        round=command.round,
        seat=command.seat,
        patron=patron,
        wager=command.wager,
        number=number,
        old_returned=entry.returned,
        old_paid=entry.paid,
        returned=command.returned,
        paid=command.paid,
        reason=command.reason,
        account=entry.account,
        **said(table, command, "settle_in_turn"),
    )
