"""Reinforcement learning: game trees, a Gymnasium environment and exact values for comparison."""

from croupier.rl.game_tree import (
    CHANCE,
    PLAYER_ONE,
    TERMINAL,
    GameTree,
    State,
    best_action,
    exact_value,
    optimal_values,
)

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
