"""The settlement entry of one wager or bonus at a table."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.regulations.payouts import Payout
from croupier.table.settlement.amounts import Exact


@dataclass(frozen=True, slots=True)
class SettlementEntry:
    """The result of one wager or bonus; amounts are in cents."""

    wager: str
    staked: int
    outcome: str
    returned: int
    paid: int
    clause: str
    procedure: str
    hand: str = ""
    row: str = ""
    pays: str = ""
    table: str = ""
    limited: bool = False
    meter: str = ""
    """The meter that pays."""
    account: bool = False
    """Whether it is credited to the game account."""
    payout: Payout | None = None
    holder: int = 0
    """The seat whose hand earns an Envy Bonus."""
    exact_paid: Exact = 0
    """`paid` before rounding to cents and before the payout limit."""
