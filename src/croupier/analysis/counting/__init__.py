"""Counting hands and contests exactly, over every deal."""
