"""`decide(table, command)` gives the events that a command causes, or a refusal with its clause.

Pure: no clock, no randomness, no I/O. Each part of the procedure has its own module, which registers its
deciders here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from croupier.core.errors import InvariantError, RuleViolation
from croupier.table.model.commands import Command
from croupier.table.model.events import Event, Refusal
from croupier.table.model.roles import Role
from croupier.table.model.state import Phase, Round, Table

C = TypeVar("C", bound=Command)
Decider = Callable[[Table, Any], Iterator[Event]]
_DECIDERS: dict[type[Command], Decider] = {}


def decider_for(
    kind: type[C],
) -> Callable[[Callable[[Table, C], Iterator[Event]]], Callable[[Table, C], Iterator[Event]]]:
    """Registers the function that decides on a kind of command."""

    def register(decider: Callable[[Table, C], Iterator[Event]]) -> Callable[[Table, C], Iterator[Event]]:
        _DECIDERS[kind] = decider
        return decider

    return register


def decide(table: Table, command: Command) -> tuple[Event, ...] | Refusal:
    """The events that a command causes, or its refusal."""
    decider = _DECIDERS.get(type(command))
    if decider is None:
        raise InvariantError(f"no decider is registered for {type(command).__name__}")
    try:
        require_role(table, command)
        require_time(table, command)
        return tuple(decider(table, command))
    except RuleViolation as violation:
        return Refusal.of(violation, type(command).__name__)


def require_role(table: Table, command: Command) -> None:
    """Refuses a command from a role that may not give it."""
    roles_in_force = command.roles
    if table.setup.is_older:
        roles_in_force |= command.older_roles
    if command.by.role not in roles_in_force:
        roles = " or ".join(sorted(role.label for role in command.roles if role is not Role.SYSTEM))
        reason = f"only {roles or Role.SYSTEM.label} may do this, not {command.by.role.label}"
        raise RuleViolation(rule_clause(table, command.rule), reason)


def require_time(table: Table, command: Command) -> None:
    """Refuses a command that is older than the last event: times in a record never go back."""
    if command.at < table.at:
        seconds = (table.at - command.at) / 1000
        raise RuleViolation(
            "", f"the clock runs backwards: this is {seconds:g} seconds before the last event of the table"
        )


def rule_clause(table: Table, rule: str, paytable: str = "") -> str:
    """The clause of a rule, which may depend on the dealing method or the paytable."""
    setup = table.setup
    specific = setup.clause(f"{rule}_{paytable}") if paytable else ""
    return specific or setup.clause(rule) or setup.clause(f"{rule}_{setup.method}")


def event_metadata(table: Table, command: Command, rule: str, paytable: str = "") -> dict[str, Any]:
    """Clause, actor and time of the events that a command causes."""
    return {"clause": rule_clause(table, rule, paytable), "by": command.by, "at": command.at}


def require_phase(table: Table, rule: str, *phases: Phase) -> None:
    """Refuses a step outside its phases."""
    if table.phase not in phases:
        expected = " or ".join(_PHASE_TEXTS[phase] for phase in phases)
        raise RuleViolation(
            rule_clause(table, rule), f"not now: this is done while {expected}, but {_PHASE_TEXTS[table.phase]}"
        )


def current_round(table: Table, rule: str) -> Round:
    """The round in play; refuses if there is none."""
    if table.round is None:
        raise RuleViolation(rule_clause(table, rule), "there is no round in play")
    return table.round


_PHASE_TEXTS = {
    Phase.CLOSED: "the table is closed",
    Phase.OPENING: "the cards are being prepared",
    Phase.SHUFFLING: "the cards are waiting to be shuffled",
    Phase.CUTTING: "the cards are waiting to be cut",
    Phase.LOADING: "the cards are waiting to be loaded",
    Phase.BETTING: "betting is open",
    Phase.DEALING: "the cards are waiting to be dealt",
    Phase.STUB: "the stub is waiting to be racked",
    Phase.DECIDING: "players are deciding",
    Phase.COLLECTING: "forfeited wagers are being collected",
    Phase.REVEALING: "cards are waiting to be revealed",
    Phase.SETTLING: "wagers are being settled",
    Phase.RACKING: "the cards are waiting to be racked",
    Phase.IDLE: "the cards are spread on an idle table",
}
