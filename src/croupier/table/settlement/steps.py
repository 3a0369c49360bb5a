"""Settlement of each seat from the dealer's right, the discard rack, and corrections of payments."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from croupier.core.errors import RuleViolation
from croupier.core.money import format_money
from croupier.games.definition import BONUS, COMMUNITY, FOURTH
from croupier.progressive.meters import Meter, MeterCause, MeterClaim, SettlementMeters
from croupier.regulations.clauses import carries_out
from croupier.table.decide import (
    current_round,
    decider_for,
    event_metadata,
    require_phase,
    require_role,
    require_time,
    rule_clause,
)
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Role
from croupier.table.model.state import Phase, Round, Table
from croupier.table.procedure.card_entries import require_entered, turns_up_hand
from croupier.table.procedure.card_rulings import require_allowed_by_hand
from croupier.table.procedure.deck import decks_to_shuffle
from croupier.table.procedure.irregularities import release_meter
from croupier.table.procedure.jackpots import documents_clause, pays_by_attendant, require_validated
from croupier.table.procedure.stub import is_count_overdue, stub_count_clause
from croupier.table.procedure.wagers import MAX_AMOUNT_CENTS, return_account_credit
from croupier.table.settlement import SeatSettlement, SettlementEntry, apply_payout_limit, counts_for_limit
from croupier.table.settlement.corrections import largest_payment


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
    require_entered(table, round_)
    require_allowed_by_hand(table, round_, command.seat)
    if not round_.void:
        require_validated(table, round_, command.seat)
    if turns_up_hand(table, round_, command.seat) and command.seat not in round_.turned_up:
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
    """Returns a jackpot share to the meter if the patron's wagers are abandoned, or the round is void by now."""
    share = round_.shares.get(command.seat, 0)
    is_abandoned = round_.patrons[command.seat] in round_.abandoned
    if not share or not (is_abandoned or round_.void):
        return
    rule = "leaving_the_table" if is_abandoned else "meter_at_the_players_turn"
    for wager in sorted(table.setup.game.on_dealer & round_.wagers[command.seat].keys()):
        payments = [entry for entry in round_.entries if entry.wager == wager and entry.meter]
        if payments:
            meter = table.meters[payments[0].meter]
            after = meter.with_change(Fraction(share), MeterCause.RETURNED)
            metadata = event_metadata(table, command, rule, "" if is_abandoned else meter.plan.table)
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
        cards, key = round_.cards_at(place, seat), f"{place} {seat}" if round_.enters_cards and seat else place
        if not cards or entry.wager not in table.setup.game.wagers_on(place) or round_.revealed.get(key):
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


@carries_out("one_deck_in_the_rack")
def _require_other_deck_shuffled(table: Table, command: c.RackCards) -> None:
    """Refuses to rack a deck while the other one is in the rack too, instead of shuffled in the device."""
    for number in decks_to_shuffle(table, command.at):
        clause = rule_clause(table, "one_deck_in_the_rack")
        reason = f"shuffle deck {number} in the device first: only one deck is in the discard rack at a time"
        raise RuleViolation(clause, reason)


CORRECTION_APPROVERS = frozenset({Role.SHIFT_MANAGER, Role.ACCOUNTING})
"""Who may approve the correction of a payment that somebody else requested."""


@decider_for(c.CorrectPayment)
@carries_out("settle_in_turn")
def correct_payment(table: Table, command: c.CorrectPayment) -> Iterator[e.Event]:
    clause = rule_clause(table, "settle_in_turn")
    _require_second_person(table, command)
    round_, entry, number = _corrected_entry(table, command)
    if (command.old_returned, command.old_paid) != (entry.returned, entry.paid):
        amounts = f"{format_money(entry.returned)} returned and {format_money(entry.paid)} paid"
        raise RuleViolation(clause, f"the entry to correct has {amounts}: it is not the one stated")
    if (command.returned, command.paid) == (entry.returned, entry.paid):
        raise RuleViolation(clause, "the entry already has these amounts: there is nothing to correct")
    most = largest_payment(table.setup, round_, entry)
    if not (0 <= command.returned <= most.returned and 0 <= command.paid <= most.paid):
        bounds = f"at most {format_money(most.returned)} returned and {format_money(most.paid)} paid"
        raise RuleViolation(clause, f"no cards make that of this {command.wager}: {bounds}")
    if command.returned + command.paid > most.total:
        raise RuleViolation(clause, f"no cards make more than {format_money(most.total)} of this {command.wager}")
    yield _payment_corrected(table, command, round_, entry, number)


def decide_older_correction(table: Table, command: c.CorrectPayment) -> Iterator[e.Event]:
    """A correction of a record that an older program wrote: by one person, and any amount.

    Only an audit uses it, on a command without a second person; `correct_payment` refuses such a command.
    """
    clause = rule_clause(table, "settle_in_turn")
    require_role(table, command)
    require_time(table, command)
    round_, entry, number = _corrected_entry(table, command)
    if not (0 <= command.returned <= MAX_AMOUNT_CENTS and 0 <= command.paid <= MAX_AMOUNT_CENTS):
        raise RuleViolation(clause, "amounts must be from $0 to $100,000,000")
    yield _payment_corrected(table, command, round_, entry, number)


def _require_second_person(table: Table, command: c.CorrectPayment) -> None:
    clause, second = rule_clause(table, "settle_in_turn"), command.approved_by
    if second is None:
        raise RuleViolation(clause, "a correction of a payment needs a second person who approves it")
    if second.name == command.by.name:
        raise RuleViolation(clause, f"{second.name} cannot approve their own correction: it takes two people")
    if second.role not in CORRECTION_APPROVERS:
        roles = " or ".join(sorted(role.label for role in CORRECTION_APPROVERS))
        raise RuleViolation(clause, f"{roles} must approve this, not {second.role.label}")


def _corrected_entry(table: Table, command: c.CorrectPayment) -> tuple[Round, e.WagerSettled, int]:
    """The round and the entry that a correction is about, and the entry's number."""
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
    return round_, entry, number


def _payment_corrected(
    table: Table, command: c.CorrectPayment, round_: Round, entry: e.WagerSettled, number: int
) -> e.PaymentCorrected:
    patron = round_.patrons[command.seat]
    change = command.returned + command.paid - entry.returned - entry.paid
    funds = table.accounts if entry.account else table.balances
    if funds.get(patron, 0) + change < 0:
        clause = rule_clause(table, "settle_in_turn")
        raise RuleViolation(clause, f"{patron} no longer has enough chips to take back")
    return e.PaymentCorrected(
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
        approved_by=command.approved_by,
        **event_metadata(table, command, "settle_in_turn"),
    )
