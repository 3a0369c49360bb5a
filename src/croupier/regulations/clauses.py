"""The clauses of the five regulations: id, topic, kind and gist, read from one table."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from croupier.core.dataclass import dataclass
from croupier.core.program_digest import PACKAGE_FOLDER

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Clause:
    """One operative clause. Its id is unique within its document."""

    document: str
    clause: str
    topic: str
    kind: str
    """What it asks for, by our reading: `automatic` (software computes or refuses), `attested` (a person's act that is
    asked for and recorded), `config` (an operator's choice), `physical` (a fact about the table that a description
    states), `definition`, or `manner` (how people act, which no software sees)."""
    gist: str
    """What it says, in our own words."""
    differs: str = ""
    """How it differs from the text that amended or replaced it, if there is one."""


@cache
def all_clauses() -> tuple[Clause, ...]:
    """Every clause of every edition, in the order of the texts."""
    text = (PACKAGE_FOLDER / "regulations" / "data" / "clauses.csv").read_text(encoding="utf-8")
    return tuple(Clause(**row) for row in csv.DictReader(text.splitlines()))


@cache
def reasons_left_to_people() -> Mapping[tuple[str, str], str]:
    """For each clause about the manner in which people act, by document and id: why no software sees it."""
    text = (PACKAGE_FOLDER / "regulations" / "data" / "left_to_people.csv").read_text(encoding="utf-8")
    return {(row["document"], row["clause"]): row["reason"] for row in csv.DictReader(text.splitlines())}


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
    """Says which rules of editions code implements, for the reader.

    Each name is a key of an edition's `[rules]`, or the path of another part of it such as `layout.areas` or
    `paytables`. The mark changes nothing, and it is no evidence: the index of clauses counts what the code cites and
    computes (`croupier.regulations.code_evidence`), and a test finds marks that neither backs.
    """
    del rules
    return lambda code: code
