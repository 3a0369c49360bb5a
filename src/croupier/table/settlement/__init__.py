"""Settlement of the wagers of a round.

`contest` settles a contest in exact fractions, without a table; `amounts` rounds to cents; `seat` settles the wagers
of a seat; `payout_limits` applies the payout limit; `hands` ranks the hands of a round.
"""

from croupier.table.settlement.amounts import Exact, SettlementEntry, amounts_due, round_to_cents
from croupier.table.settlement.contest import ContestEntry, can_occur, contest_outcome, settle_contest
from croupier.table.settlement.hands import (
    PER_SEAT,
    RankedHand,
    cards_of,
    dealer_hand,
    holds_at_least,
    player_hand,
    read_hand,
)
from croupier.table.settlement.payout_limits import apply_payout_limit, counts_for_limit
from croupier.table.settlement.seat import SeatSettlement

__all__ = [
    "PER_SEAT",
    "ContestEntry",
    "Exact",
    "RankedHand",
    "SeatSettlement",
    "SettlementEntry",
    "amounts_due",
    "apply_payout_limit",
    "can_occur",
    "cards_of",
    "contest_outcome",
    "counts_for_limit",
    "dealer_hand",
    "holds_at_least",
    "player_hand",
    "read_hand",
    "round_to_cents",
    "settle_contest",
]
