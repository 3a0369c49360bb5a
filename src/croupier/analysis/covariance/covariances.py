"""Exact covariances of pairs of wagers, and the reasons why some pairs have none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from croupier.analysis.boards.solution import is_board_game, solve
from croupier.analysis.contests import DecisionSpots, decision_spots
from croupier.analysis.counting.suit_classes import SuitClasses, class_numbers_of_masks, hand_classes
from croupier.analysis.counting.sweep import sorted_classes
from croupier.analysis.covariance.joint_distribution import board_joint, small_contest_joint
from croupier.analysis.covariance.wager_gains import CardWager, card_places, integer_nets, mean_product
from croupier.analysis.house_edges import analyze_wager
from croupier.analysis.losing_hands import count_losing_hands_by_class, rankings_of
from croupier.analysis.payoffs import Payoffs
from croupier.analysis.progressives import seeds_of, stake_of
from croupier.analysis.results import exact
from croupier.analysis.side_wagers import net_of
from croupier.analysis.wagers import REQUIRED, wagers_of
from croupier.analysis.whole_numbers import common_denominator, require_fit, scale_to_integers
from croupier.core.errors import InputError
from croupier.games import game
from croupier.games.definition import DEALER, PLAYER, ByLosingHand, ByTable, Contest
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


Pair = tuple[str, str]
BOTH_DEPEND_ON_SUITS = "both depend on suits, one by color and the other by suit"
THROUGH_DEALER_HAND = "they are correlated through the dealer's hand, which is not counted jointly with other cards"
MAX_ENUMERATED_CARDS = 3
"""A contest of hands of at most this size is enumerated in full."""


@dataclass(frozen=True, slots=True)
class Covariances:
    """The covariance of pairs of wagers, per unit wagered on each, or the reason why there is none."""

    values: Mapping[Pair, Fraction]
    reasons: Mapping[Pair, str]

    def as_json(self) -> dict[str, Any]:
        return {
            "covariances": [{"wagers": list(p), **exact("covariance", v)} for p, v in self.values.items()],
            "not_given": [{"wagers": list(p), "reason": reason} for p, reason in self.reasons.items()],
        }


def compute_covariances(
    elected: ElectedEdition, wager_dollars: Fraction | None = None, advance: Callable[[str], None] = lambda text: None
) -> Covariances:
    """Every pair of wagers of an edition; the required wagers count as one, `ante`, under optimal play.

    `wager_dollars` is the stake where it matters.
    """
    advance("single wagers")
    card_wagers = {
        s.wager: card_wager
        for s in _optional_settlements(elected)
        if (card_wager := _card_wager(elected, s, wager_dollars)) is not None
    }
    means = {name: -analyze_wager(elected, name, wager_dollars=wager_dollars).house_edge for name in wagers_of(elected)}
    advance("pairs of wagers")
    products = _joint_products(elected, card_wagers)
    projections = {} if products else _projections(elected)
    values: dict[Pair, Fraction] = {}
    reasons: dict[Pair, str] = {}
    for pair in combinations(wagers_of(elected), 2):
        product = products[pair] if pair in products else _mean_product(pair, card_wagers, projections)
        if isinstance(product, str):
            reasons[pair] = product
        else:
            values[pair] = product - means[pair[0]] * means[pair[1]]
    return Covariances(values, reasons)


def _optional_settlements(elected: ElectedEdition) -> list[ByTable]:
    settlements = game(elected.edition.game).settlements
    optional = elected.edition.optional
    return [s for s in settlements if isinstance(s, ByTable) and s.wager in optional and s.decided_by is None]


def _card_wager(elected: ElectedEdition, settlement: ByTable, wager_dollars: Fraction | None) -> CardWager | None:
    """A wager on an unordered set of cards; `None` if it depends on which card lies where."""
    ranking = elected.paytable(settlement.table_name).ranking
    if ranking.groups:
        return None
    stake = stake_of(elected, settlement.table_name, wager_dollars)
    seeds = seeds_of(elected, settlement.table_name, elected.choices.get(settlement.table_name, "A"), stake)
    scale, nets = integer_nets(elected, settlement.table_name, stake, seeds)
    return CardWager(settlement.wager, card_places(elected, settlement), ranking, scale, nets)


def _joint_products(elected: ElectedEdition, card_wagers: Mapping[str, CardWager]) -> Mapping[Pair, Fraction | str]:
    """Mean products of all pairs if the deals of the game can be enumerated; empty otherwise."""
    if is_board_game(elected):
        products: dict[Pair, Fraction | str] = dict(board_joint(elected, REQUIRED, card_wagers).mean_products())
    elif _is_small(elected) and all(set(card_wager.places) <= {PLAYER, DEALER} for card_wager in card_wagers.values()):
        products = dict(small_contest_joint(elected, REQUIRED, card_wagers).mean_products())
    else:
        return {}
    suit_dependent = {name for name, card_wager in card_wagers.items() if not card_wager.ignores_suits} | {
        s.wager for s in _optional_settlements(elected) if s.wager not in card_wagers
    }
    products |= {pair: BOTH_DEPEND_ON_SUITS for pair in products if set(pair) <= suit_dependent}
    return {pair: products[pair] for pair in combinations(wagers_of(elected), 2)}


def _is_small(elected: ElectedEdition) -> bool:
    contest = game(elected.edition.game).contest
    if contest is None:
        raise InputError("", f"{elected.edition.title} has no exact covariances: its game has an unsupported shape")
    return all(
        ranking_named(name).cards <= MAX_ENUMERATED_CARDS for name in (contest.player_ranking, contest.dealer_ranking)
    )


def _projections(elected: ElectedEdition) -> Mapping[str, Projection]:
    """Wagers that also depend on the dealer's hand."""
    projections = {}
    for settlement in game(elected.edition.game).settlements:
        if isinstance(settlement, Contest):
            projections[REQUIRED] = project_required(elected, REQUIRED)
        elif isinstance(settlement, ByLosingHand) and settlement.wager in elected.edition.optional:
            projections[settlement.wager] = project_losing_hand(elected, settlement)
    return projections


def _mean_product(
    pair: Pair, card_wagers: Mapping[str, CardWager], projections: Mapping[str, Projection]
) -> Fraction | str:
    """The mean product of two wagers, or the reason why there is none."""
    first, second = (card_wagers.get(name) for name in pair)
    if first is not None and second is not None:
        if not (first.ignores_suits or second.ignores_suits):
            return BOTH_DEPEND_ON_SUITS
        shared = sum(min(count, second.places.get(place, 0)) for place, count in first.places.items())
        return mean_product(first, second, shared)
    card_wager = first or second
    projection = projections.get(pair[0]) or projections.get(pair[1])
    if card_wager is None or projection is None or card_wager.places != {PLAYER: projection.cards}:
        return THROUGH_DEALER_HAND
    return projection.mean_product(card_wager)
