"""The cards that a dealer enters at a plain shoe, as JSON: the hand, the cards that are out, and what is due then."""

from __future__ import annotations

from croupier.games.definition import DEALER, PLAYER
from croupier.hands import ranking_named
from croupier.server.payloads.card_entries import CardEntryView, PaymentDue
from croupier.table.decide import decide
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.roles import Actor, Role
from croupier.table.model.state import Phase, Round, Table, UnknownCards
from croupier.table.narration import hand_label, wager_title
from croupier.table.procedure.card_entries import (
    CardsDue,
    cards_due,
    due_title,
    known_positions,
    turn_up_rule,
    turns_up_hand,
)
from croupier.table.settlement import cards_of, player_hand
from croupier.table.visibility import notation

_PREVIEW = Actor("preview", Role.DEALER)
"""Stands for the dealer where the table is asked what a settlement would pay; nothing is recorded."""


def card_entry_view(table: Table) -> CardEntryView | None:
    """The hand that is being entered or was just completed; `None` if there is none."""
    round_ = table.round
    if round_ is None or not round_.enters_cards or round_.duplicate is not None:
        return None
    next_cards = cards_due(table) or _complete_cards(table, round_)
    if next_cards is None:
        return None
    place, seat = next_cards.place, next_cards.seat
    return {
        "place": place,
        "seat": seat,
        "title": due_title(table, next_cards),
        "cards": [notation(card) for card in round_.cards_at(place, seat)],
        "numbers": list(next_cards.numbers),
        "hand": _hand_name(table, round_, place, seat),
        "out": [str(notation(card)) for card in (*known_positions(round_), *round_.face_up_found)],
        "payments": _payments(table, round_) if table.phase is Phase.SETTLING and not next_cards.numbers else [],
    }


def _complete_cards(table: Table, round_: Round) -> CardsDue | None:
    """The hand that is complete and waits for the next step: the dealer's or the board, or that of the seat in turn."""
    if table.phase is Phase.REVEALING:
        place = table.setup.game.streets[round_.street].then.place
        return CardsDue(place, 0, (), turn_up_rule(table, place))
    if table.phase is Phase.SETTLING and turns_up_hand(table, round_, round_.unsettled[0]):
        return CardsDue(PLAYER, round_.unsettled[0], (), "turn_up_hand")
    return None


def _hand_name(table: Table, round_: Round, place: str, seat: int) -> str:
    """The name of a complete hand in words; empty for any other, and for cards that are no hand."""
    contest = table.setup.game.contest
    try:
        if place == PLAYER:
            hand, cards = player_hand(table.setup, round_, seat), cards_of(round_, table.setup.game.hand, seat)
        elif place == DEALER and contest is not None:
            ranking = ranking_named(contest.dealer_ranking)
            cards = cards_of(round_, contest.dealer, 0)
            hand = ranking.hand(cards)
        else:
            return ""
    except UnknownCards:
        return ""
    if hand.name != "high_card":
        return hand_label(hand.name)
    return f"{max(card.rank for card in cards).name.lower()} high"


def _payments(table: Table, round_: Round) -> list[PaymentDue]:
    """What the settlement of the seat in turn would pay and take, before anybody presses anything final."""
    outcome = decide(table, c.SettleSeat(seat=round_.unsettled[0], by=_PREVIEW, at=table.at))
    if not isinstance(outcome, tuple):
        return []
    return [
        {
            "seat": event.seat,
            "wager": event.wager,
            "title": wager_title(table.setup, event.wager),
            "staked_cents": event.staked,
            "outcome": event.outcome,
            "returned_cents": event.returned,
            "paid_cents": event.paid,
            "pays": event.pays,
        }
        for event in outcome
        if isinstance(event, e.WagerSettled)
    ]
