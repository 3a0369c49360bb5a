"""Scenarios: single rounds in files, played at a real table."""

from croupier.scenarios.model import Scenario, read_scenario
from croupier.scenarios.runner import play_scenario, settlement_document

__all__ = ["Scenario", "play_scenario", "read_scenario", "settlement_document"]
