"""A strategy card for a player who knows one dealer card: the lowest hand for each raise, by the rank of that card."""

from __future__ import annotations

from croupier.analysis.contest_strategy_card import ContestCard, condense_strategy
from croupier.analysis.contests import count_spots
from croupier.analysis.counting.sweep import DEALER_CARDS
from croupier.analysis.protection.contests import ContestEngine, ContestQuestion
from croupier.analysis.protection.value import KnowledgeValue, contest_question
from croupier.games import game


def card_of(value: KnowledgeValue) -> ContestCard | None:
    """The card, with its edge and its cost; `None` if the knowledge is anything else than one dealer card."""
    definition = game(value.elected.edition.game)
    if definition.contest is None or not value.knowledge.seen:
        return None
    engine = ContestEngine.of(value.elected)
    if contest_question(value.elected, value.knowledge) != ContestQuestion(known_cards=1):
        return None
    if engine.dealer.cards == DEALER_CARDS and engine.reads_ties:
        return None  # the sweep for six dealer cards with one known counts ties as wins
    return condense_strategy(value.elected, count_spots(definition.name, has_upcard=True))
