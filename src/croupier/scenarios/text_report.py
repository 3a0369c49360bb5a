"""The settlement of a scenario as a text that a floorperson can read out."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from croupier.core.cards import DECK, show_cards
from croupier.core.money import format_money, format_signed_money
from croupier.games.definition import BOARD, BONUS, COMMUNITY, FOURTH
from croupier.scenarios.runner import in_printed_order, settled
from croupier.table.model.events import BonusDrawn, FaceUpCardDiscarded, RoundVoided
from croupier.table.model.state import Round
from croupier.table.narration import describe, explain, hand_label, wager_title
from croupier.table.session import TableSession

WIDTH = 80
_PLACES = {BOARD: "Board", BONUS: "Bonus card", COMMUNITY: "Community card"}
_TOLD = (FaceUpCardDiscarded, BonusDrawn, RoundVoided)


def explained(driver: TableSession) -> Iterator[str]:
    """Dealer, board, what went wrong, every seat with every wager, and the meters; no line over 80 columns."""
    for line in _lines(driver):
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        yield from textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False)


def _lines(driver: TableSession) -> Iterator[str]:
    table, result = driver.table, settled(driver)
    round_ = table.round
    if round_ is None:
        return
    if result["dealer"] is not None:
        yield f"Dealer: {_held(result['dealer'])}"
    for place, title in _PLACES.items():
        if round_.hand(place):
            plural = "s" if place == BONUS and len(round_.hand(place)) > 1 else ""
            yield f"{title}{plural}: {_cards(round_, place)}"
    for event in driver.events:
        idle = isinstance(event, BonusDrawn) and event.magic_card is None and event.lucky_position is None
        if isinstance(event, _TOLD) and not idle:
            yield describe(table.setup, event)
    for seat in result["seats"]:
        number = seat["seat"]
        fourth = f"; fourth card {_cards(round_, FOURTH, number)}" if round_.hand(FOURTH, number) else ""
        yield f"Seat {number}: {_held(seat)}{fourth}"
        for entry in in_printed_order(driver, [entry for entry in round_.entries if entry.seat == number]):
            yield f"  {explain(table.setup, entry)}"
        yield f"  Net {format_signed_money(seat['net_cents'])}"
    for name, plan in table.setup.meters.items():
        tier = "" if name == plan.table else f", {hand_label(plan.tier)}"
        yield f"Meter of the {wager_title(table.setup, plan.table)}{tier}: {format_money(table.meters[name].display)}"


def _held(hand: dict[str, Any]) -> str:
    """Cards and hand; a void deal may have left no cards, or too few for a hand."""
    cards = hand["cards"] or "no cards"
    return f"{cards}, {hand_label(hand['hand'])}" if hand["hand"] else cards


def _cards(round_: Round, place: str, seat: int = 0) -> str:
    return show_cards(DECK[card] for card in round_.hand(place, seat))
