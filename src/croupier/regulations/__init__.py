"""The regulations as data: editions, paytables, readings and clauses."""

from croupier.regulations.catalog import (
    EDITIONS,
    all_editions,
    edition,
    find_edition,
    is_edition,
    readable_editions,
    unknown_edition_message,
    unreadable_editions,
)
from croupier.regulations.edition import Edition, ElectedEdition
from croupier.regulations.readings import Reading, readings

__all__ = [
    "EDITIONS",
    "Edition",
    "ElectedEdition",
    "Reading",
    "all_editions",
    "edition",
    "find_edition",
    "is_edition",
    "readable_editions",
    "readings",
    "unknown_edition_message",
    "unreadable_editions",
]
