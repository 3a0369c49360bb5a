"""A wager on the hand that loses the contest: exact counts of both hands together."""

from __future__ import annotations

from functools import cache

import numpy as np

from croupier.games.definition import Contest
from croupier.hands import ranking_named
from croupier.maths.sweep import sweep, sweep_at


@cache
def losing_hands(contest_rankings: tuple[str, str], boundaries: tuple[int, ...]) -> tuple[int, ...]:
    """For each stretch of strengths between boundaries, in how many deals the losing hand is in it.

    The loser is the player's hand or the dealer's; ties have none. Boundaries ascend; the first
    stretch starts at the first boundary and the last has no end.
    """
    player, dealer = (ranking_named(name) for name in contest_rankings)
    hidden = sweep(player, dealer)
    sizes = hidden.players.classes.sizes.astype(np.int64)
    strengths = hidden.players.strengths.astype(np.int64)
    reach = sweep_at(player, dealer, tuple(reversed(boundaries)))[::-1]
    at_or_above = hidden.beaten + hidden.tied
    found = []
    for number, low in enumerate(boundaries):
        high = boundaries[number + 1] if number + 1 < len(boundaries) else len(player)
        own = (strengths >= low) & (strengths < high)
        total = int((hidden.beaten[own] * sizes[own]).sum())
        # The dealer's hand is in the stretch and below the player's.
        above = strengths >= high
        if above.any():
            upper = reach[number + 1][above] if number + 1 < len(boundaries) else 0
            # A player exactly at `high` does not read that threshold: his own count is the same.
            exact = np.where(strengths[above] == high, at_or_above[above], upper)
            total += int(((reach[number][above] - exact) * sizes[above]).sum())
        inside = (strengths > low) & (strengths < high)
        total += int(((reach[number][inside] - at_or_above[inside]) * sizes[inside]).sum())
        found.append(total)
    return tuple(found)


def rankings_of(contest: Contest) -> tuple[str, str]:
    """The names of the two rankings of a contest."""
    return contest.player_ranking, contest.dealer_ranking
