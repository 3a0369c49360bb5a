"""Exact covariances of pairs of wagers, and the reasons why some pairs have none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from croupier.analysis.boards.solution import is_board_game
from croupier.analysis.covariance.joint_distribution import board_joint, small_contest_joint
from croupier.analysis.covariance.projections import Projection, project_losing_hand, project_required
from croupier.analysis.covariance.wager_gains import CardWager, card_places, integer_nets, mean_product
from croupier.analysis.house_edges import REQUIRED, analyze_wager, wagers_of
from croupier.analysis.progressives import seeds_of, stake_of
from croupier.analysis.results import exact
from croupier.core.errors import InputError
from croupier.games import game
from croupier.games.definition import DEALER, PLAYER, ByLosingHand, ByTable, Contest
from croupier.hands import ranking_named
from croupier.regulations import ElectedEdition

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
