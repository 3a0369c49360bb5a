"""`decide(table, command)` gives the events that a command causes, or a refusal with its clause.

Pure: no clock, no chance, no input or output. The rules live in one module a part of the game;
each registers what it decides here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from croupier.errors import BrokenInvariant, NotPermitted
from croupier.table.commands import Command
from croupier.table.events import Event, Refusal
from croupier.table.people import Role
from croupier.table.state import Phase, Round, Table

C = TypeVar("C", bound=Command)
Decider = Callable[[Table, Any], Iterator[Event]]
_DECIDERS: dict[type[Command], Decider] = {}


def decides(kind: type[C]) -> Callable[[Callable[[Table, C], Iterator[Event]]], Callable[[Table, C], Iterator[Event]]]:
    """Registers the function that decides on a kind of command."""

    def register(decider: Callable[[Table, C], Iterator[Event]]) -> Callable[[Table, C], Iterator[Event]]:
        _DECIDERS[kind] = decider
        return decider

    return register


def decide(table: Table, command: Command) -> tuple[Event, ...] | Refusal:
    """What a command causes, or why it is not permitted now."""
    decider = _DECIDERS.get(type(command))
    if decider is None:
        raise BrokenInvariant(f"nobody decides on {type(command).__name__}")
    try:
        require_role(table, command)
        require_time(table, command)
        return tuple(decider(table, command))
    except NotPermitted as refused:
        return Refusal(refused.clause, refused.reason, type(command).__name__)


def require_role(table: Table, command: Command) -> None:
    """Refuses a command by somebody who has not the right to it."""
    if command.by.role not in command.roles:
        people = " or ".join(sorted(role.called for role in command.roles if role is not Role.SYSTEM))
        reason = f"only {people or Role.SYSTEM.called} may do this, not {command.by.role.called}"
        raise NotPermitted(rule_clause(table, command.rule), reason)


def require_time(table: Table, command: Command) -> None:
    """Refuses a command from before the last thing that happened: a record runs one way."""
    if command.at < table.at:
        late = (table.at - command.at) / 1000
        raise NotPermitted("", f"the clock runs backwards: this is {late:g} seconds before the last event of the table")


def rule_clause(table: Table, rule: str, paytable: str = "") -> str:
    """The clause of a rule, which may differ by dealing method or by the paytable that it is about."""
    setup = table.setup
    own = setup.clause(f"{rule}_{paytable}") if paytable else ""
    return own or setup.clause(rule) or setup.clause(f"{rule}_{setup.method}")


def said(table: Table, command: Command, rule: str, paytable: str = "") -> dict[str, Any]:
    """What every event that a command causes has: clause, actor and time."""
    return {"clause": rule_clause(table, rule, paytable), "by": command.by, "at": command.at}


def require_phase(table: Table, rule: str, *phases: Phase) -> None:
    """Refuses what does not come next."""
    if table.phase not in phases:
        expected = " or ".join(_DOING[phase] for phase in phases)
        raise NotPermitted(rule_clause(table, rule), f"not now: this comes while {expected}, and {_DOING[table.phase]}")


def current_round(table: Table, rule: str) -> Round:
    """The round in play; refused where there is none."""
    if table.round is None:
        raise NotPermitted(rule_clause(table, rule), "there is no round in play")
    return table.round


_DOING = {
    Phase.CLOSED: "the table is closed",
    Phase.OPENING: "the cards are being prepared",
    Phase.SHUFFLING: "the cards are to be shuffled",
    Phase.CUTTING: "the cards are to be cut",
    Phase.LOADING: "the cards are to be loaded",
    Phase.BETTING: "wagers are taken",
    Phase.DEALING: "the cards are to be dealt",
    Phase.STUB: "the stub is to be put away",
    Phase.DECIDING: "players decide",
    Phase.COLLECTING: "forfeited wagers are to be collected",
    Phase.REVEALING: "cards are to be revealed",
    Phase.SETTLING: "wagers are settled",
    Phase.RACKING: "the cards are to be racked",
    Phase.IDLE: "the cards lie spread on an idle table",
}
