"""Patrons and wagers: who may sit, what may be placed, and when it is too late."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from croupier.errors import NotPermitted
from croupier.money import show
from croupier.rules.clauses import carries_out
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.decide import decides, require_phase, rule_clause, said
from croupier.table.mysteries import mystery_hit, require_armed
from croupier.table.people import Role
from croupier.table.preparing import BETWEEN_ROUNDS, deck_change_due
from croupier.table.progressive import contributions, require_system
from croupier.table.state import Phase, Table
from croupier.table.verifiable import require_revealed

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
    yield from account_returned(table, command, command.patron)
    yield e.PatronLeft(patron=command.patron, **said(table, command, "leaving_the_table"))


@decides(c.AnnounceLeaving)
def announce_leaving(table: Table, command: c.AnnounceLeaving) -> Iterator[e.Event]:
    _own_business(table, command.patron, command)
    if table.round is None or command.patron not in table.round.patrons.values():
        raise NotPermitted("", f"{command.patron} is in no round, and can leave at once")
    if command.patron in table.absent | table.round.abandoned:
        raise NotPermitted(rule_clause(table, command.rule), f"{command.patron} is known to have left")
    if command.patron not in table.leaving:
        yield e.LeavingAnnounced(patron=command.patron, **said(table, command, ""))


@decides(c.GetReady)
def get_ready(table: Table, command: c.GetReady) -> Iterator[e.Event]:
    _own_business(table, command.patron, command)
    if table.phase is not Phase.BETTING:
        raise NotPermitted("", "wagers are not being taken now")
    if command.patron not in playing(table):
        raise NotPermitted("", f"{command.patron} has no wager that is dealt cards")
    if command.patron not in table.ready:
        yield e.PatronReady(patron=command.patron, **said(table, command, ""))


def playing(table: Table) -> set[str]:
    """Patrons with a wager for the coming round that is dealt cards."""
    dealt_in = table.setup.game.dealt_in
    return {table.seats[seat] for seat, placed in table.wagers.items() if any(wager in placed for wager in dealt_in)}


def account_returned(table: Table, command: c.Command, patron: str) -> Iterator[e.Event]:
    """Whoever leaves takes the credit of his game account along as chips, wagers taken back included."""
    back = sum(
        amount
        for seat, by_wager in table.wagers.items()
        if table.seats.get(seat) == patron
        for wager, amount in by_wager.items()
        if wager in table.setup.electronic
    )
    credit = table.accounts.get(patron, 0) + back
    if credit:
        yield e.AccountFunded(patron=patron, amount=-credit, **said(table, command, "electronic_wagering"))


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


@decides(c.FundAccount)
@carries_out("electronic_wagering")
def fund_account(table: Table, command: c.FundAccount) -> Iterator[e.Event]:
    clause = rule_clause(table, "electronic_wagering") or rule_clause(table, "wagers_offered")
    if not table.setup.electronic:
        raise NotPermitted(clause, "nothing is wagered from a game account in this game")
    _own_business(table, command.patron, command)
    _require_amount(abs(command.amount), clause)
    if command.patron not in table.seats.values():
        raise NotPermitted(rule_clause(table, "seated_players_only"), f"{command.patron} is not seated here")
    chips, credit = table.balances.get(command.patron, 0), table.accounts.get(command.patron, 0)
    short = command.amount - chips if command.amount > 0 else -command.amount - credit
    if short > 0:
        what = "chips" if command.amount > 0 else "credit in the game account"
        raise NotPermitted(clause, f"not enough {what}: {show(short)} short")
    yield e.AccountFunded(patron=command.patron, amount=command.amount, **said(table, command, "electronic_wagering"))


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
    if rule.equals:
        lead = edition.wagers[rule.equals].title
        raise NotPermitted(rule.clause, f"the {rule.title} is placed with the {lead}, in the same amount")
    if command.wager not in setup.limits:
        raise NotPermitted(rule.clause, f"the {rule.title} is not offered at this table")
    require_system(table, command, rule)
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
    more, patron = command.amount - placed.get(command.wager, 0), table.seats[command.seat]
    if command.wager in setup.electronic:
        short = more - table.accounts.get(patron, 0)
        if short > 0:
            clause = rule_clause(table, "electronic_wagering")
            raise NotPermitted(clause, f"not enough in the game account of {patron}: {show(short)} short")
    elif (needed := more * (1 + len(edition.placed_with(command.wager)))) > table.balances[patron]:
        short = needed - table.balances[patron]
        raise NotPermitted(rule_clause(table, "chips_only"), f"not enough chips: {show(short)} short")
    for name in (command.wager, *edition.placed_with(command.wager)):
        yield e.WagerPlaced(
            seat=command.seat,
            wager=name,
            amount=command.amount,
            clause=edition.wagers[name].clause,
            by=command.by,
            at=command.at,
        )


@carries_out("six_card_bonus_needs_both", "progressive_needs_a_wager")
def _require_others(table: Table, before: Mapping[str, int], command: c.PlaceWager) -> None:
    """Wagers that another one needs must be down before it, and stay as long as it is."""
    edition = table.setup.elected.edition
    together = (command.wager, *edition.placed_with(command.wager))
    placed = [wager for wager in before if wager not in together]
    if command.amount:
        placed += together
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
    require_armed(table)
    require_revealed(table)
    if not dealt:
        raise NotPermitted(rule_clause(table, "no_more_bets"), "nobody has placed a wager that is dealt cards")
    yield e.BetsClosed(round=table.rounds + 1, dealt=dealt, **said(table, command, "no_more_bets"))
    fed = tuple((name, amount) for name, amount in contributions(table, dealt))
    if fed:
        rule = "lock_out" if rule_clause(table, "lock_out") else "no_more_bets"
        yield e.MetersFed(amounts=fed, **said(table, command, rule))
        yield from mystery_hit(table, dealt, {"clause": "", "by": command.by, "at": command.at})
