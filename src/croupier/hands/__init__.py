"""Rankings of hands: readable declarations, and lookup tables for speed."""

from croupier.hands.ranking import Hand, Ranking, Rung
from croupier.hands.rankings import RANKINGS, ranking_named

__all__ = ["RANKINGS", "Hand", "Ranking", "Rung", "ranking_named"]
