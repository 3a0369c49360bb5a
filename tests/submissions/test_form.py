"""Bad submissions, one kind per test: unreadable files and values. These break no clause unless one is cited."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import pytest

from croupier.core.errors import InputError
from croupier.core.toml_reader import format_value
from croupier.regulations import EDITIONS, edition
from croupier.submissions import check_submission, submission_template
from croupier.submissions.checks import check_data
from tests.submissions.changes import LEFT_OUT, Changes, accepts, changed_template, problems, refuses

ALL_OPTIONAL_WAGERS = ("aces_up", "progressive", "six_card_bonus")
"""Every optional wager of Maryland's edition."""
HAND_BONUS = ("five_card_hand_bonus_player", "five_card_hand_bonus_dealer")


# The edition


def test_a_submission_names_its_edition() -> None:
    for empty in ({}, {"edition": ""}):
        (problem,) = check_data(empty, "empty")
        assert (problem.key, problem.clause) == ("edition", "")
        assert problem.message.startswith("is missing: state which regulation applies; choose one of pa-682a, ")


def test_an_unknown_edition_is_refused() -> None:
    (problem,) = problems("pa-682a", {"edition": "faro"})
    assert (problem.key, problem.clause) == ("edition", "")
    assert problem.message.startswith("there is no edition 'faro'; choose one of pa-682a, ")


def test_an_edition_that_is_not_a_text() -> None:
    refuses("pa-682a", {"edition": 682}, ("edition", "", "there is no edition 682; choose one of pa-682a, "))


# Keys


@pytest.mark.parametrize(
    "table",
    ["", "wagers.ante.", "limits.", "dealing.", "progressive.", "progressive.meters.main.", "electronic.", "layout."],
)
def test_an_unknown_key_is_refused(table: str) -> None:
    name, offer = ("md-4cp", ALL_OPTIONAL_WAGERS) if table.startswith("progressive") else ("pa-641a", HAND_BONUS)
    refuses(name, {f"{table}color": "green"}, (f"{table}color", "", "is not a known key"), offer=offer)


def test_an_unknown_key_is_refused_with_the_known_ones() -> None:
    (problem,) = problems("pa-682a", {"wagers.ante.least": "5.00"})
    assert problem.message == "is not a known key; allowed here: maximum, minimum"


# Values of another type


@pytest.mark.parametrize("key", ["operator", "version", "odd_cents", "dealing.shoe_location", "layout.filing"])
@pytest.mark.parametrize("value", [5, True, ["Example Casino"]])
def test_a_value_that_is_not_a_text(key: str, value: object) -> None:
    refuses("pa-682a", {key: value}, (key, "", f"{format_value(value)} is not a string"))


@pytest.mark.parametrize("key", ["seats", "adjacent_boxes", "dealing.decks", "layout.positions"])
@pytest.mark.parametrize("value", ["1", 1.0, True, [1]])
def test_a_value_that_is_not_a_whole_number(key: str, value: object) -> None:
    refuses("pa-682a", {key: value}, (key, "", f"{format_value(value)} is not a whole number"))


@pytest.mark.parametrize("key", ["dealing.preshuffled", "layout.operator_name", "layout.discard_rack"])
@pytest.mark.parametrize("value", ["yes", 1, 0])
def test_a_value_that_is_not_true_or_false(key: str, value: object) -> None:
    refuses("pa-682a", {key: value}, (key, "", f"{format_value(value)} is not true or false"))


@pytest.mark.parametrize("key", ["dealing.backs", "layout.areas", "layout.card_areas"])
@pytest.mark.parametrize("value", ["red", ["red", 5], {"red": True}])
def test_a_value_that_is_not_a_list_of_texts(key: str, value: object) -> None:
    refuses("pa-682a", {key: value}, (key, "", f"{format_value(value)} is not a list of strings"))


@pytest.mark.parametrize(
    "key", ["wagers", "wagers.ante", "elections", "limits", "dealing", "layout", "progressive.meters.main"]
)
@pytest.mark.parametrize("value", ["A", 5, []])
def test_a_value_that_is_not_a_table(key: str, value: object) -> None:
    reported = problems("md-4cp", {key: value}, offer=ALL_OPTIONAL_WAGERS)
    assert (reported[0].key, reported[0].clause, reported[0].message) == (
        key,
        "",
        f"{format_value(value)} is not a table",
    )
    assert not [problem for problem in reported[1:] if problem.key.startswith(key)], "reported once"


@pytest.mark.parametrize("value", [1, True, ["A"]])
def test_an_election_that_is_not_a_text(value: object) -> None:
    refuses("pa-682a", {"elections.prime": value}, ("elections.prime", "", f"{format_value(value)} is not a string"))


@pytest.mark.parametrize(
    ("key", "choices"),
    [
        ("dealing.method", "manual_shoe, hand, automated_shoe"),
        ("dealing.shuffler", "none, automated, counting, reshuffling"),
        ("layout.odds", "layout, sign, none"),
        ("layout.payout_limit", "layout, sign, none"),
        ("layout.drop_box", "left, right, none"),
        ("layout.tip_box", "left, right, elsewhere, none"),
    ],
)
def test_a_value_that_is_not_a_choice_is_refused(key: str, choices: str) -> None:
    refuses("pa-682a", {key: "under the table"}, (key, "", f"'under the table' is not one of {choices}"))


@pytest.mark.parametrize("value", ["2026-01-31", 20260131, datetime(2026, 1, 31, 12, 0)])
def test_an_approval_date_that_is_not_a_date_is_refused(value: object) -> None:
    refuses("pa-682a", {"approved": value}, ("approved", "", "is not a date such as 2026-01-31"))
    accepts("pa-682a", {"approved": date(2026, 1, 31)})


# Money


@pytest.mark.parametrize(
    "amount",
    [
        "12.505",
        -5,
        "-5.00",
        5.0,
        5,
        "1e3",
        "9" * 13,
        "",
        " 5.00",
        "5,000.00",
        "$5",
        "5.",
        ".50",
        "five",
        True,
        ["5.00"],
    ],
)
@pytest.mark.parametrize("key", ["wagers.ante.minimum", "wagers.ante.maximum", "limits.payout"])
def test_an_amount_that_is_not_dollars_and_cents_is_refused(key: str, amount: object) -> None:
    gist = f'{format_value(amount)} is not an amount in dollars and cents such as "12.50"'
    refuses("pa-682a", {key: amount}, (key, "", gist), offer=())


@pytest.mark.parametrize("bound", ["minimum", "maximum"])
def test_a_missing_limit_is_refused(bound: str) -> None:
    key = f"wagers.prime.{bound}"
    refuses("pa-682a", {key: LEFT_OUT}, (key, "", f"is missing: state the {bound} of the Prime"))


@pytest.mark.parametrize("zero", ["0", "0.00"])
def test_a_minimum_of_zero_is_refused(zero: str) -> None:
    gist = "the minimum of the Ante must be more than zero"
    refuses("pa-682a", {"wagers.ante.minimum": zero}, ("wagers.ante.minimum", "", gist))


def test_a_maximum_of_zero_is_refused() -> None:
    gist = "the maximum of the Ante must be more than zero"
    refuses("pa-682a", {"wagers.ante.maximum": "0.00"}, ("wagers.ante.maximum", "", gist))


def test_a_minimum_above_the_maximum_is_refused() -> None:
    gist = "the minimum of the Ante is above its maximum"
    refuses("pa-682a", {"wagers.ante.minimum": "500.01"}, ("wagers.ante.minimum", "", gist))
    accepts("pa-682a", {"wagers.ante.minimum": "500.00"})


# Several problems at once

MANY_PROBLEMS: Changes = {
    "layout.discard_rack": False,
    "dealing.method": "hand",
    "wagers.raise": {"minimum": "5.00", "maximum": "10.00"},
    "elections.prime": "C",
    "elections.aces_bonus_hands": LEFT_OUT,
    "seats": 7,
    "layout.positions": 7,
    "adjacent_boxes": "two",
    "color": "green",
    "layout.odds": "wall",
}


def test_problems_of_form_come_first_then_those_of_the_checks_in_order() -> None:
    assert [(problem.key, problem.clause) for problem in problems("pa-682a", MANY_PROBLEMS)] == [
        ("elections.prime", "682a.12(d)"),
        ("adjacent_boxes", ""),
        ("wagers.raise", "682a.7(d)(1)"),
        ("layout.odds", ""),
        ("color", ""),
        ("elections.aces_bonus_hands", "682a.6(d)(3)"),
        ("seats", "682a.2(a)"),
        ("dealing.shuffler", "682a.9(a)(1)"),
        ("layout.discard_rack", "682a.2(d)"),
    ]


def test_the_order_of_problems_does_not_depend_on_the_file() -> None:
    data = changed_template("pa-682a", MANY_PROBLEMS)
    backwards = dict(reversed(data.items()))
    assert check_data(backwards, "backwards") == check_data(data, "forwards")


@pytest.mark.parametrize("name", EDITIONS)
def test_a_submission_with_only_its_edition_gets_a_problem_for_everything_missing(name: str) -> None:
    reported = check_data({"edition": name}, "bare")
    keys = [problem.key for problem in reported]
    assert len(keys) > 10
    assert {"operator", "version", "wagers.ante", "adjacent_boxes", "layout.filing"} <= set(keys)
    assert all(problem.clause for problem in reported if problem.key != "version")


# Files


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "submission.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    ("added", "gist"),
    [
        ('[layout]\nfiling = "twice"\n', "'[layout]': a key or table is defined twice"),
        ("discard_rack = false\n", "'discard_rack = false': a key or table is defined twice"),
        ("odds layout\n", "'odds layout': expected '=' after a key"),
        ("approval = 2026-02-30\n", "'approval = 2026-02-30': invalid date or datetime"),
    ],
)
def test_a_file_that_is_not_toml_is_refused_with_its_line(tmp_path: Path, added: str, gist: str) -> None:
    text = submission_template(edition("pa-682a"))
    path = write(tmp_path, text + added)
    with pytest.raises(InputError) as error:
        check_submission(path)
    number = len(text.splitlines()) + 1
    assert error.value.place == str(path)
    assert error.value.reason.startswith(f"line {number}, ")
    assert gist in error.value.reason


def test_a_duplicate_wager_is_refused(tmp_path: Path) -> None:
    text = submission_template(edition("pa-682a")) + '\n[wagers.prime]\nminimum = "1.00"\nmaximum = "2.00"\n'
    with pytest.raises(InputError, match="is defined twice"):
        check_submission(write(tmp_path, text))


@pytest.mark.parametrize(
    ("content", "gist"),
    [
        (b"\x00\x01\xff\xfe", "is not a text file in UTF-8"),
        ("seats = " + "1" * 5000, "exceeds the limit"),
        ("seats = " + "[" * 5000, "is nested too deeply"),
    ],
    ids=["binary", "long number", "deep nesting"],
)
def test_an_unreadable_file_is_refused(tmp_path: Path, content: str | bytes, gist: str) -> None:
    with pytest.raises(InputError, match=gist):
        check_submission(write(tmp_path, content))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: no such file or directory"):
        check_submission(tmp_path / "submission.toml")
    with pytest.raises(InputError, match="cannot be read: is a directory"):
        check_submission(tmp_path)
