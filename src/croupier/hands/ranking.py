"""A ranking: rungs declared lowest first, and from them a strength for every hand.

The strength of a hand is an integer from 0 to `size - 1` that grows with the hand's worth; equal
hands have equal strength and no integer is left out. Comparing hands is comparing integers. This
is the readable version: `croupier.hands.kernels` computes the same integers a million times
faster, and the tests compare the two over every hand there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, combinations_with_replacement

from croupier.core.cards import DECK, Card, show_cards
from croupier.core.errors import InputError
from croupier.hands.shapes import Both, HandCards, Key, Shape, Straight, ranks_named

Standing = tuple[int, Key]
"""The number of a rung, and the key of a hand on it."""

_PLACES_PER_RUNG = 14


@dataclass(frozen=True)
class Rung:
    """One class of hands: its name, its shape, the clauses that define it, and named parts of it.

    A part is the hands of the class whose first key is one of the ranks given, as in
    `{"pair_of_aces": "A"}`.
    """

    name: str
    shape: Shape
    clauses: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Hand:
    """The value of some cards: strength, class, and the cards that make it, most significant first."""

    strength: int
    name: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, eq=False)
class Ranking:
    """An order of hands of `cards` cards, each judged by the best `size` of them.

    `ladder` is judged on `size` cards at a time; `whole`, above it, on all of them. With
    `kickers` off, hands of one class are equal.
    """

    name: str
    size: int
    ladder: Sequence[Rung]
    cards: int = 0
    whole: Sequence[Rung] = ()
    kickers: bool = True
    groups: tuple[int, ...] = ()
    """If the cards come from several places, how many from each. The order of the groups matters."""
    clauses: str = ""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Other names for hands, used by a regulation."""
    base: Ranking | None = None
    """The ranking with the same order of hands, if this one only takes more cards."""

    def __post_init__(self) -> None:
        if not self.cards:
            object.__setattr__(self, "cards", self.size)

    def best_of(self, cards: int, name: str) -> Ranking:
        """The same order of hands, each the best that can be made of more cards."""
        return replace(self, cards=cards, name=name, base=self)

    def with_printed_straights(self) -> Ranking:
        """The same order where the ace never plays low: reading ace_low_straights = "printed"."""
        return replace(
            self,
            name=f"{self.name}_ace_high",
            base=None,
            ladder=[replace(rung, shape=_ace_high(rung.shape)) for rung in self.ladder],
            whole=[replace(rung, shape=_ace_high(rung.shape)) for rung in self.whole],
        )

    @property
    def rungs(self) -> tuple[Rung, ...]:
        """Every rung, lowest first."""
        return (*self.ladder, *self.whole)

    def strength(self, cards: Sequence[Card]) -> int:
        """The strength of a hand."""
        return self._strengths[self._standing(cards)[0]]

    def strength_of(self, cards: Sequence[Card]) -> int:
        """The strength of a hand of exactly `size` cards, by the ladder alone."""
        return self._strengths[self.standing(cards)]

    def whole_strength(self, cards: Sequence[Card]) -> int | None:
        """The strength of cards that reach a rung above the ladder, else `None`."""
        standing = self._climb(HandCards(cards), self.whole, len(self.ladder)) if len(cards) == self.cards else None
        return None if standing is None else self._strengths[standing]

    def hand(self, cards: Sequence[Card]) -> Hand:
        """The value of a hand, and which of its cards make it."""
        standing, chosen = self._standing(cards)
        return Hand(self._strengths[standing], self.rungs[standing[0]].name, _arrange(chosen))

    def name_of(self, strength: int) -> str:
        """The class that a strength belongs to."""
        for rung in self.rungs:
            if strength in self.span(rung.name):
                return rung.name
        raise InputError("", f"{strength} is not a strength of ranking {self.name}")

    def span(self, row: str) -> range:
        """The strengths that the name of a hand covers.

        A name is a class (`pair`), a part of one (`pair_of_aces`), or either followed by
        `_or_better` or `_or_lower`. Refuses a name that this ranking does not have.
        """
        return self._resolve(row, self._spans, len(self))

    @property
    def summit(self) -> int:
        """One more than the highest place on the ladder."""
        return len(self.rungs) * _PLACES_PER_RUNG

    def places(self, row: str) -> range:
        """The position of a named hand on the ladder, found without ordering every hand.

        Each rung has a range of places, one for each first key, so that a part of a rung has its own.
        """
        named = {
            rung.name: range(n * _PLACES_PER_RUNG, (n + 1) * _PLACES_PER_RUNG) for n, rung in enumerate(self.rungs)
        }
        for number, rung in enumerate(self.rungs):
            for part, letters in rung.parts.items():
                ranks = ranks_named(letters)
                named[part] = range(
                    number * _PLACES_PER_RUNG + min(ranks) + 1, number * _PLACES_PER_RUNG + max(ranks) + 2
                )
        return self._resolve(row, named, self.summit)

    def _resolve(self, row: str, named: Mapping[str, range], stop: int) -> range:
        row = self.aliases.get(row, row)
        if row in named:
            return named[row]
        if (base := row.removesuffix("_or_better")) in named:
            return range(named[base].start, stop)
        if (base := row.removesuffix("_or_lower")) in named:
            return range(named[base].stop)
        raise InputError("", f"no hand is called {row!r} in ranking {self.name}")

    def __len__(self) -> int:
        """How many strengths there are."""
        return self._spans[self.rungs[-1].name].stop

    def standings(self) -> dict[Standing, int]:
        """Every standing (rung and key) with its strength, lowest first."""
        return dict(self._strengths)

    def spans(self) -> dict[str, range]:
        """The strengths of every class and part, by name."""
        return dict(self._spans)

    def remember(self, spans: Mapping[str, range]) -> None:
        """Takes spans from a cache, which saves ordering every hand again."""
        for ranking in (self, *([self.base] if self.base is not None else [])):
            ranking.__dict__.setdefault("_spans", dict(spans))

    def __repr__(self) -> str:
        return f"<Ranking {self.name}>"

    def declaration(self) -> str:
        """Everything that determines strengths and names of hands, as text; rankings with equal text are equal."""
        fields = (self.size, self.cards, self.kickers, self.groups)
        rungs = [(rung.name, rung.shape, sorted(rung.parts.items())) for rung in self.rungs]
        return repr((fields, rungs, len(self.ladder)))

    def _standing(self, cards: Sequence[Card]) -> tuple[Standing, tuple[Card, ...]]:
        """Standing of the best hand in the cards, and the cards that form it."""
        if len(cards) != self.cards:
            raise InputError("", f"{self.name} takes {self.cards} cards, not {show_cards(cards)!r}")
        return self._best(cards)

    def _best(self, cards: Sequence[Card]) -> tuple[Standing, tuple[Card, ...]]:
        whole = self._climb(HandCards(cards), self.whole, len(self.ladder))
        if whole is not None:
            return whole, tuple(cards)
        return max(
            ((self.standing(chosen), chosen) for chosen in combinations(cards, self.size)),
            key=lambda candidate: candidate[0],
        )

    def standing(self, cards: Sequence[Card]) -> Standing:
        """The rung (its number) and key of a hand of exactly `size` cards; raises `InputError` if no rung fits."""
        standing = self._climb(HandCards(cards), self.ladder, 0)
        if standing is None:
            raise InputError(f"ranking {self.name}", f"has no rung for {show_cards(cards)}")
        return standing

    def _climb(self, hand: HandCards, rungs: Sequence[Rung], first: int) -> Standing | None:
        """The highest of the rungs that the cards reach."""
        for number in range(len(rungs) - 1, -1, -1):
            key = rungs[number].shape.key(hand)
            if key is not None:
                return first + number, key if self.kickers else ()
        return None

    @cached_property
    def _strengths(self) -> dict[Standing, int]:
        """Every standing that some hand has, numbered in order."""
        if self.base is not None:
            return self.base._strengths
        standings: set[Standing] = {(number, ()) for number in range(len(self.rungs))}
        if self.kickers:
            standings = {self.standing(hand) for hand in sample_hands(self.size)}
            for hand in suited_hands(self.cards) if self.whole else ():
                whole = self._climb(HandCards(hand), self.whole, len(self.ladder))
                standings |= {whole} if whole is not None else set()
        return {standing: strength for strength, standing in enumerate(sorted(standings))}

    @cached_property
    def _spans(self) -> dict[str, range]:
        spans: dict[str, range] = {}
        for number, rung in enumerate(self.rungs):
            members = {key: s for (n, key), s in self._strengths.items() if n == number}
            spans[rung.name] = range(min(members.values()), max(members.values()) + 1)
            for part, letters in rung.parts.items():
                ranks = ranks_named(letters)
                chosen = [s for key, s in members.items() if key[0] in ranks]
                spans[part] = range(min(chosen), max(chosen) + 1)
        return spans


def sample_hands(count: int) -> Iterator[tuple[Card, ...]]:
    """One hand for each combination of ranks that can be dealt: of mixed suits, and of one suit.

    Enough to distinguish everything that a ladder of ranks and flushes can.
    """
    for ranks in combinations_with_replacement(range(13), count):
        if all(ranks.count(rank) <= 4 for rank in ranks):
            yield mixed_hand(ranks)
            if len(set(ranks)) == count > 1:
                yield tuple(DECK[rank] for rank in ranks)


def suited_hands(count: int) -> Iterator[tuple[Card, ...]]:
    """Every hand of one suit, in each suit: the only hands on rungs above a ladder."""
    for ranks in combinations(range(13), count):
        for suit in range(4):
            yield tuple(DECK[suit * 13 + rank] for rank in ranks)


def mixed_hand(ranks: Sequence[int]) -> tuple[Card, ...]:
    """Cards of these ranks (in ascending order), the suits in rotation."""
    return tuple(DECK[(position % 4) * 13 + rank] for position, rank in enumerate(ranks))


def _arrange(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Cards as a dealer lays them out: sets first, then high to low; the ace last when it is low."""
    ranks = [card.rank for card in cards]
    arranged = sorted(cards, key=lambda card: (-ranks.count(card.rank), -card.rank, card.suit.index))
    low = Straight().key(HandCards(cards))
    if low is not None and low[0] == len(cards) - 2:
        arranged = arranged[1:] + arranged[:1]
    return tuple(arranged)


def _ace_high(shape: Shape) -> Shape:
    if isinstance(shape, Straight):
        return replace(shape, ace_low=False)
    if isinstance(shape, Both):
        return Both(_ace_high(shape.first), _ace_high(shape.second))
    return shape
