"""Values in messages, as TOML writes them."""

from __future__ import annotations

import tomllib

import pytest

from croupier.core.toml_reader import format_value


@pytest.mark.parametrize(
    ("toml", "written"),
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
def test_a_value_looks_as_in_the_file(toml: str, written: str) -> None:
    assert format_value(tomllib.loads(f"value = {toml}")["value"]) == written


def test_a_long_value_is_cut() -> None:
    assert format_value("9" * 5000) == "'" + "9" * 57 + " …"
