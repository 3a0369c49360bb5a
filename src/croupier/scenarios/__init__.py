"""Scenarios: single rounds in files, played at a real table."""

from croupier.scenarios.model import Scenario, read_scenario, require_known_cards
from croupier.scenarios.runner import play_scenario
from croupier.scenarios.settlement import round_settlement, settlement_document

__all__ = [
    "Scenario",
    "play_scenario",
    "read_scenario",
    "require_known_cards",
    "round_settlement",
    "settlement_document",
]
