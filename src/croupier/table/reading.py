"""Physical cards: where nobody knows the order of a deck, the cards are read as they leave the shoe.

A shoe that reads them or the dealer enters them before the deal is recorded; a card that cannot be there is refused.
No clause asks for it: it is how a table of felt and paper keeps a record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from croupier.cards import DECK
from croupier.errors import NotPermitted
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.decide import current_round, decides, require_phase, rule_clause, said
from croupier.table.evolve import next_state
from croupier.table.state import Phase, Table, evolved

SOURCE = "cards read at the shoe"
"""What the record says of a shuffle whose order nobody knows."""


@decides(c.ReadCards)
def read_cards(table: Table, command: c.ReadCards) -> Iterator[e.Event]:
    if not table.setup.reads_cards:
        raise NotPermitted("", "the order of the cards is known at this table: there is nothing to read")
    require_phase(table, "deal", Phase.DEALING)
    round_ = current_round(table, "deal")
    clause = rule_clause(table, "deal")
    for card, times in Counter(command.cards).items():
        if not 0 <= card < len(DECK):
            raise NotPermitted(clause, f"{card} is no card of a deck")
        if times > 1:
            raise NotPermitted(clause, f"{DECK[card]} was read {times} times, and a deck has it once")
    needed = len(round_.slots)
    if len(command.cards) < needed:
        raise NotPermitted(clause, f"this deal takes {needed} cards, and {len(command.cards)} were read")
    yield e.CardsRead(deck=round_.deck, cards=command.cards, **said(table, command, "deal"))


def require_read(table: Table, face_up: frozenset[int]) -> None:
    """Refuses to deal cards that were not read, one more for each that was found face up."""
    if not table.setup.reads_cards:
        return
    round_ = current_round(table, "deal")
    read = len(table.decks[round_.deck].order)
    needed = len(round_.slots) + min(len(face_up), 1)  # a second one ends the deal
    if read < needed:
        reason = f"this deal takes {needed} cards as they leave the shoe, and {read} were read"
        raise NotPermitted(rule_clause(table, "deal"), reason)


@next_state.register
def _(event: e.CardsRead, table: Table) -> Table:
    deck = evolved(table.decks[event.deck], order=event.cards)
    return evolved(table, decks={**table.decks, event.deck: deck})
