"""Progressive and electronic wagers up to the deal: accepted, locked out, counted, drawn; settings of meters."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from croupier.errors import NotPermitted
from croupier.money import show
from croupier.progressive.meters import Cause
from croupier.rules.clauses import carries_out
from croupier.rules.edition import WagerRule
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.decide import current_round, decides, require_phase, rule_clause, said
from croupier.table.people import FLOOR, Role
from croupier.table.setup import DRAWN
from croupier.table.state import Chips, Phase, Round, Table, accepted_chips

LARGEST_METER = Fraction(100_000_000_00)
"""No meter stands above a hundred million dollars."""


@carries_out("wager_accepted", "progressive_lock_out", "electronic_wagering")
def require_system(table: Table, command: c.PlaceWager, rule: WagerRule) -> None:
    """A wager on a meter needs the meter, and a progressive wager the one amount of the table."""
    setup, edition = table.setup, table.setup.elected.edition
    name = setup.game.table_of(command.wager)
    if name not in edition.progressives or not command.amount:
        return
    if not any(plan.table == name for plan in setup.meters.values()):
        clause = edition.clause("progressive_system") or rule.clause
        raise NotPermitted(clause, f"the {rule.title} needs a progressive system, which this table has not")
    progressive = edition.progressives[name]
    if progressive.amounts and command.wager in table.wagers.get(command.seat, {}):
        accepted = f"the device of seat {command.seat} has accepted its {rule.title} already"
        raise NotPermitted(progressive.amounts_clause, f"{accepted}: a player makes one")
    if progressive.amounts and command.amount not in progressive.amounts:
        allowed = " or ".join(show(cents) for cents in progressive.amounts)
        raise NotPermitted(progressive.amounts_clause, f"the {rule.title} is {allowed}, not {show(command.amount)}")
    if progressive.amounts and command.amount != setup.progressive_amount:
        amount = show(setup.progressive_amount)
        raise NotPermitted(progressive.amounts_clause, f"the {rule.title} is {amount} at this table")


@carries_out("lock_out_manual_shoe", "lock_out_hand", "lock_out_automated_shoe", "fixed_meters", "meter_rate")
def contributions(table: Table, dealt: tuple[int, ...]) -> Iterator[tuple[str, Fraction]]:
    """What the wagers of the coming round add to each meter, in exact cents."""
    for name, plan in table.setup.meters.items():
        staked = sum(
            amount for seat in dealt for wager, amount in table.wagers[seat].items() if table.setup.feeds(wager, plan)
        )
        if staked:
            yield name, plan.rate * staked


@decides(c.CountProgressiveChips)
@carries_out(
    "count_progressive_chips_manual_shoe", "count_progressive_chips_hand", "count_progressive_chips_automated_shoe"
)
def count_progressive_chips(table: Table, command: c.CountProgressiveChips) -> Iterator[e.Event]:
    rule = "count_progressive_chips"
    require_phase(table, rule, Phase.DEALING)
    round_ = current_round(table, rule)
    clause = rule_clause(table, rule)
    if round_.chips is Chips.NONE:
        raise NotPermitted(clause or rule_clause(table, "deal"), "the system accepted no progressive wager on chips")
    if round_.chips is Chips.BANKED:
        raise NotPermitted(clause, "the progressive chips are in the table inventory already")
    if round_.chips is Chips.MISMATCH:
        raise NotPermitted(clause, "the count did not match: a floorperson must put it right first")
    if command.counted < 0:
        raise NotPermitted(clause, f"{command.counted} cents is no count of chips")
    accepted = accepted_chips(table.setup, round_.wagers)
    yield e.ProgressiveChipsCounted(counted=command.counted, accepted=accepted, **said(table, command, rule))


@decides(c.ResolveChipCount)
@carries_out(
    "count_progressive_chips_manual_shoe", "count_progressive_chips_hand", "count_progressive_chips_automated_shoe"
)
def resolve_chip_count(table: Table, command: c.ResolveChipCount) -> Iterator[e.Event]:
    rule = "count_progressive_chips"
    round_ = current_round(table, rule)
    clause = rule_clause(table, rule)
    if round_.chips is not Chips.MISMATCH:
        raise NotPermitted(clause, "no count of progressive chips is open")
    if not command.reason.strip():
        raise NotPermitted(clause, "a reason must be given, for the record")
    accepted = accepted_chips(table.setup, round_.wagers)
    yield e.ChipCountResolved(accepted=accepted, reason=command.reason, **said(table, command, rule))


def require_ready_to_deal(table: Table, round_: Round) -> None:
    """Progressive chips must be counted and in the inventory, and the system must have drawn."""
    clause = rule_clause(table, "count_progressive_chips")
    if round_.chips is Chips.TO_COUNT:
        accepted = show(accepted_chips(table.setup, round_.wagers))
        raise NotPermitted(clause, f"count the progressive chips first: the system accepted {accepted}")
    if round_.chips is Chips.MISMATCH:
        reason = "the progressive chips do not match what the system accepted: a floorperson must put it right first"
        raise NotPermitted(clause, reason)
    if draw_due(table, round_):
        raise NotPermitted(rule_clause(table, "drawn_by_the_system"), "the system has yet to draw for this round")


def draw_due(table: Table, round_: Round) -> bool:
    """Whether the system draws in this round and has not: somebody made an electronic wager."""
    if round_.drawn_by_system or not any(table.setup.draws.values()):
        return False
    return bool(electronic_seats(table, round_))


def electronic_seats(table: Table, round_: Round) -> list[int]:
    """The seats that made an electronic wager."""
    return [seat for seat in round_.dealt if table.setup.electronic & round_.wagers[seat].keys()]


@decides(c.DrawBonus)
@carries_out("drawn_by_the_system")
def draw_bonus(table: Table, command: c.DrawBonus) -> Iterator[e.Event]:
    clause = rule_clause(table, "drawn_by_the_system")
    if not clause:
        raise NotPermitted(rule_clause(table, "wagers_offered"), "nothing is drawn by the system in this game")
    require_phase(table, "drawn_by_the_system", Phase.DEALING)
    round_ = current_round(table, "drawn_by_the_system")
    card, position = command.magic_card, command.lucky_position
    if round_.drawn_by_system:
        raise NotPermitted(clause, "the system has drawn for this round: it never draws again")
    for bonus, drawn in zip(DRAWN, (card, position), strict=True):
        if drawn is not None and not table.setup.draws.get(bonus):
            raise NotPermitted(clause, f"the {bonus.replace('_', ' ').title()} is not offered at this table")
    if card is not None and not 0 <= card <= 51:
        raise NotPermitted(clause, f"{card} is not a card")
    if position is not None and not 0 <= position <= table.setup.seats:
        raise NotPermitted(clause, f"there is no position {position}")
    yield e.BonusDrawn(magic_card=card, lucky_position=position, **said(table, command, "drawn_by_the_system"))


@decides(c.SetUpMeter)
@carries_out("progressive_system")
def set_up_meter(table: Table, command: c.SetUpMeter) -> Iterator[e.Event]:
    _require_two_people(table, command, FLOOR)
    meter = table.meters[command.meter]
    clause = rule_clause(table, "progressive_system")
    if meter.contributed or meter.hits:
        raise NotPermitted(clause, f"meter {command.meter} is in use: it is corrected, not set up again")
    if command.amount < meter.plan.seed:
        raise NotPermitted(clause, f"meter {command.meter} starts at {show(int(meter.plan.seed))} or more")
    change = command.amount - meter.amount
    yield from _set(table, command, change, Cause.SET_UP)


@decides(c.CorrectMeter)
@carries_out("progressive_system")
def correct_meter(table: Table, command: c.CorrectMeter) -> Iterator[e.Event]:
    _require_two_people(table, command, frozenset({Role.SHIFT_MANAGER}))
    yield from _set(table, command, command.amount, Cause.CORRECTED)


def _require_two_people(table: Table, command: c.SetUpMeter | c.CorrectMeter, second: frozenset[Role]) -> None:
    """Settings need two people in two roles, a reason, and a table between rounds."""
    clause = rule_clause(table, "progressive_system") or rule_clause(table, "wagers_offered")
    if command.meter not in table.meters:
        known = ", ".join(table.meters) or "none"
        raise NotPermitted(clause, f"there is no meter {command.meter!r} here; there are {known}")
    if command.approved_by.name == command.by.name:
        raise NotPermitted(clause, f"{command.by.name} cannot approve what he does himself: it takes two people")
    if command.approved_by.role not in second:
        people = " or ".join(sorted(role.called for role in second))
        raise NotPermitted(clause, f"{people} must approve this, not {command.approved_by.role.called}")
    if not command.reason.strip():
        raise NotPermitted(clause, "a reason must be given, for the record")
    if table.round is not None or table.meters[command.meter].claims:
        raise NotPermitted(clause, "a meter is not touched while a round or a win on it is open")


def _set(table: Table, command: c.SetUpMeter | c.CorrectMeter, change: Fraction, cause: Cause) -> Iterator[e.Event]:
    meter = table.meters[command.meter]
    after = meter.changed(change, cause)
    if not (0 <= after.amount <= LARGEST_METER) or not change:
        clause = rule_clause(table, "progressive_system")
        raise NotPermitted(clause, f"meter {command.meter} cannot be changed by {show(int(change))}")
    yield e.MeterChanged(
        meter=command.meter,
        amount=change,
        cause=cause,
        before=meter.amount,
        after=after.amount,
        reason=command.reason,
        approved_by=command.approved_by,
        **said(table, command, "progressive_system"),
    )
