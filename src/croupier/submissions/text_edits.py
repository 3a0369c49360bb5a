"""Edits of a Rules Submission's TOML by key: comments, order and layout of everything else stay.

The cost is bounded before a parser sees the text, because dotted keys and tables make parsers quadratic.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from croupier.core.dataclass import dataclass
from croupier.core.errors import InputError

MAX_TEXT_LENGTH = 50_000
"""Characters of a Rules Submission."""
MAX_LINES = 1_000
"""Lines of a text that is edited by key; a full Rules Submission has about a hundred."""
MAX_PERIODS_PER_LINE = 100
"""Bounds the parts of a dotted key, which stands on one line."""
MAX_KEY_PARTS = 4
"""Parts of an edited key; `wagers.prime.minimum` has three."""
MAX_DEPTH = 8
"""Nested tables and arrays of a text that is edited by key."""

TomlValue = str | int | bool | list[str]


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Sets a key to a value; `None` removes the key or the table."""

    key: tuple[str, ...]
    value: TomlValue | None


def parse_text(text: str) -> dict[str, Any]:
    """Parses the text of a submission; raises `InputError` with the place if it is too costly or not TOML."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MAX_PERIODS_PER_LINE:
            raise InputError(f"line {number}", f"has more than {MAX_PERIODS_PER_LINE} periods")
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise InputError("", f"is not TOML: {str(error)[:200]}") from error


def edit_text(text: str, edits: Sequence[TextEdit]) -> str:
    r"""The text after the edits, in order; raises `InputError` with the place if an edit is impossible.

    >>> print(edit_text('seats = 6  # at most 6\n', [TextEdit(("seats",), 5), TextEdit(("limits", "payout"), "9.00")]))
    seats = 5  # at most 6
    <BLANKLINE>
    [limits]
    payout = "9.00"
    <BLANKLINE>
    """
    import tomlkit

    expected = _parse_for_editing(text)
    document = tomlkit.parse(text)
    for edit in edits:
        _change(expected, edit, dict, dict.__setitem__)
        _change(document, edit, tomlkit.table, _insert)
    result = document.as_string()
    if not text.endswith("\n\n"):
        result = result.rstrip("\n") + "\n"
    if len(result) > MAX_TEXT_LENGTH:
        raise InputError("text", f"would have more than {MAX_TEXT_LENGTH} characters")
    if parse_text(result) != expected:  # layouts that the library cannot change
        raise InputError("text", "cannot be edited by key here: edit the text itself")
    return result


def _parse_for_editing(text: str) -> dict[str, Any]:
    if len(text) > MAX_TEXT_LENGTH:
        raise InputError("text", f"has more than {MAX_TEXT_LENGTH} characters")
    if text.count("\n") >= MAX_LINES:
        raise InputError("text", f"has more than {MAX_LINES} lines")
    data = parse_text(text)
    level: list[Any] = [data]
    for _ in range(MAX_DEPTH):
        level = [part for value in level for part in _parts(value)]
    if level:
        raise InputError("text", f"nests tables and arrays more than {MAX_DEPTH} levels deep")
    return data


def _parts(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return list(value.values())
    return list(value) if isinstance(value, list) else []


def _change(
    table: Any, edit: TextEdit, new_table: Callable[[], Any], insert: Callable[[Any, str, Any], object]
) -> None:
    """Applies an edit to a table, plain or with its layout."""
    *parents, last = edit.key
    for number, name in enumerate(parents, 1):
        if name not in table:
            if edit.value is None:
                return
            table[name] = new_table()
        table = table[name]
        if not isinstance(table, Mapping):
            raise InputError(".".join(edit.key[:number]), "is not a table")
    if edit.value is None:
        table.pop(last, None)
    elif last not in table:
        insert(table, last, edit.value)
    elif isinstance(table[last], Mapping):
        raise InputError(".".join(edit.key), "is a table, not a value")
    else:
        table[last] = edit.value


def _insert(table: Any, name: str, value: TomlValue) -> None:
    """Inserts a key after the last one of its table: comments at the end often belong to the next table."""
    import tomlkit
    from tomlkit.container import Container
    from tomlkit.items import AbstractTable, Table

    container = table.value if isinstance(table, Table) else table
    keys = [
        key
        for key, item in (container.body if isinstance(container, Container) else ())
        if key is not None and not isinstance(item, AbstractTable)
    ]
    if keys:
        container._insert_after(keys[-1], name, tomlkit.item(value))
    else:
        table[name] = value
        if isinstance(table, Table) and not table.is_super_table():
            table.add(tomlkit.nl())
