"""Hand categories: are pairs, flushes and the rest dealt as often as they are counted among all hands?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from croupier.hands.kernels import evaluate
from croupier.hands.ranking import Ranking
from croupier.maths.histogram import histogram, total
from croupier.simulation.shuffles.finding import Batch, Finding, from_counts


class HandCategories:
    """The categories of one hand a deck, dealt from given positions, against the exact count of every hand."""

    def __init__(self, ranking: Ranking, positions: Sequence[int], called: str) -> None:
        self.ranking = ranking
        self.positions = list(positions)
        self.called = called
        counts = histogram(ranking)
        spans = [ranking.span(rung.name) for rung in ranking.rungs]
        self.chances = [sum(counts[strength] for strength in span) / total(ranking) for span in spans]
        self._category = np.repeat(np.arange(len(spans)), [len(span) for span in spans])
        self.counts = np.zeros(len(spans), dtype=np.int64)

    def add(self, batch: Batch) -> None:
        strengths = evaluate(self.ranking, batch.decks[:, self.positions].astype(np.uint8))
        self.counts += np.bincount(self._category[strengths], minlength=len(self.counts))

    def finding(self) -> Finding:
        asks = "are categories as frequent as counted"
        return from_counts(f"hands, {self.called}", asks, self.counts, self.chances)
