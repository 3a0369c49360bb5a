"""Mutations of code: one expression or statement of one function is replaced by another.

The table is `computations.toml`. Each entry names the rules (or clauses) that it breaks, a function as
`module:qualified.name`, the code to replace and the replacement. Code is compared as syntax, so that formatting does
not matter; an entry whose code does not occur exactly once in its function is an error.
"""

from __future__ import annotations

import ast
import importlib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

TABLE = Path(__file__).with_name("computations.toml")


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement in the code of one function, and the rules or clauses that it breaks."""

    name: str
    code: str
    old: str
    new: str
    rules: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    editions: tuple[str, ...] = ()
    """The editions that the code concerns; empty for all."""

    def concerns(self, edition: str) -> bool:
        return not self.editions or edition in self.editions


def read_edits(path: Path = TABLE) -> tuple[Edit, ...]:
    """The edits of the table; raises `ValueError` for an entry with an unknown key."""
    edits = []
    for entry in tomllib.loads(path.read_text(encoding="utf-8"))["computation"]:
        fields: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()
        }
        unknown = set(fields) - set(Edit.__dataclass_fields__)
        if unknown:
            raise ValueError(f"{path.name}: unknown key {', '.join(sorted(unknown))}")
        edits.append(Edit(**fields))
    return tuple(edits)


def mutated_code(edit: Edit) -> tuple[FunctionType, CodeType]:
    """The function that an edit concerns and its new code; raises `LookupError` if either is not there."""
    function = _function_named(edit.code)
    node = _definition_of(function, edit.code)
    replacer = _Replacer(_parse(edit.old), _parse(edit.new))
    body = [replacer.visit(statement) for statement in node.body]
    if replacer.count != 1:
        raise LookupError(f"{edit.code}: the code to replace occurs {replacer.count} times: {edit.old}")
    bare = ast.FunctionDef(node.name, node.args, body, [], node.returns)
    module = ast.Module([*_future(), ast.copy_location(bare, node)], [])
    for argument in ("type_params",):
        setattr(bare, argument, getattr(node, argument, []))
    namespace: dict[str, Any] = {}
    exec(
        compile(ast.fix_missing_locations(module), function.__code__.co_filename, "exec"),
        function.__globals__,
        namespace,
    )
    code: CodeType = namespace[node.name].__code__
    if code.co_freevars != function.__code__.co_freevars:
        raise LookupError(f"{edit.code}: the function is a closure")
    return function, code


def apply_edit(edit: Edit) -> None:
    """Replaces the code of a function in this process, for everybody who holds the function."""
    function, code = mutated_code(edit)
    function.__code__ = code
    if edit.code.startswith("croupier.hands."):
        build_tables_anew()


def build_tables_anew() -> None:
    """Makes this process build the lookup tables of rankings itself; it neither reads nor writes the cache on disk."""
    os.environ["XDG_CACHE_HOME"] = os.devnull


def _function_named(code: str) -> FunctionType:
    """The function named `module:qualified.name`; `_(Event)` is the handler that a module registers for a type."""
    module, _, name = code.partition(":")
    value: Any = importlib.import_module(module)
    if name.startswith("_("):
        handlers = {f"_({kind.__name__})": handler for kind, handler in value.next_state.registry.items()}
        value = type("Handlers", (), handlers)
    for part in name.split("."):
        value = vars(value).get(part)
        if value is None:
            raise LookupError(f"{code}: there is no such function")
    value = getattr(value, "fget", None) or getattr(value, "func", None) or getattr(value, "__func__", value)
    value = getattr(value, "__wrapped__", value)
    if not isinstance(value, FunctionType):
        raise LookupError(f"{code}: is not a function")
    return value


def _definition_of(function: FunctionType, code: str) -> ast.FunctionDef:
    source = Path(function.__code__.co_filename).read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        first_line = (
            min([node.lineno, *(d.lineno for d in node.decorator_list)]) if isinstance(node, ast.FunctionDef) else 0
        )
        if isinstance(node, ast.FunctionDef) and first_line == function.__code__.co_firstlineno:
            return node
    raise LookupError(f"{code}: its source was not found")


def _future() -> list[ast.stmt]:
    return ast.parse("from __future__ import annotations").body


def _parse(text: str) -> ast.AST:
    statement = ast.parse(text.strip()).body[0]
    return statement.value if isinstance(statement, ast.Expr) and not _is_statement(statement.value) else statement


def _is_statement(value: ast.expr) -> bool:
    return isinstance(value, ast.Yield | ast.YieldFrom)


class _Replacer(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new, self.count = ast.dump(old), new, 0

    def visit(self, node: ast.AST) -> Any:
        if ast.dump(node) == self.old:
            self.count += 1
            return ast.copy_location(self.new, node)
        return self.generic_visit(node)


def edits_by_rule(edits: tuple[Edit, ...]) -> Mapping[str, list[Edit]]:
    """The edits that break each rule."""
    by_rule: dict[str, list[Edit]] = {}
    for edit in edits:
        for rule in edit.rules:
            by_rule.setdefault(rule, []).append(edit)
    return by_rule
