"""Contests of few cards: every dealer hand against every class of player hands."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from croupier.hands.ranking import Ranking
from croupier.hands.tables import Array
from croupier.maths.classes import hand_classes
from croupier.maths.histogram import strengths_of_all


def duel(player: Ranking, dealer: Ranking, qualifies: int) -> tuple[Array, Array, Array]:
    """For each class of player hands its strength, its size and the dealer hands by outcome.

    The outcomes are: does not qualify, loses, ties, wins. `qualifies` is the lowest strength with
    which the dealer qualifies.
    """
    classes = hand_classes(player.cards)
    hands, strengths = strengths_of_all(dealer)
    sets, own = strengths_of_all(player)
    chosen = np.zeros(len(classes), dtype=np.uint64)
    for suit in range(4):
        chosen |= classes.masks[:, suit].astype(np.uint64) << np.uint64(13 * suit)
    order = np.argsort(sets)
    rows = order[np.searchsorted(sets, chosen, sorter=order)]
    counts = np.zeros((len(classes), 4), dtype=np.int64)
    _duel(chosen, own[rows], hands, strengths, qualifies, counts)
    return own[rows].astype(np.int64), classes.sizes.astype(np.int64), counts


@numba.njit(nogil=True, cache=True)
def _duel(chosen: Any, own: Any, hands: Any, strengths: Any, qualifies: Any, counts: Any) -> None:
    for row in range(len(chosen)):
        for other in range(len(hands)):
            if chosen[row] & hands[other]:
                continue
            if strengths[other] < qualifies:
                counts[row, 0] += 1
            elif strengths[other] < own[row]:
                counts[row, 1] += 1
            elif strengths[other] == own[row]:
                counts[row, 2] += 1
            else:
                counts[row, 3] += 1
