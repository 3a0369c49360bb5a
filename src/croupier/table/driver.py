"""Drives a table: sends commands one after another, keeps the events, refuses loudly.

The engine is pure; this is the thin shell around it that embeds it in a program.
"""

from __future__ import annotations

from croupier.errors import NotPermitted
from croupier.table.commands import Command
from croupier.table.decide import decide
from croupier.table.events import Event, Refusal
from croupier.table.evolve import evolve_all, new_table
from croupier.table.setup import Setup
from croupier.table.state import Table


class Driver:
    """A table and everything that happened at it.

    >>> from croupier.rules import edition
    >>> from croupier.table import Setup, commands
    >>> from croupier.table.people import Actor, Role
    >>> driver = Driver(Setup.open(edition("pa-682a").elect()))
    >>> dana = Actor("Dana", Role.DEALER)
    >>> driver.send(commands.ReceiveCards(by=dana, at=0, decks=(1,)))[0].clause
    '682a.4(a)'
    >>> driver.table.phase.value
    'opening'
    """

    def __init__(self, setup: Setup) -> None:
        self.table: Table = new_table(setup)
        self.events: list[Event] = []

    def send(self, command: Command) -> tuple[Event, ...]:
        """Carries a command out and gives its events; raises `NotPermitted` where it is refused."""
        outcome = decide(self.table, command)
        if isinstance(outcome, Refusal):
            raise NotPermitted(outcome.clause, outcome.reason)
        self.table = evolve_all(self.table, outcome)
        self.events.extend(outcome)
        return outcome
