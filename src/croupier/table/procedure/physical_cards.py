"""Physical cards: the order of the deck is unknown, and the cards are read as they leave the shoe.

A reading shoe or the dealer enters them before the deal is recorded; an impossible card is refused. No clause requires
it: this is how a physical table keeps a record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from croupier.core.cards import DECK
from croupier.core.errors import RuleViolation
from croupier.table.decide import current_round, decider_for, event_metadata, require_phase, rule_clause
from croupier.table.evolve import next_state
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.state import Phase, Table, copy_with

READ_SOURCE = "cards read at the shoe"
"""The source in the record of a shuffle whose order is unknown."""


@decider_for(c.ReadCards)
def read_cards(table: Table, command: c.ReadCards) -> Iterator[e.Event]:
    if not table.setup.reads_cards:
        raise RuleViolation("", "the order of the cards is known at this table: there is nothing to read")
    require_phase(table, "deal", Phase.DEALING)
    round_ = current_round(table, "deal")
    clause = rule_clause(table, "deal")
    for card, count in Counter(command.cards).items():
        if not 0 <= card < len(DECK):
            raise RuleViolation(clause, f"{card} is not a card of the deck")
        if count > 1:
            raise RuleViolation(clause, f"{DECK[card]} was read {count} times, and a deck has it once")
    cards_needed = len(round_.slots)
    if len(command.cards) < cards_needed:
        raise RuleViolation(clause, f"this deal takes {cards_needed} cards, and {len(command.cards)} were read")
    yield e.CardsRead(deck=round_.deck, cards=command.cards, **event_metadata(table, command, "deal"))


def require_read(table: Table, face_up: frozenset[int]) -> None:
    """Refuses to deal cards that were not read, one more included if a card was found face up."""
    if not table.setup.reads_cards:
        return
    round_ = current_round(table, "deal")
    cards_read = len(table.decks[round_.deck].order)
    cards_needed = len(round_.slots) + min(len(face_up), 1)  # a second face-up card ends the deal
    if cards_read < cards_needed:
        reason = f"this deal takes {cards_needed} cards as they leave the shoe, and {cards_read} were read"
        raise RuleViolation(rule_clause(table, "deal"), reason)


@next_state.register
def _(event: e.CardsRead, table: Table) -> Table:
    deck = copy_with(table.decks[event.deck], order=event.cards)
    return copy_with(table, decks={**table.decks, event.deck: deck})
