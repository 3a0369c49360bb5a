"""Repeated decks: of 52! orders, none is seen twice by chance."""

from __future__ import annotations

from math import comb, factorial

import numpy as np

from croupier.simulation.shuffles.finding import CARDS, Array, Batch, Finding


class RepeatedDecks:
    """Has any deck come twice? Decks are told apart by a sum of 64-bit keys, one for each card in each position."""

    def __init__(self) -> None:
        keys = np.random.Generator(np.random.PCG64(52))
        self._keys = keys.integers(0, 2**64, size=CARDS * CARDS, dtype=np.uint64)
        self._marks: list[Array] = []

    def add(self, batch: Batch) -> None:
        codes = batch.decks + np.arange(CARDS) * CARDS
        self._marks.append(self._keys[codes].sum(axis=1, dtype=np.uint64))

    def finding(self) -> Finding:
        marks = np.concatenate(self._marks)
        repeats = len(marks) - len(np.unique(marks))
        # At least one pair alike: at most as likely as the sum over all pairs, of decks or of their marks.
        chance = comb(len(marks), 2) * (1 / factorial(CARDS) + 1 / 2**64)
        p = min(1.0, chance) if repeats else 1.0
        detail = f"{repeats:,} of {len(marks):,} decks had come before"
        return Finding("repeated decks", "has any deck come twice", float(repeats), None, p, detail)
