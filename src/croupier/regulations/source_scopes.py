"""The functions of a source tree as syntax: what each assigns, which names a module imports, and who calls whom."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from croupier.core.dataclass import dataclass

N = TypeVar("N", bound=ast.AST)
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(eq=False)
class Scope:
    """A function, or the top level of a module, with the names that it assigns."""

    module: SourceModule
    name: str
    """The qualified name; empty for the top level."""
    statements: list[ast.stmt]
    decorators: list[ast.expr] = field(default_factory=list)
    parameters: list[str] = field(default_factory=list)
    annotations: dict[str, str] = field(default_factory=dict)
    """The names of the types of parameters."""
    owner: str = ""
    """The class of a method."""

    @property
    def place(self) -> str:
        return f"{self.module.name}:{self.name}" if self.name else self.module.name

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Every node, those of inner functions included; for the top level, of its own statements alone."""
        return [node for statement in self.statements for node in ast.walk(statement)]

    def nodes_of(self, kind: type[N]) -> list[N]:
        return [node for node in self.nodes if isinstance(node, kind)]

    @cached_property
    def assigned(self) -> Mapping[str, list[ast.expr]]:
        """The expressions that each local name may have come from; for a loop, what it goes through."""
        assigned: dict[str, list[ast.expr]] = defaultdict(list)
        for node in self.nodes:
            for target, value in _assignments(node):
                for name, expression in _names(target, value):
                    assigned[name].append(expression)
        return assigned


def _assignments(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    match node:
        case ast.Assign():
            yield from ((target, node.value) for target in node.targets)
        case ast.AnnAssign(value=ast.expr()) | ast.NamedExpr() | ast.AugAssign():
            if node.value is not None:
                yield node.target, node.value
        case ast.For() | ast.AsyncFor() | ast.comprehension():
            elements = node.iter.elts if isinstance(node.iter, ast.Tuple | ast.List) else [node.iter]
            yield from ((node.target, element) for element in elements)
        case ast.withitem(optional_vars=ast.expr()):
            if node.optional_vars is not None:
                yield node.optional_vars, node.context_expr


def _names(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple):
        is_pairwise = isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts)
        values = value.elts if is_pairwise and isinstance(value, ast.Tuple) else [value] * len(target.elts)
        for inner, expression in zip(target.elts, values, strict=True):
            yield from _names(inner, expression)


@dataclass(eq=False)
class SourceModule:
    """A module: its top level and its functions, and where the names that it imports come from."""

    name: str
    imports: dict[str, str] = field(default_factory=dict)
    scopes: dict[str, Scope] = field(default_factory=dict)

    @property
    def top(self) -> Scope:
        return self.scopes[""]


def read_module(name: str, tree: ast.Module) -> SourceModule:
    """The scopes of a parsed module."""
    module = SourceModule(name)
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    module.scopes[""] = Scope(module, "", [node for node in tree.body if not isinstance(node, functions)])
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            module.imports |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    _add_functions(module, tree.body, "")
    return module


def _add_functions(module: SourceModule, body: list[ast.stmt], owner: str) -> None:
    for node in body:
        if isinstance(node, ast.ClassDef):
            _add_functions(module, node.body, node.name)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{owner}.{node.name}" if owner else node.name
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            first = arguments[0].annotation if node.name == "_" and arguments else None
            name += f"({first.attr})" if isinstance(first, ast.Attribute) else ""  # a handler registered for a type
            module.scopes[name] = Scope(
                module,
                name,
                node.body,
                node.decorator_list,
                [argument.arg for argument in arguments],
                {each.arg: each.annotation.id for each in arguments if isinstance(each.annotation, ast.Name)},
                owner,
            )


class SourceScopes:
    """The scopes of every module in some packages of `croupier` under a folder."""

    def __init__(self, source: Path, packages: Sequence[str]) -> None:
        self.modules: dict[str, SourceModule] = {}
        for path in sorted(path for package in packages for path in (source / "croupier" / package).rglob("*.py")):
            parts = path.relative_to(source).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            self.modules[name] = read_module(name, ast.parse(path.read_text(encoding="utf-8"), str(path)))
        self.scopes = {scope.place: scope for module in self.modules.values() for scope in module.scopes.values()}

    @cached_property
    def calls(self) -> Mapping[str, list[tuple[Scope, ast.Call]]]:
        """The calls of each function, by its place."""
        calls: dict[str, list[tuple[Scope, ast.Call]]] = defaultdict(list)
        for scope in self.scopes.values():
            for call in scope.nodes_of(ast.Call):
                target = self.target(scope, call.func)
                if target is not None:
                    calls[target.place].append((scope, call))
        return calls

    def target(self, scope: Scope, function: ast.expr) -> Scope | None:
        """The function that a call means, if it is one of these modules and called by its name or on `self`."""
        if isinstance(function, ast.Name):
            if function.id in scope.module.scopes:
                return scope.module.scopes[function.id]
            module, _, name = scope.module.imports.get(function.id, "").rpartition(".")
            return self.modules[module].scopes.get(name) if module in self.modules else None
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "self":
            return scope.module.scopes.get(f"{scope.owner}.{function.attr}")
        return None


def called_name(node: ast.AST) -> str:
    """The name of the function or method that a node calls; empty if it calls none."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def keyword_argument(call: ast.Call, name: str) -> ast.expr | None:
    """The value of a keyword argument."""
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
