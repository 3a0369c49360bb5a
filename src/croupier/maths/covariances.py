"""How results of different wagers go together, exactly; and which pairs are not worked out, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from croupier.errors import Malformed
from croupier.games import game
from croupier.games.definition import DEALER, PLAYER, ByLosingHand, ByTable, Contest
from croupier.hands import ranking_named
from croupier.maths.analysis import REQUIRED, analyse_wager, wagers_of
from croupier.maths.boards import is_board_game
from croupier.maths.progressives import seeds_of, stake_of
from croupier.maths.projections import Projection, losing_hand, required
from croupier.maths.results import exact
from croupier.maths.stakes import Stake, mean_product, places_of, whole_nets
from croupier.maths.together import board_together, duel_together
from croupier.rules import Elected

Pair = tuple[str, str]
BOTH_TELL_SUITS = "both tell suits apart, one by colour and the other by name"
WITH_THE_DEALER = "they hang together by the dealer's hand, which is not counted together with other cards dealt"
FEW_CARDS = 3
"""A contest of hands of so many cards is dealt out in full."""


@dataclass(frozen=True, slots=True)
class Covariances:
    """For pairs of wagers the covariance per unit wagered on each; for the others why there is none."""

    given: Mapping[Pair, Fraction]
    not_given: Mapping[Pair, str]

    def as_json(self) -> dict[str, Any]:
        return {
            "covariances": [{"wagers": list(p), **exact("covariance", v)} for p, v in self.given.items()],
            "not_given": [{"wagers": list(p), "reason": reason} for p, reason in self.not_given.items()],
        }


def covariances(
    elected: Elected, asked: Fraction | None = None, advance: Callable[[str], None] = lambda text: None
) -> Covariances:
    """Every pair of wagers of an edition; the required ones are together under `ante`, under optimal play.

    `asked` is the dollars staked where that matters.
    """
    advance("wagers on their own")
    stakes = {s.wager: stake for s in _settled(elected) if (stake := _stake(elected, s, asked)) is not None}
    means = {name: -analyse_wager(elected, name, wager_dollars=asked).house_edge for name in wagers_of(elected)}
    advance("wagers together")
    products = _all_together(elected, stakes)
    seen = {} if products else _projections(elected)
    given: dict[Pair, Fraction] = {}
    not_given: dict[Pair, str] = {}
    for pair in combinations(wagers_of(elected), 2):
        product = products[pair] if pair in products else _product(pair, stakes, seen)
        if isinstance(product, str):
            not_given[pair] = product
        else:
            given[pair] = product - means[pair[0]] * means[pair[1]]
    return Covariances(given, not_given)


def _settled(elected: Elected) -> list[ByTable]:
    settlements = game(elected.edition.game).settlements
    optional = elected.edition.optional
    return [s for s in settlements if isinstance(s, ByTable) and s.wager in optional and s.decided_by is None]


def _stake(elected: Elected, settled: ByTable, asked: Fraction | None) -> Stake | None:
    """A wager on a set of cards; `None` where it matters which card lies where."""
    ranking = elected.paytable(settled.table_name).ranking
    if ranking.groups:
        return None
    dollars = stake_of(elected, settled.table_name, asked)
    seeds = seeds_of(elected, settled.table_name, elected.choices.get(settled.table_name, "A"), dollars)
    scale, nets = whole_nets(elected, settled.table_name, dollars, seeds)
    return Stake(settled.wager, places_of(elected, settled), ranking, scale, nets)


def _all_together(elected: Elected, stakes: Mapping[str, Stake]) -> Mapping[Pair, Fraction | str]:
    """Pairs of a game whose deals can all be gone through; none where they cannot."""
    if is_board_game(elected):
        found: dict[Pair, Fraction | str] = dict(board_together(elected, REQUIRED, stakes).mean_products())
    elif _is_small(elected) and all(set(stake.places) <= {PLAYER, DEALER} for stake in stakes.values()):
        found = dict(duel_together(elected, REQUIRED, stakes).mean_products())
    else:
        return {}
    suited = {name for name, stake in stakes.items() if not stake.is_blind} | {
        s.wager for s in _settled(elected) if s.wager not in stakes
    }
    found |= {pair: BOTH_TELL_SUITS for pair in found if set(pair) <= suited}
    return {pair: found[pair] for pair in combinations(wagers_of(elected), 2)}


def _is_small(elected: Elected) -> bool:
    contest = game(elected.edition.game).contest
    if contest is None:
        raise Malformed("", f"the covariances of {elected.edition.title} are not known: its game has another shape")
    return all(ranking_named(name).cards <= FEW_CARDS for name in (contest.player_ranking, contest.dealer_ranking))


def _projections(elected: Elected) -> Mapping[str, Projection]:
    """Wagers that the dealer's hand decides too."""
    found = {}
    for settlement in game(elected.edition.game).settlements:
        if isinstance(settlement, Contest):
            found[REQUIRED] = required(elected, REQUIRED)
        elif isinstance(settlement, ByLosingHand) and settlement.wager in elected.edition.optional:
            found[settlement.wager] = losing_hand(elected, settlement)
    return found


def _product(pair: Pair, stakes: Mapping[str, Stake], seen: Mapping[str, Projection]) -> Fraction | str:
    """The mean product of two wagers, or why it is not given."""
    first, second = (stakes.get(name) for name in pair)
    if first is not None and second is not None:
        if not (first.is_blind or second.is_blind):
            return BOTH_TELL_SUITS
        shared = sum(min(count, second.places.get(place, 0)) for place, count in first.places.items())
        return mean_product(first, second, shared)
    alone = first or second
    projection = seen.get(pair[0]) or seen.get(pair[1])
    if alone is None or projection is None or alone.places != {PLAYER: projection.cards}:
        return WITH_THE_DEALER
    return projection.mean_product(alone)
