"""`croupier diff`: everything that differs, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from croupier.maths.analysis import analyse_wager
from croupier.maths.results import ratio
from croupier.rules import edition
from tests.cli.running import Ran, in_process
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
    own = [analyse_wager(edition(name).elect(), "six_card_bonus", "A").house_edge for name in ("pa-641a", "md-4cp")]
    assert edges["six_card_bonus", "A"] == tuple(map(ratio, own))
    assert own[0] != own[1]
    assert "aces_up" not in {wager for wager, _ in edges}, "the same tables on both sides"


def test_two_submissions(tmp_path: Path, croupier: Callable[..., Ran]) -> None:
    first, second = submission_file(tmp_path, "pa-679a"), tmp_path / "second.toml"
    text = submission_text("pa-679a")
    changed = text.replace('pair_bonus = "A"', 'pair_bonus = "B"').replace('maximum = "500.00"', 'maximum = "300.00"')
    second.write_text(changed, encoding="utf-8")
    data = json.loads(croupier("diff", first, second, "--json").out)
    found = {change["what"]: (change["first"], change["second"]) for change in data["changes"]}
    assert found["choices.pair_bonus"] == ("A", "B")
    assert found["submission.wagers.ante.maximum"] == ("50000", "30000")
    elected = edition("pa-679a").elect()
    tables = [elected.paytable_with_letter("pair_bonus", letter) for letter in "AB"]
    pays = [{row.hand: str(row.pays) for row in table.rows} for table in tables]
    hands = {hand for hand in pays[0].keys() | pays[1].keys() if pays[0].get(hand) != pays[1].get(hand)}
    assert {what for what in found if what.startswith("paytables.")} == {
        f"paytables.pair_bonus.{hand}" for hand in hands
    }
    edges = {edge["wager"]: (edge["first"], edge["second"]) for edge in data["house_edges"]}
    assert edges["pair_bonus"] == tuple(
        ratio(analyse_wager(elected, "pair_bonus", letter).house_edge) for letter in "AB"
    )
    assert croupier("diff", first, first).out == "Nothing differs.\n"


@pytest.mark.parametrize("pair", [("pa-641a", "pa-683a"), ("pa-641a", "nothing")])
def test_what_cannot_be_compared_is_refused(pair: tuple[str, str], croupier: Callable[..., Ran]) -> None:
    ran = croupier("diff", *pair)
    assert (ran.code, ran.out) == (2, "")
