"""Values from a file as the file would write them, for messages."""

from __future__ import annotations

from datetime import date
from typing import Any

_LONGEST = 60


def as_written(value: Any) -> str:
    """A value as TOML writes it, so that nobody has to know Python to read a message.

    >>> as_written(True), as_written([5, "ante"]), as_written({"a": 1})
    ('true', "[5, 'ante']", 'a table')
    """
    text = _written(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 2]} …"


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, date):
        return value.isoformat()
    return repr(value)
