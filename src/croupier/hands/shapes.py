"""Shapes that a hand can have, in terms of which rankings are declared.

A shape gives a hand's key, which orders hands of the same shape, most important rank first; or `None` if
the hand does not have the shape. Keys of one shape have the same length.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from croupier.core.cards import Card, Rank, Suit
from croupier.core.dataclass import dataclass

Key = tuple[int, ...]

_LETTERS = {rank.letter: int(rank) for rank in Rank}
_ACE_BELOW_TWO = -1


def ranks_named(letters: str) -> frozenset[int]:
    """Ranks from their letters, as in `"AKQ"`."""
    return frozenset(_LETTERS[letter] for letter in letters)


class HandCards:
    """Ranks, counts and suit of a hand, computed once for all shapes."""

    __slots__ = ("by_count", "cards", "counts", "ranks", "suit")

    def __init__(self, cards: Sequence[Card]) -> None:
        self.cards = cards
        self.ranks: Key = tuple(sorted([int(card.rank) for card in cards], reverse=True))
        """Highest first."""
        count_and_rank = sorted({(self.ranks.count(rank), rank) for rank in self.ranks}, reverse=True)
        self.counts = [count for count, _ in count_and_rank]
        """The number of cards of each rank, largest first."""
        self.by_count: Key = tuple([rank for count, rank in count_and_rank for _ in range(count)])
        """The ranks, most frequent first."""
        suit = cards[0].suit
        self.suit = suit if all([card.suit is suit for card in cards]) else None
        """The suit of all cards, if they share one."""


class Shape(ABC):
    """A pattern of cards. `a & b` has both shapes and is ordered as `a`; `~a` lacks shape `a`."""

    @abstractmethod
    def key(self, hand: HandCards) -> Key | None:
        """The key that orders hands of this shape, or `None` if the hand does not have it."""

    def __and__(self, other: Shape) -> Shape:
        return Both(self, other)

    def __invert__(self) -> Shape:
        return Absent(self)


@dataclass(frozen=True)
class Both(Shape):
    first: Shape
    second: Shape

    def key(self, hand: HandCards) -> Key | None:
        key = self.first.key(hand)
        return None if key is None or self.second.key(hand) is None else key


@dataclass(frozen=True)
class Absent(Shape):
    shape: Shape

    def key(self, hand: HandCards) -> Key | None:
        return () if self.shape.key(hand) is None else None


@dataclass(frozen=True)
class Anything(Shape):
    """Any cards, all equal."""

    def key(self, hand: HandCards) -> Key | None:
        return ()


@dataclass(frozen=True)
class HighCard(Shape):
    """Any cards, compared highest card first; `top` restricts the highest card, `second` the next one."""

    top: str = ""
    second: str = ""

    def key(self, hand: HandCards) -> Key | None:
        if self.top and hand.ranks[0] not in ranks_named(self.top):
            return None
        if self.second and hand.ranks[1] not in ranks_named(self.second):
            return None
        return hand.ranks


@dataclass(frozen=True)
class OfAKind(Shape):
    """At least `counts[0]` cards of one rank, and `counts[1]` of a second one: `OfAKind(2, 2)` is two pairs.

    The matched ranks are compared first and the other cards after them. `of` restricts the
    first matched rank.
    """

    counts: tuple[int, ...]
    of: str

    def __init__(self, *counts: int, of: str = "") -> None:
        object.__setattr__(self, "counts", counts)
        object.__setattr__(self, "of", of)

    def key(self, hand: HandCards) -> Key | None:
        if len(hand.counts) < len(self.counts):
            return None
        if any([count < needed for count, needed in zip(hand.counts, self.counts, strict=False)]):
            return None
        if self.of and hand.by_count[0] not in ranks_named(self.of):
            return None
        return hand.by_count


@dataclass(frozen=True)
class Straight(Shape):
    """Consecutive ranks; the ace also plays below the 2 unless `ace_low` is off. No wrap-around."""

    top: str = ""
    ace_low: bool = True

    def key(self, hand: HandCards) -> Key | None:
        if hand.counts[0] > 1:
            return None
        ranks = hand.ranks
        if self.ace_low and ranks[0] == Rank.ACE and ranks[-1] == Rank.TWO:
            ranks = (*ranks[1:], _ACE_BELOW_TWO)
        if ranks[0] - ranks[-1] != len(ranks) - 1:
            return None
        if self.top and ranks[0] not in ranks_named(self.top):
            return None
        return ranks[:1]


@dataclass(frozen=True)
class Flush(Shape):
    """All of one suit, compared highest card first; `suit` requires that suit."""

    suit: Suit | None = None

    def key(self, hand: HandCards) -> Key | None:
        if hand.suit is None or (self.suit is not None and hand.suit is not self.suit):
            return None
        return hand.ranks


@dataclass(frozen=True)
class OneOfEach(Shape):
    """Two cards, the higher from the first group of ranks and the lower from the second."""

    first: str
    second: str

    def key(self, hand: HandCards) -> Key | None:
        high, low = hand.ranks
        return hand.ranks if high in ranks_named(self.first) and low in ranks_named(self.second) else None


@dataclass(frozen=True)
class SameColor(Shape):
    """At least `count` cards of one color."""

    count: int

    def key(self, hand: HandCards) -> Key | None:
        reds = sum(card.suit.is_red for card in hand.cards)
        return () if max(reds, len(hand.cards) - reds) >= self.count else None


@dataclass(frozen=True)
class InFirst(Shape):
    """A shape formed by the first `count` cards of the hand alone."""

    count: int
    shape: Shape

    def key(self, hand: HandCards) -> Key | None:
        return self.shape.key(HandCards(hand.cards[: self.count]))
