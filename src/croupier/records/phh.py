"""Rounds in the Poker Hand History format (PHH), which PokerKit and other research tools read.

PHH describes games among players, so a round against the house is written like this: the dealer is the last player;
cards are dealt with `d dh` and `d db`; a wager made in play is `cbr`, one that rides is `cc`, a fold is `f`, and a hand
turned up is `sm`; every other action is a comment. Money is in cents. What PHH has no field for is in user-defined
fields, whose names begin with an underscore. The variant is the name of our game, which PHH has no code for: programs
can read the file, but not play it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from croupier.games.definition import BOARD, COMMUNITY, DEALER, PLAYER
from croupier.records.hand_history import (
    cards_of_place,
    dealer_document,
    format_action,
    format_cards,
    format_toml_value,
    seat_document,
    visible_event,
)
from croupier.records.rounds import PlayedRound
from croupier.table.model import events as e
from croupier.table.model.state import Round

DEALER_NAME = "dealer"
SHARED_PLACES = (BOARD, COMMUNITY)
"""Places whose cards are community cards of PHH."""


def format_phh(played_round: PlayedRound) -> str:
    """One round as a PHH file; a round in progress shows only the cards that lie face up."""
    return "".join(_lines(phh_document(played_round)))


def format_phhs(rounds: Iterable[PlayedRound]) -> str:
    """Several rounds as one collection (`.phhs`)."""
    return "\n".join(f"[{number}]\n{format_phh(played_round)}" for number, played_round in enumerate(rounds, 1))


def phh_document(played_round: PlayedRound) -> dict[str, Any]:
    """The fields of a PHH file for one round."""
    setup, round_ = played_round.before.setup, played_round.round
    edition = setup.elected.edition
    seats = [seat_document(played_round, round_, seat) for seat in round_.dealt]
    nets = [seat["net_cents"] for seat in seats]
    bets_closed = next(step for step in played_round.steps if isinstance(step.event, e.BetsClosed))
    return {
        "variant": edition.game,
        "antes": [*(round_.staked(seat, "ante") for seat in round_.dealt), 0],
        "starting_stacks": [*(seat["balance_before_cents"] for seat in seats), 0],
        "actions": list(_actions(played_round)),
        "hand": played_round.number,
        "table": setup.name,
        "players": [*(seat["player"] for seat in seats), DEALER_NAME],
        "winnings": [*nets, -sum(nets)],
        "currency": "cents",
        "_edition": edition.name,
        "_title": edition.title,
        "_elections": dict(setup.elected.choices),
        "_dealing": bets_closed.before.setup.method,
        "_time_ms": bets_closed.event.at,
        "_first_event": played_round.steps[0].seq,
        "_last_event": played_round.steps[-1].seq,
        "_complete": played_round.is_complete,
        "_void": bool(round_.void),
        "_dealer": {} if round_.void else dealer_document(played_round, round_),
        "_seats": seats,
        "_meters": {f"{name}_cents": meter.display for name, meter in played_round.after.meters.items()},
    }


def _actions(played_round: PlayedRound) -> Iterator[str]:
    for step in played_round.steps:
        event = visible_event(played_round, step)
        if event is None:
            continue
        action, comment = _phh_action(played_round, event), format_action(event)
        if action or comment:
            yield action or f"# {comment}"


def _phh_action(played_round: PlayedRound, event: e.Event) -> str:
    """The action in the notation of PHH; empty if it has none for it."""
    round_ = played_round.round
    match event:
        case e.CardDealt() if event.place in (PLAYER, DEALER):
            return f"d dh {_player(round_, event.place, event.seat)} {_joined((event.card,))}"
        case e.CardDealt() if event.place in SHARED_PLACES:
            return f"d db {_joined((event.card,))}"
        case e.WagerMade():
            return f"{_player(round_, PLAYER, event.seat)} cbr {event.amount}"
        case e.WagerLetRide():
            return f"{_player(round_, PLAYER, event.seat)} cc"
        case e.Folded():
            return f"{_player(round_, PLAYER, event.seat)} f"
        case e.CardsRevealed() if event.place == DEALER:
            return f"{_player(round_, DEALER, 0)} sm {_joined(cards_of_place(played_round, DEALER, 0))}"
        case e.HandTurnedUp():
            cards = _joined(cards_of_place(played_round, PLAYER, event.seat))
            return f"{_player(round_, PLAYER, event.seat)} sm {cards}"
    return ""


def _player(round_: Round, place: str, seat: int) -> str:
    """The number of a player in PHH: the seats dealt in, in order, then the dealer."""
    return f"p{len(round_.dealt) + 1 if place == DEALER else round_.dealt.index(seat) + 1}"


def _joined(cards: tuple[int | None, ...]) -> str:
    return format_cards(cards).replace(" ", "")


def _lines(document: Mapping[str, Any]) -> Iterator[str]:
    for key, value in document.items():
        if key == "actions":
            yield "actions = [\n"
            yield from (f"  {json.dumps(action, ensure_ascii=False)},\n" for action in value)
            yield "]\n"
        else:
            yield f"{key} = {format_toml_value(value)}\n"
