"""Scenarios: single rounds in files, played by the real table."""

from croupier.scenarios.playing import play_scenario, settled
from croupier.scenarios.scenario import Scenario, read_scenario

__all__ = ["Scenario", "play_scenario", "read_scenario", "settled"]
