"""Void rounds: pending wins on meters are released, and the round's contributions are reversed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from croupier.progressive.meters import Meter, MeterCause, MeterClaim
from croupier.table.decide import rule_clause
from croupier.table.model import events as e
from croupier.table.model.state import Round, Table
from croupier.table.narration import format_meter_amount, meter_title


def void_round(table: Table, *, cause: str, settles_optional: bool, metadata: dict[str, Any]) -> Iterator[e.Event]:
    """The events of a void round: the hands are void, and its contributions to meters are reversed.

    A meter that was won meanwhile at a linked table keeps its contribution, which is noted.
    """
    yield e.RoundVoided(cause=cause, settles_optional=settles_optional, **metadata)
    round_ = table.round
    if round_ is None or settles_optional:
        return
    meters = dict(table.meters)
    for name, meter in table.meters.items():
        for claim in meter.claims:
            if (claim.table, claim.round) == (table.setup.name, round_.number):
                yield from release_meter(meters[name], claim, metadata)
                meters[name] = meter_after_release(meters[name], claim)
    if table.setup.choice("void_contributions") != "reversed":
        return
    metadata = {**metadata, "clause": rule_clause(table, "lock_out") or metadata["clause"]}
    for name, contribution in round_.contributions.items():
        meter, amount = meters[name], contribution - _forfeited_contribution(table, round_, name)
        is_locked = meter.claims and meter.waiting < amount
        if meter.hits != round_.hits_at_contribution[name] or is_locked:
            state = "is locked for a pending win" if is_locked else "was won meanwhile"
            kept_text = f"keeps {format_meter_amount(amount)} of the void round"
            yield e.Noted(what=f"the {meter_title(table.setup, name)} {state} and {kept_text}", **metadata)
        elif amount:
            after = meter.with_change(-amount, MeterCause.REVERSED).amount
            yield e.MeterChanged(
                meter=name, amount=-amount, cause=MeterCause.REVERSED, before=meter.amount, after=after, **metadata
            )


def _forfeited_contribution(table: Table, round_: Round, name: str) -> Fraction:
    """The contribution to a meter of forfeited wagers that a void does not return."""
    if table.setup.choice("void_forfeited") != "kept":
        return Fraction(0)
    plan = table.setup.meters[name]
    forfeits = [(seat, wager) for seat, wagers in round_.forfeited.items() for wager in wagers]
    return plan.rate * sum(round_.staked(seat, wager) for seat, wager in forfeits if table.setup.feeds(wager, plan))


def release_meter(meter: Meter, claim: MeterClaim, metadata: dict[str, Any]) -> Iterator[e.Event]:
    """Releases a meter after a pending win; contributions that waited for the first claim join it."""
    yield e.MeterReleased(meter=meter.plan.name, round=claim.round, seat=claim.seat, **metadata)
    if meter.waiting and claim == meter.claims[0]:
        after = meter.with_change(meter.waiting, MeterCause.WAITED).amount
        change: dict[str, Any] = {"amount": meter.waiting, "cause": MeterCause.WAITED}
        yield e.MeterChanged(meter=meter.plan.name, before=meter.amount, after=after, **change, **metadata)


def meter_after_release(meter: Meter, claim: MeterClaim) -> Meter:
    """The meter after the events of `release_meter`."""
    is_first = claim == meter.claims[0]
    released = meter.without_claim(claim)
    return released.with_change(released.waiting, MeterCause.WAITED) if is_first else released
