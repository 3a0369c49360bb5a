"""A table session: applies commands in order, keeps the events, and raises on a refusal.

The engine is pure; this thin shell embeds it in a program.
"""

from __future__ import annotations

from croupier.table.decide import decide
from croupier.table.evolve import evolve_all, new_table
from croupier.table.model.commands import Command
from croupier.table.model.events import Event, Refusal
from croupier.table.model.setup import Setup
from croupier.table.model.state import Table
from croupier.table.record.causation import Cause


class TableSession:
    """A table and all its events.

    >>> from croupier.regulations import edition
    >>> from croupier.table import Setup
    >>> from croupier.table.model import commands
    >>> from croupier.table.model.roles import Actor, Role
    >>> session = TableSession(Setup.open(edition("pa-682a").elect()))
    >>> dana = Actor("Dana", Role.DEALER)
    >>> session.send(commands.ReceiveCards(by=dana, at=0, decks=(1,)))[0].clause
    '682a.4(a)'
    >>> session.table.phase.value
    'opening'
    """

    def __init__(self, setup: Setup) -> None:
        self.table: Table = new_table(setup)
        self.events: list[Event] = []
        self.causes: dict[int, Cause] = {}
        """The commands behind the events, by the number of the first event of each."""

    def send(self, command: Command) -> tuple[Event, ...]:
        """Carries out a command and returns its events; raises `RuleViolation` if it is refused."""
        outcome = decide(self.table, command)
        if isinstance(outcome, Refusal):
            raise outcome.violation()
        self.table = evolve_all(self.table, outcome)
        if outcome:
            self.causes[len(self.events) + 1] = Cause(command)
        self.events.extend(outcome)
        return outcome
