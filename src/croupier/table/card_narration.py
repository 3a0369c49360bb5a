"""Sentences about cards that are entered when they are turned up, at a table with a plain shoe."""

from __future__ import annotations

from croupier.core.cards import DECK
from croupier.core.money import format_money
from croupier.games.definition import PLAYER
from croupier.table.model import events as e

CardEntryEvent = e.CardEntered | e.CardCorrected | e.DuplicateCardReported | e.DuplicateCardRuled | e.WagerReduced
"""The events of cards from a plain shoe."""


def describe_card_entry(event: CardEntryEvent) -> str:
    """One event as a sentence, without its clause."""
    match event:
        case e.CardEntered():
            return f"{DECK[event.card]} is turned up and entered as {_position(event.place, event.seat, event.number)}"
        case e.CardCorrected():
            reason = f" ({event.reason})" if event.reason else ""
            position = _position(event.place, event.seat, event.number)
            if event.card is None:
                return f"{event.by.name} takes back {DECK[event.before]} as {position}{reason}"
            return f"{event.by.name} corrects {position} from {DECK[event.before]} to {DECK[event.card]}{reason}"
        case e.DuplicateCardReported():
            first = _position(event.first_place, event.first_seat, event.first_number)
            place = first if event.first_place else "a card found face up"
            position = _position(event.place, event.seat, event.number)
            return f"{event.by.name} reports {DECK[event.card]} as {position}, although it is {place}"
        case e.DuplicateCardRuled():
            finding = "lies on the layout twice" if event.is_duplicate else "was reported by mistake"
            return f"{event.by.name} rules: {DECK[event.card]} {finding} ({event.reason})"
        case e.WagerReduced():
            returned = format_money(event.before - event.amount)
            remaining = format_money(event.amount)
            return f"{event.by.name} returns {returned} to seat {event.seat}; {remaining} stays ({event.reason})"


def _position(place: str, seat: int, number: int) -> str:
    owner = f"seat {seat}" if place == PLAYER else f"the {place} card of seat {seat}" if seat else f"the {place}"
    return f"card {number} of {owner}"
