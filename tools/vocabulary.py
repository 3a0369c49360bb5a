"""`python -m tools.vocabulary` refuses retired names of modules, files and identifiers.

The names, and what to use instead, are in vocabulary.toml. Python identifiers are checked where they are defined or
imported, JavaScript identifiers wherever they occur outside of strings, comments and property names. A class name may
be defined only once in the package: one name, one meaning.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "tests", "tools", "bench", "examples")
TABLE = Path(__file__).with_suffix(".toml")
PACKAGES = {"croupier": "src/croupier", "tests": "tests", "tools": "tools", "bench": "bench"}
"""Our packages, with their folders."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Retired names with their replacements."""

    modules: Mapping[str, str]
    files: Mapping[str, str]
    gerunds: frozenset[str]
    """File names that may end in -ing."""
    identifiers: Mapping[str, str]
    exceptions: frozenset[tuple[str, str]] = frozenset()
    """Paths, each with an identifier that may stay there."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A retired name that is still in use."""

    path: str
    line: int
    name: str
    instead: str

    def __str__(self) -> str:
        """One line for a terminal."""
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.name} is retired; use {self.instead}"


def read_vocabulary(path: Path = TABLE) -> Vocabulary:
    """The table of retired names."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    exceptions = frozenset((entry["path"], entry["name"]) for entry in table.get("exceptions", ()))
    gerunds = frozenset(table["gerunds"]["allowed"])
    return Vocabulary(
        modules=table["modules"],
        files=table["files"],
        gerunds=gerunds,
        identifiers=table["identifiers"],
        exceptions=exceptions,
    )


def check(vocabulary: Vocabulary, root: Path = ROOT) -> Iterator[Problem]:
    """Every use of a retired name in the code below a folder."""
    for path in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*") if path.is_file()):
        name = path.relative_to(root).as_posix()
        if path.suffix in (".py", ".js"):
            yield from check_file_name(vocabulary, name)
            text = path.read_text(encoding="utf-8")
            yield from check_source(vocabulary, name, text)


def check_file_name(vocabulary: Vocabulary, path: str) -> Iterator[Problem]:
    """The name of a module or script, or of the test of one."""
    place = Path(path)
    stem = place.stem.removeprefix("test_")
    module = module_name(path)
    packages = [module.rpartition(".")[0], module] if module else []
    instead = next((vocabulary.modules[name] for name in packages if name in vocabulary.modules), None)
    instead = instead or vocabulary.files.get(stem)
    if instead:
        yield Problem(path, 0, place.name, instead)
    elif re.split(r"[_-]", stem)[-1].endswith("ing") and stem not in vocabulary.gerunds and stem == place.stem:
        yield Problem(path, 0, place.name, "a noun for what the module holds")


def module_name(path: str) -> str:
    """The dotted name of a Python file, of a package for its `__init__.py`; empty for any other file."""
    for package, folder in PACKAGES.items():
        if path.endswith(".py") and path.startswith(f"{folder}/"):
            inner = path.removeprefix(f"{folder}/").removesuffix(".py").removesuffix("__init__").strip("/")
            return ".".join([package, *(inner.split("/") if inner else [])])
    return ""


def check_source(vocabulary: Vocabulary, path: str, text: str) -> Iterator[Problem]:
    """The imports and identifiers of a file."""
    if path.endswith(".py"):
        for line, module in imported_modules(text):
            if module in vocabulary.modules:
                yield Problem(path, line, module, vocabulary.modules[module])
    names = javascript_names(text) if path.endswith(".js") else python_names(text)
    for line, name in names:
        if (path, name) in vocabulary.exceptions:
            continue
        instead = vocabulary.identifiers.get(name) or vocabulary.identifiers.get(name.strip("_"))
        if instead:
            yield Problem(path, line, name, instead)


def imported_modules(text: str) -> Iterator[tuple[int, str]]:
    """Every module that a Python file imports, or imports a name from, with its line."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.lineno, node.module
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def python_names(text: str) -> Iterator[tuple[int, str]]:
    """Every name that a Python file defines, assigns or imports from our packages, with its line."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import() | ast.ImportFrom():
                is_ours = isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in PACKAGES
                for alias in node.names:
                    if alias.asname or is_ours:
                        yield node.lineno, alias.asname or alias.name
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.lineno, node.name
            case ast.arg():
                yield node.lineno, node.arg
            case ast.Name(ctx=ast.Store()):
                yield node.lineno, node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.lineno, node.attr
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield node.lineno, name


_TOKEN = re.compile(
    r"""(?P<skip>//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")
    |(?P<template>`)
    |(?P<name>\#?[A-Za-z_$][\w$]*)
    |(?P<number>\d[\w.]*)
    |(?P<space>\s+)
    |(?P<sign>.)""",
    re.VERBOSE | re.DOTALL,
)
_REGEX = re.compile(r"/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*")
_BEFORE_A_VALUE = frozenset("(,=:[!&|?{};+-*%<>~^") | {"", "return", "typeof", "case", "in", "of"}
"""After one of these, a slash begins a regular expression; elsewhere it divides."""


def javascript_names(text: str) -> Iterator[tuple[int, str]]:
    """Every identifier of a script with its line, except for names of properties."""
    tokens = [(0, ""), *_tokens(text), (len(text), "")]
    for (_, before), (place, token), (_, after) in zip(tokens, tokens[1:], tokens[2:], strict=False):
        is_property = before == "." or (after == ":" and before in ("{", ","))
        if re.match(r"#?[A-Za-z_$]", token) and not is_property:
            yield text.count("\n", 0, place) + 1, token.lstrip("#")


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    """Names, numbers and signs of a script with their positions; strings and regular expressions are left out."""
    position, before = 0, ""
    braces: list[int] = []  # open braces within each enclosing template expression
    while position < len(text):
        regex = _REGEX.match(text, position) if before in _BEFORE_A_VALUE else None
        match = regex or _TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"no token at {position}")
        token, start, position = match[0], position, match.end()
        kind = "skip" if regex else match.lastgroup
        if kind == "space" or token.startswith(("//", "/*")):
            continue
        if token == "`" or (token == "}" and braces and not braces[-1]):
            if token == "}":
                braces.pop()
            position, has_expression = _template_text(text, position)
            if has_expression:
                braces.append(0)
            before = "(" if has_expression else "0"
            continue
        if braces:
            braces[-1] += {"{": 1, "}": -1}.get(token, 0)
        if kind != "skip":
            yield start, token
        before = token if kind == "sign" or token in _BEFORE_A_VALUE else "0"


def _template_text(text: str, position: int) -> tuple[int, bool]:
    """Where the text of a template ends, and whether an expression follows."""
    match = re.compile(r"(?:\\.|(?!\$\{)[^`\\])*(`|\$\{)", re.DOTALL).match(text, position)
    if match is None:
        raise ValueError(f"the template at {position} is not closed")
    return match.end(), match[1] != "`"


def check_class_names(root: Path = ROOT) -> Iterator[Problem]:
    """Every class of the package whose name another class has as well."""
    places: dict[str, list[tuple[str, int]]] = {}
    for path in sorted((root / "src").rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name.strip("_"), []).append((path.relative_to(root).as_posix(), node.lineno))
    for name, (first, *others) in places.items():
        for place, line in others:
            yield Problem(place, line, name, f"another name: {first[0]}:{first[1]} has a class of this name")


def main() -> int:
    """Prints every problem; returns 1 if there are any."""
    argparse.ArgumentParser(prog="python -m tools.vocabulary", description=__doc__).parse_args()
    problems = [*check(read_vocabulary()), *check_class_names()]
    sys.stdout.writelines(f"{problem}\n" for problem in problems)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
