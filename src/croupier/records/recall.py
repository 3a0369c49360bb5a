"""Recall of a round (GAM-2): step by step, with balances before and after, wagers, cards, payouts and meters.

Each step is shown as the viewer could see it when it happened: patrons see their cards, the cards face up by then, and
only their balance. Viewers who may read records see every card of a completed round.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from croupier.audits.replay import Step
from croupier.core.cards import DECK, show_cards
from croupier.core.money import format_money, format_signed_money
from croupier.games.definition import PLAYER
from croupier.records.rounds import PlayedRound
from croupier.table.model.state import Table
from croupier.table.narration import describe
from croupier.table.visibility import (
    Viewer,
    can_examine_hand,
    can_see_money,
    can_see_whole_round,
    cards_turned_up,
    redact,
)


def describe_round(played_round: PlayedRound, viewer: Viewer) -> Iterator[str]:
    """The lines that describe one round to a viewer."""
    yield f"Round {played_round.number}" + ("" if played_round.is_complete else ", not over yet")
    yield from _format_money_lines("Before", played_round, played_round.before, viewer)
    for step in played_round.steps:
        text = _describe_step(played_round, step, viewer)
        if text:
            yield f"{step.seq:>6}  {_format_time(step.event.at)}  {text}"
        for patron, balance in step.after.balances.items():
            balance_before = step.before.balances.get(patron, 0)
            if balance != balance_before and can_see_money(viewer, patron):
                change = format_signed_money(balance - balance_before)
                amounts = f"{format_money(balance_before)} before, {format_money(balance)} after"
                yield f"{'':>6}  {'':>8}    {patron} {change}: {amounts}"
    yield from _format_money_lines("After", played_round, played_round.after, viewer)


def _format_money_lines(when: str, played_round: PlayedRound, table: Table, viewer: Viewer) -> Iterator[str]:
    patrons = dict.fromkeys(played_round.round.patrons.values())
    balances = [
        f"{patron} {format_money(table.balances.get(patron, 0))}" for patron in patrons if can_see_money(viewer, patron)
    ]
    if balances:
        yield f"  {when}: {', '.join(balances)}"
    accounts = [
        f"{patron} {format_money(table.accounts[patron])}"
        for patron in patrons
        if table.accounts.get(patron) and can_see_money(viewer, patron)
    ]
    if accounts:
        yield f"  {when}, game accounts: {', '.join(accounts)}"
    if table.meters:
        displays = ", ".join(f"{name} {format_money(meter.display)}" for name, meter in table.meters.items())
        yield f"  {when}, meters: {displays}"


def _format_time(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%H:%M:%S")


def _describe_step(played_round: PlayedRound, step: Step, viewer: Viewer) -> str:
    """A step as the viewer could see it when it happened; empty if they may not see it.

    Cards that were dealt face down are named when they are turned up, or when their holder may look at them.
    """
    moment = played_round.moment(step)
    redacted = redact(step.event, moment, viewer)
    if redacted is None:
        return ""
    shown_round = moment.round if can_see_whole_round(moment, viewer) else None
    text = describe(played_round.before.setup, redacted.event, shown_round)
    up_before = cards_turned_up(step.event, step.before.round) or ()
    cards_after = (cards_turned_up(step.event, moment.round) or ())[len(up_before) :]
    turned_up = [card for card in cards_after if card is not None]  # at a plain shoe each is named when it is entered
    if turned_up and not can_see_whole_round(moment, viewer):
        return f"{text}: {show_cards(DECK[card] for card in turned_up)}"
    if not can_see_whole_round(moment, viewer):
        text += "".join(_describe_own_hands(step, viewer))
    return text


def _describe_own_hands(step: Step, viewer: Viewer) -> Iterator[str]:
    """The hands that a viewer may look at from this step on."""
    before, after = step.before.round, step.after.round
    if before is None or after is None:
        return
    for seat in after.patrons:
        cards = [card for card in after.cards_at(PLAYER, seat) if card is not None]  # none at a plain shoe
        if cards and can_examine_hand(after, seat, viewer) and not can_examine_hand(before, seat, viewer):
            yield f"; seat {seat} has {show_cards(DECK[card] for card in cards)}"
