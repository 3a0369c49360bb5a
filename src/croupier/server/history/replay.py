"""A past round in steps: each event with the felt after it, as the viewer may see them."""

from __future__ import annotations

from croupier.audits.replay import Step
from croupier.records.rounds import PlayedRound
from croupier.server.history.recall import played_round
from croupier.server.payloads.records import ReplayCard, ReplayPlace, ReplayStep, RoundReplay
from croupier.server.payloads.tables import PlacedWager
from croupier.storage import Store
from croupier.table.model.state import Round, Table
from croupier.table.narration import describe, wager_title
from croupier.table.visibility import (
    Viewer,
    can_see_card,
    can_see_money,
    can_see_whole_round,
    notation,
    redact,
    visible_places,
)


def replay_round(store: Store, name: str, number: int, viewer: Viewer) -> RoundReplay:
    """The steps of one round; a card that the viewer could not see at that step is `None`."""
    played = played_round(store, name, number)
    final = played.round
    return {
        "table": name,
        "edition": played.before.setup.elected.edition.name,
        "round": number,
        "complete": played.is_complete,
        "void": final.void,
        "seats": [{"seat": seat, "patron": patron} for seat, patron in sorted(final.patrons.items())],
        "steps": [payload for step in played.steps if (payload := _step(played, step, viewer)) is not None],
    }


def _step(played: PlayedRound, step: Step, viewer: Viewer) -> ReplayStep | None:
    event, before, after = step.event, step.before, step.after
    moment = played.moment(step)
    round_, redacted = moment.round, redact(event, moment, viewer)
    if redacted is None:
        return None
    balance_changes = {
        patron: after.balances.get(patron, 0) - before.balances.get(patron, 0)
        for patron in sorted({*before.balances, *after.balances})
    }
    return {
        "seq": step.seq,
        "at": event.at,
        "event": type(event).__name__,
        "by": event.by.name,
        "role": event.by.role.value,
        "seat": getattr(event, "seat", 0) or 0,
        "clause": event.clause,
        "text": describe(played.before.setup, redacted.event),
        "moved": [
            {"patron": patron, "amount_cents": cents}
            for patron, cents in balance_changes.items()
            if cents and can_see_money(viewer, patron)
        ],
        "cards": [] if round_ is None else _cards(round_, viewer, sees_all=can_see_whole_round(moment, viewer)),
        "wagers": _wagers(after, round_),
        "settled": [
            {
                "seat": entry.seat,
                "wager": entry.wager,
                "title": wager_title(after.setup, entry.wager),
                "outcome": entry.outcome,
                "net_cents": entry.returned + entry.paid - entry.staked,
            }
            for entry in (round_.entries if round_ is not None else ())
        ],
    }


def _wagers(table: Table, round_: Round | None) -> list[PlacedWager]:
    wagers = round_.wagers if round_ is not None else table.wagers
    return [
        {"seat": seat, "wager": wager, "title": wager_title(table.setup, wager), "amount_cents": amount}
        for seat, by_wager in sorted(wagers.items())
        for wager, amount in by_wager.items()
    ]


def _cards(round_: Round, viewer: Viewer, *, sees_all: bool) -> list[ReplayPlace]:
    """Every card on the felt; `up` says whether the viewer could see it at that moment."""
    places: list[ReplayPlace] = []
    for place, seat in visible_places(round_):
        cards: list[ReplayCard] = []
        for number, card in enumerate(round_.cards_at(place, seat)):
            is_up = can_see_card(round_, place, seat, number, viewer)
            cards.append({"card": notation(card) if sees_all or is_up else None, "up": is_up})
        places.append({"place": place, "seat": seat, "cards": cards})
    return places
