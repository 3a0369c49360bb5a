"""Statistics of chance: the confidence level of every interval, and the standard deviation of a hold."""

from __future__ import annotations

from math import sqrt

CONFIDENCE = 0.95
CONFIDENCE_DEVIATIONS = 1.959963984540054
"""Standard deviations on each side of the mean that cover this share of a normal distribution."""


def hold_standard_deviation(variance: float, squares: float, wagered: float) -> float:
    """The standard deviation of the hold of independent bets with these stakes.

    `variance` is that of one bet of one unit, `squares` the sum of the squares of the stakes, `wagered` their sum. With
    equal stakes it is that of a mean: a hundredth of the variance for 100 bets.

    >>> hold_standard_deviation(4.0, 100 * 5**2, 100 * 5)
    0.2
    """
    return sqrt(variance * squares) / wagered
