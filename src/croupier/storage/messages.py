"""Command envelopes and command results of the event store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from croupier.core.errors import RuleViolation
from croupier.table.model.commands import Command
from croupier.table.model.events import Event, Refusal
from croupier.table.model.state import Table

NextStep = Callable[[Table], Command | None]
"""Returns the next automated step of the system, or `None`."""


class StaleTable(RuleViolation):
    """The table has moved on since the sequence number that a command expected; nothing happened."""

    def __init__(self, table: str, expected: int, seq: int) -> None:
        super().__init__("", f"table {table} is at event {seq}, not {expected}: reload it and decide again")
        self.table = table
        self.expected = expected
        self.seq = seq


@dataclass(frozen=True, slots=True)
class CommandEnvelope:
    """A command for a table.

    `key` is an idempotency key; `expected_seq` is the number of the last event that the sender has seen. The system's
    own steps need neither. `fingerprint` tells requests apart: the same key with another fingerprint is refused.
    `also` are commands that belong to it: all of them happen, or none. `then` supplies automated steps, which join
    the same transaction; it may be called again from the start. `stamp` allows raising the command's time to that
    of the table's last event, because the clocks of several machines differ slightly.
    """

    table: str
    command: Command
    key: str = ""
    expected_seq: int | None = None
    fingerprint: str = ""
    then: NextStep | None = None
    stamp: bool = False
    also: tuple[Command, ...] = ()

    @property
    def identity(self) -> str:
        """Identifies the command: a repeated key must come with the same identity."""
        by = self.command.by
        return f"{type(self.command).__name__} by {by.name} ({by.role}) {self.fingerprint}".rstrip()


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The result of a command. `seq` is the number of the table's last event afterwards."""

    table: str
    seq: int
    events: tuple[Event, ...] = ()
    refusal: Refusal | None = None
    repeated: bool = False
    """Whether the command had been carried out or refused before, under the same key."""

    texts: tuple[str, ...] = ()
    """Its events as stored, if this process has just written them."""

    @property
    def first(self) -> int:
        """The number of its first event; above `seq` if there is none."""
        return self.seq - len(self.events) + 1
