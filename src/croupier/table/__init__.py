"""The table: a pure state machine of commands and events.

`decide(table, command)` gives events or a refusal that cites its clause; `evolve(table, event)`
gives the next state. Importing this package registers every rule.
"""

from croupier.table import evolve_meters, visibility
from croupier.table.decide import decide
from croupier.table.evolve import evolve, evolve_all, new_table
from croupier.table.model.events import Event, Refusal
from croupier.table.model.roles import SYSTEM, Actor, Role
from croupier.table.model.setup import Setup
from croupier.table.model.state import Phase, Round, Table
from croupier.table.procedure import (
    card_entries,
    card_rulings,
    deal,
    decisions,
    deck,
    devices,
    irregularities,
    jackpots,
    stub,
    verifiable_deal,
    wagers,
)
from croupier.table.settlement import steps

RULE_MODULES = (
    deck,
    devices,
    wagers,
    verifiable_deal,
    deal,
    card_entries,
    card_rulings,
    stub,
    decisions,
    jackpots,
    steps,
    irregularities,
)
"""The modules that decide on commands."""
STATE_MODULES = (evolve_meters, verifiable_deal, deal, card_entries, card_rulings)
"""The modules that register handlers of events, besides `evolve`."""
AUDIENCES = visibility.AUDIENCES
"""Who may see which field of which event."""

__all__ = [
    "AUDIENCES",
    "RULE_MODULES",
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
