"""The regulations as data: editions, paytables, readings and clauses."""

from croupier.rules.edition import Edition, Elected
from croupier.rules.loading import EDITIONS, edition
from croupier.rules.readings import Reading, readings

__all__ = ["EDITIONS", "Edition", "Elected", "Reading", "edition", "readings"]
