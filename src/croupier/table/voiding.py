"""What a void does to meters: pending wins are released, and the round's contributions go back."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from croupier.progressive.meters import Cause, Claim, Meter
from croupier.table import events as e
from croupier.table.decide import rule_clause
from croupier.table.state import Round, Table
from croupier.table.why import exactly, meter_title


def voided(table: Table, *, cause: str, settles_optional: bool, said: dict[str, Any]) -> Iterator[e.Event]:
    """The events of a void round: the hands are void, and meters lose what it gave them.

    A meter that was hit meanwhile, at a linked table, keeps it: the difference is noted.
    """
    yield e.RoundVoided(cause=cause, settles_optional=settles_optional, **said)
    round_ = table.round
    if round_ is None or settles_optional:
        return
    meters = dict(table.meters)
    for name, meter in table.meters.items():
        for claim in meter.claims:
            if (claim.table, claim.round) == (table.setup.name, round_.number):
                yield from released(meters[name], claim, said)
                meters[name] = after_release(meters[name], claim)
    if table.setup.choice("void_contributions") != "reversed":
        return
    said = {**said, "clause": rule_clause(table, "lock_out") or said["clause"]}
    for name, fed in round_.fed.items():
        meter, amount = meters[name], fed - _kept(table, round_, name)
        locked = meter.claims and meter.waiting < amount
        if meter.hits != round_.fed_at[name] or locked:
            happened = "is locked for a pending win" if locked else "was won meanwhile"
            kept = f"keeps {exactly(amount)} of the void round"
            yield e.Noted(what=f"the {meter_title(table.setup, name)} {happened} and {kept}", **said)
        elif amount:
            after = meter.changed(-amount, Cause.REVERSED).amount
            yield e.MeterChanged(
                meter=name, amount=-amount, cause=Cause.REVERSED, before=meter.amount, after=after, **said
            )


def _kept(table: Table, round_: Round, name: str) -> Fraction:
    """What forfeited wagers that a void does not give back have added to a meter: they stay wagers."""
    if table.setup.choice("void_forfeited") != "kept":
        return Fraction(0)
    plan = table.setup.meters[name]
    forfeited = [(seat, wager) for seat, wagers in round_.forfeited.items() for wager in wagers]
    return plan.rate * sum(round_.staked(*place) for place in forfeited if table.setup.feeds(place[1], plan))


def released(meter: Meter, claim: Claim, said: dict[str, Any]) -> Iterator[e.Event]:
    """A pending win is over: the meter is released, and what waited for the first in line joins it."""
    yield e.MeterReleased(meter=meter.plan.name, round=claim.round, seat=claim.seat, **said)
    if meter.waiting and claim == meter.claims[0]:
        after = meter.changed(meter.waiting, Cause.WAITED).amount
        change: dict[str, Any] = {"amount": meter.waiting, "cause": Cause.WAITED}
        yield e.MeterChanged(meter=meter.plan.name, before=meter.amount, after=after, **change, **said)


def after_release(meter: Meter, claim: Claim) -> Meter:
    """A meter as `released` leaves it."""
    first = claim == meter.claims[0]
    free = meter.released(claim)
    return free.changed(free.waiting, Cause.WAITED) if first else free
