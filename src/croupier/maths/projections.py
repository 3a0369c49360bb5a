"""Wagers that other cards decide too, seen from the player's own: what they gain on average with each hand.

That is all that a covariance with a wager on the player's cards alone asks for.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np

from croupier.errors import Malformed
from croupier.games import game
from croupier.games.definition import ByLosingHand
from croupier.hands import ranking_named
from croupier.hands.tables import Array
from croupier.maths.boards import is_board_game, solve
from croupier.maths.classes import Classes, hand_classes, numbers_of_masks
from croupier.maths.contests import Spots, spots
from croupier.maths.losing_hands import losing_hands_by_class, rankings_of
from croupier.maths.payoffs import Payoffs
from croupier.maths.side_wagers import net_of
from croupier.maths.stakes import Stake
from croupier.maths.sweep import ordered
from croupier.rules import Elected


@dataclass(frozen=True, eq=False)
class Projection:
    """For each class of the player's cards what a wager gains, added up over all else, times `scale`."""

    wager: str
    cards: int
    scale: int
    gains: Array

    @property
    def mean(self) -> Fraction:
        """What one unit gains."""
        sizes = hand_classes(self.cards).sizes.astype(object)
        return Fraction(int((self.gains.astype(object) * sizes).sum()), self.scale * comb(52, self.cards))

    def mean_product(self, other: Stake) -> Fraction:
        """The mean of the product with a wager on the same cards."""
        sizes = hand_classes(self.cards).sizes.astype(np.int64)
        total = (self.gains.astype(object) * other.sums(self.cards) * sizes).sum()
        return Fraction(int(total), self.scale * other.weight * comb(52, self.cards))


def required(elected: Elected, wager: str) -> Projection:
    """The required wagers under optimal play, per Ante."""
    if is_board_game(elected):
        solution = solve(elected)
        best, _ = solution.street(0, solution.shape.base)
        return Projection(wager, solution.shape.known[0], solution.scale * solution.deals(0), best)
    played = game(elected.edition.game)
    if played.contest is None:
        raise Malformed("", f"{elected.edition.title} has no contest with a dealer")
    payoffs, found = Payoffs(elected, played.contest), spots(played.name)
    ranking = ranking_named(played.contest.player_ranking)
    gains = best_gains(payoffs, found)
    classes = len(hand_classes(ranking.cards))
    each = len(gains) // classes  # spots of one hand: one for each card in sight
    return Projection(
        wager,
        ranking.cards,
        payoffs.scale * found.dealer_hands * each,
        _in_order(gains.reshape(classes, each).sum(axis=1), found.classes, ranking.cards),
    )


def best_gains(payoffs: Payoffs, found: Spots) -> Array:
    """In each spot what the best choice gains, added up over the dealer's hands, times the scale of the payoffs."""
    best = np.full(len(found.strengths), payoffs.fold * found.dealer_hands, dtype=np.int64)
    for multiple in payoffs.choices:
        expected = np.zeros(len(best), dtype=np.int64)
        for outcome, counts in found.outcomes.items():
            expected += payoffs.table(multiple, outcome)[found.strengths] * counts
        np.maximum(best, expected, out=best)
    return best


def losing_hand(elected: Elected, settled: ByLosingHand) -> Projection:
    """A wager on the hand that loses the contest."""
    contest = game(elected.edition.game).contest
    if contest is None:
        raise Malformed("", f"{settled.wager} needs a contest")
    table = elected.paytable(settled.table_name)
    starts = tuple(table.ranking.span(row.hand).start for row in reversed(table.rows))
    counts, _ = losing_hands_by_class(rankings_of(contest), starts)
    nets = [net_of(row.pays, Fraction(1), {}) for row in reversed(table.rows)]
    scale = int(np.lcm.reduce([net.denominator for net in nets]))
    player, dealer = (ranking_named(name).cards for name in rankings_of(contest))
    hands = comb(52 - player, dealer)
    gains = np.array([int(net * scale) + scale for net in nets], dtype=np.int64) @ counts - scale * hands
    classes = ordered(ranking_named(contest.player_ranking)).classes
    return Projection(settled.wager, player, scale * hands, _in_order(gains, classes, player))


def _in_order(gains: Array, classes: Classes, cards: int) -> Array:
    """Gains of classes in some order, put in the order of `hand_classes`."""
    found = np.empty(len(gains), dtype=np.int64)
    found[numbers_of_masks(classes.masks.astype(np.int64), cards)] = gains
    return found
