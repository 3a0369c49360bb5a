"""A ranking as lookup tables, built from its declaration.

The word of a card has a key for its rank in the low bits and a counter for its suit in the high
bits. The sum of the words of a hand then tells which ranks it has (the keys are chosen so that no two
combinations of ranks have the same sum) and whether a suit is long enough to matter (its counter has
reached its top bit). So

    strength = max(by_ranks[sum of keys], by_suit[suit, ranks of that suit] where a suit is long)

or `by_suit` alone if all the cards of the hand are of that suit.

Rankings by color are simpler: the key says whether a card is red, and no suit is ever long.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
import numpy.typing as npt

from croupier.core.cards import DECK
from croupier.hands.ranking import Ranking, mixed_hand
from croupier.hands.shapes import InFirst, SameColor

RANK_KEYS: dict[int, tuple[int, ...]] = {
    2: (0, 1, 3, 7, 12, 20, 30, 44, 65, 80, 96, 122, 147),
    3: (0, 1, 4, 13, 32, 71, 124, 218, 375, 572, 744, 1208, 1556),
    4: (0, 1, 5, 21, 55, 153, 368, 856, 1424, 2603, 4967, 8194, 13663),
    5: (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415),
    6: (0, 1, 5, 22, 98, 422, 1734, 5760, 14270, 37951, 90838, 206930, 436437),
}
"""For each number of cards, the key of each rank from the 2 up. Each key is the smallest number
that keeps all sums distinct; a test derives them again."""

KEY_BITS = 24
COUNTER_BITS = 4
COUNTER_TOP = 8
LONG_SUIT = sum(COUNTER_TOP << (KEY_BITS + COUNTER_BITS * suit) for suit in range(4))
"""The bits of a sum that are set when a suit is long."""

DECISIVE = 1 << 14
"""Set in `by_suit` where all the cards of a hand are of the suit, so that their ranks in mixed suits
do not count: a flush may be worth less than the same cards unsuited, as in Lo Ball."""

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Tables:
    """The arrays from which a kernel evaluates hands of one ranking."""

    words: Array
    """uint64 [cards in hand, 52]: the word of each card at each place of the hand; the first place
    also carries the start of the suit counters."""
    by_ranks: Array
    """int16 [largest sum + 1]"""
    by_suit: Array
    """int16 [4, 8192]: by suit and set of ranks; -1 where the suit is too short to count."""

    def flat(self) -> tuple[Array, Array, Array]:
        """The tables as kernels take them, each of one dimension."""
        return self.words.reshape(-1), self.by_ranks, self.by_suit.reshape(-1)


def build_tables(ranking: Ranking) -> Tables:
    """Builds the tables of a ranking."""
    return _color_tables(ranking) if is_by_color(ranking) else _poker_tables(ranking)


def is_by_color(ranking: Ranking) -> bool:
    """Whether a ranking compares colors only."""
    return any(_is_by_color(rung.shape) for rung in ranking.rungs)


def _is_by_color(shape: object) -> bool:
    return isinstance(shape, SameColor) or (isinstance(shape, InFirst) and _is_by_color(shape.shape))


def _poker_tables(ranking: Ranking) -> Tables:
    keys = RANK_KEYS[ranking.cards]
    words = np.zeros((ranking.cards, 52), dtype=np.uint64)
    for card in DECK:
        words[:, card.index] = keys[card.rank] + (1 << (KEY_BITS + COUNTER_BITS * card.suit.index))
    start = COUNTER_TOP - ranking.size  # so a counter reaches its top when a suit fills a hand
    words[0] += np.uint64(sum(start << (KEY_BITS + COUNTER_BITS * suit) for suit in range(4)))

    mixed_strengths = {ranks: ranking.ladder_strength(mixed_hand(ranks)) for ranks in _rank_combinations(ranking.size)}
    sums = {ranks: sum(keys[rank] for rank in ranks) for ranks in _rank_combinations(ranking.cards)}
    by_ranks = np.full(1 + max(sums.values()), -1, dtype=np.int16)
    for ranks, total in sums.items():
        by_ranks[total] = max(mixed_strengths[subset] for subset in combinations(ranks, ranking.size))

    by_suit = np.full((4, 8192), -1, dtype=np.int16)
    for suit in range(4):
        cards = DECK[suit * 13 : suit * 13 + 13]
        suited_strengths = {
            ranks: ranking.ladder_strength([cards[rank] for rank in ranks])
            for ranks in combinations(range(13), ranking.size)
        }
        for length in range(ranking.size, ranking.cards + 1):
            for ranks in combinations(range(13), length):
                full_hand = ranking.full_hand_strength([cards[rank] for rank in ranks])
                best = max(suited_strengths[subset] for subset in combinations(ranks, ranking.size))
                strength = best if full_hand is None else full_hand
                decisive = DECISIVE if ranking.size == ranking.cards else 0
                by_suit[suit, sum(1 << rank for rank in ranks)] = strength + decisive
    return Tables(words, by_ranks, by_suit)


def _color_tables(ranking: Ranking) -> Tables:
    groups = ranking.groups or (ranking.cards,)
    group_units = [16**group for group, size in enumerate(groups) for _ in range(size)]
    words = np.zeros((ranking.cards, 52), dtype=np.uint64)
    for card in DECK:
        for place, unit in enumerate(group_units):
            words[place, card.index] = unit * card.suit.is_red
    by_ranks = np.full(16 ** len(groups), -1, dtype=np.int16)
    for reds in np.ndindex(*(size + 1 for size in groups)):
        colors = [place < red for red, size in zip(reds, groups, strict=True) for place in range(size)]
        total = sum(red * 16**group for group, red in enumerate(reds))
        by_ranks[total] = ranking.strength(_hand_of_colors(colors))
    return Tables(words, by_ranks, np.full((4, 8192), -1, dtype=np.int16))


def _hand_of_colors(reds: list[bool]) -> list[Any]:
    red = (card for card in DECK if card.suit.is_red)
    black = (card for card in DECK if not card.suit.is_red)
    return [next(red) if is_red else next(black) for is_red in reds]


def _rank_combinations(count: int) -> Iterator[tuple[int, ...]]:
    for ranks in combinations_with_replacement(range(13), count):
        if all(ranks.count(rank) <= 4 for rank in set(ranks)):
            yield ranks
