"""Rankings: what hands are worth, readable and fast."""

from croupier.hands.ranking import Hand, Ranking, Rung
from croupier.hands.rankings import RANKINGS, ranking_named

__all__ = ["RANKINGS", "Hand", "Ranking", "Rung", "ranking_named"]
