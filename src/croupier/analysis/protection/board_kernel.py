"""Compiled sums over the next card of a board game, for every set of known cards.

A set of m cards {a < b < c ...}, numbered by position in the deck, has the row C(a, 1) + C(b, 2) + C(c, 3) + ...
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np


@numba.njit(nogil=True, cache=True)
def count_last_cards(sets: Any, allowed: Any, binomials: Any, result_of: Any, counts: Any) -> None:
    """Adds for each set the number of allowed last cards that lead to each result, int16 [sets, results]."""
    size = sets.shape[1]
    below, above = np.zeros(size + 1, dtype=np.int64), np.zeros(size + 1, dtype=np.int64)
    for row in range(len(sets)):
        for index in range(size):
            below[index + 1] = below[index] + binomials[sets[row, index], index + 1]
        for index in range(size - 1, -1, -1):
            above[index] = above[index + 1] + binomials[sets[row, index], index + 2]
        index = 0
        for card in range(len(allowed)):
            while index < size and sets[row, index] < card:
                index += 1
            if not allowed[card] or (index < size and sets[row, index] == card):
                continue
            counts[row, result_of[below[index] + binomials[card, index + 1] + above[index]]] += 1


@numba.njit(nogil=True, cache=True)
def sum_over_next_card(sets: Any, allowed: Any, binomials: Any, values: Any, sums: Any) -> None:
    """For each set the sums of all columns of `values` over the allowed next cards, int64 [sets, columns]."""
    size = sets.shape[1]
    columns = values.shape[1]
    below, above = np.zeros(size + 1, dtype=np.int64), np.zeros(size + 1, dtype=np.int64)
    for row in range(len(sets)):
        for index in range(size):
            below[index + 1] = below[index] + binomials[sets[row, index], index + 1]
        above[size] = 0
        for index in range(size - 1, -1, -1):
            above[index] = above[index + 1] + binomials[sets[row, index], index + 2]
        index = 0
        for card in range(len(allowed)):
            while index < size and sets[row, index] < card:
                index += 1
            if not allowed[card] or (index < size and sets[row, index] == card):
                continue
            next_row = below[index] + binomials[card, index + 1] + above[index]
            for column in range(columns):
                sums[row, column] += values[next_row, column]


@numba.njit(nogil=True, cache=True)
def sum_over_results(counts: Any, by_result: Any, sums: Any) -> None:
    """The product of two matrices of integers, int64 [sets, columns]; NumPy's is ten times slower."""
    for row in range(len(counts)):
        for result in range(counts.shape[1]):
            count = np.int64(counts[row, result])
            if count:
                for column in range(by_result.shape[1]):
                    sums[row, column] += count * by_result[result, column]
