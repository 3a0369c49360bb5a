"""Evidence that tests enforce a clause: which test fails when the rule behind it is broken.

`tools/law` breaks what stands behind each clause, one mutation at a time, runs the tests that claim the clause and
writes the results to `tests/law/evidence.json`. An entry counts only as long as it is fresh: the rule, the code that
was broken and the test that failed must still have the digests in the entry. Digests are of syntax trees without names
and docstrings, so that formatting, moving or renaming a function changes none.

Only the standard library is used, because the build of the package reads the evidence for the index of clauses.
"""

from __future__ import annotations

import ast
import copy
import csv
import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

EVIDENCE = "tests/law/evidence.json"
_IGNORED_FIELDS = {"ctx", "kind", "type_comment", "type_params"}
_IGNORED_DECORATORS = {"carries_out", "decider_for", "shows"}

_CLAUSE = re.compile(r"(?:[\w-]+:)?((?:6\d\da\.\d+|\d{1,2}\.[A-H])(?:\(\w+\))*)")

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Mutations = Mapping[str, Mapping[str, Any] | None]
"""By mutation: the code that it breaks and the test that fails, each with its digest; `None` if no test fails."""


def digest(text: str) -> str:
    """A short digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def dump(node: object) -> str:
    """A syntax tree as text, equal in every version of Python."""
    if isinstance(node, ast.AST):
        fields = (
            f"{name}={dump(value)}"
            for name, value in ast.iter_fields(node)
            if name not in _IGNORED_FIELDS and value is not None and value != []
        )
        return f"{type(node).__name__}({','.join(fields)})"
    if isinstance(node, list):
        return f"[{','.join(map(dump, node))}]"
    return repr(node)


def function_digest(node: Function, clause: str = "") -> str:
    """The digest of a function or class without its name, docstring and pointers at clauses.

    With a clause, cases in decorators that name only other clauses do not count either.
    """
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    decorators = [
        _CaseFilter(clause).visit(copy.deepcopy(decorator)) if clause else decorator
        for decorator in node.decorator_list
        if _decorator_name(decorator) not in _IGNORED_DECORATORS
    ]
    arguments = node.args if not isinstance(node, ast.ClassDef) else node.bases
    return digest(f"{dump(decorators)}{dump(arguments)}{dump(body)}")


class _CaseFilter(ast.NodeTransformer):
    """Removes the cases of a parametrized test that name clauses, but not this one."""

    def __init__(self, clause: str) -> None:
        self.clause = clause

    def visit_List(self, node: ast.List) -> ast.List:
        node.elts = [case for case in node.elts if self._is_about(case)]
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        node.args = [case for case in node.args if self._is_about(case)]
        self.generic_visit(node)
        return node

    def _is_about(self, case: ast.expr) -> bool:
        if isinstance(case, ast.List):
            return True
        texts = [inner.value for inner in ast.walk(case) if isinstance(inner, ast.Constant)]
        named = [match[1] for text in texts if isinstance(text, str) and (match := _CLAUSE.fullmatch(text))]
        return not named or self.clause in named


def _decorator_name(decorator: ast.expr) -> str:
    call = decorator.func if isinstance(decorator, ast.Call) else decorator
    return call.id if isinstance(call, ast.Name) else ""


def read_evidence(root: Path) -> Mapping[str, Mapping[str, Any]]:
    """The entries of a source tree, by document and clause; empty if there are none."""
    path = root / EVIDENCE
    entries: Mapping[str, Mapping[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return entries


class SourceTree:
    """The functions, tests and rules of a source tree, with their digests."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def is_fresh(self, entry: Mapping[str, Any], clause: str, rests_on: str, claims: Iterable[str]) -> bool:
        """Whether every mutation of a clause was noticed, by a test that still claims the clause and is unchanged."""
        mutations: Mutations = entry["mutations"]
        if entry["rests_on"] != rests_on or not mutations:
            return False
        digests: set[str] | None = None
        for result in mutations.values():
            if result is None or not all(self._has_code(pointer) for pointer in result["code"]):
                return False
            if digests is None:
                pairs = [(test, claim) for claim in claims for test in self.tests_of_claim(claim)]
                digests = {self.test_digest(test, claim, clause) for test, claim in pairs}
            if result["test"].rpartition("@")[2] not in digests:
                return False
        return True

    def tests_of_claim(self, claim: str) -> Iterator[str]:
        """The test functions behind a claim: itself, or for a table of cases those of the module that reads it."""
        if "::" in claim:
            yield claim
            return
        path = Path(claim)
        module = (path.parent / f"test_{path.stem}.py").as_posix()
        yield from (f"{module}::{name}" for name in self._functions(module) if name.startswith("test_"))

    def test_digest(self, test: str, claim: str, clause: str) -> str:
        """The digest of a test function for a clause; for a table of cases, with the rows of the clause."""
        module, _, name = test.partition("::")
        node = self._functions(module).get(name)
        rows = [] if "::" in claim else [row for row in self._rows(claim) if clause in row]
        return "" if node is None else digest(f"{function_digest(node, clause)}{rows}")

    @cache  # noqa: B019
    def _rows(self, claim: str) -> list[list[str]]:
        with (self.root / claim).open(encoding="utf-8", newline="") as stream:
            return list(csv.reader(stream))

    def code_digest(self, place: str) -> str:
        """The digest of a function named `module:qualified.name`; empty if it does not exist."""
        module, _, name = place.partition(":")
        node = self._functions(f"src/{module.replace('.', '/')}.py").get(name)
        return "" if node is None else function_digest(node)

    def _has_code(self, pointer: str) -> bool:
        place, _, expected = pointer.rpartition("@")
        return self.code_digest(place) == expected or expected in self._all_code

    @cached_property
    def _all_code(self) -> frozenset[str]:
        """The digests of all functions, to find one that was moved."""
        return frozenset(
            function_digest(node)
            for path in sorted((self.root / "src").rglob("*.py"))
            for node in self._functions(path.relative_to(self.root).as_posix()).values()
        )

    @cache  # noqa: B019
    def _functions(self, file: str) -> Mapping[str, Function]:
        path = self.root / file
        if not path.is_file():
            return {}
        return dict(_qualified_functions(ast.parse(path.read_text(encoding="utf-8")), ""))


def _qualified_functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, Function]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{prefix}{child.name}{_dispatched_type(child)}", child
        elif isinstance(child, ast.ClassDef):
            yield f"{prefix}{child.name}", child
            yield from _qualified_functions(child, f"{prefix}{child.name}.")


def _dispatched_type(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """The type that a handler without a name is registered for: `(RoundCompleted)`."""
    annotation = node.args.args[0].annotation if node.name == "_" and node.args.args else None
    return f"({annotation.attr})" if isinstance(annotation, ast.Attribute) else ""


def rule_digest(rules: Mapping[str, object]) -> str:
    """The digest of the rules behind a clause: the data at each path of an edition, and the rungs of rankings."""
    return digest(json.dumps(rules, sort_keys=True, default=str))


def data_at(data: Mapping[str, Any], path: str) -> object:
    """The data of an edition's file at a path; `None` for a key of its `[rules]`, whose data is the clause alone."""
    if path.startswith("rules."):
        return None
    value: Any = data
    for key in path.split("."):
        value = value[key]
    return value


def ranking_rules(module: ast.Module) -> Iterator[tuple[str, str, str]]:
    """The rankings of a module: for each clause its ranking and rung (`FOUR_CARD.pair`), with their text."""
    for statement in module.body:
        if not (isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)):
            continue
        name, value = statement.targets[0].id, statement.value
        if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "Ranking"):
            continue
        rungs = [node for node in ast.walk(value) if isinstance(node, ast.Call) and _decorator_name(node) == "Rung"]
        texts = {_constant(rung.args[0]): _rung_text(rung) for rung in rungs}
        for keyword in value.keywords:
            if keyword.arg == "clauses" and isinstance(keyword.value, ast.Constant):
                for clause in str(keyword.value.value).split():
                    yield clause, name, " ".join(texts.values())
        for rung in rungs:
            for clause in _constant(rung.args[2]).split() if len(rung.args) > 2 else ():
                yield clause, f"{name}.{_constant(rung.args[0])}", _rung_text(rung)


def _constant(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else ""


def _rung_text(rung: ast.Call) -> str:
    return dump([*rung.args[:2], *rung.keywords])


def read_edition_files(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    """The data of every edition's file, merged with the file it is `like`."""
    files = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.toml"))}
    return {data["edition"]: {**files[data["like"]], **data} if "like" in data else data for data in files.values()}
