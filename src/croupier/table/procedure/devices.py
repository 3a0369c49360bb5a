"""Shuffling devices and dealing shoes: jams, failures, what replaces a device, and its return to service."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.core.errors import RuleViolation
from croupier.regulations.clauses import carries_out
from croupier.table.decide import decider_for, event_metadata, rule_clause
from croupier.table.model import commands as c
from croupier.table.model import events as e
from croupier.table.model.setup import MANUAL_METHOD, MANUAL_SHUFFLE, Setup
from croupier.table.model.state import Phase, Table

SHUFFLER, SHOE = "shuffler", "shoe"
COVERED, SIGNED = "covered", "sign"
_MARK_RULES = {COVERED: "device_covered", SIGNED: "device_signed"}
"""The rule about each way to mark a device, where the edition tells them apart."""


@decider_for(c.ReportShufflerJam)
@carries_out("shuffler_jam")
def report_shuffler_jam(table: Table, command: c.ReportShufflerJam) -> Iterator[e.Event]:
    rule = "shuffler_jam"
    if table.setup.shuffler == "none":
        raise RuleViolation(rule_clause(table, rule), "this table has no shuffling device")
    yield e.ShufflerJammed(**event_metadata(table, command, rule))


def devices_in_use(table: Table) -> tuple[str, ...]:
    """The devices of a table that can fail: its shuffler, and an automated shoe."""
    setup = table.setup
    shuffler = (SHUFFLER,) if setup.shuffler != MANUAL_SHUFFLE else ()
    return (*shuffler, SHOE) if setup.method == "automated_shoe" else shuffler


def is_unusable(table: Table, device: str) -> bool:
    """Whether a device of the table was reported to malfunction and nobody has replaced it or found that it works."""
    return device in table.reported_devices and device in devices_in_use(table)


def is_waiting_for_device(table: Table) -> bool:
    """Whether the next step of the cards needs a device that was reported."""
    device = {Phase.SHUFFLING: SHUFFLER, Phase.LOADING: SHOE, Phase.DEALING: SHOE}.get(table.phase)
    return device is not None and is_unusable(table, device)


def require_usable(table: Table, device: str) -> None:
    """Refuses to use a device that was reported, or another method before the device is covered or bears a sign."""
    if is_unusable(table, device):
        clause = rule_clause(table, "device_out_of_order")
        action = "have it covered or marked and replaced" if table.round is None else "the round is voided first"
        raise RuleViolation(clause, f"the {device} was reported and cannot be used: {action}")


def substitute_methods(setup: Setup) -> tuple[str, ...]:
    """The dealing methods that may replace the shoe: those on file, and the manual shoe."""
    return tuple(dict.fromkeys((*setup.substitute_methods, MANUAL_METHOD)))


def substitute_shufflers(setup: Setup) -> tuple[str, ...]:
    """The shufflers that may replace the usual one: those on file, and the dealer's hands."""
    return tuple(dict.fromkeys((*setup.substitute_shufflers, MANUAL_SHUFFLE)))


@decider_for(c.ReportDeviceFailure)
@carries_out("device_out_of_order")
def report_device_failure(table: Table, command: c.ReportDeviceFailure) -> Iterator[e.Event]:
    rule = "device_out_of_order"
    _require_device(table, command.device)
    if command.device in table.reported_devices:
        raise RuleViolation(rule_clause(table, rule), f"the {command.device} has already been reported")
    yield e.DeviceReported(device=command.device, **event_metadata(table, command, rule))


def _require_device(table: Table, device: str) -> None:
    """Refuses a device that the table does not have."""
    clause = rule_clause(table, "device_out_of_order")
    if device not in (SHUFFLER, SHOE):
        raise RuleViolation(clause, f"{device!r} is neither the shuffler nor the shoe")
    if device not in devices_in_use(table):
        names = {SHUFFLER: "shuffling device", SHOE: "automated dealing shoe"}
        raise RuleViolation(clause, f"this table has no {names[device]}")


@decider_for(c.TakeDeviceOutOfOrder)
@carries_out("device_out_of_order", "device_covered", "device_signed", "two_decks_need_a_shuffler")
def take_device_out_of_order(table: Table, command: c.TakeDeviceOutOfOrder) -> Iterator[e.Event]:
    rule = "device_out_of_order"
    clause = rule_clause(table, rule)
    _require_device(table, command.device)
    if command.marked not in _MARK_RULES:
        raise RuleViolation(clause, "the device must be covered or bear a sign before another method is used")
    if table.round is not None:
        raise RuleViolation(clause, "finish or void the round first")
    if not table.setup.is_older:
        _require_report(table, command)
        _require_on_file(table, command)
    setup = table.setup
    changes = {SHUFFLER: (setup.shuffler, command.shuffler), SHOE: (setup.method, command.method)}
    if changes[command.device][0] == changes[command.device][1]:
        raise RuleViolation(clause, f"the {command.device} is out of order: say what is used in its place")
    if command.method not in setup.elected.edition.deals or command.shuffler not in _SHUFFLERS:
        raise RuleViolation(clause, f"{command.method!r} with shuffler {command.shuffler!r} is not a valid way to deal")
    if command.method == "hand" and command.shuffler == MANUAL_SHUFFLE:
        raise RuleViolation(rule_clause(table, "hand_needs_a_shuffler"), "dealing from the hand needs a shuffler")
    metadata = event_metadata(table, command, rule)
    if len(table.decks) > 1 and command.shuffler == MANUAL_SHUFFLE:
        if setup.is_older:
            raise RuleViolation(rule_clause(table, "two_decks_need_a_shuffler"), "two decks need a shuffler")
        yield from _remove_other_deck(table, command)
    yield e.DeviceTakenOut(
        device=command.device,
        marked=command.marked,
        method=command.method,
        shuffler=command.shuffler,
        **{**metadata, "clause": clause if setup.is_older else _mark_clause(table, command.marked)},
    )


def _mark_clause(table: Table, marked: str) -> str:
    return rule_clause(table, _MARK_RULES[marked]) or rule_clause(table, "device_out_of_order")


_SHUFFLERS = ("none", "automated", "counting", "reshuffling")


def _require_report(table: Table, command: c.TakeDeviceOutOfOrder) -> None:
    """Refuses a substitute that nobody else has asked for: the dealer reports, a floorperson confirms."""
    clause = rule_clause(table, "device_out_of_order")
    reporter = table.reported_devices.get(command.device)
    if reporter is None:
        raise RuleViolation(clause, f"the dealer has not reported that the {command.device} malfunctions")
    if reporter == command.by.name:
        raise RuleViolation(clause, f"{reporter} reported the {command.device}: somebody else must confirm it")


def _require_on_file(table: Table, command: c.TakeDeviceOutOfOrder) -> None:
    """Refuses a substitute that is neither the manual way nor in the Rules Submission."""
    clause, setup = rule_clause(table, "device_out_of_order"), table.setup
    usual = table.usual_setup or setup
    methods = (setup.method, *substitute_methods(usual))
    shufflers = (setup.shuffler, *substitute_shufflers(usual))
    if command.method not in methods or command.shuffler not in shufflers:
        allowed = f"dealing: {', '.join(dict.fromkeys(methods))}; shuffler: {', '.join(dict.fromkeys(shufflers))}"
        raise RuleViolation(clause, f"only a substitute on file or the manual method may be used ({allowed})")
    is_manual = command.method == MANUAL_METHOD and command.shuffler == MANUAL_SHUFFLE
    if command.device == SHUFFLER and command.method != setup.method and not is_manual:
        raise RuleViolation(clause, "the shoe works: only the shuffler is replaced")
    if command.device == SHOE and command.shuffler != setup.shuffler and not is_manual:
        raise RuleViolation(clause, "the shuffler works: only the shoe is replaced")


def _remove_other_deck(table: Table, command: c.TakeDeviceOutOfOrder) -> Iterator[e.Event]:
    """Without a shuffler a table goes on with the deck in use; the other one is removed."""
    for number in table.decks:
        if number != table.deck_in_use:
            reason = "two decks need a shuffling device: the table goes on with one"
            yield e.DeckRemoved(
                deck=number, reason=reason, **event_metadata(table, command, "two_decks_need_a_shuffler")
            )


@decider_for(c.RestoreDevice)
@carries_out("device_out_of_order")
def restore_device(table: Table, command: c.RestoreDevice) -> Iterator[e.Event]:
    rule = "device_out_of_order"
    clause = rule_clause(table, rule)
    if table.usual_setup is None and not table.reported_devices:
        raise RuleViolation(clause, "no device is out of order here")
    if table.round is not None and table.usual_setup is not None:
        raise RuleViolation(clause, "a device returns to service between rounds, not during one")
    usual = table.usual_setup or table.setup  # without a substitute, the floorperson finds that the device works
    method, shuffler = usual.method, usual.shuffler
    yield e.DeviceRestored(method=method, shuffler=shuffler, **event_metadata(table, command, rule))
