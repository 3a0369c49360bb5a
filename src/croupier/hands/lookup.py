"""Evaluates one hand at a time with the kernels' tables, to settle single rounds."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache

from croupier.core.cards import Card
from croupier.core.errors import InputError
from croupier.hands.lookup_cache import load_tables
from croupier.hands.plain_tables import COUNTER_BITS, COUNTER_TOP, DECISIVE, KEY_BITS, LONG_SUIT, RANK_SETS
from croupier.hands.ranking import Hand, Ranking

_KEY_MASK = (1 << KEY_BITS) - 1


class Lookup:
    """A ranking as tables that plain Python reads quickly."""

    def __init__(self, ranking: Ranking) -> None:
        tables = load_tables(ranking)
        self.ranking = ranking
        words = tables.words.tolist()
        self._words = [words[place * 52 : place * 52 + 52] for place in range(ranking.cards)]
        self._by_ranks = dict(zip(tables.sums, tables.strengths, strict=True))
        self._by_suit = [tables.by_suit[suit * RANK_SETS : (suit + 1) * RANK_SETS] for suit in range(4)]
        self._starts = [ranking.span(rung.name).start for rung in ranking.rungs]

    def strength(self, cards: Sequence[Card]) -> int:
        """The strength of a hand, equal to `Ranking.strength`."""
        if len(cards) != self.ranking.cards:
            raise InputError("", f"{self.ranking.name} takes {self.ranking.cards} cards, not {len(cards)}")
        total = sum([words[card.index] for words, card in zip(self._words, cards, strict=True)])
        strength = self._by_ranks[total & _KEY_MASK]
        if total & LONG_SUIT:
            for suit in range(4):
                if total & (COUNTER_TOP << (KEY_BITS + COUNTER_BITS * suit)):
                    ranks = sum(1 << card.rank for card in cards if card.suit.index == suit)
                    strength = max(strength, self._by_suit[suit][ranks]) & (DECISIVE - 1)
        return strength

    def hand(self, cards: Sequence[Card]) -> Hand:
        """The hand, equal to `Ranking.hand`."""
        name, chosen = self.ranking.best_cards(cards)
        return Hand(self.strength(cards), name, chosen)

    def name(self, strength: int) -> str:
        """The class that a strength belongs to."""
        return self.ranking.rungs[bisect_right(self._starts, strength) - 1].name


@cache
def lookup(ranking: Ranking) -> Lookup:
    """The tables of a ranking, read once per process."""
    return Lookup(ranking)
