"""The regulations as data: editions, paytables, readings and clauses."""

from croupier.rules.edition import Edition, Elected
from croupier.rules.loading import (
    EDITIONS,
    all_editions,
    edition,
    is_edition,
    no_edition,
    readable_editions,
    unreadable_editions,
)
from croupier.rules.readings import Reading, readings

__all__ = [
    "EDITIONS",
    "Edition",
    "Elected",
    "Reading",
    "all_editions",
    "edition",
    "is_edition",
    "no_edition",
    "readable_editions",
    "readings",
    "unreadable_editions",
]
