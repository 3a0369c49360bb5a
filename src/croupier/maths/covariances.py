"""How results of different wagers on the same cards go together, exactly.

For two wagers on the same cards, or on cards of which one has some and the other all, the larger
set is gone through by suit classes, and for each the smaller one's mean result over the cards that
it may have. Colours are averaged over the ways to colour the suits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import numpy as np

from croupier.cards import DECK
from croupier.games import game
from croupier.games.definition import ByTable
from croupier.hands.kernels import evaluate, tables_of
from croupier.hands.ranking import Ranking
from croupier.hands.tables import Array
from croupier.maths.classes import hand_classes, mask_table
from croupier.maths.histogram import histogram, is_by_colour, total
from croupier.maths.side_wagers import net_of
from croupier.rules import Elected
from croupier.rules.paytables import Paytable


@dataclass(frozen=True, eq=False)
class Stake:
    """A wager as covariances see it: its cards, its ranking, and what each strength gains, as whole numbers."""

    wager: str
    places: tuple[str, ...]
    table: Paytable
    scale: int
    nets: Array

    @property
    def ranking(self) -> Ranking:
        return self.table.ranking

    @property
    def mean(self) -> Fraction:
        """What one unit gains."""
        counts = histogram(self.ranking)
        gained = sum(count * int(net) for count, net in zip(counts, self.nets, strict=True))
        return Fraction(gained, self.scale * total(self.ranking))


def covariances(
    elected: Elected, stake: Fraction, seeds: Mapping[str, Mapping[str, Fraction]]
) -> Mapping[tuple[str, str], Fraction]:
    """The covariance of every pair of optional wagers on the same cards, per unit wagered on each.

    `seeds` gives, by table, the dollars on its meters.
    """
    found: dict[tuple[str, str], Fraction] = {}
    stakes = [s for s in (_stake(elected, settled, stake, seeds) for settled in _settled(elected)) if s is not None]
    for first, second in combinations(stakes, 2):
        small, large = sorted((first, second), key=lambda s: s.ranking.cards)
        if large.places[: len(small.places)] == small.places or large.places[-len(small.places) :] == small.places:
            together = _mean_product(small, large)
            found[first.wager, second.wager] = together - first.mean * second.mean
    return found


def _settled(elected: Elected) -> list[ByTable]:
    settlements = game(elected.edition.game).settlements
    optional = elected.edition.optional
    return [s for s in settlements if isinstance(s, ByTable) and s.wager in optional and s.decided_by is None]


def _stake(
    elected: Elected, settled: ByTable, stake: Fraction, seeds: Mapping[str, Mapping[str, Fraction]]
) -> Stake | None:
    """A wager on whole hands; one on the first few cards of a place has no other on the same cards."""
    if settled.cards.first:
        return None
    table = elected.paytable(settled.table_name)
    tables_of(table.ranking)
    own = seeds.get(settled.table_name, {})
    size = (
        Fraction(elected.edition.progressives[settled.table_name].amounts[0], 100)
        if _sized(elected, settled)
        else stake
    )
    nets = [net_of(table.payout(strength), size, own) for strength in range(len(table.ranking))]
    scale = int(np.lcm.reduce([net.denominator for net in nets]))
    whole = np.array([int(net * scale) for net in nets], dtype=np.int64)
    return Stake(settled.wager, settled.cards.places, table, scale, whole)


def _sized(elected: Elected, settled: ByTable) -> bool:
    rule = elected.edition.progressives.get(settled.table_name)
    return rule is not None and bool(rule.amounts)


def _mean_product(small: Stake, large: Stake) -> Fraction:
    """The mean of the product of two results, over every hand of the larger set of cards."""
    cards, held = small.ranking.cards, large.ranking.cards
    sizes = hand_classes(held).sizes.astype(object)
    products = (_sums(large, held) * _sums(small, held) * sizes).sum()
    ways = comb(held, cards) * _colourings(small) * _colourings(large)
    return Fraction(int(products), small.scale * large.scale * ways * comb(52, held))


def _colourings(stake: Stake) -> int:
    """How many results are added up for one hand: the ways to colour the suits and to deal the groups."""
    if not is_by_colour(stake.ranking):
        return 1
    return comb(4, 2) * comb(stake.ranking.cards, stake.ranking.groups[0]) if stake.ranking.groups else comb(4, 2)


def _sums(stake: Stake, held: int) -> Array:
    """For each class of `held` cards: the results of every sub-hand that the wager may have, added up."""
    if is_by_colour(stake.ranking):
        return _colour_sums(stake, held)
    hands = _hands(held)
    found = np.zeros(len(hands), dtype=np.int64)
    for chosen in combinations(range(held), stake.ranking.cards):
        found += stake.nets[evaluate(stake.ranking, hands[:, chosen])]
    return found.astype(object)


@cache
def _hands(held: int) -> Array:
    """One hand of each class, as card numbers."""
    masks = hand_classes(held).masks
    bits = (masks[:, :, None] >> np.arange(13)) & 1
    found: Array = np.nonzero(bits.reshape(len(masks), 52))[1].reshape(len(masks), held).astype(np.uint8)
    return found


def _colour_sums(stake: Stake, held: int) -> Array:
    """By how many cards are red under each colouring of the suits."""
    lengths = mask_table()[hand_classes(held).masks].astype(np.int64)
    by_reds = np.array([_by_reds(stake, held, reds) for reds in range(held + 1)], dtype=np.int64)
    found = np.zeros(len(lengths), dtype=np.int64)
    for red in combinations(range(4), 2):
        found += by_reds[lengths[:, red].sum(axis=1)]
    return found.astype(object)


def _by_reds(stake: Stake, held: int, reds: int) -> int:
    """Results added up over every way to choose and place the wager's cards among some of which are red."""
    ranking, added = stake.ranking, 0
    red = [card for card in DECK if card.suit.is_red][:reds]
    black = [card for card in DECK if not card.suit.is_red][: held - reds]
    cards = [*red, *black]
    for chosen in combinations(cards, ranking.cards):
        if not ranking.groups:
            added += int(stake.nets[ranking.strength(chosen)])
            continue
        for first in combinations(chosen, ranking.groups[0]):
            rest = [card for card in chosen if card not in first]
            added += int(stake.nets[ranking.strength([*first, *rest])])
    return added
