"""`python -m croupier.hands` warms the caches: compiles every kernel and builds every lookup table."""

from __future__ import annotations

import numpy as np

from croupier.hands.kernels import evaluate
from croupier.hands.rankings import RANKINGS

for ranking in RANKINGS.values():
    evaluate(ranking, np.arange(ranking.cards, dtype=np.uint8).reshape(1, -1))
