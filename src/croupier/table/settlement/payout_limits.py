"""The payout limit of a table: the maximum that a patron is paid in a round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from croupier.table.model.setup import Setup
from croupier.table.settlement.amounts import SettlementEntry


def apply_payout_limit(setup: Setup, entries: Sequence[SettlementEntry], already_paid: int) -> list[SettlementEntry]:
    """Applies the payout limit: the payment that crosses it and all later ones are cut."""
    limit, rule = setup.payout_limit, setup.elected.edition.payout_limit
    if limit is None or rule is None:
        return list(entries)
    remaining = limit - already_paid
    result = []
    for entry in entries:
        is_counted = counts_for_limit(setup, entry)
        is_cut = is_counted and entry.paid > remaining
        result.append(replace(entry, paid=max(remaining, 0), limited=True, clause=rule.clause) if is_cut else entry)
        remaining -= result[-1].paid if is_counted else 0
    return result


def counts_for_limit(setup: Setup, entry: SettlementEntry) -> bool:
    """Whether a payment counts toward the payout limit."""
    rule = setup.elected.edition.payout_limit
    if rule is None or entry.row in rule.except_hands:
        return False
    return entry.wager in rule.covers or setup.choice(rule.reading) == "everything"
