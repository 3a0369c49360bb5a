"""The clauses of the five regulations: id, topic, kind and gist, read from one table."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Clause:
    """One operative clause. Its id is unique within its document."""

    document: str
    clause: str
    topic: str
    kind: str
    """`automatic`, `attested`, `config`, `physical` or `definition`."""
    gist: str
    """What it says, in our words."""
    differs: str = ""
    """How it differs from the text that amended or followed it, for a clause that has such a text."""


@cache
def all_clauses() -> tuple[Clause, ...]:
    """Every clause of every edition, in the order of the texts."""
    text = (resources.files("croupier.rules") / "data" / "clauses.csv").read_text(encoding="utf-8")
    return tuple(Clause(**row) for row in csv.DictReader(text.splitlines()))


_sheets: dict[str, Mapping[str, Clause]] = {}
"""The rules sheets of the editions loaded in this process that no regulation describes."""


def keep_sheet(edition: str, sheet: Mapping[str, Clause]) -> None:
    """Makes the clauses of a rules sheet known under the name of its edition."""
    _sheets[edition] = sheet


def clause_ids(document: str) -> Mapping[str, Clause]:
    """The clauses that an edition can cite, by id: its regulation's, or those of its rules sheet once it is loaded."""
    return _of_regulation(document) or _sheets.get(document, {})


@cache
def _of_regulation(document: str) -> Mapping[str, Clause]:
    """The proposal's own clauses come before the final's."""
    found: dict[str, Clause] = {}
    for clause in all_clauses():
        own = clause.document == document
        inherited = document == "pa-682a-proposed" and clause.document == "pa-682a" and clause.clause not in found
        if own or inherited:
            found[clause.clause] = clause
    return found


def carries_out(*rules: str) -> Callable[[F], F]:
    """Marks code that carries out what editions state, for the index of clauses.

    Each name is a key of an edition's `[rules]`, or the path of another part of it such as
    `layout.areas` or `paytables`. The mark changes nothing about the code; the index of clauses
    (`croupier.rules.coverage`) finds it by reading the source.
    """
    del rules
    return lambda code: code
