"""Cards, decks, their notation, and the symmetry of the four suits."""

from croupier.cards.card import DECK, Card, Rank, Suit, parse_cards, show_cards
from croupier.cards.symmetry import SuitClass, canonical, suit_classes

__all__ = [
    "DECK",
    "Card",
    "Rank",
    "Suit",
    "SuitClass",
    "canonical",
    "parse_cards",
    "show_cards",
    "suit_classes",
]
