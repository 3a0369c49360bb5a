"""Tools for those who work on Croupier."""
