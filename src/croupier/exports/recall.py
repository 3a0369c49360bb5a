"""Recall of a round (GAM-2): step by step, with balances before and after, wagers, cards, pays and meters.

A viewer may be given: a patron then sees of the cards what he could see at the table, and no balance but his own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from croupier.cards import DECK
from croupier.exports.rounds import PlayedRound
from croupier.money import show, signed
from croupier.table import events as e
from croupier.table.people import Role
from croupier.table.state import Table
from croupier.table.telling import tell
from croupier.table.views import visible

SEES_ALL = frozenset({Role.SURVEILLANCE, Role.REGULATOR, Role.ADMINISTRATOR, Role.SYSTEM})
"""Who may see every card once the round is over; the others what lay face up."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: a role, and for a patron his name."""

    role: Role
    patron: str = ""


def recalled(played: PlayedRound, viewer: Viewer) -> Iterator[str]:
    """The lines of one round."""
    yield f"Round {played.number}" + ("" if played.complete else ", not over yet")
    yield from _money("Before", played, played.before, viewer)
    for step in played.steps:
        text = _told(played, step.event, viewer)
        if text:
            yield f"{step.seq:>6}  {_clock(step.event.at)}  {text}"
        for patron, now in step.after.balances.items():
            had = step.before.balances.get(patron, 0)
            if now != had and _sees(viewer, patron):
                yield f"{'':>6}  {'':>8}    {patron} {signed(now - had)}: {show(had)} before, {show(now)} after"
    yield from _money("After", played, played.after, viewer)


def _money(when: str, played: PlayedRound, table: Table, viewer: Viewer) -> Iterator[str]:
    patrons = dict.fromkeys(played.round.patrons.values())
    shown = [f"{patron} {show(table.balances.get(patron, 0))}" for patron in patrons if _sees(viewer, patron)]
    if shown:
        yield f"  {when}: {', '.join(shown)}"
    accounts = [
        f"{patron} {show(table.accounts[patron])}"
        for patron in patrons
        if table.accounts.get(patron) and _sees(viewer, patron)
    ]
    if accounts:
        yield f"  {when}, game accounts: {', '.join(accounts)}"
    if table.meters:
        yield f"  {when}, meters: {', '.join(f'{name} {show(meter.display)}' for name, meter in table.meters.items())}"


def _sees(viewer: Viewer, patron: str) -> bool:
    return viewer.role is not Role.PATRON or viewer.patron == patron


def _clock(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%H:%M:%S")


def _told(played: PlayedRound, event: e.Event, viewer: Viewer) -> str:
    """An event as the viewer may hear of it; empty for what is not his business."""
    setup = played.before.setup
    if isinstance(event, e.CardDealt) and not _sees_card(played, event, viewer):
        return tell(setup, event).replace(str(DECK[event.card]), "a card face down")
    patron = getattr(event, "patron", None)
    private = isinstance(event, e.ChipsBought | e.ChipsCashed | e.AccountFunded)
    if private and patron is not None and not _sees(viewer, patron):
        return ""
    if isinstance(event, e.RoundCompleted) and viewer.role not in SEES_ALL:
        return tell(setup, replace(event, rack=()))
    return tell(setup, event)


def _sees_card(played: PlayedRound, event: e.CardDealt, viewer: Viewer) -> bool:
    """Whether the viewer saw a card by the end of the round; one that never was turned up stays hidden from most."""
    if viewer.role in SEES_ALL and played.complete:
        return True
    round_ = played.round
    number = round_.hand(event.place, event.seat).index(event.card)
    return visible(played.after, round_, viewer.role, viewer.patron, event.place, event.seat, number)
