"""Patrons and wagers: seating, buy-ins, and the wagers placed before the deal, progressive ones included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from croupier.core.errors import ErrorCode, RuleViolation
from croupier.core.money import format_money
from croupier.progressive.meters import MeterCause
from croupier.regulations.clauses import carries_out
from croupier.regulations.edition import WagerRule
from croupier.table.decide import current_round, decider_for, event_metadata, require_phase, rule_clause
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import FLOOR, Role
from croupier.table.model.setup import DRAWN_BONUSES
from croupier.table.model.state import Chips, Phase, Round, Table, accepted_chips
from croupier.table.procedure.deck import BETWEEN_ROUNDS, deck_change_rule, is_idle
from croupier.table.procedure.jackpots import hit_mystery, require_armed
from croupier.table.procedure.verifiable_deal import require_revealed

MAX_METER_CENTS = Fraction(100_000_000_00)
"""A hundred million dollars."""


@carries_out("wager_accepted", "progressive_lock_out", "electronic_wagering")
def require_system(table: Table, command: c.PlaceWager, rule: WagerRule) -> None:
    """Refuses a wager without its meter, or a progressive wager that is not of the table's fixed amount."""
    setup, edition = table.setup, table.setup.elected.edition
    if command.wager not in setup.on_meters or not command.amount:
        return
    name = setup.game.table_of(command.wager)
    if not any(plan.table == name for plan in setup.meters.values()):
        clause = edition.clause("progressive_system") or rule.clause
        raise RuleViolation(clause, f"the {rule.title} needs a progressive system, which this table does not have")
    progressive = edition.progressives[name]
    if progressive.amounts and command.wager in table.wagers.get(command.seat, {}):
        accepted = f"the device at seat {command.seat} has already accepted its {rule.title}"
        raise RuleViolation(progressive.amounts_clause, f"{accepted}: only one is allowed")
    if progressive.amounts and command.amount not in progressive.amounts:
        allowed = " or ".join(format_money(cents) for cents in progressive.amounts)
        raise RuleViolation(
            progressive.amounts_clause, f"the {rule.title} must be {allowed}, not {format_money(command.amount)}"
        )
    if progressive.amounts and command.amount != setup.progressive_amount:
        amount = format_money(setup.progressive_amount)
        raise RuleViolation(progressive.amounts_clause, f"the {rule.title} must be {amount} at this table")


@carries_out("lock_out_manual_shoe", "lock_out_hand", "lock_out_automated_shoe", "fixed_meters", "meter_rate")
def contributions(table: Table, dealt: tuple[int, ...]) -> Iterator[tuple[str, Fraction]]:
    """The contribution of the coming round's wagers to each meter, in exact cents."""
    for name, plan in table.setup.meters.items():
        staked = sum(
            amount for seat in dealt for wager, amount in table.wagers[seat].items() if table.setup.feeds(wager, plan)
        )
        if staked:
            yield name, plan.rate * staked


@decider_for(c.CountProgressiveChips)
@carries_out(
    "count_progressive_chips_manual_shoe", "count_progressive_chips_hand", "count_progressive_chips_automated_shoe"
)
def count_progressive_chips(table: Table, command: c.CountProgressiveChips) -> Iterator[e.Event]:
    rule = "count_progressive_chips"
    require_phase(table, rule, Phase.DEALING)
    round_ = current_round(table, rule)
    clause = rule_clause(table, rule)
    if round_.chips is Chips.NONE:
        raise RuleViolation(clause or rule_clause(table, "deal"), "the system accepted no progressive wager on chips")
    if round_.chips is Chips.BANKED:
        raise RuleViolation(clause, "the progressive chips are already in the table inventory")
    if round_.chips is Chips.MISMATCH:
        raise RuleViolation(clause, "the count did not match: a floorperson must correct it first")
    if command.counted < 0:
        raise RuleViolation(clause, f"{command.counted} cents is not a valid chip count")
    accepted = accepted_chips(table.setup, round_.wagers)
    yield e.ProgressiveChipsCounted(counted=command.counted, accepted=accepted, **event_metadata(table, command, rule))


@decider_for(c.ResolveChipCount)
@carries_out(
    "count_progressive_chips_manual_shoe", "count_progressive_chips_hand", "count_progressive_chips_automated_shoe"
)
def resolve_chip_count(table: Table, command: c.ResolveChipCount) -> Iterator[e.Event]:
    rule = "count_progressive_chips"
    round_ = current_round(table, rule)
    clause = rule_clause(table, rule)
    if round_.chips is not Chips.MISMATCH:
        raise RuleViolation(clause, "there is no chip count to resolve")
    if not command.reason.strip():
        raise RuleViolation(clause, "a reason must be given, for the record")
    accepted = accepted_chips(table.setup, round_.wagers)
    yield e.ChipCountResolved(accepted=accepted, reason=command.reason, **event_metadata(table, command, rule))


def require_ready_to_deal(table: Table, round_: Round) -> None:
    """Refuses the deal before the progressive chips are in the inventory and the system has made its draw."""
    clause = rule_clause(table, "count_progressive_chips")
    if round_.chips is Chips.TO_COUNT:
        accepted = format_money(accepted_chips(table.setup, round_.wagers))
        raise RuleViolation(clause, f"count the progressive chips first: the system accepted {accepted}")
    if round_.chips is Chips.MISMATCH:
        reason = "the progressive chips do not match what the system accepted: a floorperson must correct it first"
        raise RuleViolation(clause, reason)
    if is_draw_due(table, round_):
        raise RuleViolation(rule_clause(table, "drawn_by_the_system"), "the system has yet to draw for this round")


def is_draw_due(table: Table, round_: Round) -> bool:
    """Whether the system must still make its draw for this round's electronic wagers."""
    if round_.drawn_by_system or not any(table.setup.draws.values()):
        return False
    return bool(electronic_seats(table, round_))


def electronic_seats(table: Table, round_: Round) -> list[int]:
    """The seats that made an electronic wager."""
    return [seat for seat in round_.dealt if table.setup.electronic & round_.wagers[seat].keys()]


@decider_for(c.DrawBonus)
@carries_out("drawn_by_the_system")
def draw_bonus(table: Table, command: c.DrawBonus) -> Iterator[e.Event]:
    clause = rule_clause(table, "drawn_by_the_system")
    if not clause:
        raise RuleViolation(rule_clause(table, "wagers_offered"), "nothing is drawn by the system in this game")
    require_phase(table, "drawn_by_the_system", Phase.DEALING)
    round_ = current_round(table, "drawn_by_the_system")
    card, position = command.magic_card, command.lucky_position
    if round_.drawn_by_system:
        raise RuleViolation(clause, "the system has drawn for this round: it never draws again")
    for bonus, drawn in zip(DRAWN_BONUSES, (card, position), strict=True):
        if drawn is not None and not table.setup.draws.get(bonus):
            raise RuleViolation(clause, f"the {bonus.replace('_', ' ').title()} is not offered at this table")
    if card is not None and not 0 <= card <= 51:
        raise RuleViolation(clause, f"{card} is not a card")
    if position is not None and not 0 <= position <= table.setup.seats:
        raise RuleViolation(clause, f"there is no position {position}")
    yield e.BonusDrawn(
        magic_card=card, lucky_position=position, **event_metadata(table, command, "drawn_by_the_system")
    )


@decider_for(c.SetUpMeter)
@carries_out("progressive_system")
def set_up_meter(table: Table, command: c.SetUpMeter) -> Iterator[e.Event]:
    _require_second_person(table, command, FLOOR)
    meter = table.meters[command.meter]
    clause = rule_clause(table, "progressive_system")
    if meter.contributed or meter.hits:
        raise RuleViolation(clause, f"meter {command.meter} is in use: correct it instead of setting it up again")
    if command.amount < meter.plan.seed:
        raise RuleViolation(clause, f"meter {command.meter} starts at {format_money(int(meter.plan.seed))} or more")
    change = command.amount - meter.amount
    yield from _change_meter(table, command, change, MeterCause.SET_UP)


@decider_for(c.CorrectMeter)
@carries_out("progressive_system")
def correct_meter(table: Table, command: c.CorrectMeter) -> Iterator[e.Event]:
    _require_second_person(table, command, frozenset({Role.SHIFT_MANAGER}))
    yield from _change_meter(table, command, command.amount, MeterCause.CORRECTED)


def _require_second_person(
    table: Table, command: c.SetUpMeter | c.CorrectMeter, approver_roles: frozenset[Role]
) -> None:
    """Refuses a meter setting without a second person in the right role and a reason, or during a round."""
    clause = rule_clause(table, "progressive_system") or rule_clause(table, "wagers_offered")
    if command.meter not in table.meters:
        names = ", ".join(table.meters) or "none"
        raise RuleViolation(clause, f"there is no meter {command.meter!r} here; the meters are {names}")
    if command.approved_by.name == command.by.name:
        raise RuleViolation(clause, f"{command.by.name} cannot approve their own request: it takes two people")
    if command.approved_by.role not in approver_roles:
        roles = " or ".join(sorted(role.label for role in approver_roles))
        raise RuleViolation(clause, f"{roles} must approve this, not {command.approved_by.role.label}")
    if not command.reason.strip():
        raise RuleViolation(clause, "a reason must be given, for the record")
    if table.round is not None or table.meters[command.meter].claims:
        raise RuleViolation(clause, "a meter cannot be set during a round or while a win on it is pending")


def _change_meter(
    table: Table, command: c.SetUpMeter | c.CorrectMeter, change: Fraction, cause: MeterCause
) -> Iterator[e.Event]:
    meter = table.meters[command.meter]
    changed = meter.with_change(change, cause)
    if not (0 <= changed.amount <= MAX_METER_CENTS) or not change:
        clause = rule_clause(table, "progressive_system")
        raise RuleViolation(clause, f"meter {command.meter} cannot be changed by {format_money(int(change))}")
    yield e.MeterChanged(
        meter=command.meter,
        amount=change,
        cause=cause,
        before=meter.amount,
        after=changed.amount,
        reason=command.reason,
        approved_by=command.approved_by,
        **event_metadata(table, command, "progressive_system"),
    )


MAX_AMOUNT_CENTS = 100_000_000_00
"""A hundred million dollars."""


@decider_for(c.Sit)
@carries_out("seated_players_only", "adjacent_boxes", "idle_table")
def sit(table: Table, command: c.Sit) -> Iterator[e.Event]:
    clause = rule_clause(table, "seated_players_only")
    _require_own_action(table, command.patron, command)
    if table.phase is Phase.CLOSED or table.closing:
        raise RuleViolation(clause, "the table is closed")
    if is_idle(table):
        reason = "the table was idle: the dealer spreads the cards before the next player sits down"
        raise RuleViolation(rule_clause(table, "idle_table"), reason)
    seats = sorted(command.seats)
    if not seats:
        raise RuleViolation(clause, "name a seat")
    for seat in seats:
        if not 1 <= seat <= table.setup.seats:
            positions = table.setup.elected.edition.figures["seats"].clause
            raise RuleViolation(positions, f"there is no seat {seat} at this table of {table.setup.seats}")
        if seat in table.seats:
            raise RuleViolation(clause, f"seat {seat} is taken", ErrorCode.OCCUPIED)
    if command.patron in table.seats.values():
        raise RuleViolation(clause, f"{command.patron} is already seated")
    adjacent = rule_clause(table, "adjacent_boxes")
    if len(seats) > table.setup.adjacent_boxes:
        raise RuleViolation(adjacent, f"one player may wager on at most {table.setup.adjacent_boxes} boxes")
    if seats[-1] - seats[0] != len(seats) - 1:
        raise RuleViolation(adjacent, "the boxes of one player must be adjacent")
    yield e.PatronSeated(
        patron=command.patron, seats=tuple(seats), **event_metadata(table, command, "seated_players_only")
    )


def _require_own_action(table: Table, patron: str, command: c.Command) -> None:
    """Refuses an action of a patron for somebody else."""
    if not patron.strip():
        raise RuleViolation("", "name the patron")
    if command.by.role is Role.PATRON and command.by.name != patron:
        raise RuleViolation(rule_clause(table, command.rule), f"{command.by.name} cannot act for {patron}")


@decider_for(c.Leave)
@carries_out("leaving_the_table")
def leave(table: Table, command: c.Leave) -> Iterator[e.Event]:
    clause = rule_clause(table, "leaving_the_table")
    _require_own_action(table, command.patron, command)
    if command.patron not in table.seats.values():
        raise RuleViolation(clause, f"{command.patron} is not seated here")
    if table.round is not None and command.patron in table.round.patrons.values():
        if command.patron in table.absent | table.round.abandoned:
            raise RuleViolation(clause, f"{command.patron} has already left")
        yield e.PatronAbsent(patron=command.patron, **event_metadata(table, command, "leaving_the_table"))
        return
    for seat, patron in table.seats.items():
        if patron == command.patron:
            for wager in table.wagers.get(seat, {}):
                yield e.WagerPlaced(seat=seat, wager=wager, amount=0, **event_metadata(table, command, "wagers_close"))
    yield from return_account_credit(table, command, command.patron)
    yield e.PatronLeft(patron=command.patron, **event_metadata(table, command, "leaving_the_table"))


@decider_for(c.AnnounceLeaving)
def announce_leaving(table: Table, command: c.AnnounceLeaving) -> Iterator[e.Event]:
    _require_own_action(table, command.patron, command)
    if table.round is None or command.patron not in table.round.patrons.values():
        reason = f"{command.patron} is not in a round and can leave at once"
        raise RuleViolation(rule_clause(table, command.rule), reason)
    if command.patron in table.absent | table.round.abandoned:
        raise RuleViolation(rule_clause(table, command.rule), f"{command.patron} has already left")
    if command.patron not in table.leaving:
        yield e.LeavingAnnounced(patron=command.patron, **_announcement_metadata(table, command))


@decider_for(c.GetReady)
def get_ready(table: Table, command: c.GetReady) -> Iterator[e.Event]:
    _require_own_action(table, command.patron, command)
    if table.phase is not Phase.BETTING:
        raise RuleViolation(rule_clause(table, command.rule), "wagers are not being taken now")
    if command.patron not in patrons_dealt_in(table):
        reason = f"{command.patron} has not placed a wager to be dealt in"
        raise RuleViolation(rule_clause(table, command.rule), reason)
    if command.patron not in table.ready:
        yield e.PatronReady(patron=command.patron, **_announcement_metadata(table, command))


def _announcement_metadata(table: Table, command: c.Command) -> dict[str, Any]:
    """Metadata of what a patron announces; older programs cited no clause."""
    return event_metadata(table, command, "" if table.setup.is_older else command.rule)


def patrons_dealt_in(table: Table) -> set[str]:
    """Patrons whose wagers for the coming round entitle them to cards."""
    dealt_in = table.setup.game.dealt_in
    return {
        table.seats[seat] for seat, by_wager in table.wagers.items() if any(wager in by_wager for wager in dealt_in)
    }


def return_account_credit(table: Table, command: c.Command, patron: str) -> Iterator[e.Event]:
    """Pays out the game account of a patron who leaves, wagers taken back included."""
    staked = sum(
        amount
        for seat, by_wager in table.wagers.items()
        if table.seats.get(seat) == patron
        for wager, amount in by_wager.items()
        if wager in table.setup.electronic
    )
    credit = table.accounts.get(patron, 0) + staked
    if credit:
        yield e.AccountFunded(patron=patron, amount=-credit, **event_metadata(table, command, "electronic_wagering"))


@decider_for(c.DecideOnAbsence)
@carries_out("leaving_the_table")
def decide_on_absence(table: Table, command: c.DecideOnAbsence) -> Iterator[e.Event]:
    clause = rule_clause(table, "leaving_the_table")
    if command.patron not in table.absent or table.round is None:
        raise RuleViolation(clause, f"{command.patron} has not left a round in play")
    if not command.reason.strip():
        raise RuleViolation(clause, "a reason must be given, for the record")
    yield e.AbsenceDecided(
        patron=command.patron,
        abandoned=command.abandoned,
        reason=command.reason,
        **event_metadata(table, command, "leaving_the_table"),
    )


def _require_amount(amount: int, clause: str) -> None:
    if not 0 < amount <= MAX_AMOUNT_CENTS:
        raise RuleViolation(clause, f"{amount} cents is not a valid amount of money")


@decider_for(c.BuyIn)
def buy_in(table: Table, command: c.BuyIn) -> Iterator[e.Event]:
    _require_amount(command.amount, rule_clause(table, "chips_only"))
    if command.patron not in table.seats.values():
        raise RuleViolation(rule_clause(table, "seated_players_only"), f"{command.patron} is not seated here")
    yield e.ChipsBought(patron=command.patron, amount=command.amount, **event_metadata(table, command, "chips_only"))


@decider_for(c.CashOut)
def cash_out(table: Table, command: c.CashOut) -> Iterator[e.Event]:
    clause = rule_clause(table, "chips_only")
    _require_amount(command.amount, clause)
    if table.balances.get(command.patron, 0) < command.amount:
        raise RuleViolation(clause, f"{command.patron} does not have {format_money(command.amount)}")
    yield e.ChipsCashed(patron=command.patron, amount=command.amount, **event_metadata(table, command, "chips_only"))


@decider_for(c.FundAccount)
@carries_out("electronic_wagering")
def fund_account(table: Table, command: c.FundAccount) -> Iterator[e.Event]:
    clause = rule_clause(table, "electronic_wagering") or rule_clause(table, "wagers_offered")
    if not table.setup.electronic:
        raise RuleViolation(clause, "this game has no wagers from a game account")
    _require_own_action(table, command.patron, command)
    _require_amount(abs(command.amount), clause)
    if command.patron not in table.seats.values():
        raise RuleViolation(rule_clause(table, "seated_players_only"), f"{command.patron} is not seated here")
    chips, credit = table.balances.get(command.patron, 0), table.accounts.get(command.patron, 0)
    shortfall = command.amount - chips if command.amount > 0 else -command.amount - credit
    if shortfall > 0:
        funds = "chips" if command.amount > 0 else "credit in the game account"
        raise RuleViolation(clause, f"not enough {funds}: {format_money(shortfall)} short")
    yield e.AccountFunded(
        patron=command.patron, amount=command.amount, **event_metadata(table, command, "electronic_wagering")
    )


@decider_for(c.PlaceWager)
@carries_out("chips_only", "wagers_close", "wagers_offered", "aces_up_with_the_ante", "wagers")
def place_wager(table: Table, command: c.PlaceWager) -> Iterator[e.Event]:
    edition, setup = table.setup.elected.edition, table.setup
    rule = edition.wagers.get(command.wager)
    if rule is None:
        names = ", ".join(edition.wagers)
        raise RuleViolation(
            rule_clause(table, "wagers_offered"), f"there is no wager {command.wager!r}; the wagers are {names}"
        )
    if command.spoken:
        raise RuleViolation(rule_clause(table, "chips_only"), "a verbal wager with cash is not accepted: place chips")
    if command.seat not in table.seats:
        clause = rule_clause(table, "seated_players_only")
        raise RuleViolation(clause, f"nobody is seated at seat {command.seat}, and only seated players may wager")
    _require_own_action(table, table.seats[command.seat], command)
    if command.wager in setup.made_in_play:
        raise RuleViolation(rule.clause, f"the {rule.title} is made during the round, after the cards are seen")
    is_taken_back = command.amount == 0 and table.round is None  # for example while an overdue deck is changed
    if table.round is not None or (table.phase not in BETWEEN_ROUNDS and not is_taken_back):
        reason = "the dealer has announced no more bets" if table.round else "the table is not open for wagers"
        raise RuleViolation(
            rule_clause(table, "wagers_close"), f"seat {command.seat} cannot change its {rule.title}: {reason}"
        )
    if rule.equals:
        lead = edition.wagers[rule.equals].title
        raise RuleViolation(rule.clause, f"the {rule.title} is placed with the {lead}, in the same amount")
    if command.wager not in setup.limits:
        raise RuleViolation(rule.clause, f"the {rule.title} is not offered at this table")
    require_system(table, command, rule)
    seat_wagers = table.wagers.get(command.seat, {})
    if command.amount < 0 or command.amount > MAX_AMOUNT_CENTS:
        raise RuleViolation(rule.clause, f"{command.amount} cents is not a valid wager amount")
    if command.amount == 0 and command.wager not in seat_wagers:
        raise RuleViolation(rule.clause, f"there is no {rule.title} to take back at seat {command.seat}")
    limits = setup.limits[command.wager]
    if command.amount and not limits.minimum <= command.amount <= limits.maximum:
        allowed = f"from {format_money(limits.minimum)} to {format_money(limits.maximum)}"
        raise RuleViolation(
            rule.clause, f"the {rule.title} must be {allowed} at this table, not {format_money(command.amount)}"
        )
    require_whole_chips(table, rule, command.amount)
    _require_companion_wagers(table, seat_wagers, command)
    increase, patron = command.amount - seat_wagers.get(command.wager, 0), table.seats[command.seat]
    if command.wager in setup.electronic:
        shortfall = increase - table.accounts.get(patron, 0)
        if shortfall > 0:
            clause = rule_clause(table, "electronic_wagering")
            raise RuleViolation(clause, f"not enough in the game account of {patron}: {format_money(shortfall)} short")
    elif (needed := increase * (1 + len(table.setup.placed_with[command.wager]))) > table.balances[patron]:
        shortfall = needed - table.balances[patron]
        raise RuleViolation(rule_clause(table, "chips_only"), f"not enough chips: {format_money(shortfall)} short")
    for name in (command.wager, *table.setup.placed_with[command.wager]):
        yield e.WagerPlaced(
            seat=command.seat,
            wager=name,
            amount=command.amount,
            clause=edition.wagers[name].clause,
            by=command.by,
            at=command.at,
        )


@carries_out("chips_only", "electronic_wagering")
def require_whole_chips(table: Table, rule: WagerRule, amount: int) -> None:
    """Refuses an amount that the smallest chip of the table cannot make up."""
    chip = table.setup.smallest_chip
    if chip and amount % chip:
        clause = rule_clause(table, "electronic_wagering" if rule.name in table.setup.electronic else "chips_only")
        amounts = f"a multiple of the smallest chip, {format_money(chip)}, not {format_money(amount)}"
        raise RuleViolation(clause, f"the {rule.title} must be {amounts}")


@carries_out("six_card_bonus_needs_both", "progressive_needs_a_wager")
def _require_companion_wagers(table: Table, seat_wagers: Mapping[str, int], command: c.PlaceWager) -> None:
    """Refuses a wager without those it needs, and taking back a wager that another one needs."""
    edition = table.setup.elected.edition
    placed_together = (command.wager, *table.setup.placed_with[command.wager])
    wagers = [wager for wager in seat_wagers if wager not in placed_together]
    if command.amount:
        wagers += placed_together
    for name in wagers:
        rule = edition.wagers[name]
        needed_wagers = table.setup.needed_wagers[name]
        missing_wagers = [need for need in needed_wagers if need not in wagers]
        clause = edition.clause("six_card_bonus_needs_both") if len(needed_wagers) > 1 else rule.clause
        if missing_wagers:
            names = " and ".join(edition.wagers[need].title for need in missing_wagers)
            raise RuleViolation(clause or rule.clause, f"the {rule.title} at seat {command.seat} needs the {names}")
        if rule.needs_any and not any(need in wagers for need in rule.needs_any):
            names = " or ".join(edition.wagers[need].title for need in rule.needs_any)
            raise RuleViolation(
                edition.clause("progressive_needs_a_wager") or rule.clause,
                f"the {rule.title} at seat {command.seat} needs the {names}",
            )


@decider_for(c.AnnounceNoMoreBets)
@carries_out("no_more_bets_manual_shoe", "no_more_bets_hand", "no_more_bets_automated_shoe", "decks_alternate")
def announce_no_more_bets(table: Table, command: c.AnnounceNoMoreBets) -> Iterator[e.Event]:
    require_phase(table, "no_more_bets", Phase.BETTING)
    change_rule = deck_change_rule(table, table.deck, command.at)
    if change_rule:
        raise RuleViolation(rule_clause(table, change_rule), "the cards are due for a change before another round")
    dealt = tuple(
        seat
        for seat, by_wager in sorted(table.wagers.items())
        if any(wager in by_wager for wager in table.setup.game.dealt_in)
    )
    require_armed(table)
    require_revealed(table)
    if not dealt:
        raise RuleViolation(rule_clause(table, "no_more_bets"), "nobody has placed a wager to be dealt in")
    yield e.BetsClosed(round=table.rounds + 1, dealt=dealt, **event_metadata(table, command, "no_more_bets"))
    amounts = tuple((name, amount) for name, amount in contributions(table, dealt))
    if amounts:
        rule = "lock_out" if rule_clause(table, "lock_out") else "no_more_bets"
        yield e.MetersFed(amounts=amounts, **event_metadata(table, command, rule))
        yield from hit_mystery(table, dealt, {"clause": "", "by": command.by, "at": command.at})
