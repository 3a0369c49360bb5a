"""A wager on the hand that loses the contest: exact counts of both hands together."""

from __future__ import annotations

from functools import cache

import numpy as np

from croupier.games.definition import Contest
from croupier.hands import ranking_named
from croupier.hands.tables import Array
from croupier.maths.sweep import sweep, sweep_at


@cache
def losing_hands(contest_rankings: tuple[str, str], boundaries: tuple[int, ...]) -> tuple[int, ...]:
    """For each stretch of strengths between boundaries, in how many deals the losing hand is in it.

    The loser is the player's hand or the dealer's; ties have none. Boundaries ascend; the first
    stretch starts at the first boundary and the last has no end.
    """
    found, sizes = losing_hands_by_class(contest_rankings, boundaries)
    return tuple(int(total) for total in (found * sizes).sum(axis=1))


def losing_hands_by_class(contest_rankings: tuple[str, str], boundaries: tuple[int, ...]) -> tuple[Array, Array]:
    """The same for one hand of each class of player hands, int64 [stretches, classes], and the sizes of the classes."""
    player, dealer = (ranking_named(name) for name in contest_rankings)
    hidden = sweep(player, dealer)
    strengths = hidden.players.strengths.astype(np.int64)
    reach = sweep_at(player, dealer, tuple(reversed(boundaries)))[::-1]
    at_or_above = hidden.beaten + hidden.tied
    found = np.zeros((len(boundaries), len(strengths)), dtype=np.int64)
    for number, low in enumerate(boundaries):
        high = boundaries[number + 1] if number + 1 < len(boundaries) else len(player)
        own = (strengths >= low) & (strengths < high)
        found[number, own] = hidden.beaten[own]
        # The dealer's hand is in the stretch and below the player's.
        above = strengths >= high
        if above.any():
            upper = reach[number + 1][above] if number + 1 < len(boundaries) else 0
            # A player exactly at `high` does not read that threshold: his own count is the same.
            exact = np.where(strengths[above] == high, at_or_above[above], upper)
            found[number, above] = reach[number][above] - exact
        inside = (strengths > low) & (strengths < high)
        found[number, inside] += reach[number][inside] - at_or_above[inside]
    return found, hidden.players.classes.sizes.astype(np.int64)


def rankings_of(contest: Contest) -> tuple[str, str]:
    """The names of the two rankings of a contest."""
    return contest.player_ranking, contest.dealer_ranking
