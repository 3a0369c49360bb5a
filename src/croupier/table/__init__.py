"""The table: a pure state machine of commands and events.

`decide(table, command)` gives events or a refusal that cites its clause; `evolve(table, event)`
gives the next state. Importing this package brings in every rule.
"""

from croupier.table import (
    dealing,
    evolve_meters,
    irregularities,
    jackpots,
    mysteries,
    playing,
    preparing,
    progressive,
    reading,
    settling,
    verifiable,
    wagering,
)
from croupier.table.decide import decide
from croupier.table.events import Event, Refusal
from croupier.table.evolve import evolve, evolve_all, new_table
from croupier.table.people import SYSTEM, Actor, Role
from croupier.table.setup import Setup
from croupier.table.state import Phase, Round, Table

RULES = (
    preparing,
    wagering,
    progressive,
    mysteries,
    verifiable,
    reading,
    dealing,
    playing,
    jackpots,
    settling,
    irregularities,
)
"""The modules that decide."""
STATES = (evolve_meters, verifiable, reading)
"""The modules that register what state follows an event, beside `evolve`."""

__all__ = [
    "RULES",
    "SYSTEM",
    "Actor",
    "Event",
    "Phase",
    "Refusal",
    "Role",
    "Round",
    "Setup",
    "Table",
    "decide",
    "evolve",
    "evolve_all",
    "new_table",
]
