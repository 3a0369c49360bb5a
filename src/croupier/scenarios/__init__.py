"""Scenarios: single rounds in files, played by the real table."""

from croupier.scenarios.model import Scenario, read_scenario
from croupier.scenarios.runner import play_scenario, settled

__all__ = ["Scenario", "play_scenario", "read_scenario", "settled"]
