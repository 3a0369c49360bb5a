"""The JSON contract and the output of `croupier analyze` and `croupier strategy`."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import gcd
from typing import Any

import pytest

from croupier.regulations import EDITIONS, edition
from tests.cli.command_runner import CliResult, run_in_process, run_script

JsonRunner = Callable[..., Any]


@pytest.fixture
def croupier(capsys: pytest.CaptureFixture[str]) -> Callable[..., CliResult]:
    return partial(run_in_process, capsys)


@pytest.fixture
def run_json(croupier: Callable[..., CliResult]) -> JsonRunner:
    def run(*arguments: str) -> Any:
        output = croupier(*arguments, "--json")
        assert (output.code, output.err) == (0, "")
        return json.loads(output.out)

    return run


def exact(text: object) -> Fraction:
    """A number of the contract: `n/d` in lowest terms, also where d is 1."""
    assert isinstance(text, str)
    numerator, denominator = map(int, text.split("/"))
    assert denominator > 0
    assert gcd(numerator, denominator) == 1
    return Fraction(numerator, denominator)


def check_floats(document: dict[str, Any]) -> None:
    """Every `n/d` has a matching float."""
    for key, value in document.items():
        if isinstance(value, str) and "/" in value:
            if f"{key}_percent" in document:
                assert document[f"{key}_percent"] == pytest.approx(float(100 * exact(value)))
            else:
                assert document[f"{key}_float"] == pytest.approx(float(exact(value)))


def check_wager(name: str, result: dict[str, Any]) -> None:
    check_floats(result)
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
        check_floats(row)
    if result.get("meters") or any(row["pays"].startswith("$") for row in result["rows"]):
        assert result["wager_cents"] > 0
    else:
        assert "wager_cents" not in result
    for meter in result.get("meters", {}).values():
        check_floats(meter)
        assert meter.keys() >= {"worth_of_a_dollar", "break_even_dollars", "hit_frequency", "house_edge_at_seed"}


@pytest.mark.parametrize("name", EDITIONS)
def test_one_edition_is_one_document(run_json: JsonRunner, name: str) -> None:
    document = run_json("analyze", name)
    assert list(document) == ["edition", "elections", "wagers"]
    assert document["edition"] == name
    assert document["elections"] == dict(edition(name).elect().choices)
    assert list(document["wagers"]) == ["ante", *edition(name).optional]
    for wager, result in document["wagers"].items():
        check_wager(wager, result)


def test_several_editions_are_a_list(run_json: JsonRunner) -> None:
    documents = run_json("analyze", "pa-679a", "pa-683a")
    assert [document["edition"] for document in documents] == ["pa-679a", "pa-683a"]


def test_all_means_every_edition_and_every_letter(run_json: JsonRunner) -> None:
    documents = run_json("analyze", "all", "--all")
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


def test_all_agrees_with_elect(run_json: JsonRunner) -> None:
    all_letters = run_json("analyze", "pa-679a", "--all")["wagers"]
    elected = run_json("analyze", "pa-679a", "--elect", "bad_beat_bonus=C", "--elect", "pair_bonus=D")
    assert elected["elections"]["bad_beat_bonus"] == "C"
    assert elected["wagers"]["ante"] == all_letters["ante"]["C"]
    assert elected["wagers"]["pair_bonus"] == all_letters["pair_bonus"]["D"]
    assert elected["wagers"]["all_six"] == all_letters["all_six"]["A"]


def test_table_a_is_the_default(run_json: JsonRunner) -> None:
    all_letters = run_json("analyze", "pa-682a", "--all")["wagers"]
    assert run_json("analyze", "pa-682a")["wagers"] == {
        wager: by_letter["A"] for wager, by_letter in all_letters.items()
    }


def test_a_reading_can_be_elected(run_json: JsonRunner) -> None:
    analysis = run_json("analyze", "pa-682a", "--elect", "aces_bonus_hands=four_card")
    assert analysis["wagers"]["aces_bonus"]["house_edge"] == "3593/324870"


def test_an_election_applies_to_the_editions_that_have_it(run_json: JsonRunner) -> None:
    three, cajun = run_json("analyze", "pa-679a", "pa-683a", "--elect", "lo_ball=B")
    assert "lo_ball" not in three["elections"]
    assert cajun["elections"]["lo_ball"] == "B"


def test_decisions_follow_the_contract(run_json: JsonRunner) -> None:
    assert list(run_json("analyze", "pa-641a")["wagers"]["ante"]["decisions"]) == ["fold", "1x", "2x", "3x"]
    streets = run_json("analyze", "pa-683a")["wagers"]["ante"]["decisions"]
    assert [list(street) for street in streets] == [["fold", "1x", "2x", "3x"]] * 3


def test_flat_dollars_follow_the_wager(run_json: JsonRunner) -> None:
    usual = run_json("analyze", "md-4cp")["wagers"]["six_card_bonus"]["house_edge"]
    assert run_json("analyze", "md-4cp", "--wager", "5")["wagers"]["six_card_bonus"]["house_edge"] == usual
    assert run_json("analyze", "md-4cp", "--wager", "12.50")["wagers"]["six_card_bonus"]["house_edge"] != usual


def test_a_progressive_uses_the_requested_wager_if_a_clause_allows_it(run_json: JsonRunner) -> None:
    """MD 12.E(1): $1 or $5. Meters start at the same amount for both; the other rows pay "for 1"."""
    by_wager = {
        amount: run_json("analyze", "md-4cp", *(("--wager", amount) if amount else ()))["wagers"]
        for amount in ("", "1", "5", "12.50")
    }
    cents = {
        amount: (w["progressive"]["wager_cents"], w["six_card_bonus"]["wager_cents"]) for amount, w in by_wager.items()
    }
    assert cents == {"": (100, 500), "1": (100, 100), "5": (500, 500), "12.50": (100, 1250)}
    one, five = (by_wager[amount]["progressive"] for amount in ("1", "5"))
    top = exact(one["meters"]["main"]["hit_frequency"])
    assert exact(five["house_edge"]) - exact(one["house_edge"]) == top * (5000 - Fraction(5000, 5))
    assert by_wager["12.50"]["progressive"] == by_wager[""]["progressive"] == one


def test_641a_12_d_3_seeds_grow_with_the_wager(run_json: JsonRunner) -> None:
    one, five = (run_json("analyze", "pa-641a", "--wager", amount)["wagers"] for amount in ("1", "5"))
    for wager in ("four_card_progressive", "five_card_progressive", "five_card_hand_bonus_player"):
        assert one[wager]["house_edge"] == five[wager]["house_edge"]
        assert (one[wager]["wager_cents"], five[wager]["wager_cents"]) == (100, 500)
        for name, meter in one[wager]["meters"].items():
            assert exact(five[wager]["meters"][name]["seed_dollars"]) == 5 * exact(meter["seed_dollars"])
    assert one["four_card_progressive"]["envy_by_other_seats"] == five["four_card_progressive"]["envy_by_other_seats"]
    assert len(one["four_card_progressive"]["envy_by_other_seats"]) == edition("pa-641a").figure("seats") - 1


def test_the_elected_envy_table_is_analyzed(run_json: JsonRunner) -> None:
    options = ("--elect", "four_card_progressive=A", "--elect", "four_card_envy=B")
    mixed, plain = run_json("analyze", "pa-641a", *options), run_json("analyze", "pa-641a")
    all_letters = run_json("analyze", "pa-641a", "--all")["wagers"]["four_card_progressive"]
    envy = "envy_per_other_hand"
    assert mixed["wagers"]["four_card_progressive"][envy] == all_letters["B"][envy] != all_letters["A"][envy]
    assert plain["wagers"]["four_card_progressive"][envy] == all_letters["A"][envy]


def test_the_text_names_the_analyzed_wager(croupier: Callable[..., CliResult], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    out = croupier("analyze", "md-4cp").out
    assert "Progressive: analyzed for a wager of $1, because some rows pay from a meter" in out
    assert "Six Card Bonus: analyzed for a wager of $5, because some rows pay flat dollars" in out
    out = croupier("analyze", "md-4cp", "--wager", "12.50").out
    assert "Six Card Bonus: analyzed for a wager of $12.50" in out
    assert "Progressive: analyzed for a wager of $1" in out
    assert "it can be $1 or $5 (12.E(1)), not $12.50." in out


COLUMNS = (80, 120)
COMMANDS = [
    ("analyze", "pa-641a", "--all"),
    ("analyze", "md-4cp"),
    ("analyze", "pa-683a"),
    ("analyze", "pa-682a", "--compare", "aces_bonus"),
    ("analyze", "md-4cp", "--compare", "progressive"),
    ("analyze", "pa-682a-proposed", "--published"),
    ("strategy", "pa-683a", "--card"),
    ("strategy", "pa-682a", "--card"),
    ("editions",),
    ("readings",),
    ("clauses",),
    ("clauses", "pa-683a"),
    ("clauses", "md-4cp"),
]


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_text_fits_and_wraps_between_words(croupier: Callable[..., CliResult], arguments: tuple[str, ...]) -> None:
    """Wrapping changes no word of the output; a table that loses a column or becomes a list says so."""
    words = _words(croupier(*arguments, env={"COLUMNS": "1000"}).out)
    for columns in COLUMNS:
        out = croupier(*arguments, env={"COLUMNS": str(columns)}).out
        assert max(map(len, out.splitlines())) <= columns
        assert _words(re.sub(r"Not shown at this width: ", "", out)) <= words


def _words(text: str) -> set[str]:
    words = {word.strip(".,;:") for word in text.split()}
    return {word for word in words if set(word) not in ({"-"}, {"█"})}


def test_csv_has_the_letter_of_every_table(croupier: Callable[..., CliResult]) -> None:
    out = croupier("analyze", "pa-683a", "--elect", "lo_ball=B", "--csv").out
    letters = {line["wager"]: line["table"] for line in csv.DictReader(io.StringIO(out))}
    assert letters == {"ante": "A", "pocket_bonus": "A", "board_bonus": "A", "lo_ball": "B", "all_six": "A"}


def test_the_bar_of_a_negative_edge_points_left(
    croupier: Callable[..., CliResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    lines = croupier("analyze", "pa-682a", "--pay", "prime.all_five_the_same_color=50").out.splitlines()
    bars = {line.split()[0]: (line.index("█"), line.rindex("█")) for line in lines if "█" in line}
    zero = min(start for wager, (start, _) in bars.items() if wager != "Prime")
    assert bars["Prime"][1] < zero
    assert {start for wager, (start, _) in bars.items() if wager != "Prime"} == {zero}


def test_csv_agrees_with_json(croupier: Callable[..., CliResult], run_json: JsonRunner) -> None:
    comparison = list(csv.DictReader(io.StringIO(croupier("analyze", "pa-683a", "--compare", "lo_ball", "--csv").out)))
    rows = [
        (x, row)
        for x, result in run_json("analyze", "pa-683a", "--compare", "lo_ball").items()
        for row in result["rows"]
    ]
    assert [(line["table"], line["hand"], line["return"]) for line in comparison] == [
        (x, row["hand"], row["return"]) for x, row in rows
    ]
    lines = list(csv.DictReader(io.StringIO(croupier("analyze", "md-4cp", "--covariances", "--csv").out)))
    document = run_json("analyze", "md-4cp", "--covariances")
    covariances = {tuple(entry["wagers"]): entry["covariance"] for entry in document["covariances"]}
    reasons = {tuple(entry["wagers"]): entry["reason"] for entry in document["not_given"]}
    assert {(line["wager"], line["with"]): line["covariance"] for line in lines if line["covariance"]} == covariances
    assert {
        (line["wager"], line["with"]): line["not_given_because"] for line in lines if not line["covariance"]
    } == reasons
    published = list(csv.DictReader(io.StringIO(croupier("analyze", "pa-683a", "--published", "--csv").out)))
    assert [line["verdict"] for line in published] == [
        e["verdict"] for e in run_json("analyze", "pa-683a", "--published")
    ]


def test_several_editions_compared_are_one_document(run_json: JsonRunner) -> None:
    first, second = run_json("analyze", "pa-682a", "pa-683a", "--compare", "all_six")
    assert list(first) == list(second) == ["A", "B", "C", "D", "E"]


def test_published_figures_that_no_reading_reproduces_are_reported(run_json: JsonRunner) -> None:
    entries = run_json("analyze", "pa-682a-proposed", "--published")
    assert {e["verdict"] for e in entries if e["wager"] == "ante"} == {"not reproduced by any reading"}
    assert {e["verdict"] for e in entries if e["wager"] == "aces_bonus"} == {
        "reproduced with aces_bonus_hands = four_card"
    }


def test_ties_between_decisions_are_reported_with_the_smaller_wager(run_json: JsonRunner) -> None:
    for name in ("pa-683a", "pa-641a", "pa-679a"):
        ante = run_json("analyze", name)["wagers"]["ante"]
        assert exact(ante["average_wager_if_smaller"]) <= exact(ante["average_wager"])
        other = exact(ante["house_edge"]) / exact(ante["average_wager_if_smaller"])
        assert exact(ante["element_of_risk_if_smaller"]) == other


# Custom paytables


@pytest.mark.parametrize(
    ("pay", "warning"),
    [
        ("aces_up.flush=60", "flush pays more than three_of_a_kind, which is the better hand"),
        ("aces_up.flush=-5", "flush pays -5 to 1, a negative payout"),
    ],
)
def test_an_odd_payout_is_analyzed_with_a_warning(croupier: Callable[..., CliResult], pay: str, warning: str) -> None:
    output = croupier("analyze", "pa-641a", "--pay", pay, "--json")
    assert output.code == 0
    assert f"croupier analyze: table aces_up: {warning}" in output.err.splitlines()
    rows = {row["hand"]: row for row in json.loads(output.out)["wagers"]["aces_up"]["rows"]}
    odds = int(pay.partition("=")[2])
    assert rows["flush"]["pays"] == f"{odds} to 1"
    assert exact(rows["flush"]["return"]) == Fraction(odds * rows["flush"]["combinations"], 2_598_960)


def test_a_table_from_a_file(croupier: Callable[..., CliResult], tmp_path: Any) -> None:
    path = tmp_path / "custom.toml"
    path.write_text('table = "aces_up"\n[pays]\nfour_of_a_kind = 50\npair_of_aces = "push"\n', encoding="utf-8")
    output = croupier("analyze", "pa-641a", "--paytable", path, "--json")
    rows = {row["hand"]: row["pays"] for row in json.loads(output.out)["wagers"]["aces_up"]["rows"]}
    assert rows == {"four_of_a_kind": "50 to 1", "pair_of_aces": "push", "all_others": "loss"}
    path.write_text('table = "aces_up"\n[pays]\nfive_of_a_kind = 50\n', encoding="utf-8")
    output = croupier("analyze", "pa-641a", "--paytable", path)
    assert output.code == 2
    assert f"{path}, pays.five_of_a_kind: " in output.err


def test_csv_has_a_line_for_each_wager_and_letter(croupier: Callable[..., CliResult]) -> None:
    output = croupier("analyze", "pa-683a", "--all", "--csv")
    lines = list(csv.DictReader(io.StringIO(output.out)))
    assert output.code == 0
    assert [(line["wager"], line["table"]) for line in lines][:4] == [
        ("ante", "A"), ("ante", "B"), ("ante", "C"), ("pocket_bonus", "A"),
    ]  # fmt: skip
    assert all(exact(line["house_edge"]) for line in lines)


def test_analyze_prints_a_table(croupier: Callable[..., CliResult]) -> None:
    output = croupier("analyze", "pa-679a")
    assert output.code == 0
    assert "Pair Bonus" in output.out
    assert "4.5155 %" in output.out


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
    run_json: JsonRunner, arguments: tuple[str, ...], choices: list[str]
) -> None:
    advice = run_json("strategy", *arguments)
    assert list(advice) == ["best", "ev"]
    assert list(advice["ev"]) == choices
    values = {choice: exact(value["exact"]) for choice, value in advice["ev"].items()}
    for choice, value in advice["ev"].items():
        assert value["float"] == pytest.approx(float(values[choice]))
    assert values[advice["best"]] == max(values.values())


def test_a_fold_loses_the_stake(run_json: JsonRunner) -> None:
    assert run_json("strategy", *STRATEGIES[3][0])["ev"]["fold"]["exact"] == "-1/1"
    assert run_json("strategy", *STRATEGIES[6][0])["ev"]["fold"]["exact"] == "-5/1"


def test_679a_11_the_least_hand_to_play(run_json: JsonRunner) -> None:
    assert run_json("strategy", "pa-679a", "--hand", "As 3d 2h")["best"] == "play"
    assert run_json("strategy", "pa-679a", "--hand", "4s 3d 2d", "--elect", "bad_beat_bonus=A")["best"] == "play"
    assert run_json("strategy", "pa-679a", "--hand", "5s 3d 2h")["best"] == "fold"


def test_strategy_text_marks_the_best_choice(croupier: Callable[..., CliResult]) -> None:
    output = croupier("strategy", "pa-679a", "--hand", "As Ad 4h")
    assert output.code == 0
    assert "best" in output.out.splitlines()[0]
    assert "costs" in output.out.splitlines()[1]


def test_the_card_of_a_board_game(run_json: JsonRunner, croupier: Callable[..., CliResult]) -> None:
    card = run_json("strategy", "pa-683a", "--card")
    best = exact(run_json("analyze", "pa-683a")["wagers"]["ante"]["house_edge"])
    assert exact(card["house_edge"]) - exact(card["cost"]) == best
    assert [street["cards_known"] for street in card["streets"]] == [2, 3, 4]
    assert len(card["first_street"]) == 169
    assert all(exact(s["house_edge"]) - exact(s["cost"]) == best for s in card["simple_strategies"])
    out = croupier("strategy", "pa-683a", "--card").out
    for street in card["streets"]:
        for line in street["lines"]:
            assert f"  {line['choice']} with {line['any_of'][0]}" in out
    assert f"exactly {card['cost']} of an Ante" in " ".join(out.split())
    letters = ["10" if letter == "T" else letter for letter in "AKQJT98765432"]
    grid = [line.split() for line in out.splitlines()[-13:]]
    assert [row[0] for row in grid] == letters
    marks = {"3x": "3", "2x": "2", "1x": "1", "fold": "."}
    assert grid[letters.index("6")][1 + letters.index("5")] == marks[card["first_street"]["65s"]["best"]]
    assert grid[letters.index("5")][1 + letters.index("6")] == marks[card["first_street"]["65o"]["best"]]
    assert marks[card["first_street"]["65s"]["best"]] != marks[card["first_street"]["65o"]["best"]]


# Bad input

HAND = ("--hand", "As Kd 9h 5c 2s")
BAD_INPUT = [
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
    (("analyze", "md-4cp", "--elect", "envy=B"), "(12.E(2))"),
    (("analyze", "pa-641a", "--covariances", "--compare", "aces_up"), "--covariances: cannot be combined"),
    (("analyze", "pa-641a", "--published", "--covariances"), "--published: cannot be combined"),
    (("analyze", "pa-641a", "--all", "--compare", "aces_up"), "every table already"),
    (("analyze", "pa-641a", "--csv", "--json"), "--csv: cannot be combined with --json"),
    (("analyze", "pa-683a", "--published", "--elect", "ante=B"), "--published"),
    (("analyze", "pa-641a", "--pay", "aces_up.nothing=5"), "nothing"),
    (("analyze", "pa-641a", "--pay", "aces_up.flush=many"), "many"),
    (("analyze", "pa-641a", "--pay", "aces_up.flush=5", "--all"), "--all"),
    (("analyze", "pa-641a", "--compare", "ante"), "--compare"),
    (("hand", "As"), "2 to 6 cards, not 1"),
    (("strategy", "pa-683a", "--hand", "As"), "2 cards, not 1"),
    (("strategy", "pa-683a", "--card", "--hand", "As Kd"), "--hand: cannot be combined with --card"),
    (("strategy", "pa-641a", "--card", "--up", "As"), "--up: cannot be combined with --card"),
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
    (("strategy", "pa-641a", *HAND, "--up", "As"), "--up: the card As cannot be face up: it is in the hand"),
    (("strategy", "pa-641a", *HAND, "--up", "Xs"), "Xs"),
    (("strategy", "pa-641a", *HAND, "--up", "Ks Qs"), "--up"),
    (("strategy", "pa-641a", *HAND, "--up", ""), "--up"),
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
    (
        ("strategy", "pa-683a", "--hand", "As Kd", "--board", "As", "--raised", "1x"),
        "--board: the card As cannot be on the board",
    ),
]


@pytest.mark.parametrize(
    ("arguments", "fragment"), BAD_INPUT, ids=lambda part: " ".join(part) if isinstance(part, tuple) else ""
)
def test_bad_input_gets_one_sentence_and_exit_code_2(
    croupier: Callable[..., CliResult], arguments: tuple[str, ...], fragment: str
) -> None:
    output = croupier(*arguments)
    assert output.code == 2
    assert output.out == ""
    (sentence,) = output.err.splitlines()
    assert sentence.startswith(f"croupier {arguments[0]}: ")
    assert fragment in sentence


def test_the_console_script_behaves_alike() -> None:
    output = run_script("analyze", "pa-679a", "--json")
    assert (output.code, output.err) == (0, "")
    assert json.loads(output.out)["edition"] == "pa-679a"
    output = run_script("strategy", "pa-679a", "--hand", "As As Kd")
    assert output.code == 2
    assert len(output.err.splitlines()) == 1
