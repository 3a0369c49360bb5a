"""Checks that no cent appears or vanishes: the total changes only when chips are bought or cashed (GAM-1)."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.audits.finding import Finding, event_title
from croupier.audits.replay import RoundSpan
from croupier.core.money import format_money, format_signed_money
from croupier.table.model import events as e


def check_conservation(span: RoundSpan) -> Iterator[Finding]:
    """Finds events that create or destroy money, or make a balance negative."""
    total = span.before.total()
    for step in span.steps:
        event, total_after = step.event, step.after.total()
        change = 0
        if isinstance(event, e.ChipsBought):
            change = event.amount
        elif isinstance(event, e.ChipsCashed):
            change = -event.amount
        if total_after - total != change and not step.is_impossible:
            actual, expected = format_signed_money(total_after - total), format_signed_money(change)
            message = f"{event_title(event)} changes the money at the table by {actual} instead of {expected}"
            yield Finding(step.seq, event.clause or "GAM-1", message)
        total = total_after
        for label, balances, balances_before in (
            ("chips", step.after.balances, step.before.balances),
            ("credit", step.after.accounts, step.before.accounts),
        ):
            if balances is balances_before:
                continue
            for patron, cents in balances.items():
                if cents < 0 and cents < balances_before.get(patron, 0):
                    yield Finding(
                        step.seq,
                        event.clause or "GAM-1",
                        f"{patron} has a negative balance of {format_money(cents)} in {label} after this",
                    )
