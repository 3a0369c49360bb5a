"""The settlement of a scenario as text that a floorperson can read aloud."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from croupier.core.cards import DECK, show_cards
from croupier.core.money import format_money, format_signed_money
from croupier.games.definition import BOARD, BONUS, COMMUNITY, DEALER, FOURTH, PLAYER
from croupier.scenarios.settlement import settlement_document, sort_entries
from croupier.scenarios.unknown_cards import Doubts, hand_owner
from croupier.table.hand_narration import name_dealer_hand, name_player_hand
from croupier.table.model.events import BonusDrawn, FaceUpCardDiscarded, RoundVoided, WagerSettled
from croupier.table.narration import describe, explain, hand_label, wager_title
from croupier.table.session import TableSession
from croupier.table.settlement import PER_SEAT

WIDTH = 80
_PLACE_TITLES = {BOARD: "Board", BONUS: "Bonus card", COMMUNITY: "Community card"}
_REPORTED_EVENTS = (FaceUpCardDiscarded, BonusDrawn, RoundVoided)


def describe_settlement(session: TableSession, doubts: Doubts | None = None, width: int = WIDTH) -> Iterator[str]:
    """Describes the dealer, the board, irregularities, every wager of every seat, and the meters, in so many columns.

    With doubts, unknown cards are question marks, and a wager that depends on them says so.
    """
    for line in _unwrapped_lines(session, doubts):
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        yield from textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)


def doubtful_document(session: TableSession, doubts: Doubts) -> dict[str, Any]:
    """The settlement of a round with unknown cards: what depends on them is `null`, with `depends_on` beside it."""
    document = settlement_document(session)
    if document["dealer"] is not None:
        document["dealer"]["cards"] = doubts.show(doubts.round.hand(DEALER))
        if doubts.hides(DEALER):
            document["dealer"]["hand"] = ""
    for seat in document["seats"]:
        number = seat["seat"]
        hand = session.table.setup.game.hand
        seat["cards"] = doubts.show(doubts.round.hand(PLAYER, number))
        if any(doubts.hides(place, number if place in PER_SEAT else 0) for place in hand.places):
            seat["hand"] = ""
        doubtful = doubts.possible_entries(number)
        certain = [
            (entry, wager)
            for entry, wager in zip(_entries(session, number), seat["wagers"], strict=True)
            if (entry.wager, entry.holder) not in doubtful
        ]
        seat["wagers"] = [{**wager, "depends_on": []} for _, wager in certain]
        for wager, holder in doubtful:
            stake = doubts.round.staked(number, wager)
            unknown = dict.fromkeys(("outcome", "returned_cents", "paid_cents", "clause"))
            depends_on = doubts.depends_on(number, wager, holder)
            seat["wagers"].append({"wager": wager, "staked_cents": stake, **unknown, "depends_on": depends_on})
        if doubtful:
            seat["net_cents"] = None
    if doubts.has_doubtful_meters:
        document["meters"] = dict.fromkeys(document["meters"])
    return document


def reasons(session: TableSession, seat: int, doubts: Doubts | None = None) -> Iterator[str]:
    """One sentence for every entry of a seat; for a doubtful one, whose cards it depends on."""
    setup = session.table.setup
    doubtful = doubts.possible_entries(seat) if doubts is not None else []
    for entry in _entries(session, seat):
        if (entry.wager, entry.holder) not in doubtful:
            is_nameless = doubts is not None and doubts.is_nameless(entry)
            shown_round = session.table.round if doubts is None else doubts.round
            yield explain(setup, replace(entry, hand="", row="") if is_nameless else entry, shown_round)
    for wager, holder in doubtful:
        if doubts is not None:
            stake = doubts.round.staked(seat, wager)
            amount = f" of {format_money(stake)}" if stake else ""
            owners = " and ".join(doubts.depends_on(seat, wager, holder))
            yield f"{wager_title(setup, wager)}{amount} depends on the unknown cards of {owners}"


def _entries(session: TableSession, seat: int) -> list[WagerSettled]:
    round_ = session.table.round
    entries = [] if round_ is None else [entry for entry in round_.entries if entry.seat == seat]
    return sort_entries(session, entries)


def _unwrapped_lines(session: TableSession, doubts: Doubts | None) -> Iterator[str]:
    table = session.table
    document = settlement_document(session) if doubts is None else doubtful_document(session, doubts)
    round_ = table.round
    if round_ is None:
        return
    show = doubts.show if doubts is not None else _show_known
    shown_round = doubts.round if doubts is not None else round_
    if doubts is not None:
        owners = " and ".join(hand_owner(*hand) for hand in doubts.hands)
        yield f"Not known: cards of {owners}. What depends on them is not decided."
    if document["dealer"] is not None:
        yield f"Dealer: {_format_hand(document['dealer'], name_dealer_hand(table.setup, shown_round))}"
    for place, title in _PLACE_TITLES.items():
        if round_.hand(place):
            plural = "s" if place == BONUS and len(round_.hand(place)) > 1 else ""
            yield f"{title}{plural}: {show(round_.hand(place))}"
    for event in session.events:
        is_empty_draw = isinstance(event, BonusDrawn) and event.magic_card is None and event.lucky_position is None
        if isinstance(event, _REPORTED_EVENTS) and not is_empty_draw:
            yield describe(table.setup, event)
    for seat in document["seats"]:
        number = seat["seat"]
        fourth = f"; fourth card {show(round_.hand(FOURTH, number))}" if round_.hand(FOURTH, number) else ""
        yield f"Seat {number}: {_format_hand(seat, name_player_hand(table.setup, shown_round, number))}{fourth}"
        for reason in reasons(session, number, doubts):
            yield f"  {reason}"
        net = "Net: not known" if seat["net_cents"] is None else f"Net {format_signed_money(seat['net_cents'])}"
        yield f"  {net}"
    for name, plan in table.setup.meters.items():
        tier = "" if name == plan.table else f", {hand_label(plan.tier)}"
        is_doubtful = doubts is not None and doubts.has_doubtful_meters
        display = "depends on the unknown cards" if is_doubtful else format_money(table.meters[name].display)
        yield f"Meter of the {wager_title(table.setup, plan.table)}{tier}: {display}"


def _format_hand(hand: dict[str, Any], name: str) -> str:
    """The cards and the hand with its ranks; after a void deal there may be no cards, or too few for a hand."""
    cards = hand["cards"] or "no cards"
    return f"{cards}, {name or hand_label(hand['hand'])}" if hand["hand"] else cards


def _show_known(cards: Iterable[int]) -> str:
    return show_cards(DECK[card] for card in cards)
