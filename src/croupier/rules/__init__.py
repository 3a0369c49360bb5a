"""The regulations as data: editions, paytables, readings and clauses."""

from croupier.rules.edition import Edition, Elected
from croupier.rules.loading import EDITIONS, edition, no_edition
from croupier.rules.readings import Reading, readings

__all__ = ["EDITIONS", "Edition", "Elected", "Reading", "edition", "no_edition", "readings"]
