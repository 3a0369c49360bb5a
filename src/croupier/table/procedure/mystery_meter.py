"""The must-hit-by mystery meter at a table. No clause provides for it: it is off unless the setup has one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from croupier.core.errors import RuleViolation
from croupier.core.money import format_money
from croupier.progressive.meters import SettlementMeters
from croupier.progressive.mystery import MYSTERY, Trigger, seat_reaching_trigger
from croupier.table.decide import decider_for
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.state import Table


@decider_for(c.ArmMystery)
def arm_mystery(table: Table, command: c.ArmMystery) -> Iterator[e.Event]:
    plan = table.setup.mystery
    if plan is None:
        raise RuleViolation("", "this table has no mystery meter")
    if table.trigger is not None:
        raise RuleViolation("", "the trigger is committed to: it is not drawn again until it is hit")
    if not plan.seed < command.trigger <= plan.ceiling:
        raise RuleViolation(
            "", f"a trigger is above {format_money(plan.seed)} and at most {format_money(plan.ceiling)}"
        )
    if len(command.nonce) < 32:
        raise RuleViolation("", "a nonce of at least 32 characters must hide the trigger")
    commitment = Trigger(command.trigger, command.nonce).commitment
    fields: dict[str, Any] = {"trigger": command.trigger, "nonce": command.nonce, "commitment": commitment}
    yield e.MysteryArmed(**fields, clause="", by=command.by, at=command.at)


def require_armed(table: Table) -> None:
    """Refuses to close wagers while the mystery meter has no trigger."""
    if table.setup.mystery is not None and table.trigger is None:
        raise RuleViolation("", "the mystery meter has no trigger yet: the system draws it first")


def hit_mystery(table: Table, dealt: tuple[int, ...], metadata: dict[str, Any]) -> Iterator[e.Event]:
    """The events if the contributions at lock-out take the mystery meter to its trigger."""
    plan, trigger = table.setup.mystery, table.trigger
    if plan is None or trigger is None:
        return
    contributions = tuple((seat, plan.rate * _stake(table, seat, plan.wagers)) for seat in dealt)
    seat = seat_reaching_trigger(table.meters[MYSTERY].amount, contributions, trigger.cents)
    if seat is None:
        return
    fed_meter = table.meters[MYSTERY].with_contribution(sum((amount for _, amount in contributions), Fraction(0)))
    meters = SettlementMeters({**table.meters, MYSTERY: fed_meter}, table.setup.choice("reserve"))
    amount = meters.take(MYSTERY, "main", Fraction(1))
    secret: dict[str, Any] = {"trigger": trigger.cents, "nonce": trigger.nonce, "commitment": trigger.commitment}
    yield e.MysteryHit(seat=seat, patron=table.seats[seat], amount=amount, **secret, **metadata)
    meter = fed_meter
    for change in meters.changes:
        before, meter = meter, meter.with_change(change.amount, change.cause)
        yield e.MeterChanged(
            meter=MYSTERY,
            amount=change.amount,
            cause=change.cause,
            before=before.amount,
            after=meter.amount,
            **metadata,
        )


def _stake(table: Table, seat: int, wagers: tuple[str, ...]) -> int:
    return sum(amount for wager, amount in table.wagers[seat].items() if wager in wagers)
