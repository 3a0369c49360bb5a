"""The clauses behind each rule and value of an edition's file, by path: `rules.one_deck`, `layout.areas`, …

Only the standard library is used, because the build of the package reads it for the index of clauses.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from croupier.core.program_digest import PACKAGE_FOLDER
from croupier.regulations.clauses import all_clauses, clause_ids
from croupier.regulations.evidence import data_at, ranking_rules, read_edition_files, rule_digest

Key = tuple[str, str]
"""A document and a clause."""
DOCUMENTS = tuple(dict.fromkeys(clause.document for clause in all_clauses()))
_INDEXES = re.compile(r"\[\d+\]")
_CLAUSE_KEYS = re.compile(r"\.(clauses?|elected_by)$")


@cache
def listed_keys() -> frozenset[Key]:
    """Every clause that the documents list."""
    return frozenset((clause.document, clause.clause) for clause in all_clauses())


def documents_of(edition: str, clause: str) -> Iterator[str]:
    """The documents that list a clause which an edition cites; the proposal lists only what differs."""
    for document in {edition, "pa-682a"} if edition == "pa-682a-proposed" else {edition}:
        if (document, clause) in listed_keys():
            yield document


def documents_with(clause: str) -> Iterator[str]:
    """The documents that list a clause of this id."""
    for document in DOCUMENTS:
        if (document, clause) in listed_keys():
            yield document


@cache
def edition_files() -> Mapping[str, Mapping[str, Any]]:
    """The data of every edition's file."""
    return read_edition_files(PACKAGE_FOLDER / "regulations" / "data" / "editions")


@cache
def named_clauses() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """For each edition, the clauses at each path of its file."""
    editions: dict[str, dict[str, tuple[str, ...]]] = {}
    for edition, data in edition_files().items():
        clauses, paths = clause_ids(edition), defaultdict[str, list[str]](list)
        for place, value in _leaves(data, ""):
            if value in clauses:
                paths[_CLAUSE_KEYS.sub("", _INDEXES.sub("", place))].append(value)
        editions[edition] = {place: tuple(ids) for place, ids in paths.items()}
    return editions


def clauses_named(document: str, name: str) -> tuple[str, ...]:
    """The clauses that an edition gives for a rule, or for everything under a path."""
    paths = named_clauses()[document]
    if f"rules.{name}" in paths:
        return paths[f"rules.{name}"]
    return tuple(
        clause
        for place, clauses in paths.items()
        if place == name or place.startswith(f"{name}.")
        for clause in clauses
    )


def _leaves(value: object, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, f"{place}.{key}" if place else key)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _leaves(inner, f"{place}[{number}]")
    elif isinstance(value, str):
        yield place, value


def rule_paths() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """For each clause, the paths at which the edition of its document cites it."""
    paths: dict[tuple[str, str], list[str]] = defaultdict(list)
    for edition, places in named_clauses().items():
        for place, clauses in places.items():
            for clause in dict.fromkeys(clauses):
                if (edition, clause) in listed_keys():
                    paths[edition, clause].append(place)
    return {key: tuple(sorted(places)) for key, places in paths.items()}


def rule_digests(root: Path) -> Mapping[tuple[str, str], str]:
    """For each clause, the digest of the rules behind it: the data at its paths, and the rungs that cite it."""
    rules: dict[tuple[str, str], dict[str, object]] = defaultdict(dict)
    for (document, clause), places in rule_paths().items():
        for place in places:
            rules[document, clause][place] = data_at(edition_files()[document], place)
    module = ast.parse((root / "src" / "croupier" / "hands" / "rankings.py").read_text(encoding="utf-8"))
    for clause, place, text in ranking_rules(module):
        for document in documents_with(clause):
            rules[document, clause][place] = text
    return {key: rule_digest(places) for key, places in rules.items()}
