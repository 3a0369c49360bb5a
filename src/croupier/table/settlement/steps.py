"""Settlement of each seat from the dealer's right, the discard rack, and corrections of payments."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from croupier.core.errors import RuleViolation
from croupier.games.definition import BONUS, COMMUNITY, FOURTH
from croupier.progressive.meters import Meter, MeterCause, MeterClaim, SettlementMeters
from croupier.regulations.clauses import carries_out
from croupier.table.decide import current_round, decider_for, event_metadata, require_phase, rule_clause
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.state import Phase, Round, Table
from croupier.table.procedure.deck import decks_to_shuffle
from croupier.table.procedure.irregularities import release_meter
from croupier.table.procedure.jackpots import documents_clause, pays_by_attendant, require_validated
from croupier.table.procedure.stub import is_count_overdue, stub_count_clause
from croupier.table.procedure.wagers import MAX_AMOUNT_CENTS, return_account_credit
from croupier.table.settlement import SeatSettlement, SettlementEntry, apply_payout_limit, counts_for_limit


@decider_for(c.SettleSeat)
@carries_out("settle_in_turn", "turn_up_hand", "expose_bonus_cards", "reveal_deciding_card", "payout_limit")
@carries_out("table_win", "table_lose", "odds")
def settle_seat(table: Table, command: c.SettleSeat) -> Iterator[e.Event]:
    require_phase(table, "settle_in_turn", Phase.SETTLING)
    round_ = current_round(table, "settle_in_turn")
    clause = rule_clause(table, "settle_in_turn")
    if command.seat != round_.unsettled[0]:
        reason = f"seats are settled from the dealer's right: seat {round_.unsettled[0]} is next, not {command.seat}"
        raise RuleViolation(clause, reason)
    patron = round_.patrons[command.seat]
    if patron in table.absent:
        leaving_clause = rule_clause(table, "leaving_the_table")
        raise RuleViolation(leaving_clause, f"{patron} has left: a floorperson must decide on their wagers first")
    if not round_.void:
        require_validated(table, round_, command.seat)
    has_optional_wagers = any(round_.staked(command.seat, wager) for wager in table.setup.elected.edition.optional)
    hands_stand = not round_.void or (round_.settles_optional and has_optional_wagers)
    if hands_stand and command.seat not in round_.collected and command.seat not in round_.turned_up:
        yield e.HandTurnedUp(seat=command.seat, **event_metadata(table, command, "turn_up_hand"))
    meters = SettlementMeters(table.meters, table.setup.choice("reserve"))
    settlement = SeatSettlement(table.setup, round_, command.seat, meters)
    already_paid = sum(
        entry.paid
        for entry in round_.entries
        if round_.patrons[entry.seat] == patron and counts_for_limit(table.setup, _as_entry(entry))
    )
    for entry in apply_payout_limit(table.setup, list(settlement.entries()), already_paid):
        yield from _reveal_for(table, command, round_, entry)
        yield _wager_settled(table, command, command.seat, entry)
    yield from _change_meters(table, command, meters)
    yield from _return_abandoned_share(table, command, round_)
    if settlement.divided:
        shares = tuple(settlement.divided.items())
        wager = min(table.setup.game.on_dealer & round_.wagers[command.seat].keys())
        metadata = event_metadata(table, command, "highest_hand_only", table.setup.game.table_of(wager))
        yield e.JackpotDivided(shares=shares, **metadata)
    for seat, entry in settlement.envy_entries():
        yield _wager_settled(table, command, seat, entry)
    yield e.SeatSettled(seat=command.seat, **event_metadata(table, command, "settle_in_turn"))


def _change_meters(table: Table, command: c.SettleSeat, meters: SettlementMeters) -> Iterator[e.Event]:
    """The changes of meters by the settlement; meters locked for this seat are released."""
    rule, current = "meter_at_the_players_turn", dict(table.meters)
    for change in meters.changes:
        before = current[change.meter]
        current[change.meter] = before.with_change(change.amount, change.cause)
        metadata = event_metadata(table, command, rule, before.plan.table)
        if change.cause is not MeterCause.WON:
            metadata["clause"] = _amount_clause(table, before)
        yield _meter_changed(change.meter, before, current[change.meter], change.amount, change.cause, metadata)
    round_ = current_round(table, "settle_in_turn")
    claim = MeterClaim(table.setup.name, round_.number, command.seat)
    for meter in current.values():
        if claim in meter.claims:
            metadata = event_metadata(table, command, rule, meter.plan.table)
            yield from release_meter(meter, claim, metadata)


def _return_abandoned_share(table: Table, command: c.SettleSeat, round_: Round) -> Iterator[e.Event]:
    """Returns the jackpot share of a patron whose wagers are abandoned to the meter."""
    share = round_.shares.get(command.seat, 0)
    if not share or round_.patrons[command.seat] not in round_.abandoned:
        return
    for wager in sorted(table.setup.game.on_dealer & round_.wagers[command.seat].keys()):
        payments = [entry for entry in round_.entries if entry.wager == wager and entry.meter]
        if payments:
            meter = table.meters[payments[0].meter]
            after = meter.with_change(Fraction(share), MeterCause.RETURNED)
            metadata = event_metadata(table, command, "leaving_the_table")
            yield _meter_changed(payments[0].meter, meter, after, Fraction(share), MeterCause.RETURNED, metadata)


def _amount_clause(table: Table, meter: Meter) -> str:
    """The clause that fixes the seed and the reset of a meter; for a reserve, that of its meter."""
    paytable = meter.plan.table
    meters = table.setup.elected.edition.progressives[paytable].meters[table.setup.choice(paytable) or "A"]
    return meters[meter.plan.tier if meter.plan.tier in meters else "main"].clause


def _meter_changed(
    name: str, before: Meter, after: Meter, amount: Fraction, cause: MeterCause, metadata: dict[str, Any]
) -> e.MeterChanged:
    return e.MeterChanged(meter=name, amount=amount, cause=cause, before=before.amount, after=after.amount, **metadata)


def _wager_settled(table: Table, command: c.SettleSeat, seat: int, entry: SettlementEntry) -> e.WagerSettled:
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
        attended=bool(entry.meter and entry.paid) and pays_by_attendant(table),
        holder=entry.holder,
        clause=entry.clause,
        by=command.by,
        at=command.at,
    )


def _as_entry(event: e.WagerSettled) -> SettlementEntry:
    return SettlementEntry(event.wager, event.staked, event.outcome, event.returned, event.paid, "", "", row=event.row)


def _reveal_for(table: Table, command: c.SettleSeat, round_: Round, entry: SettlementEntry) -> Iterator[e.Event]:
    """The reveals that the settlement of a wager needs: bonus cards once, at the first seat that bet on them.

    A card that only decides the payout of a winning hand stays face down until a hand wins.
    """
    if entry.outcome not in ("win", "lose", "push"):
        return
    for place, seat in ((BONUS, 0), (COMMUNITY, 0), (FOURTH, command.seat)):
        cards = round_.hand(place, seat)
        if not cards or entry.wager not in table.setup.game.wagers_on(place) or round_.revealed.get(place):
            continue
        if place == BONUS or entry.outcome == "win":
            rule = "expose_bonus_cards" if place == BONUS else "reveal_deciding_card"
            yield e.CardsRevealed(place=place, count=len(cards), seat=seat, **event_metadata(table, command, rule))


@decider_for(c.RackCards)
@carries_out("rack_cards")
def rack_cards(table: Table, command: c.RackCards) -> Iterator[e.Event]:
    require_phase(table, "rack_cards", Phase.RACKING)
    round_ = current_round(table, "rack_cards")
    if round_.awaiting_documents:
        seats = " and ".join(f"seat {seat}" for seat in round_.awaiting_documents)
        clause = documents_clause(table, round_, next(iter(round_.awaiting_documents)))
        raise RuleViolation(clause, f"the cards of {seats} stay until the documents for the win are complete")
    if is_count_overdue(table):
        raise RuleViolation(stub_count_clause(table), "count the stub before the cards are racked: a count is due")
    _require_other_deck_shuffled(table, command)
    rack = tuple((place, seat, cards) for (place, seat), cards in round_.cards.items())
    yield e.RoundCompleted(round=round_.number, rack=rack, **event_metadata(table, command, "rack_cards"))
    # A patron who left after their last wager was settled needs no decision by a floorperson.
    for patron in sorted((round_.abandoned | table.absent) & set(table.seats.values())):
        yield from return_account_credit(table, command, patron)
        yield e.PatronLeft(patron=patron, **event_metadata(table, command, "leaving_the_table"))


@carries_out("deck_waits_in_the_shuffler", "one_deck_in_the_rack")
def _require_other_deck_shuffled(table: Table, command: c.RackCards) -> None:
    """Refuses to rack a deck while the other one is in the rack too, instead of shuffled in the device."""
    for number in decks_to_shuffle(table, command.at):
        clause = rule_clause(table, "one_deck_in_the_rack")
        reason = f"shuffle deck {number} in the device first: only one deck is in the discard rack at a time"
        raise RuleViolation(clause, reason)


@decider_for(c.CorrectPayment)
@carries_out("settle_in_turn")
def correct_payment(table: Table, command: c.CorrectPayment) -> Iterator[e.Event]:
    clause = rule_clause(table, "settle_in_turn")
    if not command.reason.strip():
        raise RuleViolation(clause, "a reason must be given, for the record")
    rounds = [*table.history, *([table.round] if table.round else [])]
    round_ = next((past for past in rounds if past.number == command.round), None)
    if round_ is None:
        raise RuleViolation(clause, f"round {command.round} is not among the rounds that can be corrected here")
    entries = [entry for entry in round_.entries if (entry.seat, entry.wager) == (command.seat, command.wager)]
    if not entries:
        raise RuleViolation(clause, f"seat {command.seat} had no settled {command.wager!r} in round {command.round}")
    if command.number is None and len(entries) > 1:
        entries_text = f"seat {command.seat} had {len(entries)} of {command.wager!r} in round {command.round}"
        raise RuleViolation(clause, f"{entries_text}: give the number of the entry")
    number = command.number or 1
    if not 1 <= number <= len(entries):
        raise RuleViolation(clause, f"seat {command.seat} had no {command.wager!r} number {number}")
    entry = entries[number - 1]
    if entry.meter:
        raise RuleViolation(clause, "a payment from a meter is corrected on the meter, by two people")
    if not (0 <= command.returned <= MAX_AMOUNT_CENTS and 0 <= command.paid <= MAX_AMOUNT_CENTS):
        raise RuleViolation(clause, "amounts must be from $0 to $100,000,000")
    patron = round_.patrons[command.seat]
    change = command.returned + command.paid - entry.returned - entry.paid
    funds = table.accounts if entry.account else table.balances
    if funds.get(patron, 0) + change < 0:
        raise RuleViolation(clause, f"{patron} no longer has enough chips to take back")
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
        **event_metadata(table, command, "settle_in_turn"),
    )
