"""What goes wrong: what is void, what is still settled, and what a floorperson decides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.errors import NotPermitted
from croupier.rules.clauses import carries_out
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.decide import current_round, decides, rule_clause, said
from croupier.table.state import Phase, Table
from croupier.table.voiding import voided

IN_PLAY = (Phase.DEALING, Phase.STUB, Phase.DECIDING, Phase.COLLECTING, Phase.REVEALING)
"""From "no more bets" until the dealer reveals."""


def _require_in_play(table: Table, rule: str) -> None:
    round_ = current_round(table, rule)
    if table.phase not in IN_PLAY:
        reason = "the round is void already" if round_.void else "wagers are being settled: a floorperson must decide"
        raise NotPermitted(rule_clause(table, rule), reason)


@decides(c.ReportCardDrawnInError)
@carries_out("card_drawn_in_error")
def card_drawn_in_error(table: Table, command: c.ReportCardDrawnInError) -> Iterator[e.Event]:
    rule = "card_drawn_in_error"
    current_round(table, rule)
    if command.exposed:
        reason = "the clause is about cards nobody saw: for one that was seen a floorperson must decide"
        raise NotPermitted(rule_clause(table, rule), reason)
    what = "a card was drawn in error, unseen, and is used as the next card"
    yield e.Noted(what=what, **said(table, command, rule))


@decides(c.ReportWrongNumberOfCards)
@carries_out("wrong_number_of_cards")
def wrong_number_of_cards(table: Table, command: c.ReportWrongNumberOfCards) -> Iterator[e.Event]:
    rule = "wrong_number_of_cards"
    _require_in_play(table, rule)
    if table.phase is Phase.DEALING:
        raise NotPermitted(rule_clause(table, rule), "the cards have not been dealt yet")
    yield from voided(table, cause=rule, settles_optional=False, said=said(table, command, rule))


@decides(c.ReportExposedCard)
@carries_out("exposed_card", "exposure")
def exposed_card(table: Table, command: c.ReportExposedCard) -> Iterator[e.Event]:
    rule = "exposed_card"
    round_ = current_round(table, rule)
    _require_in_play(table, rule)
    if table.phase is Phase.DEALING:
        raise NotPermitted(rule_clause(table, rule), "the cards have not been dealt yet")
    exposure = table.setup.elected.edition.exposure
    if exposure.until == "decisions" and table.phase in (Phase.COLLECTING, Phase.REVEALING) and round_.decided:
        what = "a card was exposed after the last decision: that changes nothing"
        yield e.Noted(what=what, **said(table, command, rule))
        return
    settles = exposure.settles_optional_wagers
    yield from voided(table, cause=rule, settles_optional=settles, said=said(table, command, rule))
    if settles:
        for place, count in _still_hidden(table):
            yield e.CardsRevealed(place=place, count=count, **said(table, command, rule))


def _still_hidden(table: Table) -> Iterator[tuple[str, int]]:
    """What must be turned up so that optional wagers can be settled, one reveal a street."""
    revealed = table.round.revealed if table.round else {}
    for street in table.setup.game.streets:
        if street.then.count > revealed.get(street.then.place, 0):
            yield street.then.place, street.then.count


@decides(c.ReportShufflerJam)
@carries_out("shuffler_jam")
def shuffler_jam(table: Table, command: c.ReportShufflerJam) -> Iterator[e.Event]:
    rule = "shuffler_jam"
    if table.setup.shuffler == "none":
        raise NotPermitted(rule_clause(table, rule), "this table has no shuffling device")
    yield e.ShufflerJammed(**said(table, command, rule))


@decides(c.ReportShoeJam)
@carries_out("shoe_jam")
def shoe_jam(table: Table, command: c.ReportShoeJam) -> Iterator[e.Event]:
    rule = "shoe_jam"
    if table.setup.method != "automated_shoe":
        raise NotPermitted(rule_clause(table, rule), "the cards are not dealt from an automated shoe")
    _require_in_play(table, rule)
    yield from voided(table, cause=rule, settles_optional=False, said=said(table, command, rule))


@decides(c.TakeDeviceOutOfOrder)
@carries_out("device_out_of_order")
def device_out_of_order(table: Table, command: c.TakeDeviceOutOfOrder) -> Iterator[e.Event]:
    rule = "device_out_of_order"
    clause = rule_clause(table, rule)
    if command.device not in ("shuffler", "shoe"):
        raise NotPermitted(clause, f"{command.device!r} is neither the shuffler nor the shoe")
    if command.marked not in ("covered", "sign"):
        raise NotPermitted(clause, "the device must be covered or bear a sign before another method is used")
    if table.round is not None:
        raise NotPermitted(clause, "finish or void the round first")
    in_use = {"shuffler": (table.setup.shuffler, command.shuffler), "shoe": (table.setup.method, command.method)}
    if in_use[command.device][0] == in_use[command.device][1]:
        raise NotPermitted(clause, f"the {command.device} is out of order: say what is used in its place")
    if command.method not in table.setup.elected.edition.deals or command.shuffler not in (
        "none",
        "automated",
        "counting",
        "reshuffling",
    ):
        raise NotPermitted(clause, f"{command.method!r} with shuffler {command.shuffler!r} is no way to deal")
    if command.method == "hand" and command.shuffler == "none":
        raise NotPermitted(rule_clause(table, "hand_needs_a_shuffler"), "dealing from the hand needs a shuffler")
    if table.setup.decks == 2 and command.shuffler == "none":
        raise NotPermitted(rule_clause(table, "two_decks_need_a_shuffler"), "two decks need a shuffler")
    yield e.DeviceTakenOut(
        device=command.device,
        marked=command.marked,
        method=command.method,
        shuffler=command.shuffler,
        **said(table, command, rule),
    )


@decides(c.RestoreDevice)
@carries_out("device_out_of_order")
def restore_device(table: Table, command: c.RestoreDevice) -> Iterator[e.Event]:
    rule = "device_out_of_order"
    clause = rule_clause(table, rule)
    if table.round is not None:
        raise NotPermitted(clause, "a device comes back between rounds, not during one")
    if table.usual is None:
        raise NotPermitted(clause, "no device is out of order here")
    yield e.DeviceRestored(method=table.usual[0], shuffler=table.usual[1], **said(table, command, rule))


@decides(c.DecideOnTheFloor)
def decide_on_the_floor(table: Table, command: c.DecideOnTheFloor) -> Iterator[e.Event]:
    """A recorded decision about what no clause provides (readings AMB-48 and AMB-51)."""
    round_ = current_round(table, "settle_in_turn")
    if command.outcome not in ("continue", "void"):
        raise NotPermitted("", f"{command.outcome!r} is neither continue nor void")
    if not command.reason.strip():
        raise NotPermitted("", "a reason must be given, for the record")
    decided: dict[str, Any] = {"clause": "", "by": command.by, "at": command.at}
    if command.outcome == "void" and round_.void:
        raise NotPermitted("", "the round is void already")
    if command.outcome == "void" and round_.entries:
        raise NotPermitted("", "wagers of this round are settled already: correct them one by one")
    yield e.FloorDecided(outcome=command.outcome, reason=command.reason, **decided)
    if command.outcome == "void":
        yield from voided(table, cause="floor_decision", settles_optional=False, said=decided)
