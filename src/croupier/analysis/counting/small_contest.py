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
    dealer_sets, dealer_strengths = all_hand_strengths(dealer)
    all_player_sets, all_player_strengths = all_hand_strengths(player)
    player_sets = np.zeros(len(classes), dtype=np.uint64)
    for suit in range(4):
        player_sets |= classes.masks[:, suit].astype(np.uint64) << np.uint64(13 * suit)
    order = np.argsort(all_player_sets)
    rows = order[np.searchsorted(all_player_sets, player_sets, sorter=order)]
    counts = np.zeros((len(classes), 4), dtype=np.int64)
    _count_small_contest(player_sets, all_player_strengths[rows], dealer_sets, dealer_strengths, qualifies, counts)
    return all_player_strengths[rows].astype(np.int64), classes.sizes.astype(np.int64), counts


@numba.njit(nogil=True, cache=True)
def _count_small_contest(
    player_sets: Any, player_strengths: Any, dealer_sets: Any, dealer_strengths: Any, qualifies: Any, counts: Any
) -> None:
    for row in range(len(player_sets)):
        for hand in range(len(dealer_sets)):
            if player_sets[row] & dealer_sets[hand]:
                continue
            if dealer_strengths[hand] < qualifies:
                counts[row, 0] += 1
            elif dealer_strengths[hand] < player_strengths[row]:
                counts[row, 1] += 1
            elif dealer_strengths[hand] == player_strengths[row]:
                counts[row, 2] += 1
            else:
                counts[row, 3] += 1
