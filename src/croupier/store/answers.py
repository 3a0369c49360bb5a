"""What is asked of a store and what it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from croupier.errors import NotPermitted
from croupier.table.commands import Command
from croupier.table.events import Event, Refusal
from croupier.table.state import Table

Follow = Callable[[Table], Command | None]
"""Gives the next step that the system does by itself, or nothing."""


class Stale(NotPermitted):
    """The table has moved on since the sequence number that a command was meant for; nothing happened."""

    def __init__(self, table: str, expected: int, seq: int) -> None:
        super().__init__("", f"table {table} is at event {seq}, not at {expected}: look again and decide anew")
        self.table = table
        self.expected = expected
        self.seq = seq


@dataclass(frozen=True, slots=True)
class Submission:
    """A command for a table.

    `key` makes it happen once however often it is sent; `expected_seq` is the number of the last event that the
    sender has seen. The system's own steps may go without either. `fingerprint` tells requests apart: the same
    key with another one is refused. `also` are commands that belong to it: all of them happen, or none. `then` is
    asked for automated steps, which join the same transaction; it may be asked again from the start.
    `stamp` says that the command's time may be raised to that of the table's last event: clocks of several
    machines differ by a little.
    """

    table: str
    command: Command
    key: str = ""
    expected_seq: int | None = None
    fingerprint: str = ""
    then: Follow | None = None
    stamp: bool = False
    also: tuple[Command, ...] = ()

    @property
    def said(self) -> str:
        """What must be equal where a key is used again."""
        by = self.command.by
        return f"{type(self.command).__name__} by {by.name} ({by.role}) {self.fingerprint}".rstrip()


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a command. `seq` is the number of the table's last event afterwards."""

    table: str
    seq: int
    events: tuple[Event, ...] = ()
    refusal: Refusal | None = None
    repeated: bool = False
    """Whether the command had been carried out or refused before, under the same key."""

    texts: tuple[str, ...] = ()
    """Its events as they are stored, where this process has just written them."""

    @property
    def first(self) -> int:
        """The number of its first event; above `seq` where there is none."""
        return self.seq - len(self.events) + 1
