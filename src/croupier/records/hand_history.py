"""Hand histories: a round as TOML, similar to the Poker Hand History format, with one action per line.

The keys are documented in docs/guides/audit.md. Money is in cents.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from croupier.audits.replay import Step
from croupier.core.cards import DECK
from croupier.games.definition import DEALER, DISCARD, PLAYER
from croupier.records.rounds import PlayedRound
from croupier.table.model import events as e
from croupier.table.model.state import Round
from croupier.table.settlement import dealer_hand, player_hand
from croupier.table.visibility import RECORD_READER, redact, visible_cards

HISTORY_FORMAT = "croupier-round-1"


HIDDEN_CARD = "??"
"""A card of a round in progress that does not lie face up."""


def format_toml(played_round: PlayedRound) -> str:
    """One round as TOML; a round in progress shows only the cards that lie face up."""
    return "\n".join(_toml_lines(played_round)) + "\n"


def _toml_lines(played_round: PlayedRound) -> Iterator[str]:
    setup, round_ = played_round.before.setup, played_round.round
    edition = setup.elected.edition
    bets_closed = next(step for step in played_round.steps if isinstance(step.event, e.BetsClosed))
    yield _format_pair("format", HISTORY_FORMAT)
    yield _format_pair("variant", edition.game)
    yield _format_pair("edition", edition.name)
    yield _format_pair("round", played_round.number)
    yield _format_pair("table", setup.name)
    yield _format_pair("dealing", bets_closed.before.setup.method)
    yield _format_pair("time_ms", bets_closed.event.at)
    yield _format_pair("first_event", played_round.steps[0].seq)
    yield _format_pair("last_event", played_round.steps[-1].seq)
    yield _format_pair("complete", played_round.is_complete)
    yield _format_pair("void", round_.void)
    yield _format_pair("seats", list(round_.dealt))
    yield _format_pair("players", [round_.patrons[seat] for seat in round_.dealt])
    yield _format_pair("antes", [round_.staked(seat, "ante") for seat in round_.dealt])
    yield "actions = ["
    for step in played_round.steps:
        event = visible_event(played_round, step)
        action = format_action(event) if event is not None else ""
        if action:
            yield f"  {json.dumps(action, ensure_ascii=False)},"
    yield "]"
    yield ""
    yield "[elections]"
    yield from (_format_pair(name, choice) for name, choice in setup.elected.choices.items())
    if not round_.void:
        yield from _dealer_lines(played_round, round_)
    for seat in sorted(round_.dealt, reverse=True):
        yield from _seat_lines(played_round, round_, seat)
    if played_round.after.meters:
        yield ""
        yield "[meters]"
        for name, meter in played_round.after.meters.items():
            yield _format_pair(f"{name}_before_cents", played_round.before.meters[name].display)
            yield _format_pair(f"{name}_after_cents", meter.display)


def _dealer_lines(played_round: PlayedRound, round_: Round) -> Iterator[str]:
    dealer = dealer_document(played_round, round_)
    if dealer:
        yield ""
        yield "[dealer]"
        yield from (_format_pair(key, value) for key, value in dealer.items())


def dealer_document(played_round: PlayedRound, round_: Round) -> dict[str, Any]:
    """The cards that belong to no seat, and the dealer's hand; empty if there are none."""
    shared = {place: cards_of_place(played_round, place, 0) for place, seat in round_.cards if not seat}
    document: dict[str, Any] = {_cards_key(place): format_cards(cards) for place, cards in shared.items()}
    if document and played_round.is_complete and None not in round_.cards_at(DEALER):
        hand = dealer_hand(played_round.before.setup, round_)
        if hand is not None:
            document["hand"] = hand.name
    return document


def _seat_lines(played_round: PlayedRound, round_: Round, seat: int) -> Iterator[str]:
    yield ""
    yield "[[seat]]"
    for key, value in seat_document(played_round, round_, seat).items():
        if key == "results":
            yield "results = ["
            yield from (f"  {format_toml_value(result)}," for result in value)
            yield "]"
        else:
            yield _format_pair(key, value)


def seat_document(played_round: PlayedRound, round_: Round, seat: int) -> dict[str, Any]:
    """The player, cards, wagers and results of one seat."""
    patron = round_.patrons[seat]
    document: dict[str, Any] = {"seat": seat, "player": patron}
    for place, card_seat in round_.cards:
        if card_seat == seat:
            document[_cards_key(place)] = format_cards(cards_of_place(played_round, place, seat))
    if not round_.void and played_round.is_complete and None not in round_.cards_at(PLAYER, seat):
        document["hand"] = player_hand(played_round.before.setup, round_, seat).name
    document["balance_before_cents"] = played_round.before.balances.get(patron, 0)
    document["balance_after_cents"] = played_round.after.balances.get(patron, 0)
    if round_.wagers[seat]:
        document["wagers"] = dict(round_.wagers[seat])
    entries = [entry for entry in round_.entries if entry.seat == seat]
    document["results"] = [
        {
            "wager": entry.wager,
            "staked_cents": entry.staked,
            "outcome": entry.outcome,
            "returned_cents": entry.returned,
            "paid_cents": entry.paid,
            "clause": entry.clause,
        }
        for entry in entries
    ]
    document["net_cents"] = sum(entry.returned + entry.paid - entry.staked for entry in entries)
    return document


def visible_event(played_round: PlayedRound, step: Step) -> e.Event | None:
    """An event as a reader of the record may see it; `None` if they may not see it at all."""
    redacted = redact(step.event, played_round.moment(step), RECORD_READER)
    return redacted.event if redacted is not None else None


def format_action(event: e.Event) -> str:
    """One line for what players and the dealer do with cards and chips; empty for other events."""
    match event:
        case e.WagerPlaced():
            return f"p{event.seat} places {event.wager} {event.amount}"
        case e.BetsClosed():
            return "d closes"
        case e.CardDealt():
            return f"d deals {_format_target(event.place, event.seat)} {format_cards((event.card,))}"
        case e.CardEntered():
            return f"d enters {_format_target(event.place, event.seat)} {event.number} {DECK[event.card]}"
        case e.CardCorrected():
            target = _format_target(event.place, event.seat)
            return f"d corrects {target} {event.number} {DECK[event.before]} {format_cards((event.card,))}"
        case e.FaceUpCardDiscarded():
            return f"d discards {DECK[event.card]}"
        case e.WagerMade():
            return f"p{event.seat} makes {event.wager} {event.amount}"
        case e.WagerLetRide():
            return f"p{event.seat} rides {event.wager}"
        case e.WagerPulledBack():
            return f"p{event.seat} pulls {event.wager} {event.amount}"
        case e.WagerReduced():
            return f"d returns p{event.seat} {event.wager} {event.before - event.amount}"
        case e.Folded():
            return f"p{event.seat} folds"
        case e.CardsRevealed():
            return f"d reveals {_format_target(event.place, event.seat)} {event.count}"
        case e.HandTurnedUp():
            return f"d turns p{event.seat}"
        case e.WagerSettled():
            return f"d settles p{event.seat} {event.wager} {event.outcome} {event.returned + event.paid}"
        case e.RoundVoided():
            return f"d voids {event.cause}"
    return ""


def _format_target(place: str, seat: int) -> str:
    return f"p{seat}" if place == "player" else f"{place} p{seat}" if seat else place


def _cards_key(place: str) -> str:
    """The key for the cards of a place: `cards` for a hand, otherwise the name of the place."""
    return "cards" if place in (PLAYER, DEALER) else f"{place}_cards"


def cards_of_place(played_round: PlayedRound, place: str, seat: int) -> tuple[int | None, ...]:
    """The cards of a place; those of a round in progress only if they lie face up."""
    if played_round.is_complete:
        return played_round.round.cards_at(place, seat)
    if place == DISCARD:
        return (None,) * len(played_round.round.cards_at(place, seat))
    return visible_cards(played_round.round, place, seat, RECORD_READER)


def format_cards(cards: tuple[int | None, ...]) -> str:
    """Cards as people write them; a card that nobody turned up, or that is still in play, is hidden."""
    return " ".join(HIDDEN_CARD if card is None or card == e.FACE_DOWN else str(DECK[card]) for card in cards)


def _format_pair(key: str, value: Any) -> str:
    return f"{key} = {format_toml_value(value)}"


def format_toml_value(value: Any) -> str:
    """A value as TOML; JSON strings are valid TOML except for the delete character."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case Mapping():
            return "{ " + ", ".join(f"{name} = {format_toml_value(item)}" for name, item in value.items()) + " }"
        case list():
            return "[" + ", ".join(format_toml_value(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
