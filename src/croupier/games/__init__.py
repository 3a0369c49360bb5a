"""The games: one module each. Plug-ins add more (`croupier.plugins`)."""

from croupier.games.definition import Game
from croupier.games.registry import GAMES, game

__all__ = ["GAMES", "Game", "game"]
