"""The deal: each card to its place; at a table with physical cards, each card as it is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from croupier.core.cards import DECK
from croupier.core.errors import RuleViolation
from croupier.games.definition import DEALER, DISCARD, FOURTH, PLAYER, Slot
from croupier.regulations.clauses import carries_out
from croupier.table.decide import current_round, decider_for, event_metadata, require_phase, rule_clause
from croupier.table.evolve import copy_with, next_state
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.setup import Setup
from croupier.table.model.state import Phase, Round, Table
from croupier.table.procedure.card_entries import ENTRY_SOURCE
from croupier.table.procedure.devices import SHOE, require_usable
from croupier.table.procedure.irregularities import void_round
from croupier.table.procedure.wagers import require_ready_to_deal

READ_SOURCE = "cards read at the shoe"
"""The source in the record of a shuffle whose order is unknown."""


def physical_source(setup: Setup) -> str:
    """The source in the record of a shuffle of physical cards."""
    return READ_SOURCE if setup.reads_cards else ENTRY_SOURCE


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
            raise RuleViolation(clause, f"{DECK[card]} was read {count} times, but a deck has only one")
    cards_needed = len(round_.slots)
    if len(command.cards) < cards_needed:
        raise RuleViolation(clause, f"this deal takes {cards_needed} cards, but {len(command.cards)} were read")
    yield e.CardsRead(deck=round_.deck, cards=command.cards, **event_metadata(table, command, "deal"))


def require_read(table: Table, face_up: frozenset[int]) -> None:
    """Refuses to deal cards that were not read, one more included if a card was found face up."""
    if not table.setup.reads_cards:
        return
    round_ = current_round(table, "deal")
    cards_read = len(table.decks[round_.deck].order)
    cards_needed = len(round_.slots) + min(len(face_up), 1)  # a second face-up card ends the deal
    if cards_read < cards_needed:
        reason = f"this deal takes {cards_needed} cards as they leave the shoe, but {cards_read} were read"
        raise RuleViolation(rule_clause(table, "deal"), reason)


@next_state.register
def _(event: e.CardsRead, table: Table) -> Table:
    deck = copy_with(table.decks[event.deck], order=event.cards)
    return copy_with(table, decks={**table.decks, event.deck: deck})


@decider_for(c.Deal)
@carries_out(
    "deal_manual_shoe",
    "deal_hand",
    "deal_automated_shoe",
    "draw_manual_shoe",
    "draw_hand",
    "deal_bonus_manual_shoe",
    "deal_bonus_hand",
    "deal_bonus_automated_shoe",
    "deal_board_automated_shoe",
    "deal_fourth_automated_shoe",
    "deal_community_manual_shoe",
    "deal_community_hand",
    "deal_community_automated_shoe",
    "deal_discard_automated_shoe",
    "deal_dealer_automated_shoe",
    "deal_dealer_up_manual_shoe",
    "deal_dealer_up_hand",
    "deal_dealer_up_automated_shoe",
    "dealer_cards_first",
    "four_card_stacks",
    "top_card_of_a_bettor",
    "top_card_of_others",
    "elections.pair_bonus_card",
    "face_up_card",
    "several_face_up_cards",
)
def deal(table: Table, command: c.Deal) -> Iterator[e.Event]:
    require_phase(table, "deal", Phase.DEALING)
    round_ = current_round(table, "deal")
    require_usable(table, SHOE)
    require_ready_to_deal(table, round_)
    require_read(table, command.face_up)
    order = _unknown_order(table, round_, command) if round_.enters_cards else table.decks[round_.deck].order
    if not command.face_up <= set(order):
        clause = rule_clause(table, "face_up_card")
        raise RuleViolation(clause, "a card that is not in the deck cannot be face up in it")
    deal_metadata = event_metadata(table, command, "deal")
    drawn = 0
    face_up_count = 0
    for slot in round_.slots:
        while (card := order[drawn]) is not None and card in command.face_up:
            face_up_count += 1
            yield e.FaceUpCardDiscarded(card=card, **event_metadata(table, command, "face_up_card"))
            drawn += 1
            if face_up_count > 1:
                cause = "several_face_up_cards"
                rule = cause if table.setup.clause(cause) else "face_up_card"
                yield from void_round(
                    table, cause=cause, settles_optional=False, metadata=event_metadata(table, command, rule)
                )
                return
        metadata = {**deal_metadata, "clause": _deal_clause(table, slot) or deal_metadata["clause"]}
        yield e.CardDealt(card=card, place=slot.place, seat=slot.seat, face_up=slot.face_up, **metadata)
        drawn += 1
    yield e.DealCompleted(stub=table.setup.elected.edition.figure("deck_cards") - drawn, **deal_metadata)


def _unknown_order(table: Table, round_: Round, command: c.Deal) -> tuple[int | None, ...]:
    """The cards of a deal from a plain shoe: nobody knows them but those found face up. A second one ends the deal."""
    clause = rule_clause(table, "face_up_card")
    face_up = tuple(sorted(command.face_up))
    if face_up and not 0 <= face_up[0] <= face_up[-1] < len(DECK):
        raise RuleViolation(clause, "a card that is not in the deck cannot be face up in it")
    if len(face_up) > 2:
        raise RuleViolation(clause, "name the two cards that were found face up first: the second ends the deal")
    last = len(round_.slots) - 1
    if command.cards_dealt and len(face_up) < 2:
        raise RuleViolation(clause, "the number of cards dealt is only asked for if a second card was found face up")
    if not 0 <= command.cards_dealt <= last:
        reason = f"at most {last} cards can have been dealt before the second card was found, not {command.cards_dealt}"
        raise RuleViolation(clause, reason)
    dealt = command.cards_dealt if len(face_up) == 2 else len(round_.slots)
    return (*face_up[:1], *[None] * dealt, *face_up[1:])


def _deal_clause(table: Table, slot: Slot) -> str:
    """The clause about the cards of one place, if the edition has one besides that of the deal."""
    variant = _VARIANT_RULES.get((table.setup.deal_variant, slot.place), "")
    face_up_clause = rule_clause(table, f"deal_{slot.place}_up") if slot.face_up else ""
    return table.setup.clause(variant) or face_up_clause or rule_clause(table, f"deal_{slot.place}")


_VARIANT_RULES = {
    ("dealer_cards_first", DEALER): "dealer_cards_first",
    ("four_card_stacks", PLAYER): "four_card_stacks",
    ("four_card_stacks", DEALER): "four_card_stacks",
    ("four_card_stacks", FOURTH): "top_card_of_a_bettor",
    ("four_card_stacks", DISCARD): "top_card_of_others",
}
"""The rule about the cards of a place where a reshuffling shoe deals them differently."""
