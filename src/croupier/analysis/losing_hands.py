"""Wagers on the losing hand of a contest, from the exact joint distribution of both hands."""

from __future__ import annotations

from functools import cache

import numpy as np

from croupier.analysis.counting.sweep import sweep, sweep_thresholds
from croupier.games.definition import Contest
from croupier.hands import ranking_named
from croupier.hands.lookup_tables import Array


@cache
def count_losing_hands(contest_rankings: tuple[str, str], boundaries: tuple[int, ...]) -> tuple[int, ...]:
    """The number of deals whose losing hand, the player's or the dealer's, falls in each interval of strengths.

    A tie has no losing hand. Boundaries ascend; the first interval starts at the first boundary, and the last
    is unbounded.
    """
    counts, sizes = count_losing_hands_by_class(contest_rankings, boundaries)
    return tuple(int(total) for total in (counts * sizes).sum(axis=1))


def count_losing_hands_by_class(contest_rankings: tuple[str, str], boundaries: tuple[int, ...]) -> tuple[Array, Array]:
    """The same per class of player hands, int64 [intervals, classes], and the class sizes."""
    player, dealer = (ranking_named(name) for name in contest_rankings)
    sweep_counts = sweep(player, dealer)
    strengths = sweep_counts.players.strengths.astype(np.int64)
    reach_counts = sweep_thresholds(player, dealer, tuple(reversed(boundaries)))[::-1]
    at_or_above = sweep_counts.beaten + sweep_counts.tied
    counts = np.zeros((len(boundaries), len(strengths)), dtype=np.int64)
    for number, low in enumerate(boundaries):
        high = boundaries[number + 1] if number + 1 < len(boundaries) else len(player)
        player_inside = (strengths >= low) & (strengths < high)
        counts[number, player_inside] = sweep_counts.beaten[player_inside]
        # The dealer's hand is in the interval and below the player's.
        above = strengths >= high
        if above.any():
            upper = reach_counts[number + 1][above] if number + 1 < len(boundaries) else 0
            # A player exactly at `high` has no count for that threshold; `at_or_above` equals it.
            at_high = np.where(strengths[above] == high, at_or_above[above], upper)
            counts[number, above] = reach_counts[number][above] - at_high
        inside = (strengths > low) & (strengths < high)
        counts[number, inside] += reach_counts[number][inside] - at_or_above[inside]
    return counts, sweep_counts.players.classes.sizes.astype(np.int64)


def rankings_of(contest: Contest) -> tuple[str, str]:
    """The names of the two rankings of a contest."""
    return contest.player_ranking, contest.dealer_ranking
