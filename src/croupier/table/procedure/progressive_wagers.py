"""Progressive and electronic wagers before the deal: acceptance, lock-out, chip count, draw; and meter settings."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from croupier.core.errors import RuleViolation
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

MAX_METER_CENTS = Fraction(100_000_000_00)
"""A hundred million dollars."""


@carries_out("wager_accepted", "progressive_lock_out", "electronic_wagering")
def require_system(table: Table, command: c.PlaceWager, rule: WagerRule) -> None:
    """Refuses a wager without its meter, or a progressive wager that is not of the table's fixed amount."""
    setup, edition = table.setup, table.setup.elected.edition
    name = setup.game.table_of(command.wager)
    if name not in edition.progressives or not command.amount:
        return
    if not any(plan.table == name for plan in setup.meters.values()):
        clause = edition.clause("progressive_system") or rule.clause
        raise RuleViolation(clause, f"the {rule.title} needs a progressive system, which this table does not have")
    progressive = edition.progressives[name]
    if progressive.amounts and command.wager in table.wagers.get(command.seat, {}):
        accepted = f"the device of seat {command.seat} has accepted its {rule.title} already"
        raise RuleViolation(progressive.amounts_clause, f"{accepted}: a player makes one")
    if progressive.amounts and command.amount not in progressive.amounts:
        allowed = " or ".join(format_money(cents) for cents in progressive.amounts)
        raise RuleViolation(
            progressive.amounts_clause, f"the {rule.title} is {allowed}, not {format_money(command.amount)}"
        )
    if progressive.amounts and command.amount != setup.progressive_amount:
        amount = format_money(setup.progressive_amount)
        raise RuleViolation(progressive.amounts_clause, f"the {rule.title} is {amount} at this table")


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
        raise RuleViolation(clause, "the progressive chips are in the table inventory already")
    if round_.chips is Chips.MISMATCH:
        raise RuleViolation(clause, "the count did not match: a floorperson must put it right first")
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
        reason = "the progressive chips do not match what the system accepted: a floorperson must put it right first"
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
        raise RuleViolation(clause, f"there is no meter {command.meter!r} here; there are {names}")
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
