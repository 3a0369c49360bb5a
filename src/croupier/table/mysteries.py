"""The must-hit-by mystery meter at a table. No clause stands behind it: it is off unless a setup has it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from croupier.errors import NotPermitted
from croupier.money import show
from croupier.progressive.meters import Meters
from croupier.progressive.mystery import MYSTERY, Trigger, crossing
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.decide import decides
from croupier.table.state import Table


@decides(c.ArmMystery)
def arm_mystery(table: Table, command: c.ArmMystery) -> Iterator[e.Event]:
    plan = table.setup.mystery
    if plan is None:
        raise NotPermitted("", "this table has no mystery meter")
    if table.trigger is not None:
        raise NotPermitted("", "the trigger is drawn and committed to: it is never drawn again before it is hit")
    if not plan.seed < command.trigger <= plan.ceiling:
        raise NotPermitted("", f"a trigger is above {show(plan.seed)} and at most {show(plan.ceiling)}")
    if len(command.nonce) < 32:
        raise NotPermitted("", "a nonce of at least 32 characters must hide the trigger")
    commitment = Trigger(command.trigger, command.nonce).commitment
    drawn: dict[str, Any] = {"trigger": command.trigger, "nonce": command.nonce, "commitment": commitment}
    yield e.MysteryArmed(**drawn, clause="", by=command.by, at=command.at)


def require_armed(table: Table) -> None:
    """Refuses to close wagers while the mystery meter has no trigger."""
    if table.setup.mystery is not None and table.trigger is None:
        raise NotPermitted("", "the mystery meter has no trigger yet: the system draws it first")


def mystery_hit(table: Table, dealt: tuple[int, ...], said: dict[str, Any]) -> Iterator[e.Event]:
    """What follows where the contributions at lock-out take the mystery meter to its trigger."""
    plan, trigger = table.setup.mystery, table.trigger
    if plan is None or trigger is None:
        return
    by_seat = tuple((seat, plan.rate * _staked(table, seat, plan.wagers)) for seat in dealt)
    seat = crossing(table.meters[MYSTERY].amount, by_seat, trigger.cents)
    if seat is None:
        return
    fed = table.meters[MYSTERY].fed(sum((amount for _, amount in by_seat), Fraction(0)))
    meters = Meters({**table.meters, MYSTERY: fed}, table.setup.choice("reserve"))
    amount = meters.take(MYSTERY, "main", Fraction(1))
    revealed: dict[str, Any] = {"trigger": trigger.cents, "nonce": trigger.nonce, "commitment": trigger.commitment}
    yield e.MysteryHit(seat=seat, patron=table.seats[seat], amount=amount, **revealed, **said)
    now = fed
    for change in meters.changes:
        before, now = now, now.changed(change.amount, change.cause)
        yield e.MeterChanged(
            meter=MYSTERY, amount=change.amount, cause=change.cause, before=before.amount, after=now.amount, **said
        )


def _staked(table: Table, seat: int, wagers: tuple[str, ...]) -> int:
    return sum(amount for wager, amount in table.wagers[seat].items() if wager in wagers)
