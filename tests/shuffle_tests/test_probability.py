"""Compares tails of distributions with closed forms and exact sums."""

from __future__ import annotations

from fractions import Fraction
from math import comb, erfc, exp, factorial, sqrt
from statistics import NormalDist

import pytest

from croupier.shuffle_tests.probability import binomial_tails, chi_squared_tails, normal_p, two_sided


@pytest.mark.parametrize("degrees", [2, 4, 10, 36, 100])
@pytest.mark.parametrize("ratio", [0.01, 0.3, 0.9, 1.0, 1.1, 2.0, 5.0])
def test_chi_squared_with_even_degrees_is_a_sum_of_poisson_terms(degrees: int, ratio: float) -> None:
    half = degrees * ratio / 2
    upper = exp(-half) * sum(half**k / factorial(k) for k in range(degrees // 2))
    tails = chi_squared_tails(2 * half, degrees)
    assert tails[1] == pytest.approx(upper, rel=1e-9, abs=1e-15)
    assert sum(tails) == pytest.approx(1)


@pytest.mark.parametrize("statistic", [0.001, 0.5, 1, 3.84, 20, 100])
def test_chi_squared_with_one_degree_is_a_squared_normal(statistic: float) -> None:
    assert chi_squared_tails(statistic, 1)[1] == pytest.approx(erfc(sqrt(statistic / 2)), rel=1e-9)


@pytest.mark.parametrize("score", [-4, -2, -0.5, 0, 0.5, 2, 4])
def test_chi_squared_with_many_degrees_follows_wilson_and_hilferty(score: float) -> None:
    """At 2,601 degrees the cube root is normal to within a few parts in ten thousand."""
    degrees = 2601
    spread = 2 / (9 * degrees)
    statistic = degrees * (1 - spread + score * sqrt(spread)) ** 3
    assert chi_squared_tails(statistic, degrees)[0] == pytest.approx(NormalDist().cdf(score), rel=0.01)


def test_chi_squared_at_extreme_values() -> None:
    assert chi_squared_tails(0, 5) == (0, 1)
    assert chi_squared_tails(1e9, 51 * 51) == (1, 0)
    assert two_sided(*chi_squared_tails(1e-6, 51 * 51)) == 0


@pytest.mark.parametrize(("trials", "chance"), [(10, Fraction(1, 52)), (520, Fraction(1, 52)), (40, Fraction(3, 4))])
def test_binomial_tails_equal_the_exact_sums(trials: int, chance: Fraction) -> None:
    terms = [comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(trials + 1)]
    for count in {0, 1, trials // 52, trials // 20, trials // 2, trials - 1, trials}:
        lower, upper = binomial_tails(count, trials, float(chance))
        assert lower == pytest.approx(float(sum(terms[: count + 1])), rel=1e-9, abs=1e-14)
        assert upper == pytest.approx(float(sum(terms[count:])), rel=1e-9, abs=1e-14)


def test_normal_p() -> None:
    assert normal_p(0) == 1
    assert normal_p(-2.5) == normal_p(2.5) == pytest.approx(2 * NormalDist().cdf(-2.5))
