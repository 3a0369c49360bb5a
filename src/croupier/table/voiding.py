"""What a void does to meters: pending wins are released, and the round's contributions go back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.progressive.meters import Cause
from croupier.table import events as e
from croupier.table.decide import rule_clause
from croupier.table.state import Table
from croupier.table.why import exactly, meter_title


def voided(table: Table, *, cause: str, settles_optional: bool, said: dict[str, Any]) -> Iterator[e.Event]:
    """The events of a void round: the hands are void, and meters lose what it gave them.

    A meter that was hit meanwhile, at a linked table, keeps it: the difference is noted.
    """
    yield e.RoundVoided(cause=cause, settles_optional=settles_optional, **said)
    round_ = table.round
    if round_ is None or settles_optional:
        return
    for name, meter in table.meters.items():
        for claim in meter.claims:
            if (claim.table, claim.round) == (table.setup.name, round_.number):
                yield e.MeterReleased(meter=name, round=claim.round, seat=claim.seat, **said)
    if table.setup.choice("void_contributions") != "reversed":
        return
    said = {**said, "clause": rule_clause(table, "lock_out") or said["clause"]}
    for name, amount in round_.fed.items():
        meter = table.meters[name]
        if meter.hits != round_.fed_at[name]:
            kept = f"keeps {exactly(amount)} of the void round"
            what = f"the {meter_title(table.setup, name)} was won meanwhile and {kept}"
            yield e.Noted(what=what, **said)
        elif amount:
            after = meter.changed(-amount, Cause.REVERSED).amount
            yield e.MeterChanged(
                meter=name, amount=-amount, cause=Cause.REVERSED, before=meter.amount, after=after, **said
            )
