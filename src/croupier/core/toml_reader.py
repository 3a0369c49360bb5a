"""Strict TOML reader: unknown keys and values of the wrong type are errors, and messages name the place.

A `Section` is one table of a file. It remembers which keys were read, so that `close` can
report unknown ones. Problems go to `report`: by default the first one raises `InputError`; a
validator collects them instead and gets the fallback as the value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

from croupier.core.disk_cache import RULES, read_entry, write_entry
from croupier.core.errors import InputError

_MAX_VALUE_LENGTH = 60


def format_value(value: Any) -> str:
    """A value as TOML writes it, so that messages do not look like Python.

    >>> format_value(True), format_value([5, "ante"]), format_value({"a": 1})
    ('true', "[5, 'ante']", 'a table')
    """
    text = _format(value)
    return text if len(text) <= _MAX_VALUE_LENGTH else f"{text[: _MAX_VALUE_LENGTH - 2]} …"


def _format(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return f"[{', '.join(map(_format, value))}]"
    if hasattr(value, "isoformat"):  # a date, a time or both
        return str(value.isoformat())
    return repr(value)


Report = Callable[[str, str], None]
"""Takes a key (with its path) and a sentence."""
T = TypeVar("T")
_REQUIRED: Any = object()


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a TOML file; a file that is not TOML is refused with its line."""
    import tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {(error.strerror or 'unknown reason').lower()}") from error
    except UnicodeDecodeError as error:
        raise InputError(str(path), "is not a text file in UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(str(path), _toml_problem(path.read_text(encoding="utf-8-sig"), str(error))) from error
    except RecursionError as error:
        raise InputError(str(path), "is nested too deeply") from error
    except ValueError as error:
        # Python refuses numbers of more than 4,300 digits and paths with a null character.
        raise InputError(str(path), f"cannot be read: {str(error).partition(';')[0].lower()}") from error


def read_rule_file(path: Path) -> dict[str, Any]:
    """As `read_toml`, for the rules of the program and of added games: remembers on disk what a text says in JSON."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError):
        return read_toml(path)  # which says what is wrong
    content = read_entry(RULES, text)
    if content is not None:
        return cast("dict[str, Any]", json.loads(content))
    data = read_toml(path)
    with suppress(TypeError):  # JSON has no dates
        write_entry(RULES, text, json.dumps(data).encode())
    return data


def _toml_problem(text: str, message: str) -> str:
    position = re.search(r"\(at line (\d+), column \d+\)", message)
    if position is None:
        return f"not valid TOML: {message[:1].lower()}{message[1:]}"
    number = int(position[1])
    line = text.splitlines()[number - 1].strip() if number <= len(text.splitlines()) else ""
    problem = message[: position.start()].strip()
    if "overwrite" in problem or "twice" in problem:
        problem = "a key or table is defined twice"
    return f"line {number}, {line!r}: {problem[:1].lower()}{problem[1:]}"


class Section:
    """One table of a TOML file, with its path for messages."""

    def __init__(self, data: Mapping[str, Any], file: str, path: str = "", report: Report | None = None) -> None:
        self.data = data
        self.file = file
        self.path = path
        self._read_keys: set[str] = set()
        self._report = report

    def key(self, name: str) -> str:
        """The full path of a key."""
        return f"{self.path}.{name}" if self.path and name else self.path or name

    def fault(self, name: str, message: str) -> None:
        """Reports a problem with a key."""
        if self._report is None:
            raise InputError(f"{self.file}, {self.key(name)}" if self.key(name) else self.file, message)
        self._report(self.key(name), message)

    def __contains__(self, name: str) -> bool:
        return name in self.data

    def _get(self, name: str, kind: type[T], kind_name: str, fallback: T) -> T:
        self._read_keys.add(name)
        if name not in self.data:
            if fallback is _REQUIRED:
                self.fault(name, f"is missing: {kind_name} is needed here")
                return kind()
            return fallback
        value = self.data[name]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.fault(name, f"{format_value(value)} is not {kind_name}")
            return kind() if fallback is _REQUIRED else fallback
        return value

    def text(self, name: str, fallback: str = _REQUIRED) -> str:
        return self._get(name, str, "a string", fallback)

    def integer(self, name: str, fallback: int = _REQUIRED) -> int:
        return self._get(name, int, "a whole number", fallback)

    def boolean(self, name: str, fallback: bool = _REQUIRED) -> bool:
        return self._get(name, bool, "true or false", fallback)

    def value(self, name: str) -> Any:
        self._read_keys.add(name)
        return self.data.get(name)

    def texts(self, name: str, fallback: list[str] = _REQUIRED) -> list[str]:
        values = self._get(name, list, "a list of strings", fallback)
        if not all(isinstance(value, str) for value in values):
            self.fault(name, f"{format_value(values)} is not a list of strings")
            return []
        return values

    def integers(self, name: str, fallback: list[int]) -> list[int]:
        values = self._get(name, list, "a list of whole numbers", fallback)
        if not all(isinstance(value, int) and not isinstance(value, bool) for value in values):
            self.fault(name, f"{format_value(values)} is not a list of whole numbers")
            return fallback
        return values

    def section(self, name: str, *, required: bool = False) -> Section:
        """A table inside this one; empty if it is left out."""
        data = self._get(name, dict, "a table", _REQUIRED if required else {})
        return Section(data, self.file, self.key(name), self._report)

    def sections(self, name: str) -> dict[str, Section]:
        """The tables inside a table, by name."""
        return self.section(name).children()

    def children(self) -> dict[str, Section]:
        """Every entry of this table that has not been read yet; each must be a table."""
        names = [name for name in self.data if name not in self._read_keys]
        return {name: self.section(name, required=True) for name in names}

    def list_of_sections(self, name: str) -> list[Section]:
        """The tables of an array of tables."""
        sections = []
        for number, entry in enumerate(self._get(name, list, "a list of tables", [])):
            if isinstance(entry, dict):
                sections.append(Section(entry, self.file, f"{self.key(name)}[{number}]", self._report))
            else:
                self.fault(name, f"{format_value(entry)} is not a table")
        return sections

    def clauses(self, *, required: bool = True) -> tuple[str, ...]:
        """The clause or clauses that a table gives for its value."""
        if "clauses" in self.data:
            return tuple(self.texts("clauses"))
        if "clause" not in self.data and not required:
            return ()
        return (self.text("clause"),) if "clause" in self.data else self._report_missing_clause()

    def _report_missing_clause(self) -> tuple[str, ...]:
        self.fault("clause", "is missing: every value needs the clause that it comes from")
        return ()

    def close(self) -> None:
        """Reports every unknown key."""
        for name in self.data:
            if name not in self._read_keys:
                allowed = f"; allowed here: {', '.join(sorted(self._read_keys))}" if self._read_keys else ""
                self.fault(name, f"is not a known key{allowed}")
