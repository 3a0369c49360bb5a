"""Names of tables are safe in a URL and in the name of a file."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.errors import InputError
from croupier.table.model.names import (
    MAX_TABLE_NAME_LENGTH,
    TABLE_NAME_PATTERN,
    is_table_name,
    require_table_name,
    table_name_from,
)

BAD_NAMES = [
    "",
    " ",
    " a",
    "a ",
    ".",
    "..",
    ".hidden",
    "-rf",
    "a.",
    "../../etc/passwd",
    "a/b",
    "a\\b",
    "a\0b",
    "a\nb",
    "a#b",
    "a?b",
    "a%2fb",
    "a:b",
    "a*b",
    "<b>",
    'a"b',
    "a|b",
    "Tisch ä",
    "\u202egnp.exe",
    "ﬁve",
    "nul",
    "COM1",
    "con.txt",
    "x" * (MAX_TABLE_NAME_LENGTH + 1),
    "a\n",
]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_unsafe_names_are_refused(name: str) -> None:
    assert not is_table_name(name)
    with pytest.raises(InputError, match="1 to 100 letters"):
        require_table_name(name)


@given(st.from_regex(TABLE_NAME_PATTERN, fullmatch=True).filter(is_table_name))
def test_a_name_is_one_part_of_a_url_and_of_a_path(name: str) -> None:
    assert len(name) <= MAX_TABLE_NAME_LENGTH
    assert unquote(urlsplit(f"http://host/api/tables/{quote(name)}/rounds").path).split("/")[3] == name
    assert urlsplit(f"http://host/tables/{name}/x").path == f"/tables/{name}/x", "even without quotes"
    path = Path("/records") / f"{name}.jsonl"
    assert (path.parent, path.name) == (Path("/records"), f"{name}.jsonl")
    assert path.resolve().parent == Path("/records")


@given(st.text())
def test_any_title_gives_a_safe_name(title: str) -> None:
    assert is_table_name(table_name_from(title))


def test_a_plain_title_is_kept() -> None:
    for title in ("Four Card Prime, Pennsylvania", "Four Card Prime (as proposed)", "Crazy 4 Poker, House rules"):
        assert table_name_from(title) == title
    assert table_name_from("Póker — «Estrella»") == "Poker Estrella"
