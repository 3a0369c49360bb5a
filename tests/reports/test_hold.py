"""`croupier hold`: totals and records beside the exact edges."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import sqrt
from pathlib import Path

import pytest

from croupier.maths.analysis import analyse_wager
from croupier.maths.results import ratio
from croupier.rules import edition
from tests.cli.running import Ran, in_process

EDITION = "pa-679a"
HANDS, BET = 10_000, 10
EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "bad_beat.toml"


@pytest.fixture
def croupier(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    return partial(in_process, capsys)


def totals(folder: Path, hold: float) -> Path:
    file = folder / "totals.csv"
    won = f"{hold * HANDS * BET:.2f}"
    file.write_text(f"wager,hands,wagered,won\nprime,{HANDS},{HANDS * BET}.00,{won}\n", encoding="utf-8")
    return file


@pytest.mark.parametrize(("deviations", "verdict"), [(0.0, "within"), (1.9, "within"), (2.1, "above"), (-2.1, "below")])
def test_the_interval_is_that_of_the_exact_variance(
    deviations: float, verdict: str, tmp_path: Path, croupier: Callable[..., Ran]
) -> None:
    """19 of 20 normal results lie within 1.96 standard deviations of the mean of so many hands."""
    exact = analyse_wager(edition(EDITION).elect(), "prime")
    error = sqrt(float(exact.variance) / HANDS)
    file = totals(tmp_path, float(exact.house_edge) + deviations * error)
    ran = croupier("hold", file, "--edition", EDITION, "--json")
    (entry,) = json.loads(ran.out)["wagers"]
    assert ran.code == (verdict != "within")
    assert entry["verdict"] == verdict
    assert entry["theoretical"] == ratio(exact.house_edge)
    assert entry["z"] == pytest.approx(deviations, abs=0.01)
    assert entry["to_percent"] - entry["from_percent"] == pytest.approx(200 * 1.959964 * error, rel=1e-6)
    assert bool(entry["explanations"]) == (verdict != "within")


def test_a_record_counts_what_was_settled(tmp_path: Path, croupier: Callable[..., Ran]) -> None:
    """The example: an Ante of $10 folded, one of $25 that pushes while its Raise of $75 loses and a bonus pays $125."""
    record = tmp_path / "record.jsonl"
    assert croupier("settle", EXAMPLE, "--record", record).code == 0
    entries = {entry["wager"]: entry for entry in json.loads(croupier("hold", record, "--json").out)["wagers"]}
    ante = entries["ante"]
    assert (ante["hands"], ante["wagered_cents"], ante["won_cents"]) == (2, 3500, 1000 + 7500 - 12500)
    assert Fraction(ante["hold"]) == Fraction(-4000, 3500)
    assert (entries["prime"]["wagered_cents"], entries["prime"]["won_cents"]) == (500, 500)
    assert (entries["all_six"]["wagered_cents"], entries["all_six"]["won_cents"]) == (500, -2500)
    assert "few" in entries["all_six"]["explanations"][0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "wager,hands\nprime,1\n",
        "wager,hands,wagered,won\nnothing,1,1.00,1.00\n",
        "wager,hands,wagered,won\nprime,0,1.00,1.00\n",
        "wager,hands,wagered,won\nprime,1,0.00,1.00\n",
        "wager,hands,wagered,won\nprime,1,1.00,much\n",
        "wager,hands,wagered,won\nprime,1,1.00,1.00\nprime,1,1.00,1.00\n",
    ],
)
def test_bad_totals_are_refused(text: str, tmp_path: Path, croupier: Callable[..., Ran]) -> None:
    file = tmp_path / "totals.csv"
    file.write_text(text, encoding="utf-8")
    ran = croupier("hold", file, "--edition", EDITION)
    assert (ran.code, ran.out) == (2, "")
    assert str(file) in ran.err
