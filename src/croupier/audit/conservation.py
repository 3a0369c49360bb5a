"""No cent appears or vanishes: what is anywhere changes only by chips that are bought and cashed (GAM-1)."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.audit.finding import Finding, named
from croupier.audit.replay import Stretch
from croupier.money import show, signed
from croupier.table import events as e


def conservation(stretch: Stretch) -> Iterator[Finding]:
    """Events after which there is more or less money than before, or somebody has less than nothing."""
    total = stretch.before.total()
    for step in stretch.steps:
        event, now = step.event, step.after.total()
        change = 0
        if isinstance(event, e.ChipsBought):
            change = event.amount
        elif isinstance(event, e.ChipsCashed):
            change = -event.amount
        if now - total != change and not step.broken:
            made = f"{named(event)} makes the money at the table {signed(now - total)} where {signed(change)} is due"
            yield Finding(step.seq, event.clause or "GAM-1", made)
        total = now
        for what, held, had in (
            ("chips", step.after.balances, step.before.balances),
            ("credit", step.after.accounts, step.before.accounts),
        ):
            if held is had:
                continue
            for patron, cents in held.items():
                if cents < 0 and cents < had.get(patron, 0):
                    yield Finding(step.seq, event.clause or "GAM-1", f"{patron} has {show(cents)} in {what} after this")
