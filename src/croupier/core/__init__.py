"""Shared foundations: cards, money, errors, TOML reading, codec. Imports no other package of Croupier."""
