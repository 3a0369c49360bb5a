"""Where in a game's two files something stands: by the key of the rules, or by the names in the definition."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

_HEADER = re.compile(r"\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""((?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+))*)\s*=""")
_PART = re.compile(r""""([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+)""")


def toml_lines(path: Path) -> Mapping[tuple[str, ...], int]:
    """The line of every table and key of a TOML file; what stands inside an inline table has the line of its key."""
    found: dict[tuple[str, ...], int] = {}
    prefix: tuple[str, ...] = ()
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), start=1):
        text = line.strip()
        if header := _HEADER.fullmatch(text):
            prefix = _parts(header[1])
            found.setdefault(prefix, number)
        elif key := _KEY.match(text):
            found.setdefault((*prefix, *_parts(key[1])), number)
    return found


def _parts(key: str) -> tuple[str, ...]:
    return tuple(next(filter(None, match.groups()), "") for match in _PART.finditer(key))


def line_of_key(path: Path, key: tuple[str, ...]) -> int:
    """The line of a key, or of the innermost table around it that the file has; 1 where it has none of them."""
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
        """The line where something is declared.

        That is where this text stands in a call of the first of these names that has it; else the first
        place where the text stands; else the keyword of the game that it belongs to; else the game.
        """
        for kind in calls:
            for call in self._calls(kind):
                found = [node.lineno for node in self._texts(call, name)] if name else [call.lineno]
                if found:
                    return min(found)
        for node in ast.walk(self._module):
            if name and isinstance(node, ast.Constant) and node.value == name:
                return node.lineno
        return self._keyword(keyword)

    def repeated(self, kind: str) -> int:
        """The line of the first call of that name with the same thing twice in a tuple; 1 where there is none."""
        for call in self._calls(kind):
            for given in ast.walk(call):
                if isinstance(given, ast.Tuple):
                    listed = [ast.dump(element) for element in given.elts]
                    if len(set(listed)) < len(listed):
                        return given.lineno
        return self._keyword("hand")

    def _calls(self, name: str) -> Iterator[ast.Call]:
        for node in ast.walk(self._module):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield node

    @staticmethod
    def _texts(call: ast.Call, name: str) -> Iterator[ast.Constant]:
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            for node in ast.walk(argument):
                if isinstance(node, ast.Constant) and node.value == name:
                    yield node

    def _keyword(self, keyword: str) -> int:
        for call in self._calls("Game"):
            for given in call.keywords:
                if given.arg == keyword:
                    return given.value.lineno
            return call.lineno
        return 1
