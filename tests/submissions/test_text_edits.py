"""Edits of a submission's text by key: everything else stays, and costly texts are refused."""

from __future__ import annotations

import tomllib
from difflib import unified_diff
from typing import Any

import pytest
import tomlkit

from croupier.core.errors import InputError
from croupier.regulations import EDITIONS, edition
from croupier.submissions.template import submission_template
from croupier.submissions.text_edits import (
    MAX_DEPTH,
    MAX_LINES,
    MAX_PERIODS_PER_LINE,
    MAX_TEXT_LENGTH,
    TextEdit,
    TomlValue,
    edit_text,
    parse_text,
)

TEMPLATE = submission_template(edition("pa-682a"))


def edit(text: str, key: str, value: TomlValue | None) -> str:
    return edit_text(text, [TextEdit(tuple(key.split(".")), value)])


def changed_lines(before: str, after: str) -> list[str]:
    lines = list(unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0))[2:]
    return [line for line in lines if not line.startswith("@@")]


def test_a_value_is_replaced_and_keeps_its_comment() -> None:
    assert changed_lines(TEMPLATE, edit(TEMPLATE, "seats", 5)) == [
        "-seats = 6                            # at most 6 (682a.2(a))",
        "+seats = 5                            # at most 6 (682a.2(a))",
    ]


def test_a_list_is_replaced() -> None:
    assert changed_lines(TEMPLATE, edit(TEMPLATE, "layout.areas", ["ante", "raise"])) == [
        '-areas = ["ante", "raise", "prime", "aces_bonus", "all_six"]',
        '+areas = ["ante", "raise"]',
    ]


def test_a_new_key_follows_the_last_one_of_its_table_not_the_comments_after_it() -> None:
    lines = edit(TEMPLATE, "elections.ace_low_straights", "printed").splitlines()
    number = lines.index('ace_low_straights = "printed"')
    assert lines[number - 1].startswith("aces_bonus_hands =")
    assert lines[number + 1].startswith("# Readings in force")


def test_a_removed_table_takes_its_lines_along() -> None:
    lines = TEMPLATE.splitlines()
    number = next(number for number, line in enumerate(lines) if line.startswith("[wagers.prime]"))
    assert edit(TEMPLATE, "wagers.prime", None).splitlines() == lines[:number] + lines[number + 4 :]


def test_a_new_wager_stands_with_the_others() -> None:
    text = edit_text(
        edit(TEMPLATE, "wagers.prime", None),
        [TextEdit(("wagers", "prime", "minimum"), "5.00"), TextEdit(("wagers", "prime", "maximum"), "100.00")],
    )
    assert text.index("[wagers.all_six]") < text.index(
        '[wagers.prime]\nminimum = "5.00"\nmaximum = "100.00"\n\n[elections]'
    )


@pytest.mark.parametrize("name", EDITIONS)
def test_setting_every_value_of_a_draft_to_itself_changes_nothing(name: str) -> None:
    text = submission_template(edition(name))
    data = tomllib.loads(text)
    edits = [TextEdit(key, value) for key, value in leaves(data)]
    assert len(edits) > 20
    assert edit_text(text, edits) == text


def leaves(data: dict[str, Any], path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    pairs: list[tuple[tuple[str, ...], Any]] = []
    for name, value in data.items():
        pairs += leaves(value, (*path, name)) if isinstance(value, dict) else [((*path, name), value)]
    return pairs


@pytest.mark.parametrize("name", EDITIONS)
def test_removing_every_key_leaves_the_comments(name: str) -> None:
    text = submission_template(edition(name))
    data = tomllib.loads(text)
    for key in data:
        edited = edit(text, key, None)
        assert tomllib.loads(edited) == {other: value for other, value in data.items() if other != key}
    emptied = edit_text(text, [TextEdit((key,), None) for key in data])
    assert tomllib.loads(emptied) == {}
    assert text.splitlines()[0] in emptied


@pytest.mark.parametrize("value", ['"', "\\", "a\nb", "\x7f", "é", "'''", ""])
def test_text_is_escaped(value: str) -> None:
    assert tomllib.loads(edit("a = 1\n", "a", value)) == {"a": value}


def test_dotted_keys_inline_tables_and_tables_out_of_order_are_edited() -> None:
    text = "a.b=1\n[c]\nd={e=1}\n[x.y]\nz=1\n[c2]\n[x.w]\nv=1\n"
    edits = [
        TextEdit(("a", "b"), 2),
        TextEdit(("c", "d", "e"), 3),
        TextEdit(("x", "y", "z"), 4),
        TextEdit(("x", "w"), None),
    ]
    assert tomllib.loads(edit_text(text, edits)) == {
        "a": {"b": 2},
        "c": {"d": {"e": 3}},
        "c2": {},
        "x": {"y": {"z": 4}},
    }


@pytest.mark.parametrize(
    ("text", "key", "value", "place"),
    [
        ("edition = ", "a", 1, ""),
        ("a = 1", "a.b", 1, "a"),
        ("a = 1", "a.b", None, "a"),
        ("[a]\nb = 1", "a", 1, "a"),
        ("[[a]]\nb = 1", "a.b", 1, "a"),
    ],
)
def test_an_impossible_edit_is_refused_with_its_place(text: str, key: str, value: TomlValue | None, place: str) -> None:
    with pytest.raises(InputError) as raised:
        edit(text, key, value)
    assert raised.value.place == place
    assert "\n" not in raised.value.reason


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a" + ".a" * (MAX_PERIODS_PER_LINE + 1) + " = 1", "line 1"),
        ("b = 1\n[a" + ".a" * 20_000 + "]", "line 2"),
        ("a = {" + "a." * 20_000 + "a = 1}", "line 1"),
        ("x = 1\n" + "\n" * MAX_LINES, "text"),
        ("".join(f"[a.t{number}]\n[b.t{number}]\n" for number in range(MAX_LINES)), "text"),
        ("a" + ".a" * MAX_DEPTH + " = 1", "text"),
        ("a = " + "[" * MAX_DEPTH + "1" + "]" * MAX_DEPTH, "text"),
        ("a = '" + "x" * MAX_TEXT_LENGTH + "'", "text"),
    ],
)
def test_a_costly_text_is_refused_before_the_slow_parser_sees_it(
    monkeypatch: pytest.MonkeyPatch, text: str, place: str
) -> None:
    parsed: list[str] = []
    monkeypatch.setattr(tomlkit, "parse", parsed.append)
    with pytest.raises(InputError) as raised:
        edit(text, "a", 1)
    assert (raised.value.place, parsed) == (place, [])


def test_a_long_dotted_key_is_refused_before_any_parser_sees_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The standard parser needs time in the square of the parts, too."""
    parsed: list[str] = []
    monkeypatch.setattr(tomllib, "loads", parsed.append)
    with pytest.raises(InputError, match="line 1"):
        parse_text("a" + ".a" * 20_000 + " = 1")
    assert parsed == []


def test_the_limits_leave_room_for_every_draft() -> None:
    for name in EDITIONS:
        text = submission_template(edition(name))
        assert text.count("\n") * 4 < MAX_LINES
        assert len(text) * 4 < MAX_TEXT_LENGTH
        assert max(line.count(".") for line in text.splitlines()) * 4 < MAX_PERIODS_PER_LINE


def test_an_edit_cannot_grow_a_text_beyond_the_limit() -> None:
    text = f"a = '{'x' * (MAX_TEXT_LENGTH - 10)}'\n"
    with pytest.raises(InputError, match="characters"):
        edit(text, "b", "yyyyyyyyyy")
