"""The amount of a payout on a stake: exact, and in the whole cents that a table pays.

An exact amount is in the unit of the stake: cents at a table, Antes in an analysis. Only a table rounds,
because only a table pays in chips; the simulator works in a table's cents and rounds with the same function.
The analysis and the game tree work with exact amounts and never round.
"""

from __future__ import annotations

from fractions import Fraction

from croupier.core.dataclass import dataclass
from croupier.core.errors import InvariantError
from croupier.regulations.payouts import Dollars, ForOne, OfMeter, Payout, ToOne


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


Exact = Fraction | int
"""An unrounded amount."""
CENTS_IN_A_DOLLAR = 100
HALF_DOLLAR = 50


def amounts_due(payout: Payout, stake: Exact, dollar: Exact = CENTS_IN_A_DOLLAR) -> tuple[Exact, Exact]:
    """The stake returned and the winnings paid on a winning wager, exactly and in the unit of the stake.

    `dollar` is a dollar in that unit; it matters for rows that pay a fixed sum. Raises `InvariantError` for a
    payout of a wager that does not win.
    """
    match payout:
        case ToOne(odds):
            return stake, odds * stake
        case ForOne(multiple):
            return 0, multiple * stake
        case Dollars(cents):
            return stake, Fraction(cents, CENTS_IN_A_DOLLAR) * dollar
        case OfMeter():
            raise InvariantError("the progressive system pays shares of meters")
        case _:
            raise InvariantError(f"{payout} is not the payout of a winning wager")


def round_to_cents(cents: Exact, odd_cents: str) -> int:
    """Rounds up to whole cents; if `odd_cents` is `up`, an amount with a fraction of a cent to whole half dollars."""
    unit = HALF_DOLLAR if odd_cents == "up" and cents.denominator > 1 else 1
    return -(-cents.numerator // (cents.denominator * unit)) * unit
