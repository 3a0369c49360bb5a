"""Recall of a round (GAM-2): step by step, with balances before and after, wagers, cards, payouts and meters.

Each step is shown as the viewer could see it when it happened: patrons see their own cards, the cards face up by then,
and no balance but their own. Those who read records see every card of a round that is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from croupier.audit.replay import Step
from croupier.core.cards import DECK, show_cards
from croupier.core.money import format_money, format_signed_money
from croupier.records.rounds import PlayedRound
from croupier.table.model.state import Table
from croupier.table.narration import describe
from croupier.table.visibility import Viewer, cards_turned_up, redact, sees_money, sees_whole_round


def describe_round(played: PlayedRound, viewer: Viewer) -> Iterator[str]:
    """The lines that describe one round to a viewer."""
    yield f"Round {played.number}" + ("" if played.complete else ", not over yet")
    yield from _money("Before", played, played.before, viewer)
    for step in played.steps:
        text = _sentence(played, step, viewer)
        if text:
            yield f"{step.seq:>6}  {_clock(step.event.at)}  {text}"
        for patron, balance in step.after.balances.items():
            balance_before = step.before.balances.get(patron, 0)
            if balance != balance_before and sees_money(viewer, patron):
                change = format_signed_money(balance - balance_before)
                amounts = f"{format_money(balance_before)} before, {format_money(balance)} after"
                yield f"{'':>6}  {'':>8}    {patron} {change}: {amounts}"
    yield from _money("After", played, played.after, viewer)


def _money(when: str, played: PlayedRound, table: Table, viewer: Viewer) -> Iterator[str]:
    patrons = dict.fromkeys(played.round.patrons.values())
    balances = [
        f"{patron} {format_money(table.balances.get(patron, 0))}" for patron in patrons if sees_money(viewer, patron)
    ]
    if balances:
        yield f"  {when}: {', '.join(balances)}"
    accounts = [
        f"{patron} {format_money(table.accounts[patron])}"
        for patron in patrons
        if table.accounts.get(patron) and sees_money(viewer, patron)
    ]
    if accounts:
        yield f"  {when}, game accounts: {', '.join(accounts)}"
    if table.meters:
        displays = ", ".join(f"{name} {format_money(meter.display)}" for name, meter in table.meters.items())
        yield f"  {when}, meters: {displays}"


def _clock(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%H:%M:%S")


def _sentence(played: PlayedRound, step: Step, viewer: Viewer) -> str:
    """A step as the viewer could see it when it happened; empty if they may not see it.

    Cards that were dealt face down are named when they are turned up.
    """
    moment = played.moment(step)
    redacted = redact(step.event, moment, viewer)
    if redacted is None:
        return ""
    text = describe(played.before.setup, redacted.event)
    up_before = cards_turned_up(step.event, step.before.round) or ()
    turned = (cards_turned_up(step.event, moment.round) or ())[len(up_before) :]
    if turned and not sees_whole_round(moment, viewer):
        return f"{text}: {show_cards(DECK[card] for card in turned)}"
    return text
