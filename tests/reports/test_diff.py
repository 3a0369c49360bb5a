"""`croupier diff`: everything that differs, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

from croupier.analysis.house_edges import analyze_wager
from croupier.analysis.results import ratio
from croupier.regulations import edition
from tests.cli.command_runner import Ran, in_process
from tests.reports.papers import submission_file, submission_text


@pytest.fixture
def croupier(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    return partial(in_process, capsys)


def test_the_proposal_and_the_final_text_differ_in_words_only(croupier: Callable[..., Ran]) -> None:
    data = json.loads(croupier("diff", "pa-682a-proposed", "pa-682a", "--json").out)
    assert data["house_edges"] == []
    assert {change["what"].split(".")[0] for change in data["changes"]} == {"clauses"}
    assert "clauses.682a.6(e)(5)" in {change["what"] for change in data["changes"]}
    assert "No house edge differs." in croupier("diff", "pa-682a-proposed", "pa-682a").out


def test_two_editions_of_one_game(croupier: Callable[..., Ran]) -> None:
    data = json.loads(croupier("diff", "pa-641a", "md-4cp", "--json").out)
    changed = {change["what"]: (change["first"], change["second"]) for change in data["changes"]}
    assert changed["wagers.bad_beat"][1] == ""
    assert changed["wagers.progressive"][0] == ""
    edges = {(edge["wager"], edge["table"]): (edge["first"], edge["second"]) for edge in data["house_edges"]}
    own = [analyze_wager(edition(name).elect(), "six_card_bonus", "A").house_edge for name in ("pa-641a", "md-4cp")]
    assert edges["six_card_bonus", "A"] == tuple(map(ratio, own))
    assert own[0] != own[1]
    assert "aces_up" not in {wager for wager, _ in edges}, "the same tables on both sides"


def test_two_submissions(tmp_path: Path, croupier: Callable[..., Ran]) -> None:
    first, second = submission_file(tmp_path, "pa-679a"), tmp_path / "second.toml"
    text = submission_text("pa-679a")
    changed = text.replace('pair_bonus = "A"', 'pair_bonus = "B"').replace('maximum = "500.00"', 'maximum = "300.00"')
    second.write_text(changed, encoding="utf-8")
    data = json.loads(croupier("diff", first, second, "--json").out)
    document = {change["what"]: (change["first"], change["second"]) for change in data["changes"]}
    assert document["choices.pair_bonus"] == ("A", "B")
    assert document["submission.wagers.ante.maximum"] == ("50000", "30000")
    elected = edition("pa-679a").elect()
    tables = [elected.paytable_with_letter("pair_bonus", letter) for letter in "AB"]
    pays = [{row.hand: str(row.pays) for row in table.rows} for table in tables]
    hands = {hand for hand in pays[0].keys() | pays[1].keys() if pays[0].get(hand) != pays[1].get(hand)}
    assert {key for key in document if key.startswith("paytables.")} == {
        f"paytables.pair_bonus.{hand}" for hand in hands
    }
    edges = {edge["wager"]: (edge["first"], edge["second"]) for edge in data["house_edges"]}
    assert edges["pair_bonus"] == tuple(
        ratio(analyze_wager(elected, "pair_bonus", letter).house_edge) for letter in "AB"
    )
    assert croupier("diff", first, first).out == "Nothing differs.\n"


def test_each_row_alone_and_all_together(croupier: Callable[..., Ran]) -> None:
    """A wager paid by a table alone: what a row adds is its chance times what it pays less, and the parts add up."""
    data = json.loads(croupier("diff", "pa-641a", "md-4cp", "--json").out)
    (edge,) = [e for e in data["house_edges"] if (e["wager"], e["table"]) == ("six_card_bonus", "A")]
    ours = analyze_wager(edition("pa-641a").elect(), "six_card_bonus", "A")
    combinations = {row.hand: row.combinations for row in ours.rows}  # type: ignore[union-attr]
    pays = [
        {row.hand: str(row.pays) for row in edition(name).elect().paytable_with_letter("six_card_bonus", "A").rows}
        for name in ("pa-641a", "md-4cp")
    ]
    effects = {effect["what"].split(".")[-1]: effect for effect in edge["effects"]}
    assert set(effects) == {hand for hand in pays[0].keys() | pays[1].keys() if pays[0].get(hand) != pays[1].get(hand)}
    for hand in ("full_house", "flush"):
        less = int(pays[0][hand].split()[0]) - int(pays[1][hand].split()[0])
        assert Fraction(effects[hand]["difference"]) == Fraction(less * combinations[hand], ours.combinations)
    parts = sum(Fraction(effect["difference"]) for effect in effects.values())
    assert parts == Fraction(edge["difference"]) == Fraction(edge["second"]) - Fraction(edge["first"])
    assert edge["beyond_the_parts"] == "0/1"
    text = croupier("diff", "pa-641a", "md-4cp").out
    assert f"{edge['effects'][0]['difference_percent']:+.4f} %" in text


def test_rows_of_required_wagers_change_how_one_plays(tmp_path: Path, croupier: Callable[..., Ran]) -> None:
    """Each Bad Beat row alone is the analysis of the table with that row, under the play that is best for it."""
    first, second = submission_file(tmp_path, "pa-682a"), tmp_path / "second.toml"
    text = submission_text("pa-682a")
    second.write_text(text.replace('bad_beat_bonus = "A"', 'bad_beat_bonus = "D"'), encoding="utf-8")
    (edge,) = json.loads(croupier("diff", first, second, "--json").out)["house_edges"]
    elected = edition("pa-682a").elect()
    tables = [elected.paytable_with_letter("bad_beat_bonus", letter) for letter in "AD"]
    theirs = {row.hand: row.pays for row in tables[1].rows}
    for effect in edge["effects"]:
        hand = effect["what"].split(".")[-1]
        changed = elected.with_paytable(tables[0].with_pays({hand: theirs[hand]}))
        assert effect["house_edge"] == ratio(analyze_wager(changed, "ante").house_edge)
    assert len(edge["effects"]) == len(theirs)
    beyond = Fraction(edge["difference"]) - sum(Fraction(effect["difference"]) for effect in edge["effects"])
    assert Fraction(edge["beyond_the_parts"]) == beyond


def test_a_reading_is_one_difference(tmp_path: Path, croupier: Callable[..., Ran]) -> None:
    first, second = submission_file(tmp_path, "pa-682a"), tmp_path / "second.toml"
    text = submission_text("pa-682a")
    changed = text.replace('aces_bonus_hands = "five_card"', 'aces_bonus_hands = "four_card"')
    assert changed != text
    second.write_text(changed, encoding="utf-8")
    (edge,) = json.loads(croupier("diff", first, second, "--json").out)["house_edges"]
    (effect,) = edge["effects"]
    assert effect["what"] == "choices.aces_bonus_hands"
    assert effect["difference"] == edge["difference"]


@pytest.mark.parametrize("pair", [("pa-641a", "pa-683a"), ("pa-641a", "nothing")])
def test_what_cannot_be_compared_is_refused(pair: tuple[str, str], croupier: Callable[..., Ran]) -> None:
    ran = croupier("diff", *pair)
    assert (ran.code, ran.out) == (2, "")
