"""Payments that people corrected: each is compared with the settlement computed again from the cards."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.audits.checks.legality import DAMAGED_RECORD_ERRORS
from croupier.audits.checks.payouts import SlowSettlement
from croupier.audits.finding import Finding
from croupier.audits.replay import RoundSpan
from croupier.core.money import format_money
from croupier.table.model import events as e
from croupier.table.model.state import Table
from croupier.table.settlement import SettlementEntry
from croupier.table.settlement.corrections import find_recomputed, settle_again
from croupier.table.visibility import find_round


def list_corrections(span: RoundSpan) -> Iterator[Finding]:
    """Corrections that give another amount than the cards, and those that one person made alone."""
    for step in span.steps:
        if isinstance(step.event, e.PaymentCorrected):
            yield from (Finding(step.seq, step.event.clause, text) for text in _compare(step.before, step.event))


def _compare(table: Table, event: e.PaymentCorrected) -> Iterator[str]:
    entry = f"{event.wager} of seat {event.seat} in round {event.round}"
    if event.approved_by is None:
        yield f"{event.by.name} corrected the {entry} alone, under an older program"
    try:
        expected = _settle_again(table, event)
    except DAMAGED_RECORD_ERRORS:
        yield f"the {entry} was corrected, but its settlement cannot be computed again"
        return
    amounts = (expected.returned, expected.paid) if expected is not None else (0, 0)
    if amounts != (event.returned, event.paid):
        people = event.by.name if event.approved_by is None else f"{event.by.name} and {event.approved_by.name}"
        new_amounts = f"{format_money(event.returned)} returned and {format_money(event.paid)} paid"
        expected_amounts = f"{format_money(amounts[0])} and {format_money(amounts[1])}"
        yield f"{people} corrected the {entry} to {new_amounts}, but the cards give {expected_amounts} ({event.reason})"


def _settle_again(table: Table, event: e.PaymentCorrected) -> SettlementEntry | None:
    round_ = find_round(table, event.round)
    if round_ is None:
        raise LookupError(f"round {event.round}")
    entries = settle_again(table.setup, round_, table.meters, SlowSettlement)
    return find_recomputed(entries, event.seat, event.wager, event.number)
