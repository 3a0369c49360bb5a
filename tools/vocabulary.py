"""`python -m tools.vocabulary` refuses retired names of modules, files and identifiers.

The names, and what to use instead, are in vocabulary.toml. Python identifiers are checked where they are defined or
imported, JavaScript identifiers wherever they occur outside of strings, comments and property names. Names that are
being phased out are counted per folder; the counts in vocabulary_counts.toml may only fall. `--left` lists them.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "tests", "tools", "bench", "examples")
TABLE = Path(__file__).with_suffix(".toml")
COUNTS = Path(__file__).with_name("vocabulary_counts.toml")
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
    phased_out: Mapping[str, str] = field(default_factory=dict)
    """Names that are still in use; they are counted."""
    exceptions: frozenset[tuple[str, str]] = frozenset()
    """Paths, each with an identifier that may stay there."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A retired name that is still in use."""

    path: str
    line: int
    name: str
    instead: str
    is_phased_out: bool = False
    """Whether the name is only counted, and refused when the count rises."""

    @property
    def folder(self) -> str:
        """The folder it counts for: a package of Croupier, or a folder of tests, tools or benchmarks."""
        *folders, _ = self.path.split("/")
        return "/".join(folders[: 3 if folders[0] == "src" else 2])

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
        phased_out=table["phased_out"],
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
        if name in vocabulary.identifiers:
            yield Problem(path, line, name, vocabulary.identifiers[name])
        elif (bare := name.strip("_")) in vocabulary.phased_out:
            yield Problem(path, line, name, vocabulary.phased_out[bare], is_phased_out=True)


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


def count_phased_out(problems: Sequence[Problem]) -> dict[str, int]:
    """The number of phased-out names that are left, by folder."""
    counts = Counter(problem.folder for problem in problems if problem.is_phased_out)
    return dict(sorted(counts.items()))


def read_counts(path: Path = COUNTS) -> dict[str, int]:
    """The highest count allowed in each folder; a folder that is not listed may have none."""
    counts: dict[str, int] = tomllib.loads(path.read_text(encoding="utf-8"))["left"]
    return counts


def write_counts(counts: Mapping[str, int], path: Path = COUNTS) -> None:
    """Records counts as the highest ones allowed."""
    lines = [f'"{folder}" = {count}' for folder, count in counts.items()]
    head = "# Names that are being phased out, by folder; written by `python -m tools.vocabulary --update`."
    path.write_text("\n".join([head, "[left]", *lines]) + "\n", encoding="utf-8")


def excesses(counts: Mapping[str, int], allowed: Mapping[str, int]) -> list[str]:
    """The folders with more names than allowed."""
    return [
        f"{folder}: {count} phased-out names, at most {allowed.get(folder, 0)} allowed"
        for folder, count in counts.items()
        if count > allowed.get(folder, 0)
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints every problem; returns 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m tools.vocabulary", description=__doc__)
    parser.add_argument("--left", action="store_true", help="list the phased-out names that are left")
    parser.add_argument("--update", action="store_true", help="record lower counts per folder")
    options = parser.parse_args(arguments)
    problems = list(check(read_vocabulary()))
    counts, allowed = count_phased_out(problems), read_counts()
    lines = [str(problem) for problem in problems if options.left or not problem.is_phased_out]
    too_many = excesses(counts, allowed)
    refused = [problem for problem in problems if not problem.is_phased_out]
    if options.update:
        write_counts({folder: min(count, allowed.get(folder, 0)) for folder, count in counts.items()})
    sys.stdout.writelines(f"{line}\n" for line in [*lines, *too_many])
    return 1 if refused or too_many else 0


if __name__ == "__main__":
    sys.exit(main())
