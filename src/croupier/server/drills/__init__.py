"""Drills for dealers and players: questions made by the engine from a number, and checked by making them again."""

from croupier.server.drills.asking import KINDS, check, question

__all__ = ["KINDS", "check", "question"]
