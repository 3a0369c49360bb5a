"""Patrons and wagers: who may sit, what may be placed, and when it is too late."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from croupier.errors import NotPermitted
from croupier.money import show
from croupier.rules.clauses import carries_out
from croupier.rules.edition import WagerRule
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.decide import decides, require_phase, rule_clause, said
from croupier.table.people import Role
from croupier.table.preparing import BETWEEN_ROUNDS, deck_change_due
from croupier.table.state import Phase, Table

MOST = 100_000_000_00
"""No amount of money at a table is above a hundred million dollars."""


@decides(c.Sit)
@carries_out("seated_players_only", "adjacent_boxes")
def sit(table: Table, command: c.Sit) -> Iterator[e.Event]:
    clause = rule_clause(table, "seated_players_only")
    _own_business(table, command.patron, command)
    if table.phase is Phase.CLOSED or table.closing:
        raise NotPermitted(clause, "the table is closed")
    seats = sorted(command.seats)
    if not seats:
        raise NotPermitted(clause, "say which seat")
    for seat in seats:
        if not 1 <= seat <= table.setup.seats:
            positions = table.setup.elected.edition.figures["seats"].clause
            raise NotPermitted(positions, f"there is no seat {seat} at this table of {table.setup.seats}")
        if seat in table.seats:
            raise NotPermitted(clause, f"seat {seat} is taken")
    if command.patron in table.seats.values():
        raise NotPermitted(clause, f"{command.patron} is seated already")
    adjacent = rule_clause(table, "adjacent_boxes")
    if len(seats) > table.setup.adjacent_boxes:
        raise NotPermitted(adjacent, f"one player may wager on at most {table.setup.adjacent_boxes} boxes")
    if seats[-1] - seats[0] != len(seats) - 1:
        raise NotPermitted(adjacent, "the boxes of one player must be adjacent")
    yield e.PatronSeated(patron=command.patron, seats=tuple(seats), **said(table, command, "seated_players_only"))


def _own_business(table: Table, patron: str, command: c.Command) -> None:
    """A patron acts for himself alone."""
    if not patron.strip():
        raise NotPermitted("", "say who")
    if command.by.role is Role.PATRON and command.by.name != patron:
        raise NotPermitted(rule_clause(table, command.rule), f"{command.by.name} cannot act for {patron}")


@decides(c.Leave)
@carries_out("leaving_the_table")
def leave(table: Table, command: c.Leave) -> Iterator[e.Event]:
    clause = rule_clause(table, "leaving_the_table")
    _own_business(table, command.patron, command)
    if command.patron not in table.seats.values():
        raise NotPermitted(clause, f"{command.patron} is not seated here")
    if table.round is not None and command.patron in table.round.patrons.values():
        if command.patron in table.absent | table.round.abandoned:
            raise NotPermitted(clause, f"{command.patron} is known to have left")
        yield e.PatronAbsent(patron=command.patron, **said(table, command, "leaving_the_table"))
        return
    for seat, patron in table.seats.items():
        if patron == command.patron:
            for wager in table.wagers.get(seat, {}):
                yield e.WagerPlaced(seat=seat, wager=wager, amount=0, **said(table, command, "wagers_close"))
    yield e.PatronLeft(patron=command.patron, **said(table, command, "leaving_the_table"))


@decides(c.DecideOnAbsence)
@carries_out("leaving_the_table")
def decide_on_absence(table: Table, command: c.DecideOnAbsence) -> Iterator[e.Event]:
    clause = rule_clause(table, "leaving_the_table")
    if command.patron not in table.absent or table.round is None:
        raise NotPermitted(clause, f"{command.patron} has not left a round in play")
    if not command.reason.strip():
        raise NotPermitted(clause, "a reason must be given, for the record")
    yield e.AbsenceDecided(
        patron=command.patron,
        abandoned=command.abandoned,
        reason=command.reason,
        **said(table, command, "leaving_the_table"),
    )


def _require_amount(amount: int, clause: str) -> None:
    if not 0 < amount <= MOST:
        raise NotPermitted(clause, f"{amount} cents is not an amount of money that can be had here")


@decides(c.BuyIn)
def buy_in(table: Table, command: c.BuyIn) -> Iterator[e.Event]:
    _require_amount(command.amount, rule_clause(table, "chips_only"))
    if command.patron not in table.seats.values():
        raise NotPermitted(rule_clause(table, "seated_players_only"), f"{command.patron} is not seated here")
    yield e.ChipsBought(patron=command.patron, amount=command.amount, **said(table, command, "chips_only"))


@decides(c.CashOut)
def cash_out(table: Table, command: c.CashOut) -> Iterator[e.Event]:
    clause = rule_clause(table, "chips_only")
    _require_amount(command.amount, clause)
    if table.balances.get(command.patron, 0) < command.amount:
        raise NotPermitted(clause, f"{command.patron} has not {show(command.amount)}")
    yield e.ChipsCashed(patron=command.patron, amount=command.amount, **said(table, command, "chips_only"))


@decides(c.PlaceWager)
@carries_out("chips_only", "wagers_close", "wagers_offered", "aces_up_with_the_ante", "wagers")
def place_wager(table: Table, command: c.PlaceWager) -> Iterator[e.Event]:
    edition, setup = table.setup.elected.edition, table.setup
    rule = edition.wagers.get(command.wager)
    if rule is None:
        known = ", ".join(edition.wagers)
        raise NotPermitted(
            rule_clause(table, "wagers_offered"), f"there is no wager {command.wager!r}; there are {known}"
        )
    if command.spoken:
        raise NotPermitted(rule_clause(table, "chips_only"), "a spoken wager with cash is not accepted: place chips")
    if command.seat not in table.seats:
        clause = rule_clause(table, "seated_players_only")
        raise NotPermitted(clause, f"nobody is seated at seat {command.seat}, and only seated players may wager")
    _own_business(table, table.seats[command.seat], command)
    if rule.made_in_play:
        raise NotPermitted(rule.clause, f"the {rule.title} is made during the round, after the cards are seen")
    if table.phase not in BETWEEN_ROUNDS:
        reason = "the dealer has announced no more bets" if table.round else "the table is not open for wagers"
        raise NotPermitted(
            rule_clause(table, "wagers_close"), f"seat {command.seat} cannot change its {rule.title}: {reason}"
        )
    if command.wager not in setup.limits:
        raise NotPermitted(rule.clause, f"the {rule.title} is not offered at this table")
    _require_system(table, command, rule)
    placed = table.wagers.get(command.seat, {})
    if command.amount < 0 or command.amount > MOST:
        raise NotPermitted(rule.clause, f"{command.amount} cents is not an amount that can be wagered")
    if command.amount == 0 and command.wager not in placed:
        raise NotPermitted(rule.clause, f"there is no {rule.title} to take back at seat {command.seat}")
    limits = setup.limits[command.wager]
    if command.amount and not limits.minimum <= command.amount <= limits.maximum:
        allowed = f"from {show(limits.minimum)} to {show(limits.maximum)}"
        raise NotPermitted(rule.clause, f"the {rule.title} is {allowed} at this table, not {show(command.amount)}")
    _require_others(table, placed, command)
    short = command.amount - placed.get(command.wager, 0) - table.balances[table.seats[command.seat]]
    if short > 0:
        raise NotPermitted(rule_clause(table, "chips_only"), f"not enough chips: {show(short)} short")
    yield e.WagerPlaced(
        seat=command.seat,
        wager=command.wager,
        amount=command.amount,
        clause=rule.clause,
        by=command.by,
        at=command.at,
    )


@carries_out("six_card_bonus_needs_both", "progressive_needs_a_wager")
def _require_others(table: Table, before: Mapping[str, int], command: c.PlaceWager) -> None:
    """Wagers that another one needs must be down before it, and stay as long as it is."""
    edition = table.setup.elected.edition
    placed = [wager for wager in before if wager != command.wager]
    if command.amount:
        placed.append(command.wager)
    for name in placed:
        other = edition.wagers[name]
        needed = table.setup.elected.needs_all(name)
        missing = [need for need in needed if need not in placed]
        clause = edition.clause("six_card_bonus_needs_both") if len(needed) > 1 else other.clause
        if missing:
            names = " and ".join(edition.wagers[need].title for need in missing)
            raise NotPermitted(clause or other.clause, f"the {other.title} at seat {command.seat} needs the {names}")
        if other.needs_any and not any(need in placed for need in other.needs_any):
            names = " or ".join(edition.wagers[need].title for need in other.needs_any)
            raise NotPermitted(
                edition.clause("progressive_needs_a_wager") or other.clause,
                f"the {other.title} at seat {command.seat} needs the {names}",
            )


@carries_out("wager_accepted", "progressive_lock_out", "electronic_wagering")
def _require_system(table: Table, command: c.PlaceWager, rule: WagerRule) -> None:
    """A wager on a meter needs the meter, and a progressive wager the one amount of the table."""
    setup, edition = table.setup, table.setup.elected.edition
    name = setup.game.table_of(command.wager)
    if name not in edition.progressives or not command.amount:
        return
    if not any(plan.table == name for plan in setup.meters.values()):
        clause = edition.clause("progressive_system") or rule.clause
        raise NotPermitted(clause, f"the {rule.title} needs a progressive system, which this table has not")
    progressive = edition.progressives[name]
    if progressive.amounts and command.amount not in progressive.amounts:
        allowed = " or ".join(show(cents) for cents in progressive.amounts)
        raise NotPermitted(progressive.amounts_clause, f"the {rule.title} is {allowed}, not {show(command.amount)}")
    if progressive.amounts and command.amount != setup.progressive_amount:
        amount = show(setup.progressive_amount)
        raise NotPermitted(progressive.amounts_clause, f"the {rule.title} is {amount} at this table")


@decides(c.AnnounceNoMoreBets)
@carries_out("no_more_bets_manual_shoe", "no_more_bets_hand", "no_more_bets_automated_shoe", "decks_alternate")
def announce_no_more_bets(table: Table, command: c.AnnounceNoMoreBets) -> Iterator[e.Event]:
    require_phase(table, "no_more_bets", Phase.BETTING)
    due = deck_change_due(table, table.deck, command.at)
    if due:
        raise NotPermitted(rule_clause(table, due), "the cards are due for a change before another round")
    dealt = tuple(
        seat
        for seat, placed in sorted(table.wagers.items())
        if any(wager in placed for wager in table.setup.game.dealt_in)
    )
    if not dealt:
        raise NotPermitted(rule_clause(table, "no_more_bets"), "nobody has placed a wager that is dealt cards")
    yield e.BetsClosed(round=table.rounds + 1, dealt=dealt, **said(table, command, "no_more_bets"))
    fed = tuple((name, amount) for name, amount in contributions(table, dealt))
    if fed:
        rule = "lock_out" if rule_clause(table, "lock_out") else "no_more_bets"
        yield e.MetersFed(amounts=fed, **said(table, command, rule))


@carries_out("lock_out_manual_shoe", "lock_out_hand", "lock_out_automated_shoe", "fixed_meters", "meter_rate")
def contributions(table: Table, dealt: tuple[int, ...]) -> Iterator[tuple[str, Fraction]]:
    """What the wagers of the coming round add to each meter, in exact cents."""
    game = table.setup.game
    for name, plan in table.setup.meters.items():
        staked = sum(
            amount
            for seat in dealt
            for wager, amount in table.wagers[seat].items()
            if game.table_of(wager) == plan.table
        )
        if staked:
            yield name, plan.rate * staked


@decides(c.DrawBonus)
@carries_out("drawn_by_the_system")
def draw_bonus(table: Table, command: c.DrawBonus) -> Iterator[e.Event]:
    clause = rule_clause(table, "drawn_by_the_system")
    if not clause:
        raise NotPermitted(rule_clause(table, "wagers_offered"), "nothing is drawn by the system in this game")
    require_phase(table, "drawn_by_the_system", Phase.DEALING)
    card, position = command.magic_card, command.lucky_position
    if card is not None and not 0 <= card <= 51:
        raise NotPermitted(clause, f"{card} is not a card")
    if position is not None and not 0 <= position <= table.setup.seats:
        raise NotPermitted(clause, f"there is no position {position}")
    yield e.BonusDrawn(magic_card=card, lucky_position=position, **said(table, command, "drawn_by_the_system"))
