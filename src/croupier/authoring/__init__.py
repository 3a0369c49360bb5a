"""For authors of games: a template to begin with, and a check that names what is wrong with its line."""

from croupier.authoring.checking import GameProblem, check_game
from croupier.authoring.template import write_template

__all__ = ["GameProblem", "check_game", "write_template"]
