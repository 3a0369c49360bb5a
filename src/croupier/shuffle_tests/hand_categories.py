"""Hand categories: do pairs, flushes and so on occur as often as among all hands?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from croupier.analysis.counting.histogram import hand_count, histogram
from croupier.hands.kernels import evaluate
from croupier.hands.ranking import Ranking
from croupier.shuffle_tests.result import DeckBatch, DeckTestResult, from_counts


class HandCategories:
    """The categories of one hand per deck from given positions, against the exact histogram of all hands."""

    def __init__(self, ranking: Ranking, positions: Sequence[int], label: str) -> None:
        self.ranking = ranking
        self.positions = list(positions)
        self.label = label
        counts = histogram(ranking)
        spans = [ranking.span(rung.name) for rung in ranking.rungs]
        self.probabilities = [sum(counts[strength] for strength in span) / hand_count(ranking) for span in spans]
        self._category = np.repeat(np.arange(len(spans)), [len(span) for span in spans])
        self.counts = np.zeros(len(spans), dtype=np.int64)

    def add(self, batch: DeckBatch) -> None:
        strengths = evaluate(self.ranking, batch.decks[:, self.positions].astype(np.uint8))
        self.counts += np.bincount(self._category[strengths], minlength=len(self.counts))

    def result(self) -> DeckTestResult:
        asks = "are categories as frequent as expected"
        return from_counts(f"hands, {self.label}", asks, self.counts, self.probabilities)
