"""The settlement of a scenario as text that a floorperson can read aloud."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from croupier.core.cards import DECK, show_cards
from croupier.core.money import format_money, format_signed_money
from croupier.games.definition import BOARD, BONUS, COMMUNITY, FOURTH
from croupier.scenarios.runner import settlement_document, sort_entries
from croupier.table.model.events import BonusDrawn, FaceUpCardDiscarded, RoundVoided
from croupier.table.model.state import Round
from croupier.table.narration import describe, explain, hand_label, wager_title
from croupier.table.session import TableSession

WIDTH = 80
_PLACE_TITLES = {BOARD: "Board", BONUS: "Bonus card", COMMUNITY: "Community card"}
_REPORTED_EVENTS = (FaceUpCardDiscarded, BonusDrawn, RoundVoided)


def describe_settlement(session: TableSession) -> Iterator[str]:
    """Describes the dealer, the board, irregularities, every wager of every seat, and the meters, in 80 columns."""
    for line in _unwrapped_lines(session):
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        yield from textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False)


def _unwrapped_lines(session: TableSession) -> Iterator[str]:
    table, document = session.table, settlement_document(session)
    round_ = table.round
    if round_ is None:
        return
    if document["dealer"] is not None:
        yield f"Dealer: {_format_hand(document['dealer'])}"
    for place, title in _PLACE_TITLES.items():
        if round_.hand(place):
            plural = "s" if place == BONUS and len(round_.hand(place)) > 1 else ""
            yield f"{title}{plural}: {_format_cards(round_, place)}"
    for event in session.events:
        is_empty_draw = isinstance(event, BonusDrawn) and event.magic_card is None and event.lucky_position is None
        if isinstance(event, _REPORTED_EVENTS) and not is_empty_draw:
            yield describe(table.setup, event)
    for seat in document["seats"]:
        number = seat["seat"]
        fourth = f"; fourth card {_format_cards(round_, FOURTH, number)}" if round_.hand(FOURTH, number) else ""
        yield f"Seat {number}: {_format_hand(seat)}{fourth}"
        for entry in sort_entries(session, [entry for entry in round_.entries if entry.seat == number]):
            yield f"  {explain(table.setup, entry)}"
        yield f"  Net {format_signed_money(seat['net_cents'])}"
    for name, plan in table.setup.meters.items():
        tier = "" if name == plan.table else f", {hand_label(plan.tier)}"
        yield f"Meter of the {wager_title(table.setup, plan.table)}{tier}: {format_money(table.meters[name].display)}"


def _format_hand(hand: dict[str, Any]) -> str:
    """The cards and the hand; after a void deal there may be no cards, or too few for a hand."""
    cards = hand["cards"] or "no cards"
    return f"{cards}, {hand_label(hand['hand'])}" if hand["hand"] else cards


def _format_cards(round_: Round, place: str, seat: int = 0) -> str:
    return show_cards(DECK[card] for card in round_.hand(place, seat))
