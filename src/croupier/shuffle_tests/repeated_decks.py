"""Repeated decks: with 52! orders, a repeat never occurs by chance."""

from __future__ import annotations

from math import comb, factorial

import numpy as np

from croupier.shuffle_tests.result import DECK_SIZE, Array, DeckBatch, DeckTestResult


class RepeatedDecks:
    """Does any deck occur twice? Decks are hashed by a sum of 64-bit keys per card and position."""

    def __init__(self) -> None:
        generator = np.random.Generator(np.random.PCG64(52))
        self._keys = generator.integers(0, 2**64, size=DECK_SIZE * DECK_SIZE, dtype=np.uint64)
        self._hashes: list[Array] = []

    def add(self, batch: DeckBatch) -> None:
        codes = batch.decks + np.arange(DECK_SIZE) * DECK_SIZE
        self._hashes.append(self._keys[codes].sum(axis=1, dtype=np.uint64))

    def result(self) -> DeckTestResult:
        hashes = np.concatenate(self._hashes)
        repeats = len(hashes) - len(np.unique(hashes))
        # Union bound over all pairs, for equal decks or colliding hashes.
        bound = comb(len(hashes), 2) * (1 / factorial(DECK_SIZE) + 1 / 2**64)
        p = min(1.0, bound) if repeats else 1.0
        detail = f"{repeats:,} of {len(hashes):,} decks are repeats"
        return DeckTestResult("repeated decks", "does any deck occur twice", float(repeats), None, p, detail)
