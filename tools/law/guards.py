"""Refusals that can be switched off by the rule that they cite.

An import hook compiles the modules of Croupier so that every refusal passes through `refuse` or `report`. Clauses of
loaded editions become `CitedClause`, which remembers the path of the edition that gives it; so a refusal under
`rules.cut_cards` is known even where several rules share a clause.
"""

from __future__ import annotations

import ast
import builtins
import dataclasses
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Iterator, Mapping, Sequence
from types import CodeType, ModuleType
from typing import Any

_ERRORS = ("RuleViolation", "InputError")
_WHO = ("require_role",)
"""Guards that say who may act; they cite the rule of any command and say nothing about it."""


class CitedClause(str):
    """A clause that knows which path of which edition gives it."""

    edition: str
    path: str

    @classmethod
    def of(cls, clause: str, edition: str, path: str) -> CitedClause:
        cited = cls(clause)
        cited.edition, cited.path = edition, path
        return cited


class Switches:
    """Which rules are switched off, and where a refusal was left out because of it."""

    def __init__(self) -> None:
        self.off: tuple[str, str, str] | None = None
        self.places: dict[str, None] = {}

    def is_off(self, clause: object) -> bool:
        if self.off is None or not isinstance(clause, CitedClause):
            return False
        return (clause.edition, clause.path, str(clause)) == self.off


SWITCHES = Switches()


def _left_out(clause: object) -> bool:
    frame = sys._getframe(2)
    if not SWITCHES.is_off(clause) or frame.f_code.co_name in _WHO:
        return False
    SWITCHES.places[f"{frame.f_globals['__name__']}:{frame.f_code.co_qualname}"] = None
    return True


def refuse(error: Exception) -> None:
    """Raises a refusal unless its rule is switched off."""
    if not _left_out(getattr(error, "clause", "")):
        raise error


def report(problem: Any) -> tuple[Any, ...]:
    """A problem of a submission, or nothing if its rule is switched off."""
    return () if _left_out(problem.clause) else (problem,)


class _Rewriter(ast.NodeTransformer):
    """Lets refusals pass through `refuse` and `report`."""

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        if node.cause is None and _called(node.exc) in _ERRORS and node.exc is not None:
            return _at(node, ast.Expr(_call("_law_refuse", node.exc)))
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        value = node.value
        if isinstance(value, ast.Yield) and value.value is not None and _called(value.value) == "Problem":
            return _at(node, ast.Expr(ast.YieldFrom(_call("_law_report", value.value))))
        is_append = (
            isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "append"
        )
        if is_append and isinstance(value, ast.Call) and _called(value.args[0]) == "Problem":
            extend = ast.Attribute(value.func.value, "extend", ast.Load())  # type: ignore[attr-defined]
            return _at(node, ast.Expr(ast.Call(extend, [_call("_law_report", value.args[0])], [])))
        return node


def _called(node: ast.expr | None) -> str:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def _call(name: str, argument: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [argument], [])


def _at(node: ast.stmt, replacement: ast.stmt) -> ast.stmt:
    return ast.fix_missing_locations(ast.copy_location(replacement, node))


def compile_guarded(source: bytes | str, path: str) -> CodeType:
    """Compiles a module whose refusals can be switched off."""
    code: CodeType = compile(_Rewriter().visit(ast.parse(source, path)), path, "exec")
    return code


class _GuardedLoader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return compile_guarded(self.get_data(path), path)


class _GuardedFinder(importlib.abc.MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.partition(".")[0] != "croupier":
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = _GuardedLoader(spec.loader.name, spec.loader.path)
        return spec


def install() -> None:
    """Installs the import hook; must run before any module of Croupier is imported."""
    if any(name.partition(".")[0] == "croupier" for name in sys.modules):
        raise RuntimeError("install the guards before importing croupier")
    vars(builtins).update(_law_refuse=refuse, _law_report=report)
    sys.meta_path.insert(0, _GuardedFinder())


def cite_clauses(edition: Any) -> None:
    """Replaces the clauses of a loaded edition, in place, by ones that know their path."""
    rules = {
        name: tuple(CitedClause.of(clause, edition.name, f"rules.{name}") for clause in clauses)
        for name, clauses in edition.rules.items()
    }
    object.__setattr__(edition, "rules", rules)
    for name in ("figures", "wagers", "progressives", "paytables", "envies", "odds", "elections"):
        for key, value in getattr(edition, name).items():
            _cite(value, edition.name, f"{name}.{key}")
    for name in ("layout", "exposure", "payout_limit"):
        if getattr(edition, name) is not None:
            _cite(getattr(edition, name), edition.name, name)


_CLAUSE_FIELDS = {"clause", "clauses", "elected_by", "amounts_clause", "scales_clause"}
_PLAIN_FIELDS = {"amounts_clause": "amounts", "scales_clause": "scales"}
_CONTAINERS = {"tables", "meters", "rows"}
"""Fields that are not part of a path."""


def _cite(value: Any, edition: str, path: str) -> None:
    if not dataclasses.is_dataclass(value):
        return
    is_layout = type(value).__name__ == "LayoutRule"
    for name, content in _fields(value):
        if name in _CLAUSE_FIELDS or (is_layout and isinstance(content, str)):
            extra = name if is_layout else _PLAIN_FIELDS.get(name, "")
            place = f"{path}.{extra}" if extra else path
            if isinstance(content, tuple):
                cited: Any = tuple(CitedClause.of(clause, edition, place) for clause in content)
            else:
                cited = CitedClause.of(content, edition, place) if content else content
            object.__setattr__(value, name, cited)
        elif isinstance(content, Mapping):
            for key, inner in content.items():
                _cite_nested(inner, edition, path, name, key)
        elif isinstance(content, tuple):
            for inner in content:
                _cite(inner, edition, path if name in _CONTAINERS else f"{path}.{name}")


def _cite_nested(inner: Any, edition: str, path: str, name: str, key: object) -> None:
    place = f"{path}.{key}" if name in _CONTAINERS else f"{path}.{name}.{key}"
    if isinstance(inner, Mapping):
        for tier, leaf in inner.items():
            _cite(leaf, edition, f"{place}.{f'wager_{tier}' if isinstance(tier, int) else tier}")
    else:
        _cite(inner, edition, place)


def _fields(value: Any) -> Iterator[tuple[str, Any]]:
    for each in dataclasses.fields(value):
        yield each.name, getattr(value, each.name)
