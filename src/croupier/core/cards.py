"""The 52 cards and their notation: `As` is the ace of spades, `Td` the ten of diamonds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum, IntEnum

from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError


class Rank(IntEnum):
    """The thirteen ranks, lowest first; the ace is high, and low only in a straight."""

    TWO = 0
    THREE = 1
    FOUR = 2
    FIVE = 3
    SIX = 4
    SEVEN = 5
    EIGHT = 6
    NINE = 7
    TEN = 8
    JACK = 9
    QUEEN = 10
    KING = 11
    ACE = 12

    @property
    def letter(self) -> str:
        return "23456789TJQKA"[self]


class Suit(Enum):
    """The four suits, equal in rank."""

    CLUBS = "c"
    DIAMONDS = "d"
    HEARTS = "h"
    SPADES = "s"

    @property
    def symbol(self) -> str:
        return {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}[self.value]

    @property
    def is_red(self) -> bool:
        return self in (Suit.DIAMONDS, Suit.HEARTS)

    @property
    def index(self) -> int:
        return "cdhs".index(self.value)


@dataclass(frozen=True, slots=True)
class Card:
    """One card of the deck. Each card is a singleton: `Card.of(51) is Card.parse("As")`."""

    rank: Rank
    suit: Suit
    index: int
    """0 to 51: clubs from the two to the ace, then diamonds, hearts and spades."""

    @staticmethod
    def of(index: int) -> Card:
        return DECK[index]

    @staticmethod
    def parse(text: str) -> Card:
        """Parses one card; `10s` and `T♠` are accepted for `Ts`, and letters of either case.

        >>> Card.parse("10s"), Card.parse("k♥")
        (Card('Ts'), Card('Kh'))
        """
        match = _CARD.fullmatch(text)
        if match is None:
            raise InputError("", f"{text!r} is not a card: write a rank and a suit, as in As, Td, 10h")
        return _named(match)

    def __str__(self) -> str:
        return self.rank.letter + self.suit.value

    def __repr__(self) -> str:
        return f"Card({str(self)!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return (Card.of, (self.index,))


DECK: tuple[Card, ...] = tuple(Card(rank, suit, suit.index * 13 + rank) for suit in Suit for rank in Rank)
_BY_NAME = {str(card): card for card in DECK}
_SUIT_LETTERS = {suit.symbol: suit.value for suit in Suit} | dict(zip("♧♢♡♤", "cdhs", strict=True))
_CARD = re.compile(rf"(10|[2-9TJQKA])([cdhs{''.join(_SUIT_LETTERS)}])\ufe0f?", re.IGNORECASE | re.ASCII)
"""A rank and a suit; a symbol may be followed by the selector that makes it colored."""
_SEPARATORS = re.compile(r"[\s,]+")


def _named(match: re.Match[str]) -> Card:
    rank, suit = match[1].upper().replace("10", "T"), match[2].lower()
    return _BY_NAME[rank + _SUIT_LETTERS.get(suit, suit)]


def parse_cards(text: str) -> tuple[Card, ...]:
    """Parses cards, separated by white space or commas or not at all; a card may be listed only once.

    >>> parse_cards("As Kd 10c")
    (Card('As'), Card('Kd'), Card('Tc'))
    >>> parse_cards("KsKdK♥")
    (Card('Ks'), Card('Kd'), Card('Kh'))
    """
    cards: list[Card] = []
    for word in filter(None, _SEPARATORS.split(text)):
        cards += [_named(match) for match in _CARD.finditer(word)] if _is_run(word) else [Card.parse(word)]
    seen: set[Card] = set()
    for card in cards:
        if card in seen:
            raise InputError("", f"the card {card} is listed twice")
        seen.add(card)
    return tuple(cards)


def _is_run(word: str) -> bool:
    """Whether a word consists of cards without a gap."""
    end = 0
    for match in _CARD.finditer(word):
        if match.start() != end:
            return False
        end = match.end()
    return end == len(word)


def show_cards(cards: Iterable[Card]) -> str:
    """Cards as text that `parse_cards` reads back."""
    return " ".join(str(card) for card in cards)
