"""The hands of a round: their cards and their rank."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.core.cards import DECK, Card
from croupier.core.dataclass import dataclass
from croupier.games.definition import FOURTH, PLAYER, Cards
from croupier.hands import Hand, Ranking, ranking_named
from croupier.hands.lookup import lookup
from croupier.table.model.setup import Setup
from croupier.table.model.state import Round, UnknownCards

PER_SEAT = (PLAYER, FOURTH)
"""The places where every seat has cards of its own."""


@dataclass(frozen=True, slots=True)
class RankedHand:
    """The strength and class of a hand."""

    strength: int
    name: str


def read_hand(ranking: Ranking, cards: Sequence[Card]) -> RankedHand:
    """The strength and class of cards, from the lookup tables."""
    tables = lookup(ranking)
    strength = tables.strength(cards)
    return RankedHand(strength, tables.name(strength))


def cards_of(round_: Round, cards: Cards, seat: int) -> tuple[Card, ...]:
    """The cards of a hand, in the order dealt; raises `UnknownCards` if one of them is not known."""
    hand: list[Card] = []
    for place in cards.places:
        place_seat = seat if place in PER_SEAT else 0
        dealt = round_.cards_at(place, place_seat)
        for number in dealt[: cards.first] if cards.first else dealt:
            if number is None:
                raise UnknownCards(place, place_seat)
            hand.append(DECK[number])
    return tuple(hand)


def holds_at_least(setup: Setup, round_: Round, seat: int, hand: str) -> bool:
    """Whether a seat's hand ranks at least as high as the named class."""
    ranking = ranking_named(setup.game.hand_ranking)
    return read_hand(ranking, cards_of(round_, setup.game.hand, seat)).strength >= ranking.span(hand).start


def player_hand(setup: Setup, round_: Round, seat: int) -> Hand:
    """A player's hand in the contest."""
    return lookup(ranking_named(setup.game.hand_ranking)).hand(cards_of(round_, setup.game.hand, seat))


def dealer_hand(setup: Setup, round_: Round) -> Hand | None:
    """The dealer's hand in the contest; `None` for a game without one."""
    contest = setup.game.contest
    if contest is None:
        return None
    return lookup(ranking_named(contest.dealer_ranking)).hand(cards_of(round_, contest.dealer, 0))
