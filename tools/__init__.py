"""Tools for developers of Croupier."""
