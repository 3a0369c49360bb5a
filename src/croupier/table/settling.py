"""Settlement seat by seat from the dealer's right, the rack, and the correction of errors."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.errors import NotPermitted
from croupier.games.definition import BONUS, COMMUNITY, FOURTH
from croupier.progressive.meters import Meters
from croupier.rules.clauses import carries_out
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.decide import current_round, decides, require_phase, rule_clause, said
from croupier.table.settlement import Entry, SeatSettlement, counts_for_limit, limited
from croupier.table.state import Phase, Round, Table
from croupier.table.wagering import MOST


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
    optional = any(round_.staked(command.seat, wager) for wager in table.setup.elected.edition.optional)
    hands_stand = not round_.void or (round_.settles_optional and optional)
    if hands_stand and command.seat not in round_.collected:
        yield e.HandTurnedUp(seat=command.seat, **said(table, command, "turn_up_hand"))
    meters = Meters(table.setup.meters, table.meters, table.setup.choice("reserve"))
    settlement = SeatSettlement(table.setup, round_, command.seat, meters)
    before = sum(
        entry.paid
        for entry in round_.entries
        if round_.patrons[entry.seat] == patron and counts_for_limit(table.setup, _as_entry(entry))
    )
    for entry in limited(table.setup, list(settlement.entries()), before):
        yield from _exposed(table, command, round_, entry)
        yield _settled(command, command.seat, entry)
    for change in meters.changes:
        yield e.MeterChanged(
            meter=change.meter,
            before=change.before,
            after=change.after,
            cause=change.cause,
            **said(table, command, "meter_at_the_players_turn"),
        )
    if settlement.divided:
        shares = tuple(settlement.divided.items())
        yield e.JackpotDivided(shares=shares, **said(table, command, "highest_hand_only"))
    for seat, entry in settlement.envies():
        yield _settled(command, seat, entry)
    yield e.SeatSettled(seat=command.seat, **said(table, command, "settle_in_turn"))


def _settled(command: c.SettleSeat, seat: int, entry: Entry) -> e.WagerSettled:
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
        from_meter=entry.from_meter,
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
    rack = tuple((place, seat, cards) for (place, seat), cards in round_.cards.items())
    yield e.RoundCompleted(round=round_.number, rack=rack, **said(table, command, "rack_cards"))
    # Whoever left after his last wager was settled has nothing that a floorperson could decide on.
    for patron in sorted((round_.abandoned | table.absent) & set(table.seats.values())):
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
    entry = next((x for x in found.entries if (x.seat, x.wager) == (command.seat, command.wager)), None)
    if entry is None:
        raise NotPermitted(clause, f"seat {command.seat} had no settled {command.wager!r} in round {command.round}")
    if not (0 <= command.returned <= MOST and 0 <= command.paid <= MOST):
        raise NotPermitted(clause, "amounts are from nothing up to a hundred million dollars")
    patron = found.patrons[command.seat]
    change = command.returned + command.paid - entry.returned - entry.paid
    if table.balances.get(patron, 0) + change < 0:
        raise NotPermitted(clause, f"{patron} no longer has the chips to be taken back")
    yield e.PaymentCorrected(
        round=command.round,
        seat=command.seat,
        patron=patron,
        wager=command.wager,
        old_returned=entry.returned,
        old_paid=entry.paid,
        returned=command.returned,
        paid=command.paid,
        reason=command.reason,
        **said(table, command, "settle_in_turn"),
    )
