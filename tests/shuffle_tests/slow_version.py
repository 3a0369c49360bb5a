"""The statistics of the battery again, deck by deck in plain Python, without code of the battery."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import comb, factorial

from croupier.core.cards import DECK
from croupier.hands import ranking_named

Orders = list[tuple[int, ...]]


def chi_squared(counts: Counter[int], chances: dict[int, float], total: int) -> tuple[float, int]:
    """Pools cells from the lowest on until each expects ten; a remainder is added to the last."""
    cells: list[tuple[int, float]] = []
    count, expected = 0, 0.0
    for key in sorted(chances):
        count, expected = count + counts[key], expected + chances[key] * total
        if expected >= 10:
            cells.append((count, expected))
            count, expected = 0, 0.0
    if expected:
        last = cells.pop()
        cells.append((last[0] + count, last[1] + expected))
    return sum((f - e) ** 2 / e for f, e in cells), len(cells) - 1


def position_by_card(orders: Orders) -> tuple[float, int]:
    counts = Counter((place, card) for order in orders for place, card in enumerate(order))
    mean = len(orders) / 52
    return sum((counts[p, c] - mean) ** 2 / mean for p in range(52) for c in range(52)) * 51 / 52, 51**2


def descents(row: list[int]) -> int:
    return sum(after < before for before, after in pairwise(row))


def eulerian(size: int) -> dict[int, float]:
    """Uses the alternating sum; the battery uses the recurrence."""
    return {
        k: sum((-1) ** j * comb(size + 1, j) * (k + 1 - j) ** size for j in range(k + 1)) / factorial(size)
        for k in range(size)
    }


def runs(orders: Orders) -> tuple[float, int]:
    return chi_squared(Counter(descents(list(order)) for order in orders), eulerian(52), len(orders))


def rising_sequences(orders: Orders) -> tuple[float, int]:
    counts = Counter(descents([order.index(card) for card in range(52)]) for order in orders)
    return chi_squared(counts, eulerian(52), len(orders))


def rising_next_deck(orders: Orders) -> tuple[float, int]:
    counts = Counter(descents([after.index(card) for card in before]) for before, after in pairwise(orders))
    return chi_squared(counts, eulerian(52), len(orders) - 1)


def deck_to_deck(orders: Orders) -> tuple[float, int]:
    return position_by_card([tuple(after.index(card) for card in before) for before, after in pairwise(orders)])


def color_runs(orders: Orders) -> tuple[float, int]:
    """Counts the ways to split 26 cards of each color into runs."""
    chances = {}
    for count in range(2, 53):
        ways = 2 * comb(25, count // 2 - 1) * comb(25, (count + 1) // 2 - 1)
        chances[count] = ways / comb(52, 26)
    counts = Counter(
        1 + sum(DECK[a].suit.is_red != DECK[b].suit.is_red for a, b in pairwise(order)) for order in orders
    )
    return chi_squared(counts, chances, len(orders))


def gap(orders: Orders) -> tuple[float, int]:
    chances = {g: sum(comb(50 - g - first, 2) for first in range(51 - g)) / comb(52, 4) for g in range(49)}
    counts: Counter[int] = Counter()
    for number, order in enumerate(orders):
        places = [place for place, card in enumerate(order) if DECK[card].rank == number % 13]
        counts[places[1] - places[0] - 1] += 1
    return chi_squared(counts, chances, len(orders))


def coupon_collector(orders: Orders) -> tuple[float, int]:
    """Goes through the deck card by card and tracks the number of ranks ranks_seen."""
    chances = {}
    states = {0: 1.0}
    for cards_drawn in range(52):
        following: dict[int, float] = {}
        for ranks_seen, chance in states.items():
            new_rank = (52 - 4 * ranks_seen) / (52 - cards_drawn)
            following[ranks_seen + 1] = following.get(ranks_seen + 1, 0) + chance * new_rank
            following[ranks_seen] = following.get(ranks_seen, 0) + chance * (1 - new_rank)
        chances[cards_drawn + 1] = following.pop(13, 0.0)
        states = following
    counts: Counter[int] = Counter()
    for order in orders:
        counts[1 + max(min(order.index(suit * 13 + rank) for suit in range(4)) for rank in range(13))] += 1
    return chi_squared(counts, chances, len(orders))


def relative_order(cards: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(cards).index(card) for card in cards)


def relative_orders(groups: list[tuple[int, ...]]) -> tuple[float, int]:
    cells = factorial(len(groups[0]))
    counts = Counter(relative_order(group) for group in groups)
    mean = len(groups) / cells
    return sum((count - mean) ** 2 / mean for count in counts.values()) + (cells - len(counts)) * mean, cells - 1


def hands(orders: Orders, places: list[int]) -> tuple[float, int]:
    """Uses the well-known numbers of five-card hands."""
    names = ["high_card", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house", "four_of_a_kind"]
    names += ["straight_flush", "royal_flush"]
    ways = [1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4]
    ranking = ranking_named("five_card")
    counts = Counter(names.index(ranking.hand([DECK[order[place]] for place in places]).name) for order in orders)
    return chi_squared(counts, {number: count / comb(52, 5) for number, count in enumerate(ways)}, len(orders))
