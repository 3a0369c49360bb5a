"""A ranking: rungs declared lowest first, which give every hand a strength.

Strengths are consecutive integers from 0: the better hand has the higher strength, and equal hands have
the same. This is the readable version; `croupier.hands.kernels` computes the same integers a million
times faster, and the tests compare the two over every hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import combinations, combinations_with_replacement

from croupier.core.cards import DECK, Card, show_cards
from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError
from croupier.hands.shapes import Both, HandCards, Key, Shape, Straight, ranks_named

Standing = tuple[int, Key]
"""The number of a rung, and the key of a hand on it."""

_PLACES_PER_RUNG = 14


@dataclass(frozen=True)
class Rung:
    """One class of hands: its name, its shape, the clauses that define it, and its named parts.

    A part has the hands of the class whose leading rank is one of the given letters, as in
    `{"pair_of_aces": "A"}`.
    """

    name: str
    shape: Shape
    clauses: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Hand:
    """A ranked hand: its strength, its class, and the cards that form it, most significant first."""

    strength: int
    name: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, eq=False)
class Ranking:
    """An order of hands of `cards` cards, each ranked by the best `size` of them.

    The rungs of `ladder` apply to `size` cards; those of `full_hand`, which rank higher, to all cards.
    Without `kickers`, hands of one class are equal.
    """

    name: str
    size: int
    ladder: Sequence[Rung]
    cards: int = 0
    full_hand: Sequence[Rung] = ()
    kickers: bool = True
    groups: tuple[int, ...] = ()
    """The number of cards from each place, if there are several places. Their order matters."""
    clauses: str = ""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Other names for hands, used by a regulation."""
    base: Ranking | None = None
    """The ranking with the same order of hands, if this one only takes more cards."""

    def __post_init__(self) -> None:
        if not self.cards:
            object.__setattr__(self, "cards", self.size)

    def best_of(self, cards: int, name: str) -> Ranking:
        """The same order, for the best hand out of more cards."""
        return replace(self, cards=cards, name=name, base=self)

    def with_printed_straights(self) -> Ranking:
        """The same order, but the ace never plays low: reading ace_low_straights = "printed"."""
        return replace(
            self,
            name=f"{self.name}_ace_high",
            base=None,
            ladder=[replace(rung, shape=_ace_high(rung.shape)) for rung in self.ladder],
            full_hand=[replace(rung, shape=_ace_high(rung.shape)) for rung in self.full_hand],
        )

    @property
    def rungs(self) -> tuple[Rung, ...]:
        """Every rung, lowest first."""
        return (*self.ladder, *self.full_hand)

    def strength(self, cards: Sequence[Card]) -> int:
        """The strength of a hand."""
        return self._strengths[self._standing(cards)[0]]

    def ladder_strength(self, cards: Sequence[Card]) -> int:
        """The strength of a hand of exactly `size` cards, by the ladder alone."""
        return self._strengths[self.standing(cards)]

    def full_hand_strength(self, cards: Sequence[Card]) -> int | None:
        """The strength of cards that reach a rung of `full_hand`, else `None`."""
        standing = (
            self._highest_standing(HandCards(cards), self.full_hand, len(self.ladder))
            if len(cards) == self.cards
            else None
        )
        return None if standing is None else self._strengths[standing]

    def hand(self, cards: Sequence[Card]) -> Hand:
        """The strength and class of a hand, and the cards that form it."""
        standing, chosen = self._standing(cards)
        return Hand(self._strengths[standing], self.rungs[standing[0]].name, _arrange(chosen))

    def best_cards(self, cards: Sequence[Card]) -> tuple[str, tuple[Card, ...]]:
        """The class of a hand and the cards that form it, without its strength, which takes the order of every hand."""
        standing, chosen = self._standing(cards)
        return self.rungs[standing[0]].name, _arrange(chosen)

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
    def place_count(self) -> int:
        """One more than the highest place on the ladder."""
        return len(self.rungs) * _PLACES_PER_RUNG

    def places(self, row: str) -> range:
        """The places of a named hand, computed without ordering every hand.

        Each rung has a range of places, one for each leading rank, so that a part is a range too.
        """
        return self._resolve(row, self._place_ranges, self.place_count)

    @cached_property
    def _place_ranges(self) -> Mapping[str, range]:
        ranges = {
            rung.name: range(n * _PLACES_PER_RUNG, (n + 1) * _PLACES_PER_RUNG) for n, rung in enumerate(self.rungs)
        }
        for number, rung in enumerate(self.rungs):
            for part, letters in rung.parts.items():
                ranks = ranks_named(letters)
                ranges[part] = range(
                    number * _PLACES_PER_RUNG + min(ranks) + 1, number * _PLACES_PER_RUNG + max(ranks) + 2
                )
        return ranges

    def _resolve(self, row: str, ranges: Mapping[str, range], stop: int) -> range:
        row = self.aliases.get(row, row)
        if row in ranges:
            return ranges[row]
        if (base := row.removesuffix("_or_better")) in ranges:
            return range(ranges[base].start, stop)
        if (base := row.removesuffix("_or_lower")) in ranges:
            return range(ranges[base].stop)
        raise InputError("", f"no hand is called {row!r} in ranking {self.name}")

    def __len__(self) -> int:
        """The number of strengths."""
        return self._spans[self.rungs[-1].name].stop

    def standings(self) -> dict[Standing, int]:
        """Every standing (rung and key) with its strength, lowest first."""
        return dict(self._strengths)

    def spans(self) -> dict[str, range]:
        """The strengths of every class and part, by name."""
        return dict(self._spans)

    def load_spans(self, spans: Mapping[str, range]) -> None:
        """Sets the spans from a cache, which saves ordering every hand."""
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
        """The standing of the best hand in the cards, and the cards that form it."""
        if len(cards) != self.cards:
            raise InputError("", f"{self.name} takes {self.cards} cards, not {show_cards(cards)!r}")
        return self._best(cards)

    def _best(self, cards: Sequence[Card]) -> tuple[Standing, tuple[Card, ...]]:
        standing = self._highest_standing(HandCards(cards), self.full_hand, len(self.ladder))
        if standing is not None:
            return standing, tuple(cards)
        return max(
            ((self.standing(chosen), chosen) for chosen in combinations(cards, self.size)),
            key=lambda candidate: candidate[0],
        )

    def best_standing(self, cards: Sequence[Card]) -> Standing:
        """The rung (its number) and key of the best hand in the cards."""
        return self._standing(cards)[0]

    def standing(self, cards: Sequence[Card]) -> Standing:
        """The rung (its number) and key of a hand of exactly `size` cards; raises `InputError` if no rung fits."""
        standing = self._highest_standing(HandCards(cards), self.ladder, 0)
        if standing is None:
            raise InputError(f"ranking {self.name}", f"has no rung for {show_cards(cards)}")
        return standing

    def _highest_standing(self, hand: HandCards, rungs: Sequence[Rung], first: int) -> Standing | None:
        """The standing on the highest rung that the cards reach; `first` is the number of the lowest rung."""
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
            for hand in suited_hands(self.cards) if self.full_hand else ():
                standing = self._highest_standing(HandCards(hand), self.full_hand, len(self.ladder))
                standings |= {standing} if standing is not None else set()
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

    Together they reach every standing of a ladder of ranks and flushes.
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
    """Orders cards as a dealer lays them out: sets first, then high to low; a low ace last."""
    ranks = [card.rank for card in cards]
    ordered = sorted(cards, key=lambda card: (-ranks.count(card.rank), -card.rank, card.suit.index))
    straight_key = Straight().key(HandCards(cards))
    if straight_key is not None and straight_key[0] == len(cards) - 2:
        ordered = ordered[1:] + ordered[:1]
    return tuple(ordered)


def _ace_high(shape: Shape) -> Shape:
    if isinstance(shape, Straight):
        return replace(shape, ace_low=False)
    if isinstance(shape, Both):
        return Both(_ace_high(shape.first), _ace_high(shape.second))
    return shape
