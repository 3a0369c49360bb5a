"""Walks through the program: traces which modules a real command enters, counts them and draws the pictures."""
