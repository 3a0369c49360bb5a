"""Strategies that a simulation can play, and their exact values."""
