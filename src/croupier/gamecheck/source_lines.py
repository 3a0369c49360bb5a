"""Line numbers in a game's two files: by key in the rules, or by name in the definition."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

_HEADER = re.compile(r"\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""((?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+))*)\s*=""")
_PART = re.compile(r""""([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+)""")


def toml_lines(path: Path) -> Mapping[tuple[str, ...], int]:
    """The line of every table and key of a TOML file; entries of an inline table have the line of its key."""
    lines: dict[tuple[str, ...], int] = {}
    prefix: tuple[str, ...] = ()
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), start=1):
        text = line.strip()
        if header := _HEADER.fullmatch(text):
            prefix = _parts(header[1])
            lines.setdefault(prefix, number)
        elif key := _KEY.match(text):
            lines.setdefault((*prefix, *_parts(key[1])), number)
    return lines


def _parts(key: str) -> tuple[str, ...]:
    return tuple(next(filter(None, match.groups()), "") for match in _PART.finditer(key))


def line_of_key(path: Path, key: tuple[str, ...]) -> int:
    """The line of a key or of its innermost enclosing table; 1 if there is none."""
    lines = toml_lines(path)
    for length in range(len(key), 0, -1):
        if key[:length] in lines:
            return lines[key[:length]]
    return 1


class GameLines:
    """The lines of a file that declares a game."""

    def __init__(self, path: Path) -> None:
        self._module = ast.parse(path.read_text(encoding="utf-8"))

    def of(self, calls: tuple[str, ...], name: str = "", keyword: str = "") -> int:
        """The line of a declaration: the first call of one of these names that contains the text.

        Falls back to the first occurrence of the text, then to the keyword of the game, then to the game.
        """
        for kind in calls:
            for call in self._calls(kind):
                numbers = [node.lineno for node in self._constants(call, name)] if name else [call.lineno]
                if numbers:
                    return min(numbers)
        for node in ast.walk(self._module):
            if name and isinstance(node, ast.Constant) and node.value == name:
                return node.lineno
        return self._keyword(keyword)

    def repeated(self, kind: str) -> int:
        """The line of the first call of that name with a repeated element in a tuple; else that of the `hand`."""
        for call in self._calls(kind):
            for node in ast.walk(call):
                if isinstance(node, ast.Tuple):
                    elements = [ast.dump(element) for element in node.elts]
                    if len(set(elements)) < len(elements):
                        return node.lineno
        return self._keyword("hand")

    def _calls(self, name: str) -> Iterator[ast.Call]:
        for node in ast.walk(self._module):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield node

    @staticmethod
    def _constants(call: ast.Call, name: str) -> Iterator[ast.Constant]:
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            for node in ast.walk(argument):
                if isinstance(node, ast.Constant) and node.value == name:
                    yield node

    def _keyword(self, keyword: str) -> int:
        for call in self._calls("Game"):
            for argument in call.keywords:
                if argument.arg == keyword:
                    return argument.value.lineno
            return call.lineno
        return 1
