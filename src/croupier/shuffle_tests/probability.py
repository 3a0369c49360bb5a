"""Tail probabilities of the test distributions, by series to machine precision."""

from __future__ import annotations

from math import erfc, exp, inf, lgamma, log, log1p, sqrt

_PRECISION = 1e-16


def two_sided(lower: float, upper: float) -> float:
    """The two-sided p-value of a statistic."""
    return min(1.0, 2 * min(lower, upper))


def normal_p(score: float) -> float:
    """The two-sided p-value of a standard normal score.

    >>> round(normal_p(1.959964), 6)
    0.05
    """
    return erfc(abs(score) / sqrt(2))


def chi_squared_tails(statistic: float, degrees: int) -> tuple[float, float]:
    """The lower and upper tail of chi-squared at the statistic.

    >>> lower, upper = chi_squared_tails(3.841459, 1)
    >>> round(lower, 6), round(upper, 6)
    (0.95, 0.05)
    """
    return _gamma_tails(degrees / 2, statistic / 2)


def _gamma_tails(shape: float, x: float) -> tuple[float, float]:
    """The regularized incomplete gamma functions P and Q; one tail is summed, the other is the complement."""
    if x <= 0:
        return 0.0, 1.0
    prefactor = exp(shape * log(x) - x - lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        step = shape
        while term > total * _PRECISION:
            step += 1
            term *= x / step
            total += term
        lower = min(1.0, prefactor * total)
        return lower, 1 - lower
    upper = min(1.0, prefactor * _continued_fraction(shape, x))
    return 1 - upper, upper


def _continued_fraction(shape: float, x: float) -> float:
    """The fraction 1/(x+1-a - 1(1-a)/(x+3-a - 2(2-a)/(x+5-a - ...))), evaluated from the front."""
    tiny = 1e-300
    term = x + 1 - shape
    ratio = 1 / (term or tiny)
    value, above = ratio, inf
    step = 0
    while True:
        step += 1
        factor = -step * (step - shape)
        term += 2
        ratio = 1 / ((factor * ratio + term) or tiny)
        above = (term + factor / above) or tiny
        change = above * ratio
        value *= change
        if abs(change - 1) < _PRECISION * 4 or step > 100_000:
            return value


def binomial_tails(count: int, trials: int, probability: float) -> tuple[float, float]:
    """The lower and upper tail of the binomial distribution at a count; exact up to rounding.

    >>> lower, upper = binomial_tails(8, 10, 0.5)
    >>> round(lower * 1024), round(upper * 1024)
    (1013, 56)
    """
    return _binomial_sum(count, trials, probability, -1), _binomial_sum(count, trials, probability, +1)


def _binomial_sum(count: int, trials: int, probability: float, direction: int) -> float:
    """Sums the probabilities from `count` outward until they are negligible."""
    mean = trials * probability
    if (count - mean) * direction < 0:  # the long tail: the complement of the short one
        other = count - direction
        return 1.0 if not 0 <= other <= trials else max(0.0, 1 - _binomial_sum(other, trials, probability, -direction))
    ways = lgamma(trials + 1) - lgamma(count + 1) - lgamma(trials - count + 1)
    term = exp(ways + count * log(probability) + (trials - count) * log1p(-probability))
    odds = probability / (1 - probability)
    total = 0.0
    while term > total * _PRECISION and 0 <= count <= trials:
        total += term
        term *= (trials - count) / (count + 1) * odds if direction > 0 else count / (trials - count + 1) / odds
        count += direction
    return min(1.0, total)
