"""`croupier analyze` and `croupier strategy`, as interface.md promises them to other programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import gcd
from typing import Any

import pytest

from croupier.rules import EDITIONS, edition
from tests.cli.running import Ran, in_a_shell, in_process

Answer = Callable[..., Any]


@pytest.fixture
def croupier(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    return partial(in_process, capsys)


@pytest.fixture
def answer(croupier: Callable[..., Ran]) -> Answer:
    def run(*arguments: str) -> Any:
        ran = croupier(*arguments, "--json")
        assert (ran.code, ran.err) == (0, "")
        return json.loads(ran.out)

    return run


def exact(text: object) -> Fraction:
    """A number of the contract: `n/d` in lowest terms, also where d is 1."""
    assert isinstance(text, str)
    numerator, denominator = map(int, text.split("/"))
    assert denominator > 0
    assert gcd(numerator, denominator) == 1
    return Fraction(numerator, denominator)


def check_beside(document: dict[str, Any]) -> None:
    """Every `n/d` has a float beside it."""
    for key, value in document.items():
        if isinstance(value, str) and "/" in value:
            if f"{key}_percent" in document:
                assert document[f"{key}_percent"] == pytest.approx(float(100 * exact(value)))
            else:
                assert document[f"{key}_float"] == pytest.approx(float(exact(value)))


def check_wager(name: str, result: dict[str, Any]) -> None:
    check_beside(result)
    edge = exact(result["house_edge"])
    assert isinstance(result["house_edge_percent"], float)
    assert isinstance(result["variance_float"], float)
    assert 0 < exact(result["hit_frequency"]) < 1
    if name == "ante":
        assert exact(result["element_of_risk"]) * exact(result["average_wager"]) == edge
        assert isinstance(result["element_of_risk_percent"], float)
        streets = result["decisions"] if isinstance(result["decisions"], list) else [result["decisions"]]
        assert sum(exact(share) for share in streets[0].values()) == 1
        return
    assert result["combinations"] == sum(row["combinations"] for row in result["rows"])
    assert sum((exact(row["return"]) for row in result["rows"]), Fraction(0)) == -edge
    for row in result["rows"]:
        assert row.keys() >= {"hand", "pays", "combinations", "return"}
        check_beside(row)
    for meter in result.get("meters", {}).values():
        check_beside(meter)
        assert meter.keys() >= {"worth_of_a_dollar", "break_even_dollars", "hit_frequency", "house_edge_at_seed"}


@pytest.mark.parametrize("name", EDITIONS)
def test_one_edition_is_one_document(answer: Answer, name: str) -> None:
    document = answer("analyze", name)
    assert list(document) == ["edition", "elections", "wagers"]
    assert document["edition"] == name
    assert document["elections"] == dict(edition(name).elect().choices)
    assert list(document["wagers"]) == ["ante", *edition(name).optional]
    for wager, result in document["wagers"].items():
        check_wager(wager, result)


def test_several_editions_are_a_list(answer: Answer) -> None:
    documents = answer("analyze", "pa-679a", "pa-683a")
    assert [document["edition"] for document in documents] == ["pa-679a", "pa-683a"]


def test_all_stands_for_every_edition_and_every_letter(answer: Answer) -> None:
    documents = answer("analyze", "all", "--all")
    assert [document["edition"] for document in documents] == list(EDITIONS)
    for document in documents:
        rules = edition(document["edition"])
        for wager, by_letter in document["wagers"].items():
            tables = "five_card_hand_bonus" if wager.startswith("five_card_hand_bonus") else wager
            if wager == "ante":
                tables = next((name for name in ("bad_beat_bonus", "ante") if name in rules.elections), "")
            expected = list(rules.elections[tables].choices) if tables in rules.elections else ["A"]
            assert list(by_letter) == expected, (document["edition"], wager)
            for result in by_letter.values():
                check_wager(wager, result)


def test_the_letters_of_all_are_those_of_elect(answer: Answer) -> None:
    every = answer("analyze", "pa-679a", "--all")["wagers"]
    one = answer("analyze", "pa-679a", "--elect", "bad_beat_bonus=C", "--elect", "pair_bonus=D")
    assert one["elections"]["bad_beat_bonus"] == "C"
    assert one["wagers"]["ante"] == every["ante"]["C"]
    assert one["wagers"]["pair_bonus"] == every["pair_bonus"]["D"]
    assert one["wagers"]["all_six"] == every["all_six"]["A"]


def test_without_elections_table_a_of_everything(answer: Answer) -> None:
    every = answer("analyze", "pa-682a", "--all")["wagers"]
    assert answer("analyze", "pa-682a")["wagers"] == {wager: by_letter["A"] for wager, by_letter in every.items()}


def test_a_reading_is_elected_the_same_way(answer: Answer) -> None:
    found = answer("analyze", "pa-682a", "--elect", "aces_bonus_hands=four_card")
    assert found["wagers"]["aces_bonus"]["house_edge"] == "3593/324870"


def test_an_election_that_one_of_several_editions_knows_is_taken(answer: Answer) -> None:
    three, cajun = answer("analyze", "pa-679a", "pa-683a", "--elect", "lo_ball=B")
    assert "lo_ball" not in three["elections"]
    assert cajun["elections"]["lo_ball"] == "B"


def test_decisions_have_the_names_of_the_contract(answer: Answer) -> None:
    assert list(answer("analyze", "pa-641a")["wagers"]["ante"]["decisions"]) == ["fold", "1x", "2x", "3x"]
    streets = answer("analyze", "pa-683a")["wagers"]["ante"]["decisions"]
    assert [list(street) for street in streets] == [["fold", "1x", "2x", "3x"]] * 3


def test_flat_dollars_follow_the_wager(answer: Answer) -> None:
    usual = answer("analyze", "md-4cp")["wagers"]["six_card_bonus"]["house_edge"]
    assert answer("analyze", "md-4cp", "--wager", "5")["wagers"]["six_card_bonus"]["house_edge"] == usual
    assert answer("analyze", "md-4cp", "--wager", "12.50")["wagers"]["six_card_bonus"]["house_edge"] != usual


def test_csv_has_a_line_for_each_wager_and_letter(croupier: Callable[..., Ran]) -> None:
    ran = croupier("analyze", "pa-683a", "--all", "--csv")
    lines = list(csv.DictReader(io.StringIO(ran.out)))
    assert ran.code == 0
    assert [(line["wager"], line["table"]) for line in lines][:4] == [
        ("ante", "A"), ("ante", "B"), ("ante", "C"), ("pocket_bonus", "A"),
    ]  # fmt: skip
    assert all(exact(line["house_edge"]) for line in lines)


def test_a_table_for_people(croupier: Callable[..., Ran]) -> None:
    ran = croupier("analyze", "pa-679a")
    assert ran.code == 0
    assert "pair_bonus" in ran.out
    assert "4.5155 %" in ran.out


# croupier strategy

STRATEGIES = [
    (("pa-682a", "--hand", "As Kd 9h 5c 2s"), ["fold", "1x", "2x", "3x"]),
    (("pa-641a", "--hand", "As Kd 9h 5c 2s", "--up", "Kc"), ["fold", "1x", "2x", "3x"]),
    (("md-4cp", "--hand", "As Ad 9h 5c 2s", "--up", "Kc"), ["fold", "1x", "2x", "3x"]),
    (("pa-679a", "--hand", "Qs 6d 4h"), ["fold", "play"]),
    (("pa-683a", "--hand", "Qs 6d"), ["fold", "1x", "2x", "3x"]),
    (("pa-683a", "--hand", "Qs 6d", "--board", "Qd", "--raised", "1x"), ["fold", "1x", "2x", "3x"]),
    (("pa-683a", "--hand", "Qs 6d", "--board", "Qd 6c", "--raised", "1x 3x"), ["fold", "1x", "2x", "3x"]),
]


@pytest.mark.parametrize(("arguments", "choices"), STRATEGIES)
def test_strategy_gives_the_value_of_every_choice(
    answer: Answer, arguments: tuple[str, ...], choices: list[str]
) -> None:
    found = answer("strategy", *arguments)
    assert list(found) == ["best", "ev"]
    assert list(found["ev"]) == choices
    values = {choice: exact(value["exact"]) for choice, value in found["ev"].items()}
    for choice, value in found["ev"].items():
        assert value["float"] == pytest.approx(float(values[choice]))
    assert values[found["best"]] == max(values.values())


def test_strategy_values_of_a_fold_are_what_is_staked(answer: Answer) -> None:
    assert answer("strategy", *STRATEGIES[3][0])["ev"]["fold"]["exact"] == "-1/1"
    assert answer("strategy", *STRATEGIES[6][0])["ev"]["fold"]["exact"] == "-5/1"


def test_679a_11_the_least_hand_to_play(answer: Answer) -> None:
    assert answer("strategy", "pa-679a", "--hand", "As 3d 2h")["best"] == "play"
    assert answer("strategy", "pa-679a", "--hand", "4s 3d 2d", "--elect", "bad_beat_bonus=A")["best"] == "play"
    assert answer("strategy", "pa-679a", "--hand", "5s 3d 2h")["best"] == "fold"


def test_strategy_for_people_says_which_is_best(croupier: Callable[..., Ran]) -> None:
    ran = croupier("strategy", "pa-679a", "--hand", "As Ad 4h")
    assert ran.code == 0
    assert "best" in ran.out.splitlines()[0]
    assert "costs" in ran.out.splitlines()[1]


# Bad input

HAND = ("--hand", "As Kd 9h 5c 2s")
REFUSED = [
    (("analyze", "pa-999"), "pa-999"),
    (("analyze", "pa-641a", "pa-999"), "pa-999"),
    (("analyze", "pa-641a", "--elect", "aces_up=Z"), "Z"),
    (("analyze", "all", "--elect", "aces_up=Z"), "Z"),
    (("analyze", "pa-641a", "--elect", "lucky=A"), "lucky"),
    (("analyze", "all", "--elect", "lucky=A"), "lucky"),
    (("analyze", "pa-641a", "--elect", "aces_up"), "KEY=VALUE"),
    (("analyze", "pa-641a", "--elect", "aces_up=A", "--elect", "aces_up=B"), "twice"),
    (("analyze", "md-4cp", "--wager", "0"), "wager"),
    (("analyze", "md-4cp", "--wager", "0.00"), "wager"),
    (("analyze", "md-4cp", "--wager", "five"), "five"),
    (("analyze", "md-4cp", "--wager", "-5"), "wager"),
    (("analyze",), "EDITION"),
    (("strategy", "pa-999", *HAND), "pa-999"),
    (("strategy", "pa-682a", "--elect", "prime=Z", *HAND), "Z"),
    (("strategy", "pa-682a", "--elect", "lucky=A", *HAND), "lucky"),
    (("strategy", "pa-682a"), "--hand"),
    (("strategy", "pa-682a", "--hand", "As Kd 9h 5c 1s"), "1s"),
    (("strategy", "pa-682a", "--hand", "As Kd 9h 5c"), "5 cards"),
    (("strategy", "pa-682a", "--hand", ""), "5 cards"),
    (("strategy", "pa-679a", *HAND), "3 cards"),
    (("strategy", "pa-683a", *HAND), "2 cards"),
    (("strategy", "pa-682a", "--hand", "As Kd 9h 5c As"), "As"),
    (("strategy", "pa-641a", *HAND), "--up"),
    (("strategy", "pa-641a", *HAND, "--up", "As"), "As"),
    (("strategy", "pa-641a", *HAND, "--up", "Xs"), "Xs"),
    (("strategy", "pa-641a", *HAND, "--up", "Ks Qs"), "--up"),
    (("strategy", "pa-641a", *HAND, "--up", ""), "--up"),
    (("strategy", "pa-682a", *HAND, "--up", "Ks"), "--up"),
    (("strategy", "pa-683a", "--hand", "As Kd", "--up", "Ks"), "--up"),
    (("strategy", "pa-682a", *HAND, "--board", "Ks"), "--board"),
    (("strategy", "pa-682a", *HAND, "--raised", "1x"), "--raised"),
    (
        ("strategy", "pa-683a", "--hand", "As Kd", "--board", "Ks"),
        "with 1 community card known there has been 1 raise, not 0",
    ),
    (("strategy", "pa-683a", "--hand", "As Kd", "--raised", "1x"), "--raised"),
    (("strategy", "pa-683a", "--hand", "As Kd", "--board", "Ks", "--raised", "1x 1x"), "--raised"),
    (("strategy", "pa-683a", "--hand", "As Kd", "--board", "Ks", "--raised", "4x"), "--raised"),
    (("strategy", "pa-683a", "--hand", "As Kd", "--board", "Ks", "--raised", "much"), "much"),
    (("strategy", "pa-683a", "--hand", "As Kd", "--board", "Ks Qs Js", "--raised", "1x 1x 1x"), "--board"),
    (("strategy", "pa-683a", "--hand", "As Kd", "--board", "As", "--raised", "1x"), "As"),
]


@pytest.mark.parametrize(
    ("arguments", "named"), REFUSED, ids=lambda part: " ".join(part) if isinstance(part, tuple) else ""
)
def test_bad_input_is_one_sentence_and_exit_2(
    croupier: Callable[..., Ran], arguments: tuple[str, ...], named: str
) -> None:
    ran = croupier(*arguments)
    assert ran.code == 2
    assert ran.out == ""
    (sentence,) = ran.err.splitlines()
    assert sentence.startswith(f"croupier {arguments[0]}: ")
    assert named in sentence


def test_the_script_says_the_same() -> None:
    ran = in_a_shell("analyze", "pa-679a", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out)["edition"] == "pa-679a"
    ran = in_a_shell("strategy", "pa-679a", "--hand", "As As Kd")
    assert ran.code == 2
    assert len(ran.err.splitlines()) == 1
