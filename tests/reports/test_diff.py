"""`croupier diff` lists every difference and nothing else."""

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
from tests.cli.command_runner import CliResult, run_in_process
from tests.reports.papers import submission_file, submission_text


@pytest.fixture
def croupier(capsys: pytest.CaptureFixture[str]) -> Callable[..., CliResult]:
    return partial(run_in_process, capsys)


def test_the_proposal_and_the_final_text_differ_in_wording_only(croupier: Callable[..., CliResult]) -> None:
    data = json.loads(croupier("diff", "pa-682a-proposed", "pa-682a", "--json").out)
    assert data["house_edges"] == []
    assert {change["what"].split(".")[0] for change in data["changes"]} == {"clauses"}
    assert "clauses.682a.6(e)(5)" in {change["what"] for change in data["changes"]}
    assert "All house edges are the same." in croupier("diff", "pa-682a-proposed", "pa-682a").out


def test_diff_of_two_editions_of_a_game(croupier: Callable[..., CliResult]) -> None:
    data = json.loads(croupier("diff", "pa-641a", "md-4cp", "--json").out)
    changes = {change["what"]: (change["first"], change["second"]) for change in data["changes"]}
    assert changes["wagers.bad_beat"][1] == ""
    assert changes["wagers.progressive"][0] == ""
    edges = {(edge["wager"], edge["table"]): (edge["first"], edge["second"]) for edge in data["house_edges"]}
    exact = [analyze_wager(edition(name).elect(), "six_card_bonus", "A").house_edge for name in ("pa-641a", "md-4cp")]
    assert edges["six_card_bonus", "A"] == tuple(map(ratio, exact))
    assert exact[0] != exact[1]
    assert "aces_up" not in {wager for wager, _ in edges}, "the same tables on both sides"


def test_diff_of_two_submissions(tmp_path: Path, croupier: Callable[..., CliResult]) -> None:
    first, second = submission_file(tmp_path, "pa-679a"), tmp_path / "second.toml"
    text = submission_text("pa-679a")
    changed = text.replace('pair_bonus = "A"', 'pair_bonus = "B"').replace('maximum = "500.00"', 'maximum = "300.00"')
    second.write_text(changed, encoding="utf-8")
    data = json.loads(croupier("diff", first, second, "--json").out)
    changes = {change["what"]: (change["first"], change["second"]) for change in data["changes"]}
    assert changes["choices.pair_bonus"] == ("A", "B")
    assert changes["submission.wagers.ante.maximum"] == ("50000", "30000")
    elected = edition("pa-679a").elect()
    tables = [elected.paytable_with_letter("pair_bonus", letter) for letter in "AB"]
    pays = [{row.hand: str(row.pays) for row in table.rows} for table in tables]
    hands = {hand for hand in pays[0].keys() | pays[1].keys() if pays[0].get(hand) != pays[1].get(hand)}
    assert {key for key in changes if key.startswith("paytables.")} == {
        f"paytables.pair_bonus.{hand}" for hand in hands
    }
    edges = {edge["wager"]: (edge["first"], edge["second"]) for edge in data["house_edges"]}
    assert edges["pair_bonus"] == tuple(
        ratio(analyze_wager(elected, "pair_bonus", letter).house_edge) for letter in "AB"
    )
    assert croupier("diff", first, first).out == "There are no differences.\n"


def test_the_effects_of_single_rows_add_up(croupier: Callable[..., CliResult]) -> None:
    """For a wager paid by a table, each row adds its probability times the change in pay; the parts add up."""
    data = json.loads(croupier("diff", "pa-641a", "md-4cp", "--json").out)
    (edge,) = [e for e in data["house_edges"] if (e["wager"], e["table"]) == ("six_card_bonus", "A")]
    first = analyze_wager(edition("pa-641a").elect(), "six_card_bonus", "A")
    combinations = {row.hand: row.combinations for row in first.rows}  # type: ignore[union-attr]
    pays = [
        {row.hand: str(row.pays) for row in edition(name).elect().paytable_with_letter("six_card_bonus", "A").rows}
        for name in ("pa-641a", "md-4cp")
    ]
    effects = {effect["what"].split(".")[-1]: effect for effect in edge["effects"]}
    assert set(effects) == {hand for hand in pays[0].keys() | pays[1].keys() if pays[0].get(hand) != pays[1].get(hand)}
    for hand in ("full_house", "flush"):
        reduction = int(pays[0][hand].split()[0]) - int(pays[1][hand].split()[0])
        assert Fraction(effects[hand]["difference"]) == Fraction(reduction * combinations[hand], first.combinations)
    parts = sum(Fraction(effect["difference"]) for effect in effects.values())
    assert parts == Fraction(edge["difference"]) == Fraction(edge["second"]) - Fraction(edge["first"])
    assert edge["beyond_the_parts"] == "0/1"
    text = croupier("diff", "pa-641a", "md-4cp").out
    assert f"{edge['effects'][0]['difference_percent']:+.4f} %" in text


def test_effects_on_required_wagers_assume_optimal_play(tmp_path: Path, croupier: Callable[..., CliResult]) -> None:
    """The effect of one Bad Beat row equals an analysis with only that row changed, under optimal play."""
    first, second = submission_file(tmp_path, "pa-682a"), tmp_path / "second.toml"
    text = submission_text("pa-682a")
    second.write_text(text.replace('bad_beat_bonus = "A"', 'bad_beat_bonus = "D"'), encoding="utf-8")
    (edge,) = json.loads(croupier("diff", first, second, "--json").out)["house_edges"]
    elected = edition("pa-682a").elect()
    tables = [elected.paytable_with_letter("bad_beat_bonus", letter) for letter in "AD"]
    second_pays = {row.hand: row.pays for row in tables[1].rows}
    for effect in edge["effects"]:
        hand = effect["what"].split(".")[-1]
        changed = elected.with_paytable(tables[0].with_pays({hand: second_pays[hand]}))
        assert effect["house_edge"] == ratio(analyze_wager(changed, "ante").house_edge)
    assert len(edge["effects"]) == len(second_pays)
    interaction = Fraction(edge["difference"]) - sum(Fraction(effect["difference"]) for effect in edge["effects"])
    assert Fraction(edge["beyond_the_parts"]) == interaction


def test_a_reading_has_a_single_effect(tmp_path: Path, croupier: Callable[..., CliResult]) -> None:
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
def test_incomparable_editions_are_refused(pair: tuple[str, str], croupier: Callable[..., CliResult]) -> None:
    result = croupier("diff", *pair)
    assert (result.code, result.out) == (2, "")
