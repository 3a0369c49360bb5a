"""Croupier runs, explains and proves regulated casino poker table games."""

__version__ = "0.1.0"
