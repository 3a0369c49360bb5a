"""Makes every mutant of a module with mutmut's operators.

Annotations, decorators, imports and default arguments that are calls stay as they are, as do texts of four words or
more: their wording is reviewed by people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

import libcst as cst
from libcst.metadata import MetadataWrapper, WhitespaceInclusivePositionProvider
from mutmut.mutation.mutators import mutation_operators

from tools.mutation.mutants import Mutant

UNTOUCHED = (cst.Annotation, cst.Decorator, cst.Import, cst.ImportFrom)
WORDING_WORDS = 4
"""A text of this many words is wording."""


def find_mutants(module: str, source: str) -> list[Mutant]:
    """Every mutant of a module, in the order of its code; a change that two operators make counts once."""
    wrapper = MetadataWrapper(cst.parse_module(source))
    positions = wrapper.resolve(WhitespaceInclusivePositionProvider)
    lines = source.splitlines(keepends=True)
    places: set[tuple[int, str, str]] = set()
    changes: Counter[tuple[str, str]] = Counter()
    mutants = []
    for statement in wrapper.module.body:
        for operator, original, replacement in _changes(statement):
            node, changed, span = original, replacement, positions[original]
            if _text(lines, span) != wrapper.module.code_for_node(original):
                # The text of several indented lines depends on the nodes around them.
                node, changed, span = statement, statement.deep_replace(original, replacement), positions[statement]
            head = lines[span.start.line - 1][: span.start.column]
            tail = lines[span.end.line - 1][span.end.column :] if span.end.line <= len(lines) else ""
            old = (head + wrapper.module.code_for_node(node) + tail).splitlines()
            new = (head + wrapper.module.code_for_node(changed) + tail).splitlines()
            skipped, before, after = _trim(old, new)
            line = span.start.line + skipped
            if before == after or (line, before, after) in places:
                continue
            places.add((line, before, after))
            changes[before, after] += 1
            code = "".join(lines[: span.start.line - 1]) + "\n".join(new) + "\n" + "".join(lines[span.end.line :])
            mutants.append(Mutant(module, operator, line, before, after, changes[before, after], code))
    return mutants


def _text(lines: list[str], span: Any) -> str:
    """The source between two positions."""
    start_line: int = span.start.line - 1
    end_line: int = span.end.line - 1
    start, end = int(span.start.column), int(span.end.column)
    if start_line == end_line:
        return lines[start_line][start:end]
    tail = lines[end_line][:end] if end_line < len(lines) else ""
    return lines[start_line][start:] + "".join(lines[start_line + 1 : end_line]) + tail


def _trim(old: list[str], new: list[str]) -> tuple[int, str, str]:
    """The number of equal lines at the start, and the changed lines before and after, without indentation."""
    same = list(takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    old, new = old[len(same) :], new[len(same) :]
    at_end = list(takewhile(lambda pair: pair[0] == pair[1], zip(reversed(old), reversed(new), strict=False)))
    old, new = old[: len(old) - len(at_end)], new[: len(new) - len(at_end)]
    return len(same), "\n".join(map(str.strip, old)), "\n".join(map(str.strip, new))


def _changes(node: Any) -> Iterator[tuple[str, Any, Any]]:
    """The operator, the node and the changed node of every change to a node and to those below it."""
    if isinstance(node, UNTOUCHED) or _is_computed_default(node) or _is_wording(node):
        return
    for kind, operator in mutation_operators:
        if isinstance(node, kind):
            for changed in operator(node):
                yield operator.__name__.removeprefix("operator_"), node, changed
    for child in node.children:
        yield from _changes(child)


def _is_computed_default(node: Any) -> bool:
    return isinstance(node, cst.Param) and isinstance(node.default, cst.Call)


def _is_wording(node: Any) -> bool:
    return isinstance(node, cst.SimpleString) and len(node.value.split()) >= WORDING_WORDS
