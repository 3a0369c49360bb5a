"""The statistics of the 52 by 52 tables are chi-squared with the stated degrees, checked over every order.

A quadratic form v'Mv of a vector with covariance C is chi-squared with trace(MC) degrees in the limit of many decks
exactly if C M C M C = C M C. For small decks C is computed exactly over all n! orders.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, permutations

import numpy as np
import pytest

from croupier.shuffle_tests.cells import adjacency, doubly_stochastic
from tests.shuffle_tests.shuffles import Decks


def positions_of(order: tuple[int, ...]) -> Decks:
    matrix = np.zeros((len(order), len(order)))
    for place, card in enumerate(order):
        matrix[place, card] = 1
    return matrix


def pairs_of(order: tuple[int, ...]) -> Decks:
    matrix = np.zeros((len(order), len(order)))
    for card, following in pairwise(order):
        matrix[card, following] = 1
    return matrix


CASES = [
    pytest.param(positions_of, doubly_stochastic, id="position x card"),
    pytest.param(pairs_of, adjacency, id="adjacent pairs"),
]


@pytest.mark.parametrize("size", [4, 5, 6])
@pytest.mark.parametrize(("table_of", "statistic"), CASES)
def test_the_statistic_has_the_mean_of_chi_squared_over_every_order(
    table_of: Callable[[tuple[int, ...]], Decks], statistic: Callable[[Decks, int], tuple[float, int]], size: int
) -> None:
    results = [statistic(table_of(order), 1) for order in permutations(range(size))]
    degrees = results[0][1]
    assert np.mean([value for value, _ in results]) == pytest.approx(degrees)


@pytest.mark.parametrize("size", [4, 5, 6])
@pytest.mark.parametrize(("table_of", "statistic"), CASES)
def test_the_statistic_weights_each_direction_by_its_variance(
    table_of: Callable[[tuple[int, ...]], Decks], statistic: Callable[[Decks, int], tuple[float, int]], size: int
) -> None:
    tables = np.array([table_of(order).ravel() for order in permutations(range(size))])
    mean = tables.mean(axis=0)
    covariance = (tables - mean).T @ (tables - mean) / len(tables)
    cells = size * size

    def value(vector: Decks) -> float:
        return statistic((vector + 1 / size).reshape(size, size), 1)[0]

    basis = np.eye(cells)
    singles = [value(row) for row in basis]
    form = np.array(
        [[(value(basis[i] + basis[j]) - singles[i] - singles[j]) / 2 for j in range(cells)] for i in range(cells)]
    )
    assert np.trace(form @ covariance) == pytest.approx(statistic(tables[0].reshape(size, size), 1)[1])
    product = covariance @ form @ covariance
    np.testing.assert_allclose(product @ form @ covariance, product, atol=1e-9)


@pytest.mark.parametrize("size", [5, 6])
def test_adjacent_pairs_ignore_only_the_first_and_the_last_card(size: int) -> None:
    """The statistic tests every direction of variation except those of the first and last card."""
    tables = np.array([pairs_of(order).ravel() for order in permutations(range(size))])
    rank = np.linalg.matrix_rank(np.cov(tables.T))
    assert rank - adjacency(tables[0].reshape(size, size), 1)[1] == 2 * (size - 1)


def test_degrees_of_freedom_of_a_deck() -> None:
    assert doubly_stochastic(np.ones((52, 52)), 52) == (0, 51 * 51)
    statistic, degrees = adjacency(np.ones((52, 52)), 52)
    assert statistic == pytest.approx(0)
    assert degrees == 52 * 51 - 1 - 2 * 51
