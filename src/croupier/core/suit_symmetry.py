"""Suit symmetry: hands that differ only by renaming suits form one class.

A hand is four sets of ranks, one for each suit. Two hands are in one class when these four sets are
the same up to order. So a class is a multiset of four rank sets, and its size is the number of
different ways to assign the sets to the suits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement, groupby
from math import factorial, prod

from croupier.core.cards import DECK, Card, Suit


@dataclass(frozen=True, slots=True)
class SuitClass:
    """One class of hands: a representative, and how many hands the class has."""

    cards: tuple[Card, ...]
    size: int


def canonical(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The representative of the class that a hand belongs to.

    >>> canonical([Card.parse("Ks"), Card.parse("As"), Card.parse("2d")])
    (Card('Kc'), Card('Ac'), Card('2d'))
    """
    masks = [0, 0, 0, 0]
    for card in cards:
        masks[card.suit.index] |= 1 << card.rank
    return _hand(sorted(masks, key=_suit_order))


def suit_classes(count: int) -> Iterator[SuitClass]:
    """Every class of hands of `count` cards, each once."""
    for counts in _suit_counts(count, 4, count):
        groups = [(length, len(list(suits))) for length, suits in groupby(counts)]
        for masks in _assign(groups):
            multiplicities = [len(list(equal_masks)) for _, equal_masks in groupby(masks)]
            yield SuitClass(_hand(masks), 24 // prod(map(factorial, multiplicities)))


def _suit_order(mask: int) -> tuple[int, int]:
    return (-mask.bit_count(), mask)


def _suit_counts(count: int, suits: int, longest: int) -> Iterator[tuple[int, ...]]:
    """How many cards each suit can hold, longest suit first."""
    if suits == 0:
        if count == 0:
            yield ()
        return
    for length in range(min(count, longest, 13), -1, -1):
        for rest in _suit_counts(count - length, suits - 1, length):
            yield (length, *rest)


def _assign(groups: list[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
    """Rank sets for suits of given lengths; suits of the same length are interchangeable."""
    if not groups:
        yield ()
        return
    (length, suits), *rest = groups
    for masks in combinations_with_replacement(_rank_sets(length), suits):
        for rest_masks in _assign(rest):
            yield masks + rest_masks


@cache
def _rank_sets(size: int) -> tuple[int, ...]:
    return tuple(sorted(sum(1 << rank for rank in ranks) for ranks in combinations(range(13), size)))


@cache
def _cards_of_suit(suit: int, mask: int) -> tuple[Card, ...]:
    return tuple(DECK[suit * 13 + rank] for rank in range(13) if mask >> rank & 1)


def _hand(masks: Iterable[int]) -> tuple[Card, ...]:
    return tuple(
        card for suit, mask in zip(range(len(Suit)), masks, strict=True) for card in _cards_of_suit(suit, mask)
    )
