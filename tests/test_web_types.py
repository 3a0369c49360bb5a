"""The type declarations of the web scripts come from the server's types."""

from __future__ import annotations

from tools.web_types import TARGET, declarations


def test_the_committed_declarations_are_those_of_the_server() -> None:
    """`python -m tools.web_types` writes them again."""
    assert TARGET.read_text(encoding="utf-8") == declarations()
