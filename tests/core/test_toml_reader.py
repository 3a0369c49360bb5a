"""Values in messages are formatted as in TOML."""

from __future__ import annotations

import tomllib

import pytest

from croupier.core.toml_reader import format_value


@pytest.mark.parametrize(
    ("toml", "formatted"),
    [
        ("true", "true"),
        ("false", "false"),
        ("5", "5"),
        ("1.5", "1.5"),
        ("'ante'", "'ante'"),
        ("[true, 'ante', 5]", "[true, 'ante', 5]"),
        ("[{ a = 1 }]", "[a table]"),
        ("{ a = true }", "a table"),
        ("2026-01-31", "2026-01-31"),
        ("2026-01-31T12:00:00", "2026-01-31T12:00:00"),
    ],
)
def test_a_value_is_formatted_as_in_the_file(toml: str, formatted: str) -> None:
    assert format_value(tomllib.loads(f"value = {toml}")["value"]) == formatted


def test_a_long_value_is_truncated() -> None:
    assert format_value("9" * 5000) == "'" + "9" * 57 + " …"
