"""The lines of a TOML text on which its keys stand, for messages about a value."""

from __future__ import annotations

import re
from collections.abc import Mapping

_PART = r"(?:[A-Za-z0-9_-]+|\"[^\"\n]*\"|'[^'\n]*')"
_DOTTED = rf"{_PART}(?:\s*\.\s*{_PART})*"
_HEADER = re.compile(rf"\s*\[\s*({_DOTTED})\s*\]\s*(?:#.*)?$")
_ARRAY_HEADER = re.compile(rf"\s*\[\[\s*({_DOTTED})\s*\]\]\s*(?:#.*)?$")
_ASSIGNMENT = re.compile(rf"\s*({_DOTTED})\s*=")
_INLINE_KEY = re.compile(rf"[{{,]\s*({_DOTTED})\s*=")
_STRINGS = re.compile(r"\"\"\".*?\"\"\"|'''.*?'''|\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'", re.DOTALL)
_COMMENT = re.compile(r"#.*")


def key_lines(text: str) -> Mapping[str, int]:
    r"""The line of each key with its path, as in `wagers.prime.minimum`; an entry of an array of tables has its number.

    >>> dict(key_lines('seats = 6\n[limits]\n  payout = "9.00"\n[[areas]]\nname = "ante"\n'))
    {'seats': 1, 'limits': 2, 'limits.payout': 3, 'areas': 4, 'areas[0]': 4, 'areas[0].name': 5}
    """
    lines: dict[str, int] = {}
    counts: dict[str, int] = {}
    table, is_inside_value = "", 0
    for number, (line, blanked) in enumerate(zip(text.split("\n"), _blank_strings(text).split("\n"), strict=True), 1):
        if is_inside_value > 0:
            is_inside_value += _brackets(blanked)
            continue
        if not blanked.lstrip().startswith("[") and not _ASSIGNMENT.match(blanked):
            continue  # empty, a comment, or inside a string of several lines
        if match := _ARRAY_HEADER.match(line):
            name = _path(match[1])
            index = counts[name] = counts.get(name, -1) + 1
            lines.setdefault(name, number)
            table = f"{name}[{index}]"
            lines[table] = number
        elif match := _HEADER.match(line):
            table = _path(match[1])
            lines.setdefault(table, number)
        elif match := _ASSIGNMENT.match(line):
            key = f"{table}.{_path(match[1])}" if table else _path(match[1])
            lines.setdefault(key, number)
            for inner in _INLINE_KEY.finditer(blanked[match.end() :]):
                lines.setdefault(f"{key}.{_path(inner[1])}", number)
            is_inside_value = _brackets(blanked[match.end() :])
    return lines


def find_line(lines: Mapping[str, int], key: str) -> int | None:
    """The line of a key, or of the nearest table that should have it; `None` if there is none."""
    while key:
        if key in lines:
            return lines[key]
        shorter = re.sub(r"(\.[^.\[\]]*|\[\d+\])$", "", key)
        key = shorter if shorter != key else ""
    return None


def _blank_strings(text: str) -> str:
    """The text with the content of strings and comments removed, line by line."""
    without_strings = _STRINGS.sub(lambda match: "".join("\n" if c == "\n" else "_" for c in match[0]), text)
    return _COMMENT.sub("", without_strings)


def _brackets(text: str) -> int:
    return sum(text.count(opening) for opening in "[{") - sum(text.count(closing) for closing in "]}")


def _path(dotted: str) -> str:
    return ".".join(part.strip("\"'") for part in re.findall(_PART, dotted))
