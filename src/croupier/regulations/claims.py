"""Which tests claim which clauses, and which golden rounds cite them.

Tests claim clauses
- by their name: `test_682a_6_b_1_…` is about 682a.6(b)(1), `test_md_6_c_5_…` about Maryland's 6.C(5);
- by literal ids in their decorators: `"682a.6(e)(8)"`, `"md-4cp:6.F(7)"`;
- by `@shows("name", …)`: the clauses that editions give for that name, one test each;
- by rows of tables that tests read (`tests/**/*.csv` with columns document and clause).
"""

from __future__ import annotations

import ast
import csv
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from croupier.regulations.rule_paths import (
    DOCUMENTS,
    Key,
    clauses_named,
    documents_of,
    documents_with,
    listed_keys,
    named_clauses,
)

_PREFIXES = {"682a": ("pa-682a", "pa-682a-proposed"), "683a": ("pa-683a",), "679a": ("pa-679a",)}
_PREFIXES |= {"641a": ("pa-641a",), "md": ("md-4cp",)}
CLAUSE_ID = re.compile(r"(?:6\d\da\.\d+|(?<![\w.])\d{1,2}\.[A-H])(?:\(\w+\))*")

Pointers = dict[Key, list[str]]


@cache
def ids_by_lower_case() -> Mapping[Key, str]:
    """Clauses by lower-case id, as in names of tests; no two clauses differ by case alone."""
    return {(document, clause.lower()): clause for document, clause in listed_keys()}


def parsed_modules(folder: Path, containing: str) -> Iterator[tuple[Path, ast.Module]]:
    """The parsed modules whose source contains this text."""
    for path in sorted(folder.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if containing in source:
            yield path, ast.parse(source, filename=str(path))


def decorator_arguments(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, decorator: str) -> Iterator[str]:
    """The texts that a decorator of this name is given."""
    for call in node.decorator_list:
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == decorator:
            yield from (arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str))


def claimed_clauses(folder: Path) -> Pointers:
    """The tests that claim each clause."""
    pointers: Pointers = defaultdict(list)
    for path, module in parsed_modules(folder, "def test_"):
        file = path.relative_to(folder.parent).as_posix()
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for key in clauses_of_test(node):
                    pointers[key].append(f"{file}::{node.name}")
    for path in sorted(folder.rglob("*.csv")):
        file = path.relative_to(folder.parent).as_posix()
        with path.open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream):
                if row.get("table") == "figure":
                    continue  # stating a number does not prove that it is enforced
                for document in documents_of(row.get("document", ""), row.get("clause", "")):
                    pointers[document, row["clause"]].append(file)
    return pointers


def cited_in_transcripts(folder: Path) -> Pointers:
    """The golden rounds that cite each clause."""
    pointers: Pointers = defaultdict(list)
    for path in sorted(folder.glob("golden/**/*.txt")):
        file, edition = path.relative_to(folder.parent).as_posix(), path.relative_to(folder / "golden").parts[0]
        for clause in CLAUSE_ID.findall(path.read_text(encoding="utf-8")):
            for document in documents_of(edition, clause):
                pointers[document, clause].append(file)
    return pointers


def clauses_of_test(node: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """The clauses that one test function claims."""
    yield from clauses_of_name(node.name)
    for name in decorator_arguments(node, "shows"):
        for edition in named_clauses():
            for clause in clauses_named(edition, name):
                yield from ((document, clause) for document in documents_of(edition, clause))
    for decorator in node.decorator_list:
        for inner in ast.walk(decorator):
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                yield from clause_of_literal(inner.value)


def clause_of_literal(text: str) -> Iterator[tuple[str, str]]:
    """The clauses that a literal names: `682a.6(e)(8)` in every document that has it, `md-4cp:6.F(7)` in one."""
    document, _, clause = text.partition(":")  # ids of definitions have a colon too
    if document not in DOCUMENTS:
        yield from ((listed_in, text) for listed_in in documents_with(text))
    elif (document, clause) in listed_keys():
        yield document, clause


def clauses_of_name(name: str) -> Iterator[tuple[str, str]]:
    """The clause in the name of a test: the longest prefix that is one."""
    pieces = name.removeprefix("test_").split("_")
    for document in _PREFIXES.get(pieces[0], ()):
        for length in range(len(pieces), 1, -1):
            clause = ids_by_lower_case().get((document, _spell_clause(pieces[:length]).lower()))
            if clause is not None:
                yield document, clause
                break


def _spell_clause(pieces: list[str]) -> str:
    if pieces[0] == "md":
        return "" if len(pieces) < 3 else f"{pieces[1]}.{pieces[2]}" + "".join(f"({p})" for p in pieces[3:])
    if pieces[1] == "1":
        return f"{pieces[0]}.1:" + "-".join(pieces[2:])
    return f"{pieces[0]}.{pieces[1]}" + "".join(f"({piece})" for piece in pieces[2:])
