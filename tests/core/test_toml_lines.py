"""The lines of keys, compared with the parser: each line states its key, and no key of the data is missed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.core.toml_lines import find_line, key_lines
from croupier.regulations import EDITIONS, edition
from croupier.submissions.template import submission_template

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.toml"))


def leaf_keys(value: Any, path: str = "") -> Iterator[str]:
    """Every path of a value that a parser reads, down to plain values and arrays of plain values."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaf_keys(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list) and value and all(isinstance(inner, dict) for inner in value):
        for number, inner in enumerate(value):
            yield from leaf_keys(inner, f"{path}[{number}]")
    else:
        yield path


def assert_lines_state_their_keys(text: str) -> None:
    lines, text_lines = key_lines(text), text.split("\n")
    for key in leaf_keys(tomllib.loads(text)):
        number = find_line(lines, key)
        assert number is not None, key
        names = [part.partition("[")[0] for part in key.split(".")]
        assert any(name in text_lines[number - 1] for name in names[-2:]), (key, text_lines[number - 1])


@pytest.mark.parametrize("name", EDITIONS)
def test_every_key_of_a_template_has_its_line(name: str) -> None:
    text = submission_template(edition(name))
    assert_lines_state_their_keys(text)
    lines = key_lines(text)
    assert {key for key in leaf_keys(tomllib.loads(text)) if "[" not in key} <= set(lines)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_every_key_of_an_example_has_its_line(path: Path) -> None:
    assert_lines_state_their_keys(path.read_text(encoding="utf-8"))


def test_keys_inside_strings_comments_and_arrays_are_no_keys() -> None:
    text = 'a = """\nb = 1\n"""\n# c = 2\nd = [\n  "e = 3",\n]\n"f.g" = 4\nh.i = { j = 5 }\n'
    assert dict(key_lines(text)) == {"a": 1, "d": 5, "f.g": 8, "h.i": 9, "h.i.j": 9}


def test_a_missing_key_has_the_line_of_its_table() -> None:
    lines = key_lines("[dealing]\nmethod = 'hand'\n")
    assert find_line(lines, "dealing.shuffler") == 1
    assert find_line(lines, "elections.prime") is None
