"""Irregularities: void rounds, wagers that are settled all the same, and floorpersons' decisions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from croupier.core.errors import RuleViolation
from croupier.progressive.meters import Meter, MeterCause, MeterClaim
from croupier.regulations.clauses import carries_out
from croupier.table.decide import current_round, decider_for, event_metadata, rule_clause
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.state import Phase, Round, Table
from croupier.table.narration import format_meter_amount, meter_title


def void_round(table: Table, *, cause: str, settles_optional: bool, metadata: dict[str, Any]) -> Iterator[e.Event]:
    """The events of a void round: the hands are void, and its contributions to meters are reversed.

    A meter that was won meanwhile at a linked table keeps its contribution, which is noted.
    """
    yield e.RoundVoided(cause=cause, settles_optional=settles_optional, **metadata)
    round_ = table.round
    if round_ is None or settles_optional:
        return
    meters = dict(table.meters)
    for name, meter in table.meters.items():
        for claim in meter.claims:
            if (claim.table, claim.round) == (table.setup.name, round_.number):
                yield from release_meter(meters[name], claim, metadata)
                meters[name] = meter_after_release(meters[name], claim)
    if table.setup.choice("void_contributions") != "reversed":
        return
    metadata = {**metadata, "clause": rule_clause(table, "lock_out") or metadata["clause"]}
    for name, contribution in round_.contributions.items():
        meter, amount = meters[name], contribution - _forfeited_contribution(table, round_, name)
        is_locked = meter.claims and meter.waiting < amount
        if meter.hits != round_.hits_at_contribution[name] or is_locked:
            state = "is locked for a pending win" if is_locked else "was won meanwhile"
            kept_text = f"keeps {format_meter_amount(amount)} of the void round"
            yield e.Noted(what=f"the {meter_title(table.setup, name)} {state} and {kept_text}", **metadata)
        elif amount:
            after = meter.with_change(-amount, MeterCause.REVERSED).amount
            yield e.MeterChanged(
                meter=name, amount=-amount, cause=MeterCause.REVERSED, before=meter.amount, after=after, **metadata
            )


def _forfeited_contribution(table: Table, round_: Round, name: str) -> Fraction:
    """The contribution to a meter of forfeited wagers that a void does not return."""
    if table.setup.choice("void_forfeited") != "kept":
        return Fraction(0)
    plan = table.setup.meters[name]
    forfeits = [(seat, wager) for seat, wagers in round_.forfeited.items() for wager in wagers]
    return plan.rate * sum(round_.staked(seat, wager) for seat, wager in forfeits if table.setup.feeds(wager, plan))


def release_meter(meter: Meter, claim: MeterClaim, metadata: dict[str, Any]) -> Iterator[e.Event]:
    """Releases a meter after a pending win; contributions that waited for the first claim join it."""
    yield e.MeterReleased(meter=meter.plan.name, round=claim.round, seat=claim.seat, **metadata)
    if meter.waiting and claim == meter.claims[0]:
        after = meter.with_change(meter.waiting, MeterCause.WAITED).amount
        change: dict[str, Any] = {"amount": meter.waiting, "cause": MeterCause.WAITED}
        yield e.MeterChanged(meter=meter.plan.name, before=meter.amount, after=after, **change, **metadata)


def meter_after_release(meter: Meter, claim: MeterClaim) -> Meter:
    """The meter after the events of `release_meter`."""
    is_first = claim == meter.claims[0]
    released = meter.without_claim(claim)
    return released.with_change(released.waiting, MeterCause.WAITED) if is_first else released


IN_PLAY = (Phase.DEALING, Phase.STUB, Phase.DECIDING, Phase.COLLECTING, Phase.REVEALING)
"""From "no more bets" until the dealer reveals."""


def _require_in_play(table: Table, rule: str) -> None:
    round_ = current_round(table, rule)
    if table.phase not in IN_PLAY:
        reason = "the round is already void" if round_.void else "wagers are being settled: a floorperson must decide"
        raise RuleViolation(rule_clause(table, rule), reason)


@decider_for(c.ReportCardDrawnInError)
@carries_out("card_drawn_in_error")
def report_card_drawn_in_error(table: Table, command: c.ReportCardDrawnInError) -> Iterator[e.Event]:
    rule = "card_drawn_in_error"
    current_round(table, rule)
    if command.exposed:
        reason = "the clause covers only cards that nobody saw: a floorperson must rule on an exposed card"
        raise RuleViolation(rule_clause(table, rule), reason)
    note = "a card was drawn in error, unseen, and is used as the next card"
    yield e.Noted(what=note, **event_metadata(table, command, rule))


@decider_for(c.ReportWrongNumberOfCards)
@carries_out("wrong_number_of_cards")
def report_wrong_number_of_cards(table: Table, command: c.ReportWrongNumberOfCards) -> Iterator[e.Event]:
    rule = "wrong_number_of_cards"
    _require_in_play(table, rule)
    if table.phase is Phase.DEALING:
        raise RuleViolation(rule_clause(table, rule), "the cards have not been dealt yet")
    yield from void_round(table, cause=rule, settles_optional=False, metadata=event_metadata(table, command, rule))


@decider_for(c.ReportExposedCard)
@carries_out("exposed_card", "exposure")
def report_exposed_card(table: Table, command: c.ReportExposedCard) -> Iterator[e.Event]:
    rule = "exposed_card"
    round_ = current_round(table, rule)
    _require_in_play(table, rule)
    if table.phase is Phase.DEALING:
        raise RuleViolation(rule_clause(table, rule), "the cards have not been dealt yet")
    exposure = table.setup.elected.edition.exposure
    if exposure.until == "decisions" and table.phase in (Phase.COLLECTING, Phase.REVEALING) and round_.is_decided:
        note = "a card was exposed after the last decision: that changes nothing"
        yield e.Noted(what=note, **event_metadata(table, command, rule))
        return
    settles = exposure.settles_optional_wagers
    yield from void_round(table, cause=rule, settles_optional=settles, metadata=event_metadata(table, command, rule))
    if settles:
        for place, count in _remaining_reveals(table):
            yield e.CardsRevealed(place=place, count=count, **event_metadata(table, command, rule))


def _remaining_reveals(table: Table) -> Iterator[tuple[str, int]]:
    """The reveals, one for each street, that the settlement of optional wagers still needs."""
    revealed = table.round.revealed if table.round else {}
    for street in table.setup.game.streets:
        if street.then.count > revealed.get(street.then.place, 0):
            yield street.then.place, street.then.count


@decider_for(c.ReportShufflerJam)
@carries_out("shuffler_jam")
def report_shuffler_jam(table: Table, command: c.ReportShufflerJam) -> Iterator[e.Event]:
    rule = "shuffler_jam"
    if table.setup.shuffler == "none":
        raise RuleViolation(rule_clause(table, rule), "this table has no shuffling device")
    yield e.ShufflerJammed(**event_metadata(table, command, rule))


@decider_for(c.ReportShoeJam)
@carries_out("shoe_jam")
def report_shoe_jam(table: Table, command: c.ReportShoeJam) -> Iterator[e.Event]:
    rule = "shoe_jam"
    if table.setup.method != "automated_shoe":
        raise RuleViolation(rule_clause(table, rule), "the cards are not dealt from an automated shoe")
    _require_in_play(table, rule)
    yield from void_round(table, cause=rule, settles_optional=False, metadata=event_metadata(table, command, rule))


@decider_for(c.TakeDeviceOutOfOrder)
@carries_out("device_out_of_order")
def take_device_out_of_order(table: Table, command: c.TakeDeviceOutOfOrder) -> Iterator[e.Event]:
    rule = "device_out_of_order"
    clause = rule_clause(table, rule)
    if command.device not in ("shuffler", "shoe"):
        raise RuleViolation(clause, f"{command.device!r} is neither the shuffler nor the shoe")
    if command.marked not in ("covered", "sign"):
        raise RuleViolation(clause, "the device must be covered or bear a sign before another method is used")
    if table.round is not None:
        raise RuleViolation(clause, "finish or void the round first")
    changes = {"shuffler": (table.setup.shuffler, command.shuffler), "shoe": (table.setup.method, command.method)}
    if changes[command.device][0] == changes[command.device][1]:
        raise RuleViolation(clause, f"the {command.device} is out of order: say what is used in its place")
    if command.method not in table.setup.elected.edition.deals or command.shuffler not in (
        "none",
        "automated",
        "counting",
        "reshuffling",
    ):
        raise RuleViolation(clause, f"{command.method!r} with shuffler {command.shuffler!r} is not a valid way to deal")
    if command.method == "hand" and command.shuffler == "none":
        raise RuleViolation(rule_clause(table, "hand_needs_a_shuffler"), "dealing from the hand needs a shuffler")
    if table.setup.decks == 2 and command.shuffler == "none":
        raise RuleViolation(rule_clause(table, "two_decks_need_a_shuffler"), "two decks need a shuffler")
    yield e.DeviceTakenOut(
        device=command.device,
        marked=command.marked,
        method=command.method,
        shuffler=command.shuffler,
        **event_metadata(table, command, rule),
    )


@decider_for(c.RestoreDevice)
@carries_out("device_out_of_order")
def restore_device(table: Table, command: c.RestoreDevice) -> Iterator[e.Event]:
    rule = "device_out_of_order"
    clause = rule_clause(table, rule)
    if table.round is not None:
        raise RuleViolation(clause, "a device returns to service between rounds, not during one")
    if table.usual_devices is None:
        raise RuleViolation(clause, "no device is out of order here")
    yield e.DeviceRestored(
        method=table.usual_devices[0], shuffler=table.usual_devices[1], **event_metadata(table, command, rule)
    )


@decider_for(c.DecideOnTheFloor)
def decide_on_the_floor(table: Table, command: c.DecideOnTheFloor) -> Iterator[e.Event]:
    """A recorded decision in a case that no clause covers (readings AMB-48 and AMB-51)."""
    round_ = current_round(table, "settle_in_turn")
    if command.outcome not in ("continue", "void"):
        raise RuleViolation("", f"{command.outcome!r} is neither continue nor void")
    if not command.reason.strip():
        raise RuleViolation("", "a reason must be given, for the record")
    metadata: dict[str, Any] = {"clause": "", "by": command.by, "at": command.at}
    if command.outcome == "void" and round_.void:
        raise RuleViolation("", "the round is already void")
    if command.outcome == "void" and round_.entries:
        raise RuleViolation("", "wagers in this round are already settled: correct them one by one")
    yield e.FloorDecided(outcome=command.outcome, reason=command.reason, **metadata)
    if command.outcome == "void":
        yield from void_round(table, cause="floor_decision", settles_optional=False, metadata=metadata)
