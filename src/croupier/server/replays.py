"""A round in steps: what happened, and the felt as it lay after each, for those who may look back."""

from __future__ import annotations

from typing import Any

from croupier.cards import DECK
from croupier.exports.recall import SEES_ALL
from croupier.exports.rounds import PlayedRound
from croupier.games.definition import DISCARD
from croupier.server.recalls import played_round
from croupier.server.seen import Viewer
from croupier.store import Store
from croupier.table import events as e
from croupier.table.state import Round, Table
from croupier.table.telling import tell
from croupier.table.views import visible
from croupier.table.why import title_of

Said = dict[str, Any]


def replayed(store: Store, name: str, number: int, viewer: Viewer) -> Said:
    """The steps of one round; a card that the one who asks may not see is `None`."""
    played = played_round(store, name, number)
    sees_all = viewer.role in SEES_ALL and played.complete
    final = played.round
    return {
        "table": name,
        "edition": played.before.setup.elected.edition.name,
        "round": number,
        "complete": played.complete,
        "void": final.void,
        "seats": [{"seat": seat, "patron": patron} for seat, patron in sorted(final.patrons.items())],
        "steps": [_step(played, step, viewer, sees_all=sees_all) for step in played.steps],
    }


def _step(played: PlayedRound, step: Any, viewer: Viewer, *, sees_all: bool) -> Said:
    event: e.Event = step.event
    before, after = step.before, step.after
    round_ = after.round or (before.round if isinstance(event, e.RoundCompleted) else None)
    moved = {
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
        "text": _told(played, event, viewer, sees_all=sees_all),
        "moved": [{"patron": patron, "amount_cents": cents} for patron, cents in moved.items() if cents],
        "cards": _cards(played, after, round_, viewer, sees_all=sees_all) if round_ is not None else [],
        "wagers": _wagers(after, round_),
        "settled": [
            {
                "seat": entry.seat,
                "wager": entry.wager,
                "title": title_of(after.setup, entry.wager),
                "outcome": entry.outcome,
                "net_cents": entry.returned + entry.paid - entry.staked,
            }
            for entry in (round_.entries if round_ is not None else ())
        ],
    }


def _wagers(table: Table, round_: Round | None) -> list[Said]:
    placed = round_.wagers if round_ is not None else table.wagers
    return [
        {"seat": seat, "wager": wager, "title": title_of(table.setup, wager), "amount_cents": amount}
        for seat, by_wager in sorted(placed.items())
        for wager, amount in by_wager.items()
    ]


def _told(played: PlayedRound, event: e.Event, viewer: Viewer, *, sees_all: bool) -> str:
    setup = played.before.setup
    if sees_all:
        return tell(setup, event)
    if isinstance(event, e.CardDealt):
        number = played.round.hand(event.place, event.seat).index(event.card)
        if not visible(played.after, played.round, viewer.role, viewer.name, event.place, event.seat, number):
            return tell(setup, event).replace(str(DECK[event.card]), "A card face down")
    return f"Round {event.round} is complete" if isinstance(event, e.RoundCompleted) else tell(setup, event)


def _cards(played: PlayedRound, after: Table, round_: Round, viewer: Viewer, *, sees_all: bool) -> list[Said]:
    found = []
    for (place, seat), cards in round_.cards.items():
        if place == DISCARD:
            continue
        shown = []
        for number, card in enumerate(cards):
            up = visible(after, round_, viewer.role, viewer.name, place, seat, number)
            later = visible(played.after, played.round, viewer.role, viewer.name, place, seat, number)
            shown.append({"card": str(DECK[card]) if sees_all or up or later else None, "up": up})
        found.append({"place": place, "seat": seat, "cards": shown})
    return found
