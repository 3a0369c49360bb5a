"""Games for programs that learn: states with chance and information, an environment, exact values to compare with."""

from croupier.learning.tree import CHANCE, PLAYER_ONE, TERMINAL, GameTree, State
from croupier.learning.values import best_action, exact_value, optimal_values

__all__ = [
    "CHANCE",
    "PLAYER_ONE",
    "TERMINAL",
    "GameTree",
    "State",
    "best_action",
    "exact_value",
    "optimal_values",
]
