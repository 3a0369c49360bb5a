"""How far chance alone takes a result: the one confidence that every interval of Croupier has."""

from __future__ import annotations

from math import sqrt

CONFIDENCE = 0.95
CONFIDENCE_DEVIATIONS = 1.959963984540054
"""Standard deviations on each side that hold so much of a normal distribution."""


def deviation_of_hold(variance: float, squares: float, wagered: float) -> float:
    """The standard deviation of the hold of independent bets with these stakes.

    `variance` is that of one bet of one unit, `squares` the sum of the squares of the stakes, `wagered` their sum. Of
    equal stakes it is that of a mean: a hundredth of the variance for 100 bets.

    >>> deviation_of_hold(4.0, 100 * 5**2, 100 * 5)
    0.2
    """
    return sqrt(variance * squares) / wagered
