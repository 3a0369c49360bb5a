"""Contests of small hands: every dealer hand against every class of player hands."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from croupier.analysis.counting.histogram import all_hand_strengths
from croupier.analysis.counting.suit_classes import hand_classes
from croupier.hands.lookup_tables import Array
from croupier.hands.ranking import Ranking


def count_small_contest(player: Ranking, dealer: Ranking, qualifies: int) -> tuple[Array, Array, Array]:
    """The strength and size of each class of player hands, and the dealer hands by outcome.

    The columns are: dealer does not qualify, loses, ties, wins. `qualifies` is the lowest qualifying strength.
    """
    classes = hand_classes(player.cards)
    hands, strengths = all_hand_strengths(dealer)
    sets, player_strengths = all_hand_strengths(player)
    chosen = np.zeros(len(classes), dtype=np.uint64)
    for suit in range(4):
        chosen |= classes.masks[:, suit].astype(np.uint64) << np.uint64(13 * suit)
    order = np.argsort(sets)
    rows = order[np.searchsorted(sets, chosen, sorter=order)]
    counts = np.zeros((len(classes), 4), dtype=np.int64)
    _count_small_contest(chosen, player_strengths[rows], hands, strengths, qualifies, counts)
    return player_strengths[rows].astype(np.int64), classes.sizes.astype(np.int64), counts


@numba.njit(nogil=True, cache=True)
def _count_small_contest(
    chosen: Any, player_strengths: Any, hands: Any, strengths: Any, qualifies: Any, counts: Any
) -> None:
    for row in range(len(chosen)):
        for hand in range(len(hands)):
            if chosen[row] & hands[hand]:
                continue
            if strengths[hand] < qualifies:
                counts[row, 0] += 1
            elif strengths[hand] < player_strengths[row]:
                counts[row, 1] += 1
            elif strengths[hand] == player_strengths[row]:
                counts[row, 2] += 1
            else:
                counts[row, 3] += 1
