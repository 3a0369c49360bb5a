"""Where the program cites rules of editions, found by reading its syntax trees.

A citation is a rule (`rules.cut_cards`) or a part of an edition's data (`figures.cut_depth`, `layout.areas`) that an
expression names, with what the expression is for: the clause of a refusal, of a problem that `croupier check` reports,
of an event or a prompt; or a figure, payout or limit that the code computes with. Names are followed through local
variables, parameters, constants of the module and the values that functions return; what cannot be known, such as the
street in `f"reveal_{street}"`, becomes `*`.

Only the standard library is used, because the build of the package reads citations for the index of clauses.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from croupier.core.dataclass import dataclass
from croupier.regulations.source_scopes import Scope, SourceScopes, called_name, keyword_argument


class Use(StrEnum):
    """What a rule is cited for."""

    REFUSAL = "refusal"
    STATEMENT = "statement"
    """A refusal that depends on what the command says: whoever gives the command is asked to state it."""
    PROBLEM = "problem"
    EVENT = "event"
    PROMPT = "prompt"
    READING = "reading"
    """A figure, payout, limit or other data of an edition that the code reads."""
    MENTION = "mention"
    """Anything else, for example the clause of an entry in a settlement."""


PACKAGES = ("games", "hands", "progressive", "regulations", "submissions", "table")
"""The packages that carry out rules. What the others print or compute from them is no evidence."""
DATA_SECTIONS = ("figures", "wagers", "progressives", "paytables", "envies", "odds", "exposure", "payout_limit")
"""The sections of an edition that the table computes with."""
SECTIONS = (*DATA_SECTIONS, "layout", "elections", "definitions", "rules")
_SECTION_OF_TYPE = {
    "Edition": "",
    "WagerRule": "wagers.*",
    "ProgressiveRule": "progressives.*",
    "MeterRule": "progressives.*",
    "LayoutRule": "layout",
    "CardAreaRule": "layout.card_areas",
    "Paytable": "paytables.*",
}
_TABLES = {"paytable": "paytables.*", "envy_table": "envies.*"}
"""Methods of an elected edition that give one of its tables."""
_SECTION_OF_METHOD = {"clause": "rules", "figure": "figures", "choice": "elections"}
"""Methods that give one entry of a section by its name."""
_SINGLE_RULES = ("exposure", "payout_limit")
"""Sections that are one rule, not several by name."""
_WHO = ("require_role", "require_time")
"""Guards that say who may act and when; they cite the rule of any command and say nothing about it."""
_CLAUSE_ARGUMENTS = {
    "RuleViolation": (0, Use.REFUSAL),
    "InputError": (2, Use.REFUSAL),
    "Problem": (1, Use.PROBLEM),
    "Prompt": (3, Use.PROMPT),
}
_RULE_ARGUMENTS = {"rule_clause": 1, "event_metadata": 2}
_NAME = re.compile(r"[\w.*]*[^\W_][\w.*]*")
"""Texts that may be the name of a rule, command or path; neither sentences nor wholly unknown names are followed."""
METHODS = ("manual_shoe", "hand", "automated_shoe")
"""The dealing methods, which `rule_clause` appends to the name of a rule that depends on them."""


class Value(NamedTuple):
    """What an expression may be: a text, or a path of an edition; and the function that names it."""

    is_path: bool
    name: str
    place: str


@dataclass(frozen=True, slots=True)
class Citation:
    """A path of editions, with `*` for a part that is not known, what it is cited for, and where."""

    path: str
    use: Use
    place: str
    """The function that names the path, as `module:qualified.name`."""
    commands: frozenset[str] = frozenset()
    """The commands that the function decides on; for a prompt, those that it asks a person for."""

    def matches(self, path: str) -> bool:
        """Whether a path of an edition is one that the citation may mean, or lies below it."""
        return path_matches(self.path, path)


@cache
def path_matches(cited: str, path: str) -> bool:
    """Whether a path of an edition is a cited one, `*` standing for any name, or lies below it."""
    expected, parts = cited.split("."), path.split(".")
    return len(expected) <= len(parts) and all(map(_matches_part, expected, parts))


def _matches_part(expected: str, part: str) -> bool:
    if "*" not in expected:
        return expected == part
    return re.fullmatch(".+".join(map(re.escape, expected.split("*"))), part) is not None


class CitationReader:
    """The syntax of a source tree, and what its expressions may be."""

    def __init__(self, source: Path) -> None:
        self.syntax = SourceScopes(source, PACKAGES)
        self._values: dict[tuple[int, str], set[Value]] = {}
        self._evaluated: set[tuple[int, str]] = set()

    @cached_property
    def citations(self) -> frozenset[Citation]:
        """Every citation of the program.

        Functions may depend on each other in circles, so everything is evaluated until nothing is added.
        """
        citations: frozenset[Citation] = frozenset()
        while True:
            count = sum(map(len, self._values.values()))
            self._evaluated.clear()
            scopes = self.syntax.scopes.values()
            citations = frozenset(citation for scope in scopes for citation in self._citations_in(scope))
            if count == sum(map(len, self._values.values())):
                return citations

    @cached_property
    def commands(self) -> Mapping[str, frozenset[str]]:
        """For each function, the commands whose deciders (`@decider_for`) are it or call it."""
        commands: dict[str, set[str]] = defaultdict(set)
        for scope in self.syntax.scopes.values():
            for decorator in scope.decorators:
                if isinstance(decorator, ast.Call) and called_name(decorator) == "decider_for":
                    names = (getattr(argument, "attr", "") for argument in decorator.args)
                    commands[scope.place] |= {name for name in names if name}
        is_growing = True
        while is_growing:
            is_growing = False
            for place, callers in self.syntax.calls.items():
                inherited = {name for caller, _ in callers for name in commands[caller.place]}
                is_growing |= not inherited <= commands[place]
                commands[place] |= inherited
        return {place: frozenset(names) for place, names in commands.items()}

    def _citations_in(self, scope: Scope) -> Iterator[Citation]:
        if scope.name in _WHO:
            return
        statements = _statements(scope)
        for node in scope.nodes:
            if isinstance(node, ast.Call):
                yield from self._citations_of_call(scope, node, statements)
            if isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
                for path, place in self._paths(scope, node) if _names_data(node) else ():
                    yield Citation(path, Use.MENTION if path.startswith("rules.") else Use.READING, place)

    def _citations_of_call(self, scope: Scope, call: ast.Call, statements: set[ast.Call]) -> Iterator[Citation]:
        name = called_name(call)
        if name in _CLAUSE_ARGUMENTS:
            position, use = _CLAUSE_ARGUMENTS[name]
            clause = call.args[position] if len(call.args) > position else keyword_argument(call, "clause")
            if clause is None:
                return
            use = Use.STATEMENT if use is Use.REFUSAL and call in statements else use
            asks_person = use is Use.PROMPT and getattr(call.args[0], "attr", "") != "SYSTEM"
            requested = self._texts(scope, call.args[1]) if asks_person else frozenset()
            for path, place in self._paths(scope, clause):
                yield Citation(
                    path, use, place, requested if use is Use.PROMPT else self.commands.get(place, frozenset())
                )
        elif name == "event_metadata" or (_makes_event(call) and keyword_argument(call, "clause") is not None):
            for path, place in self._paths(scope, keyword_argument(call, "clause") or call):
                yield Citation(path, Use.EVENT, place, self.commands.get(place, frozenset()))
        elif name == "clause" or name in _RULE_ARGUMENTS:
            for path, place in self._paths(scope, call):
                yield Citation(path, Use.MENTION, place)
        elif (election := keyword_argument(call, "election")) is not None:  # of a step of the deal
            for text in self._texts(scope, election):
                yield Citation(f"elections.{text}", Use.READING, scope.place)

    def _paths(self, scope: Scope, node: ast.expr) -> set[tuple[str, str]]:
        """The paths that an expression may be; a whole section says nothing about any rule in it."""
        values = self.values(scope, node)
        return {(v.name, v.place) for v in values if v.is_path and ("." in v.name or v.name in _SINGLE_RULES)}

    def _texts(self, scope: Scope, node: ast.expr) -> frozenset[str]:
        return frozenset(value.name for value in self.values(scope, node) if not value.is_path)

    def values(self, scope: Scope, node: ast.expr) -> set[Value]:
        """Everything that an expression may be, as far as the program's text says."""
        key = (id(node), scope.place)
        if key not in self._evaluated:
            self._evaluated.add(key)
            self._values.setdefault(key, set()).update(self._evaluate(scope, node))
        return self._values.get(key, set())

    def _evaluate(self, scope: Scope, node: ast.expr) -> Iterator[Value]:
        match node:
            case ast.Constant(value=str(text)):
                yield from [Value(False, text, scope.place)] if _NAME.fullmatch(text) else ()
            case ast.JoinedStr():
                pieces = (str(piece.value) if isinstance(piece, ast.Constant) else "*" for piece in node.values)
                text = "".join(pieces)
                yield from [Value(False, text, scope.place)] if _NAME.fullmatch(text) else ()
            case ast.Name():
                yield from self._evaluate_name(scope, node.id)
            case ast.Attribute():
                yield from self._evaluate_attribute(scope, node)
            case ast.Subscript():
                yield from self._evaluate_item(scope, node.value, node.slice)
            case ast.Call():
                yield from self._evaluate_call(scope, node)
            case ast.IfExp():
                yield from self.values(scope, node.body) | self.values(scope, node.orelse)
            case ast.Compare() | ast.UnaryOp() | ast.Lambda():
                return
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        yield from self.values(scope, child)

    def _evaluate_name(self, scope: Scope, name: str) -> Iterator[Value]:
        if scope.annotations.get(name) in _SECTION_OF_TYPE:
            yield Value(True, _SECTION_OF_TYPE[scope.annotations[name]], scope.place)
        for expression in scope.assigned.get(name, ()):
            yield from self.values(scope, expression)
        if name in scope.parameters:
            for caller, call in self.syntax.calls.get(scope.place, ()):
                position = scope.parameters.index(name) - isinstance(call.func, ast.Attribute)
                is_positional = 0 <= position < len(call.args)
                argument = call.args[position] if is_positional else keyword_argument(call, name)
                yield from self.values(caller, argument) if argument is not None else ()
        elif name not in scope.assigned:
            top = scope.module.top
            module, _, imported = scope.module.imports.get(name, "").rpartition(".")
            if name not in top.assigned and module in self.syntax.modules:
                top, name = self.syntax.modules[module].top, imported
            for expression in top.assigned.get(name, ()) if scope is not top else ():
                yield from (value._replace(place=scope.place) for value in self.values(top, expression))

    def _evaluate_attribute(self, scope: Scope, node: ast.Attribute) -> Iterator[Value]:
        if node.attr == "edition":
            yield Value(True, "", scope.place)
            return
        is_edition = isinstance(node.value, ast.Name) and node.value.id == "self" and scope.owner == "Edition"
        receivers = {Value(True, "", scope.place)} if is_edition else self.values(scope, node.value)
        for receiver in receivers:
            path = _attribute_path(receiver.name, node.attr) if receiver.is_path else None
            yield from [Value(True, path, scope.place)] if path is not None else ()

    def _evaluate_item(self, scope: Scope, container: ast.expr, key: ast.expr | None) -> Iterator[Value]:
        for value in self.values(scope, container):
            if not value.is_path or value.name not in SECTIONS or value.name in (*_SINGLE_RULES, "layout"):
                yield value
                continue
            names = [each for each in self.values(scope, key) if not each.is_path] if key is not None else []
            yield from (Value(True, f"{value.name}.{name.name}", name.place) for name in names)
            if not names and value.name != "rules":
                yield Value(True, f"{value.name}.*", value.place)

    def _evaluate_call(self, scope: Scope, call: ast.Call) -> Iterator[Value]:
        name, is_method = called_name(call), isinstance(call.func, ast.Attribute)
        if name in _RULE_ARGUMENTS:
            position = _RULE_ARGUMENTS[name]
            suffixes = ["", *(f"_{method}" for method in METHODS), *["_*"] * (len(call.args) > position + 1)]
            for rule in self.values(scope, call.args[position]) if len(call.args) > position else ():
                yield from (Value(True, f"rules.{rule.name}{suffix}", rule.place) for suffix in suffixes if rule.name)
        elif is_method and name in _SECTION_OF_METHOD and call.args:
            section = _SECTION_OF_METHOD[name]
            for rule in self.values(scope, call.args[0]):
                yield from [Value(True, f"{section}.{rule.name}", rule.place)] if rule.name and not rule.is_path else ()
        elif is_method and name in _TABLES:
            yield Value(True, _TABLES[name], scope.place)
        elif isinstance(call.func, ast.Attribute) and name in ("get", "items", "values", "keys"):
            yield from self._evaluate_item(scope, call.func.value, call.args[0] if call.args else None)
            for default in call.args[1:]:
                yield from self.values(scope, default)
        elif (target := self.syntax.target(scope, call.func)) is not None:
            results = [node.value for node in target.nodes if isinstance(node, ast.Return | ast.Yield)]
            for result in results:
                yield from self.values(target, result) if result is not None else ()
        else:
            for argument in call.args:
                yield from self.values(scope, argument)


def _attribute_path(path: str, attribute: str) -> str | None:
    """The path of an attribute of what is at a path; `None` if it is nothing that an edition has a clause for."""
    if not path:
        return attribute if attribute in SECTIONS else None
    if attribute.endswith("_clause"):
        return f"{path}.{attribute.removesuffix('_clause')}"
    return f"{path}.{attribute}" if path == "layout" else path


def _names_data(node: ast.Attribute | ast.Subscript | ast.Call) -> bool:
    """Whether a node may name data of an edition; what contains it is found by its own node."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Attribute) and node.value.attr in SECTIONS
    name = node.attr if isinstance(node, ast.Attribute) else called_name(node)
    names = {*SECTIONS, *_TABLES, *_SECTION_OF_METHOD, "get", "items", "values"} - {"clause"}
    return name in names or name.endswith("_clause")


def _makes_event(call: ast.Call) -> bool:
    """Whether a call makes an event: `e.CardsCut(…)`."""
    return isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) and call.func.value.id == "e"


def _statements(scope: Scope) -> set[ast.Call]:
    """The calls, refusals among them, under a condition that a field of the command says something by itself.

    `command.marked not in ("covered", "sign")` and `not command.reason` ask for a statement; a comparison with the
    state of the table, such as `command.amount > balance`, does not.
    """
    calls: set[ast.Call] = set()
    for node in scope.nodes_of(ast.If):
        if any(_is_statement(condition) for condition in _conditions(node.test)):
            calls |= {inner for stmt in node.body for inner in ast.walk(stmt) if isinstance(inner, ast.Call)}
    return calls


def _conditions(test: ast.expr) -> Iterator[ast.expr]:
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from _conditions(value)
    else:
        yield test.operand if isinstance(test, ast.UnaryOp) else test


def _is_statement(condition: ast.expr) -> bool:
    """Whether a condition is a field of the command, or compares one with constants alone."""
    if isinstance(condition, ast.Compare):
        constants = (node for other in condition.comparators for node in ast.walk(other))
        allowed = (ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Load)
        return _is_field(condition.left) and all(isinstance(node, allowed) for node in constants)
    return _is_field(condition)


def _is_field(node: ast.expr) -> bool:
    """Whether an expression is a field of the command, as it is or stripped."""
    if called_name(node) == "strip" and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node = node.func.value
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "command"
