"""Events as each viewer may see them while a table is live: no hidden card, no deck, no seed before its time.

Nobody sees more than what lies face up and his own hand, whatever his role; once cards are out of play,
the record of the round is open to those who may read records (`croupier.server.recalls`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat
from typing import Any, NamedTuple

import orjson

from croupier.cards import DECK
from croupier.games.definition import PLAYER
from croupier.table import events as e
from croupier.table.codec import encode_event
from croupier.table.people import Role
from croupier.table.setup import Setup
from croupier.table.state import Round, Table
from croupier.table.telling import tell
from croupier.table.views import visible

Said = dict[str, Any]
PRIVATE_TO = frozenset({Role.PATRON})
"""Roles that do not see other people's money."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a name and a role; somebody who is not signed in is a patron without a name."""

    name: str
    role: Role


NOBODY = Viewer("", Role.PATRON)


class Happened(NamedTuple):
    """An event with its number and the round that it belongs to, 0 for none."""

    seq: int
    event: e.Event
    round: int
    data: str = ""
    """The event as it is stored, where that is known."""


def numbered(events: Iterable[e.Event], first: int, round_before: int, data: Sequence[str] = ()) -> Iterator[Happened]:
    """Events with their numbers and rounds, given the first number and the number of the last round before."""
    current = round_before
    for seq, (event, stored) in enumerate(zip(events, chain(data, repeat("")), strict=False), first):
        if isinstance(event, e.BetsClosed):
            current = event.round
        yield Happened(seq, event, current, stored)


def round_numbered(table: Table, number: int) -> Round | None:
    """A round by its number, if it is in play or one of the last."""
    if table.round is not None and table.round.number == number:
        return table.round
    return next((past for past in reversed(table.history) if past.number == number), None)


def seen(happened: Happened, table: Table, viewer: Viewer, *, text: bool = True) -> Said | None:
    """An event as somebody may see it, given the table as it is now; `None` for what is not his business."""
    event = happened.event
    change = _CHANGES.get(type(event))
    said = orjson.loads(happened.data) if happened.data else encode_event(event)
    told: e.Event | None = event
    if change is not None:
        changed = change(said, event, table, round_numbered(table, happened.round), viewer)
        if changed is None:
            return None
        said, told = changed
    said = {"seq": happened.seq, "round": happened.round, **said}
    if text:
        said["text"] = _told(table.setup, told, said)
    return said


def _told(setup: Setup, told: e.Event | None, said: Said) -> str:
    if told is not None:
        return tell(setup, told)
    hidden = e.CardDealt(card=0, place=said["place"], seat=said["seat"], face_up=False, **_NOBODY_SAYS)
    return tell(setup, hidden).replace(str(DECK[0]), "A card face down") + (
        f" ({said['clause']})" if said["clause"] else ""
    )


_NOBODY_SAYS: dict[str, Any] = {"clause": "", "by": None, "at": 0}
Changed = tuple[Said, e.Event | None] | None


def _dealt(said: Said, event: e.CardDealt, table: Table, round_: Round | None, viewer: Viewer) -> Changed:
    shown = event.face_up
    if not shown and round_ is not None:
        hand = round_.hand(event.place, event.seat)
        number = hand.index(event.card) if event.card in hand else -1
        shown = number >= 0 and visible(table, round_, viewer.role, viewer.name, event.place, event.seat, number)
    if shown:
        return {**said, "card": str(DECK[event.card])}, event
    return {**said, "card": None}, None


def _completed(said: Said, event: e.RoundCompleted, table: Table, round_: Round | None, viewer: Viewer) -> Changed:
    """Without the rack, which keeps folded hands and the burned cards as well."""
    return {name: value for name, value in said.items() if name != "rack"}, replace(event, rack=())


def _card_up(said: Said, event: e.FaceUpCardDiscarded, table: Table, round_: Round | None, viewer: Viewer) -> Changed:
    return {**said, "card": str(DECK[event.card])}, event


def _without(*names: str) -> Callable[..., Changed]:
    def change(said: Said, event: e.Event, table: Table, round_: Round | None, viewer: Viewer) -> Changed:
        return {name: value for name, value in said.items() if name not in names}, event

    return change


def _revealed(said: Said, event: e.CardsRevealed, table: Table, round_: Round | None, viewer: Viewer) -> Changed:
    """With the cards that are up now; a card that is turned for one seat is his and the table's alike."""
    hand = () if round_ is None else round_.hand(event.place, event.seat)
    count = (
        0 if round_ is None else round_.revealed.get(f"{event.place} {event.seat}" if event.seat else event.place, 0)
    )
    return {**said, "cards": [str(DECK[card]) for card in hand[:count]]}, event


def _turned_up(said: Said, event: e.HandTurnedUp, table: Table, round_: Round | None, viewer: Viewer) -> Changed:
    """With the cards, where they are up in that round as well as this process knows it."""
    cards = round_.hand(PLAYER, event.seat) if round_ is not None and event.seat in round_.turned_up else ()
    return {**said, "cards": [str(DECK[card]) for card in cards]}, event


def _settled(said: Said, event: e.WagerSettled, table: Table, round_: Round | None, viewer: Viewer) -> Changed:
    """The hand is told only where it lies face up or is the viewer's own: folded cards are collected unseen."""
    if round_ is not None and _knows_hand(round_, event.holder or event.seat, viewer):
        return said, event
    return {**said, "hand": "", "row": ""}, replace(event, hand="", row="")


def _knows_hand(round_: Round, seat: int, viewer: Viewer) -> bool:
    own = viewer.role is Role.PATRON and round_.patrons.get(seat) == viewer.name and bool(viewer.name)
    return own or seat in round_.turned_up


def _money(said: Said, event: Any, table: Table, round_: Round | None, viewer: Viewer) -> Changed:
    if viewer.role in PRIVATE_TO and viewer.name != event.patron:
        return None
    return said, event


def _drawn(said: Said, event: e.BonusDrawn, table: Table, round_: Round | None, viewer: Viewer) -> Changed:
    card = None if event.magic_card is None else str(DECK[event.magic_card])
    return {**said, "magic_card": card}, event


_CHANGES: dict[type[e.Event], Callable[..., Changed]] = {
    e.CardsReceived: _without("order"),
    e.CardsShuffled: _without("order"),
    e.CardsRead: _without("cards"),
    e.RoundCompleted: _completed,
    e.DealCommitted: _without("server_seed"),
    e.MysteryArmed: _without("trigger", "nonce"),
    e.MetersRead: _without("meters"),
    e.CardDealt: _dealt,
    e.FaceUpCardDiscarded: _card_up,
    e.CardsRevealed: _revealed,
    e.HandTurnedUp: _turned_up,
    e.WagerSettled: _settled,
    e.ChipsBought: _money,
    e.ChipsCashed: _money,
    e.AccountFunded: _money,
    e.BonusDrawn: _drawn,
}
"""What is taken away or added, by kind of event; the others are shown as they are."""
