"""The index of clauses: which code implements each clause, and which tests show that it is enforced.

It is computed from the sources, never written by hand, and needs only the standard library, so that
the build of the package can generate it.

Code points at clauses
- by `carries_out("name", …)` on a function or class: the clauses that editions give for that name;
- by the clauses of a rung or ranking (`croupier.hands.rankings`).

Tests claim clauses
- by their name: `test_682a_6_b_1_…` is about 682a.6(b)(1), `test_md_6_c_5_…` about Maryland's 6.C(5);
- by literal ids in their decorators: `"682a.6(e)(8)"`, `"md-4cp:6.F(7)"`;
- by `@shows("name", …)`: the clauses that editions give for that name, one test each;
- by rows of tables that tests read (`tests/**/*.csv` with columns document and clause).

A clause is tested where fresh evidence shows that a test that claims it fails when its rule is broken
(`croupier.regulations.evidence`). A golden round (`tests/golden/**/*.txt`) cites the clause of every step: it shows a
clause, which does not make the clause tested.
"""

from __future__ import annotations

import ast
import csv
import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from croupier.regulations.clauses import Clause, all_clauses, clause_ids
from croupier.regulations.evidence import (
    SourceTree,
    data_at,
    ranking_rules,
    read_edition_files,
    read_evidence,
    rule_digest,
)

STATUS_BY_KIND = {
    "automatic": "enforced",
    "attested": "attested",
    "config": "elected",
    "physical": "checked",
    "definition": "defined",
}
STATUSES = (*STATUS_BY_KIND.values(), "left_to_people", "open")
ENFORCED_STATUSES = ("enforced", "checked")
"""The statuses of clauses that software enforces, so that a test can show it."""
DOCUMENTS = tuple(dict.fromkeys(clause.document for clause in all_clauses()))
_PREFIXES = {"682a": ("pa-682a", "pa-682a-proposed"), "683a": ("pa-683a",), "679a": ("pa-679a",)}
_PREFIXES |= {"641a": ("pa-641a",), "md": ("md-4cp",)}
_ID = re.compile(r"(?:6\d\da\.\d+|(?<![\w.])\d{1,2}\.[A-H])(?:\(\w+\))*")

Pointers = dict[tuple[str, str], list[str]]


@dataclass(frozen=True, slots=True)
class ClauseCoverage:
    """A clause with the code and tests behind it."""

    clause: Clause
    status: str
    code: tuple[str, ...]
    tests: tuple[str, ...]
    """The tests that claim it."""
    tested: bool
    """Whether a test that claims it fails when its rule is broken."""
    transcripts: tuple[str, ...]
    """Golden rounds that cite it."""

    def as_json(self) -> dict[str, Any]:
        return {
            "document": self.clause.document,
            "clause": self.clause.clause,
            "status": self.status,
            "code": list(self.code),
            "tests": list(self.tests),
            "tested": self.tested,
            "shown": list(self.transcripts),
            "gist": self.clause.gist,
        }


@cache
def covered_clauses() -> tuple[ClauseCoverage, ...]:
    """Every clause with its code and tests: from the sources in a checkout, else from the built index."""
    root = Path(__file__).parents[3]
    if (root / "tests").is_dir() and (root / "src" / "croupier").is_dir():
        return tuple(compute(root))
    built = resources.files("croupier.regulations") / "data" / "clause_index.json"
    index = json.loads(built.read_text(encoding="utf-8")) if built.is_file() else []
    entries = {(entry["document"], entry["clause"]): entry for entry in index}
    uncovered: dict[str, Any] = {"status": "open", "code": [], "tests": [], "tested": False, "shown": []}
    return tuple(
        ClauseCoverage(
            clause, entry["status"], tuple(entry["code"]), tuple(entry["tests"]), entry["tested"], tuple(entry["shown"])
        )
        for clause in all_clauses()
        for entry in [entries.get((clause.document, clause.clause), uncovered)]
    )


def compute(root: Path) -> list[ClauseCoverage]:
    """The index of a source tree."""
    marks = _marked_code(root / "src")
    code, tests = _code_pointers(root / "src", marks), _test_pointers(root / "tests")
    rounds = _transcripts(root / "tests")
    evidence, tree, digests = read_evidence(root), SourceTree(root), rule_digests(root)
    coverage = []
    for clause in all_clauses():
        key = (clause.document, clause.clause)
        claims = _sort_names(tests.get(key))
        is_covered = bool(code.get(key)) and (clause.kind != "automatic" or bool(claims or rounds.get(key)))
        status = STATUS_BY_KIND[clause.kind] if is_covered else "open"
        entry = evidence.get(" ".join(key))
        tested = entry is not None and bool(claims) and tree.is_fresh(entry, key[1], digests.get(key, ""), claims)
        transcripts = _sort_names(rounds.get(key))
        coverage.append(ClauseCoverage(clause, status, _sort_names(code.get(key)), claims, tested, transcripts))
    return coverage


def rule_paths() -> Mapping[tuple[str, str], tuple[str, ...]]:
    """For each clause, the paths at which the edition of its document cites it."""
    paths: dict[tuple[str, str], list[str]] = defaultdict(list)
    for edition, places in named_clauses().items():
        for place, clauses in places.items():
            for clause in dict.fromkeys(clauses):
                if (edition, clause) in _listed_ids():
                    paths[edition, clause].append(place)
    return {key: tuple(sorted(places)) for key, places in paths.items()}


def rule_digests(root: Path) -> Mapping[tuple[str, str], str]:
    """For each clause, the digest of the rules behind it: the data at its paths, and the rungs that cite it."""
    folder = Path(str(resources.files("croupier.regulations") / "data" / "editions"))
    files = read_edition_files(folder)
    rules: dict[tuple[str, str], dict[str, object]] = defaultdict(dict)
    for (document, clause), places in rule_paths().items():
        for place in places:
            rules[document, clause][place] = data_at(files[document], place)
    module = ast.parse((root / "src" / "croupier" / "hands" / "rankings.py").read_text(encoding="utf-8"))
    for clause, place, text in ranking_rules(module):
        for document in _documents_of_id(clause):
            rules[document, clause][place] = text
    return {key: rule_digest(places) for key, places in rules.items()}


def _sort_names(names: Iterable[str] | None) -> tuple[str, ...]:
    return tuple(sorted(set(names or ())))


@cache
def named_clauses() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """For each edition, the clauses at each path of its file: `rules.one_deck`, `layout.areas`, …"""
    folder = Path(str(resources.files("croupier.regulations") / "data" / "editions"))
    editions: dict[str, dict[str, tuple[str, ...]]] = {}
    for path in sorted(folder.glob("*.toml")):
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        if "like" in data:
            data = tomllib.loads((folder / f"{data['like']}.toml").read_text(encoding="utf-8")) | data
        clauses = clause_ids(data["edition"])
        paths: dict[str, list[str]] = defaultdict(list)
        for place, value in _leaves(data, ""):
            if value in clauses:
                paths[re.sub(r"\.(clauses?|elected_by)$", "", re.sub(r"\[\d+\]", "", place))].append(value)
        editions[data["edition"]] = {place: tuple(ids) for place, ids in paths.items()}
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


def _modules(folder: Path, containing: str) -> Iterator[tuple[Path, ast.Module]]:
    """The parsed modules whose source contains this text."""
    for path in sorted(folder.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if containing in source:
            yield path, ast.parse(source, filename=str(path))


def _marked_code(source: Path) -> dict[str, list[str]]:
    """Names given to `carries_out`, with the code that it marks."""
    marks: dict[str, list[str]] = defaultdict(list)
    for path, module in _modules(source, "carries_out("):
        module_name = ".".join(path.relative_to(source).with_suffix("").parts)
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                for name in _decorator_arguments(node, "carries_out"):
                    marks[name].append(f"{module_name}:{node.name}")
    return marks


def _decorator_arguments(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, decorator: str) -> Iterator[str]:
    for call in node.decorator_list:
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == decorator:
            yield from (arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str))


def _code_pointers(source: Path, marks: Mapping[str, list[str]]) -> Pointers:
    pointers: Pointers = defaultdict(list)
    for name, places in marks.items():
        for document in named_clauses():
            for clause in clauses_named(document, name):
                for document_of_clause in _documents(document, clause):
                    pointers[document_of_clause, clause] += places
    module = ast.parse((source / "croupier" / "hands" / "rankings.py").read_text(encoding="utf-8"))
    for statement in module.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            for clause in _ids_in(statement.value):
                for document in _documents_of_id(clause):
                    pointers[document, clause].append(f"croupier.hands.rankings:{statement.targets[0].id}")
    return pointers


def _documents(edition: str, clause: str) -> Iterator[str]:
    """The documents that list a clause which an edition cites; the proposal lists only what differs."""
    for document in {edition, "pa-682a"} if edition == "pa-682a-proposed" else {edition}:
        if (document, clause) in _listed_ids():
            yield document


def _documents_of_id(clause: str) -> Iterator[str]:
    for document in DOCUMENTS:
        if (document, clause) in _listed_ids():
            yield document


@cache
def _listed_ids() -> frozenset[tuple[str, str]]:
    return frozenset((clause.document, clause.clause) for clause in all_clauses())


@cache
def _ids_by_lower_case() -> Mapping[tuple[str, str], str]:
    """Clauses by lower-case id, as in names of tests; no two clauses differ by case alone."""
    return {(document, clause.lower()): clause for document, clause in _listed_ids()}


def _ids_in(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield from _ID.findall(inner.value)


def _test_pointers(folder: Path) -> Pointers:
    pointers: Pointers = defaultdict(list)
    for path, module in _modules(folder, "def test_"):
        file = path.relative_to(folder.parent).as_posix()
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for key in _clauses_of_test(node):
                    pointers[key].append(f"{file}::{node.name}")
    for path in sorted(folder.rglob("*.csv")):
        file = path.relative_to(folder.parent).as_posix()
        with path.open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream):
                if row.get("table") == "figure":
                    continue  # stating a number does not prove that it is enforced
                for document in _documents(row.get("document", ""), row.get("clause", "")):
                    pointers[document, row["clause"]].append(file)
    return pointers


def _transcripts(folder: Path) -> Pointers:
    pointers: Pointers = defaultdict(list)
    for path in sorted(folder.glob("golden/**/*.txt")):
        file, edition = path.relative_to(folder.parent).as_posix(), path.relative_to(folder / "golden").parts[0]
        for clause in _ID.findall(path.read_text(encoding="utf-8")):
            for document in _documents(edition, clause):
                pointers[document, clause].append(file)
    return pointers


def _clauses_of_test(node: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """The clauses that one test function claims."""
    yield from _clauses_of_name(node.name)
    for name in _decorator_arguments(node, "shows"):
        for edition in named_clauses():
            for clause in clauses_named(edition, name):
                yield from ((document, clause) for document in _documents(edition, clause))
    for decorator in node.decorator_list:
        for inner in ast.walk(decorator):
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                yield from clause_of_literal(inner.value)


def clause_of_literal(text: str) -> Iterator[tuple[str, str]]:
    """The clauses that a literal names: `682a.6(e)(8)` in every document that has it, `md-4cp:6.F(7)` in one."""
    document, _, clause = text.partition(":")  # ids of definitions have a colon too
    if document not in DOCUMENTS:
        yield from ((listed_in, text) for listed_in in _documents_of_id(text))
    elif (document, clause) in _listed_ids():
        yield document, clause


def _clauses_of_name(name: str) -> Iterator[tuple[str, str]]:
    """The clause in the name of a test: the longest prefix that is one."""
    pieces = name.removeprefix("test_").split("_")
    for document in _PREFIXES.get(pieces[0], ()):
        for length in range(len(pieces), 1, -1):
            clause = _ids_by_lower_case().get((document, _spell_clause(pieces[:length]).lower()))
            if clause is not None:
                yield document, clause
                break


def _spell_clause(pieces: list[str]) -> str:
    if pieces[0] == "md":
        return "" if len(pieces) < 3 else f"{pieces[1]}.{pieces[2]}" + "".join(f"({p})" for p in pieces[3:])
    if pieces[1] == "1":
        return f"{pieces[0]}.1:" + "-".join(pieces[2:])
    return f"{pieces[0]}.{pieces[1]}" + "".join(f"({piece})" for piece in pieces[2:])
