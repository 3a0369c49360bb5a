"""Tools for game authors: a template, and checks that report each problem with its line."""

from croupier.gamecheck.checks import GameProblem, check_game
from croupier.gamecheck.template import write_template

__all__ = ["GameProblem", "check_game", "write_template"]
