"""A ranking as lookup tables of plain Python, built from its declaration.

The word of a card has a key for its rank in the low bits and a counter for its suit in the high
bits. The sum of the words of a hand then tells which ranks it has (the keys are chosen so that no two
combinations of ranks have the same sum) and whether a suit is long enough to matter (its counter has
reached its top bit). So

    strength = max(by_ranks[sum of keys], by_suit[suit, ranks of that suit] where a suit is long)

or `by_suit` alone if all the cards of the hand are of that suit.

Rankings by color are simpler: the key says whether a card is red, and no suit is ever long.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, product

from croupier.core.cards import DECK, Card
from croupier.core.dataclass import dataclass
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

RANK_SETS = 1 << 13

DECISIVE = 1 << 14
"""Set in `by_suit` where all the cards of a hand are of the suit, so that their ranks in mixed suits
do not count: a flush may be worth less than the same cards unsuited, as in Lo Ball."""


@dataclass(frozen=True, slots=True)
class PlainTables:
    """The tables of a ranking; `croupier.hands.lookup_tables` has them as NumPy arrays."""

    words: array[int]
    """64 bits, cards in hand times 52: the word of each card at each place of the hand; the first place also carries
    the start of the suit counters."""
    sums: array[int]
    """32 bits: every sum of keys, ascending."""
    strengths: array[int]
    """16 bits: the strength by ranks of each sum."""
    by_suit: array[int]
    """16 bits, 4 times 8192: by suit and set of ranks; -1 where the suit is too short to count."""


def build_plain_tables(ranking: Ranking) -> PlainTables:
    """Builds the tables of a ranking."""
    return _color_tables(ranking) if is_by_color(ranking) else _poker_tables(ranking)


def is_by_color(ranking: Ranking) -> bool:
    """Whether a ranking compares colors only."""
    return any(_is_by_color(rung.shape) for rung in ranking.rungs)


def _is_by_color(shape: object) -> bool:
    return isinstance(shape, SameColor) or (isinstance(shape, InFirst) and _is_by_color(shape.shape))


def _poker_tables(ranking: Ranking) -> PlainTables:
    keys = RANK_KEYS[ranking.cards]
    words = [keys[card.rank] + (1 << (KEY_BITS + COUNTER_BITS * card.suit.index)) for card in DECK]
    start = COUNTER_TOP - ranking.size  # so a counter reaches its top when a suit fills a hand
    counters = sum(start << (KEY_BITS + COUNTER_BITS * suit) for suit in range(4))
    first_words = [word + counters for word in words]

    mixed_strengths = {ranks: ranking.ladder_strength(mixed_hand(ranks)) for ranks in _rank_combinations(ranking.size)}
    by_ranks = {
        sum(keys[rank] for rank in ranks): max(mixed_strengths[subset] for subset in combinations(ranks, ranking.size))
        for ranks in _rank_combinations(ranking.cards)
    }

    by_suit = _no_long_suits()
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
                by_suit[suit * RANK_SETS + sum(1 << rank for rank in ranks)] = strength + decisive
    return _tables(first_words + words * (ranking.cards - 1), by_ranks, by_suit)


def _tables(words: Sequence[int], by_ranks: Mapping[int, int], by_suit: array[int]) -> PlainTables:
    sums = sorted(by_ranks)
    return PlainTables(array("Q", words), array("I", sums), array("h", [by_ranks[total] for total in sums]), by_suit)


def _no_long_suits() -> array[int]:
    return array("h", [-1]) * (4 * RANK_SETS)


def _color_tables(ranking: Ranking) -> PlainTables:
    groups = ranking.groups or (ranking.cards,)
    group_units = [16**group for group, size in enumerate(groups) for _ in range(size)]
    words = [unit * card.suit.is_red for unit in group_units for card in DECK]
    by_ranks = {}
    for reds in product(*(range(size + 1) for size in groups)):
        colors = [place < red for red, size in zip(reds, groups, strict=True) for place in range(size)]
        total = sum(red * 16**group for group, red in enumerate(reds))
        by_ranks[total] = ranking.strength(_hand_of_colors(colors))
    return _tables(words, by_ranks, _no_long_suits())


def _hand_of_colors(reds: list[bool]) -> list[Card]:
    red = (card for card in DECK if card.suit.is_red)
    black = (card for card in DECK if not card.suit.is_red)
    return [next(red) if is_red else next(black) for is_red in reds]


def _rank_combinations(count: int) -> Iterator[tuple[int, ...]]:
    for ranks in combinations_with_replacement(range(13), count):
        if all(ranks.count(rank) <= 4 for rank in set(ranks)):
            yield ranks
