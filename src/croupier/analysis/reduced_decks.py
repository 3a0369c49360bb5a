"""Exact analysis of the required wagers on a deck of fewer cards, for comparison with other programs.

Every hand of the deck is enumerated, so the deck must be small. Payoffs and paytables are those of the full analysis.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np

from croupier.analysis.boards.solution import board_shape
from croupier.analysis.contests import has_dealer_upcard
from croupier.analysis.counting.histogram import count_hands
from croupier.analysis.side_wagers import net_of
from croupier.analysis.strategy import advice_by_counts
from croupier.analysis.supported_shapes import require_exact
from croupier.core.cards import DECK, Card
from croupier.core.errors import InputError
from croupier.games import game
from croupier.games.definition import Contest
from croupier.hands import ranking_named
from croupier.regulations import ElectedEdition


def analyze_reduced_deck(elected: ElectedEdition, deck: Sequence[Card]) -> Fraction:
    """The house edge per Ante of the required wagers under optimal play, if only these cards are in play.

    Refuses a game without an exact analysis, and a deck with too few cards or a card twice.
    """
    require_exact(elected)
    numbers = sorted(card.index for card in deck)
    if len(set(numbers)) != len(numbers):
        raise InputError("deck", "a card is listed twice")
    contest = game(elected.edition.game).contest
    return -(_board_value(elected, numbers) if contest is None else _contest_value(elected, contest, numbers))


def _contest_value(elected: ElectedEdition, contest: Contest, deck: list[int]) -> Fraction:
    """The mean over every hand, and every upcard if the dealer has one, of the value of the best choice."""
    player, dealer = ranking_named(contest.player_ranking), ranking_named(contest.dealer_ranking)
    _require_cards(deck, player.cards + dealer.cards)
    has_upcard = has_dealer_upcard(game(elected.edition.game))
    total, spots = Fraction(0), 0
    for hand in combinations(deck, player.cards):
        strength = player.strength([DECK[card] for card in hand])
        unseen = [card for card in deck if card not in hand]
        for fixed in [[card] for card in unseen] if has_upcard else [[]]:
            remaining = np.array([card for card in unseen if card not in fixed], dtype=np.int64)
            counts = count_hands(dealer, remaining, np.array(fixed, dtype=np.int64))
            total += max(advice_by_counts(elected, contest, strength, counts).values.values())
            spots += 1
    return total / spots


def _board_value(elected: ElectedEdition, deck: list[int]) -> Fraction:
    """Backward induction over every hand and every next card of the board."""
    shape = board_shape(elected)
    if shape is None:
        raise InputError("", f"{elected.edition.title} has neither a contest nor a board")
    table = elected.paytable(shape.table)
    _require_cards(deck, table.ranking.cards)

    @cache
    def last_net(cards: frozenset[int]) -> Fraction:
        return net_of(table.payout(table.ranking.strength([DECK[card] for card in cards])), Fraction(1), {})

    @cache
    def value(cards: frozenset[int], street: int, staked: int) -> Fraction:
        """The value of the best choice on a street, with these cards known."""
        values = [] if shape.pulls_back[street] else [Fraction(-staked)]
        unseen = [card for card in deck if card not in cards]
        for multiple in shape.choices[street]:
            stake = staked + multiple
            if street + 1 == len(shape.cards_known):
                nets = (stake * last_net(cards | {card}) for card in unseen)
            else:
                nets = (value(cards | {card}, street + 1, stake) for card in unseen)
            values.append(sum(nets, Fraction(0)) / len(unseen))
        return max(values)

    hands = [frozenset(hand) for hand in combinations(deck, shape.cards_known[0])]
    return sum((value(hand, 0, shape.base) for hand in hands), Fraction(0)) / len(hands)


def _require_cards(deck: list[int], needed: int) -> None:
    if len(deck) < needed:
        raise InputError("deck", f"{len(deck)} cards are too few: a round takes {needed}")
