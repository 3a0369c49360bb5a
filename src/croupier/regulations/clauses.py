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
    """What it says, in our own words."""
    differs: str = ""
    """How it differs from the text that amended or replaced it, if there is one."""


@cache
def all_clauses() -> tuple[Clause, ...]:
    """Every clause of every edition, in the order of the texts."""
    text = (resources.files("croupier.regulations") / "data" / "clauses.csv").read_text(encoding="utf-8")
    return tuple(Clause(**row) for row in csv.DictReader(text.splitlines()))


_house_rules: dict[str, Mapping[str, Clause]] = {}
"""The house rules of the editions without a regulation that this process has loaded."""


def register_house_rules(edition: str, rules: Mapping[str, Clause]) -> None:
    """Registers the clauses of house rules under the name of their edition."""
    _house_rules[edition] = rules


def clause_ids(document: str) -> Mapping[str, Clause]:
    """The clauses that an edition can cite, by id: its regulation's, or those of its house rules once it is loaded."""
    return _regulation_clauses(document) or _house_rules.get(document, {})


@cache
def _regulation_clauses(document: str) -> Mapping[str, Clause]:
    """Clauses by id; a proposal's clauses override those of the final text."""
    clauses: dict[str, Clause] = {}
    for clause in all_clauses():
        is_listed = clause.document == document
        is_inherited = document == "pa-682a-proposed" and clause.document == "pa-682a" and clause.clause not in clauses
        if is_listed or is_inherited:
            clauses[clause.clause] = clause
    return clauses


def carries_out(*rules: str) -> Callable[[F], F]:
    """Marks code that implements rules of editions, for the index of clauses.

    Each name is a key of an edition's `[rules]`, or the path of another part of it such as
    `layout.areas` or `paytables`. The mark changes nothing about the code; the index of clauses
    (`croupier.regulations.coverage`) finds it by reading the source.
    """
    del rules
    return lambda code: code
