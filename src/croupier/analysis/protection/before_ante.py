"""Knowledge before the Ante: a card that will be the player's own, and what each wager is then worth.

The player sizes their wagers by the card: the Ante at the largest amount if it has an edge and at the smallest
otherwise; an optional wager at the largest amount if it has an edge, and not at all otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from croupier.analysis.boards.solution import is_board_game
from croupier.analysis.contests import decision_spots, net_table
from croupier.analysis.counting.histogram import count_hands
from croupier.analysis.payoffs import Payoffs
from croupier.analysis.progressives import seeds_of, stake_of
from croupier.analysis.protection.boards import BoardEngine, BoardQuestion, board_values
from croupier.analysis.results import exact
from croupier.analysis.side_wagers import net_of
from croupier.analysis.wagers import REQUIRED
from croupier.analysis.whole_numbers import sum_by_index
from croupier.core.cards import Rank
from croupier.core.errors import InputError
from croupier.games import game
from croupier.games.definition import PLAYER, ByTable
from croupier.hands.lookup_tables import Array
from croupier.regulations import ElectedEdition

RANKS = 13
MAX_SPREAD = 10_000


@dataclass(frozen=True, slots=True)
class PeekedRank:
    """What each wager is worth to a player who knows that one of their cards will have this rank."""

    rank: Rank
    edges: Mapping[str, Fraction]
    """By wager, per unit wagered; the required wagers count as one, per Ante."""


@dataclass(frozen=True, slots=True)
class PeekedCard:
    """One card that will be the player's, known before the Ante."""

    ranks: tuple[PeekedRank, ...]
    """From the ace down."""
    spread: int
    """The largest wager as a multiple of the smallest."""

    @property
    def gain(self) -> Fraction:
        """The gain per round of a player who makes the best wagers, in smallest wagers; a rank has 1 card in 13."""
        return sum((self.best(row)[1] for row in self.ranks), Fraction(0)) / RANKS

    @property
    def gain_on_the_ante(self) -> Fraction:
        """The same from the required wagers alone."""
        return sum((self._sized(row.edges[REQUIRED]) for row in self.ranks), Fraction(0)) / RANKS

    def _sized(self, edge: Fraction) -> Fraction:
        return edge * (self.spread if edge > 0 else 1)

    def best(self, row: PeekedRank) -> tuple[tuple[str, ...], Fraction]:
        """The optional wagers to make with a rank, and the gain of the whole combination in smallest wagers."""
        wagers = tuple(name for name, edge in row.edges.items() if name != REQUIRED and edge > 0)
        gain = self._sized(row.edges[REQUIRED]) + sum((self.spread * row.edges[n] for n in wagers), Fraction(0))
        return wagers, gain

    def as_json(self) -> dict[str, Any]:
        return {
            "place": PLAYER,
            "spread": self.spread,
            **exact("gain", self.gain),
            **exact("gain_on_the_ante", self.gain_on_the_ante),
            "ranks": [
                {
                    "rank": row.rank.letter,
                    "edges": {name: exact("player_edge", edge, percent=True) for name, edge in row.edges.items()},
                    "optional_wagers": list(self.best(row)[0]),
                    **exact("gain", self.best(row)[1]),
                }
                for row in self.ranks
            ],
        }


def peek_player_card(elected: ElectedEdition, spread: int) -> PeekedCard:
    """The value of knowing the rank of one of the player's cards before the Ante."""
    if not 1 <= spread <= MAX_SPREAD:
        raise InputError("--spread", f"must be from 1 to {MAX_SPREAD:,}, not {spread}")
    required = _board_edges(elected) if is_board_game(elected) else _contest_edges(elected)
    optional = {wager: _side_edges(elected, wager) for wager in elected.edition.optional}
    rows = [
        PeekedRank(
            Rank(rank),
            {REQUIRED: required[rank], **{wager: edges[rank] for wager, edges in optional.items() if edges}},
        )
        for rank in reversed(range(RANKS))
    ]
    return PeekedCard(tuple(rows), spread)


def _contest_edges(elected: ElectedEdition) -> list[Fraction]:
    """The player's edge by the rank of one of their cards: each hand counts once for each card of the rank."""
    definition = game(elected.edition.game)
    if definition.contest is None:
        raise InputError("", f"{elected.edition.title} has no contest with a dealer")
    payoffs, spots = Payoffs(elected, definition.contest), decision_spots(definition.name)
    nets, segments = net_table(payoffs), payoffs.segments[0][spots.strengths]
    best = np.full(len(segments), payoffs.fold * spots.dealer_hands, dtype=np.int64)
    order = ("unqualified", "win", "tie", "lose")
    for place in range(nets.shape[2]):
        value = np.zeros(len(segments), dtype=np.int64)
        for outcome, counts in spots.outcomes.items():
            value += nets[segments, order.index(outcome), place] * counts
        np.maximum(best, value, out=best)
    spots_per_class = len(segments) // len(spots.classes)
    classes = np.repeat(np.arange(len(spots.classes)), spots_per_class)
    by_class = sum_by_index(classes, best, len(spots.classes))
    cards_of_rank = _cards_by_rank(spots.classes.masks)
    sizes = spots.classes.sizes.tolist()
    edges = []
    for rank in range(RANKS):
        weights = [int(number) * size for number, size in zip(cards_of_rank[:, rank].tolist(), sizes, strict=True)]
        total = sum(weight * value for weight, value in zip(weights, by_class, strict=True))
        edges.append(Fraction(total, sum(weights) * payoffs.scale * spots.dealer_hands * spots_per_class))
    return edges


def _cards_by_rank(masks: Array) -> Array:
    """The number of cards of each rank in each class, int64 [classes, 13]."""
    bits: Array = (masks[:, :, None] >> np.arange(RANKS)) & 1
    counts: Array = bits.sum(axis=1).astype(np.int64)
    return counts


def _board_edges(elected: ElectedEdition) -> list[Fraction]:
    engine = BoardEngine(elected)
    sets, gains, deals = board_values(engine, BoardQuestion())
    edges = []
    for rank in range(RANKS):
        cards_of_rank = (sets % RANKS == rank).sum(axis=1).astype(np.int64)
        total, weight = int((cards_of_rank * gains).sum()), int((cards_of_rank * deals).sum())
        edges.append(Fraction(total, weight * engine.scale))
    return edges


def _side_edges(elected: ElectedEdition, wager: str) -> list[Fraction]:
    """The player's edge of an optional wager by the rank of one of their cards; nothing if their cards do not count.

    A wager on several groups of cards, or decided by another card, is left out.
    """
    definition = game(elected.edition.game)
    settlement = next((s for s in definition.settlements if isinstance(s, ByTable) and s.wager == wager), None)
    if settlement is None or PLAYER not in settlement.cards.places or settlement.decided_by is not None:
        return []
    table = elected.paytable(settlement.table_name)
    if table.ranking.groups:
        return []
    stake = stake_of(elected, settlement.table_name, None)
    seeds = seeds_of(elected, settlement.table_name, elected.choices.get(settlement.table_name, "A"), stake)
    nets = [net_of(table.payout(strength), stake, seeds) for strength in range(len(table.ranking))]
    edges = []
    for rank in range(RANKS):
        left = np.array([card for card in range(52) if card != rank], dtype=np.int64)
        counts = count_hands(table.ranking, left, np.array([rank], dtype=np.int64)).tolist()
        # A ranking may tell suits apart: each suit of the rank is as likely.
        for suit in range(1, 4):
            card = 13 * suit + rank
            left = np.array([other for other in range(52) if other != card], dtype=np.int64)
            more = count_hands(table.ranking, left, np.array([card], dtype=np.int64)).tolist()
            counts = [count + other for count, other in zip(counts, more, strict=True)]
        total = sum((net * count for net, count in zip(nets, counts, strict=True) if count), Fraction(0))
        edges.append(total / sum(counts))
    return edges
