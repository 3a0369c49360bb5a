"""Conditional expectation, given the player's hand, of a wager that also depends on other cards.

This is enough for the covariance with a wager on the player's cards alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np

from croupier.analysis.boards.solution import is_board_game, solve
from croupier.analysis.contests import DecisionSpots, decision_spots
from croupier.analysis.counting.suit_classes import SuitClasses, class_numbers_of_masks, hand_classes
from croupier.analysis.counting.sweep import sorted_classes
from croupier.analysis.covariance.wager_gains import CardWager
from croupier.analysis.losing_hands import count_losing_hands_by_class, rankings_of
from croupier.analysis.payoffs import Payoffs
from croupier.analysis.side_wagers import net_of
from croupier.analysis.whole_numbers import common_denominator, require_fit, scale_to_integers
from croupier.core.errors import InputError
from croupier.games import game
from croupier.games.definition import ByLosingHand
from croupier.hands import ranking_named
from croupier.hands.lookup_tables import Array
from croupier.regulations import ElectedEdition


@dataclass(frozen=True, eq=False)
class Projection:
    """The gain of a wager for each class of player hands, summed over all other cards, times `scale`."""

    wager: str
    cards: int
    scale: int
    gains: Array

    @property
    def mean(self) -> Fraction:
        """The expected gain of one unit."""
        sizes = hand_classes(self.cards).sizes.astype(object)
        return Fraction(int((self.gains.astype(object) * sizes).sum()), self.scale * comb(52, self.cards))

    def mean_product(self, other: CardWager) -> Fraction:
        """The mean product with a wager on the same cards."""
        sizes = hand_classes(self.cards).sizes.astype(np.int64)
        total = (self.gains.astype(object) * other.sums(self.cards) * sizes).sum()
        return Fraction(int(total), self.scale * other.weight * comb(52, self.cards))


def project_required(elected: ElectedEdition, wager: str) -> Projection:
    """The required wagers under optimal play, per Ante."""
    if is_board_game(elected):
        solution = solve(elected)
        best, _ = solution.street(0, solution.shape.base)
        return Projection(wager, solution.shape.cards_known[0], solution.scale * solution.deals(0), best)
    definition = game(elected.edition.game)
    if definition.contest is None:
        raise InputError("", f"{elected.edition.title} has no contest with a dealer")
    payoffs, spots = Payoffs(elected, definition.contest), decision_spots(definition.name)
    ranking = ranking_named(definition.contest.player_ranking)
    gains = best_gains(payoffs, spots)
    classes = len(hand_classes(ranking.cards))
    spots_per_hand = len(gains) // classes  # spots per hand: one for each upcard
    return Projection(
        wager,
        ranking.cards,
        payoffs.scale * spots.dealer_hands * spots_per_hand,
        _reorder(gains.reshape(classes, spots_per_hand).sum(axis=1), spots.classes, ranking.cards),
    )


def best_gains(payoffs: Payoffs, spots: DecisionSpots) -> Array:
    """The gain of the best choice in each spot, summed over dealer hands, times the scale of the payoffs."""
    best = np.full(len(spots.strengths), payoffs.fold * spots.dealer_hands, dtype=np.int64)
    for multiple in payoffs.choices:
        expected = np.zeros(len(best), dtype=np.int64)
        for outcome, counts in spots.outcomes.items():
            expected += payoffs.table(multiple, outcome)[spots.strengths] * counts
        np.maximum(best, expected, out=best)
    return best


def project_losing_hand(elected: ElectedEdition, settlement: ByLosingHand) -> Projection:
    """A wager on the hand that loses the contest."""
    contest = game(elected.edition.game).contest
    if contest is None:
        raise InputError("", f"{settlement.wager} needs a contest")
    table = elected.paytable(settlement.table_name)
    starts = tuple(table.ranking.span(row.hand).start for row in reversed(table.rows))
    counts, _ = count_losing_hands_by_class(rankings_of(contest), starts)
    nets = [net_of(row.pays, Fraction(1), {}) for row in reversed(table.rows)]
    scale = common_denominator(nets)
    player, dealer = (ranking_named(name).cards for name in rankings_of(contest))
    hands = comb(52 - player, dealer)
    require_fit((max(map(abs, nets)) + 2) * hands, scale)
    gains = (scale_to_integers(nets, scale) + scale) @ counts - scale * hands
    classes = sorted_classes(ranking_named(contest.player_ranking)).classes
    return Projection(settlement.wager, player, scale * hands, _reorder(gains, classes, player))


def _reorder(gains: Array, classes: SuitClasses, cards: int) -> Array:
    """Gains reordered from the order of `classes` to that of `hand_classes`."""
    reordered = np.empty(len(gains), dtype=np.int64)
    reordered[class_numbers_of_masks(classes.masks.astype(np.int64), cards)] = gains
    return reordered
