"""Which mutations break a clause: derived from the paths of the edition and the rungs of rankings that cite it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from croupier.regulations import edition
from croupier.regulations.clauses import all_clauses
from croupier.regulations.coverage import ENFORCED_STATUSES, ClauseCoverage, compute
from croupier.regulations.evidence import ranking_rules
from croupier.regulations.rule_paths import DOCUMENTS, rule_paths
from tools.law.data import changes_at
from tools.law.edits import Edit, apply_edit, read_edits
from tools.law.guards import SWITCHES
from tools.law.ladders import ranking_changes

ROOT = Path(__file__).parents[2]
_GUARDED = ("rules", "layout", "wagers")


@dataclass(frozen=True)
class Mutation:
    """One way to break what stands behind a clause."""

    document: str
    clause: str
    description: str
    apply: Callable[[], None]
    code: str = ""
    """The function that it changes; empty if it changes data, or refusals wherever they are made."""


@cache
def clauses_in_scope() -> tuple[ClauseCoverage, ...]:
    """The clauses that software enforces or checks by its code, whatever tests have shown so far."""
    return tuple(each for each in compute(ROOT) if each.status_by_code in ENFORCED_STATUSES)


def mutations_of(document: str, clause: str) -> tuple[Mutation, ...]:
    """Every mutation that breaks a clause; none if neither data, code nor a refusal is known to stand behind it."""
    by_description = {mutation.description: mutation for mutation in _all_mutations(document, clause)}
    return tuple(by_description.values())


def _all_mutations(document: str, clause: str) -> Iterator[Mutation]:
    for path in rule_paths().get((document, clause), ()):
        yield from _mutations_at(document, clause, path)
    edits = [edit for edit in _edits() if clause in edit.clauses and edit.concerns(document)]
    yield from (_of_edit(document, clause, edit) for edit in edits)
    if not edits:
        for place in _rankings().get((document, clause), ()):
            for change in ranking_changes(place):
                yield Mutation(document, clause, f"{place}: {change.description}", change.apply)


def _mutations_at(document: str, clause: str, path: str) -> Iterator[Mutation]:
    kind, _, rule = path.partition(".")
    rules = edition(document)
    changes = list(changes_at(rules, path, clause))
    for change in changes:
        yield Mutation(document, clause, f"{path}: {change.description}", change.apply)
    edits = [edit for edit in _edits() if kind == "rules" and rule in edit.rules and edit.concerns(document)]
    yield from (_of_edit(document, clause, edit) for edit in edits)
    if kind in _GUARDED and not changes and not edits:
        yield Mutation(document, clause, f"{path}: refusals are off", partial(_switch_off, document, path, clause))


def _switch_off(document: str, path: str, clause: str) -> None:
    """Switches off the refusals under a rule; they cite its first clause whichever of its clauses they are about."""
    kind, _, rule = path.partition(".")
    cited = edition(document).clause(rule) if kind == "rules" else clause
    SWITCHES.off = (document, path, str(cited))


def _of_edit(document: str, clause: str, edit: Edit) -> Mutation:
    return Mutation(document, clause, edit.name, partial(apply_edit, edit), edit.code)


@cache
def _edits() -> tuple[Edit, ...]:
    return read_edits()


@cache
def _rankings() -> Mapping[tuple[str, str], list[str]]:
    """The rankings and rungs that cite each clause."""
    listed = {(clause.document, clause.clause) for clause in all_clauses()}
    module = ast.parse((ROOT / "src" / "croupier" / "hands" / "rankings.py").read_text(encoding="utf-8"))
    places: dict[tuple[str, str], list[str]] = {}
    for clause, place, _ in ranking_rules(module):
        for document in DOCUMENTS:
            if (document, clause) in listed:
                places.setdefault((document, clause), []).append(place)
    return {key: list(dict.fromkeys(names)) for key, names in places.items()}
