"""`croupier hold` compares totals and records with the exact edges."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from math import sqrt
from pathlib import Path

import pytest

from croupier.analysis.house_edges import analyze_wager
from croupier.analysis.results import ratio
from croupier.regulations import edition
from croupier.scenarios import play_scenario, read_scenario
from croupier.table import Actor, Role
from croupier.table.model import commands as c
from croupier.table.record.file import RecordWriter
from tests.cli.command_runner import CliResult, run_in_process

EDITION = "pa-679a"
HANDS, BET = 10_000, 10
EXAMPLE = Path(__file__).parents[2] / "examples" / "bad_beat.toml"
GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture
def croupier(capsys: pytest.CaptureFixture[str]) -> Callable[..., CliResult]:
    return partial(run_in_process, capsys)


def write_totals(folder: Path, hold: float) -> Path:
    file = folder / "totals.csv"
    won = f"{hold * HANDS * BET:.2f}"
    file.write_text(f"wager,hands,wagered,won\nprime,{HANDS},{HANDS * BET}.00,{won}\n", encoding="utf-8")
    return file


@pytest.mark.parametrize(("deviations", "verdict"), [(0.0, "within"), (1.9, "within"), (2.1, "above"), (-2.1, "below")])
def test_the_interval_follows_from_the_exact_variance(
    deviations: float, verdict: str, tmp_path: Path, croupier: Callable[..., CliResult]
) -> None:
    """95 % of normal results are within 1.96 standard errors of the mean."""
    exact = analyze_wager(edition(EDITION).elect(), "prime")
    error = sqrt(float(exact.variance) / HANDS)
    file = write_totals(tmp_path, float(exact.house_edge) + deviations * error)
    result = croupier("hold", file, "--edition", EDITION, "--json")
    (entry,) = json.loads(result.out)["wagers"]
    assert result.code == (verdict != "within")
    assert entry["verdict"] == verdict
    assert entry["theoretical"] == ratio(exact.house_edge)
    assert entry["z"] == pytest.approx(deviations, abs=0.01)
    assert entry["to_percent"] - entry["from_percent"] == pytest.approx(200 * 1.959964 * error, rel=1e-6)
    assert bool(entry["explanations"]) == (verdict != "within")


def test_a_record_counts_settled_wagers(tmp_path: Path, croupier: Callable[..., CliResult]) -> None:
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


def write_record(folder: Path, scenario: Path, *corrections: c.Command) -> Path:
    """Writes the record of a completed round with later corrections."""
    session = play_scenario(read_scenario(scenario))
    session.send(c.RackCards(by=Actor("dealer", Role.DEALER), at=0))
    for correction in corrections:
        session.send(correction)
    path = folder / "record.jsonl"
    with path.open("w", encoding="utf-8") as file:
        RecordWriter(file, session.table.setup).append(session.events)
    return path


def test_a_correction_changes_the_hold(tmp_path: Path, croupier: Callable[..., CliResult]) -> None:
    """The Bad Beat Bonus of $125 becomes $75, so the house wins $50 more from the Ante."""
    correction = c.CorrectPayment(
        by=Actor("floor", Role.FLOORPERSON),
        at=0,
        round=1,
        seat=2,
        wager="bad_beat_bonus",
        old_returned=0,
        old_paid=12500,
        returned=0,
        paid=7500,
        approved_by=Actor("manager", Role.SHIFT_MANAGER),
        reason="table A was paid by mistake",
    )
    entries = {
        kind: json.loads(croupier("hold", write_record(tmp_path, EXAMPLE, *corrections), "--json").out)["wagers"]
        for kind, corrections in (("as paid", ()), ("corrected", (correction,)))
    }
    won = {kind: {entry["wager"]: entry["won_cents"] for entry in totals} for kind, totals in entries.items()}
    assert won["corrected"] == {**won["as paid"], "ante": won["as paid"]["ante"] + 5000}


def test_returned_wagers_do_not_count(tmp_path: Path, croupier: Callable[..., CliResult]) -> None:
    """After an exposed card the Antes are returned and do not count; optional wagers are settled and count."""
    scenario = GOLDEN / "pa-682a" / "exposed-before-decisions.toml"
    wagers = {name for plan in read_scenario(scenario).seats for name in plan.wagers}
    totals = json.loads(croupier("hold", write_record(tmp_path, scenario), "--json").out)["wagers"]
    assert {entry["wager"] for entry in totals} == wagers - {"ante"}


def test_a_record_of_void_rounds_has_no_hold(tmp_path: Path, croupier: Callable[..., CliResult]) -> None:
    result = croupier("hold", write_record(tmp_path, GOLDEN / "pa-682a" / "misdealt-before-decisions.toml"))
    assert (result.code, result.out) == (2, "")
    assert "has no settled wagers" in result.err


def test_a_wager_on_a_meter_is_not_judged(tmp_path: Path, croupier: Callable[..., CliResult]) -> None:
    file = tmp_path / "totals.csv"
    file.write_text("wager,hands,wagered,won\nprogressive,1000,1000.00,-90000.00\n", encoding="utf-8")
    result = croupier("hold", file, "--edition", "md-4cp", "--json")
    (entry,) = json.loads(result.out)["wagers"]
    assert (result.code, entry["verdict"], entry["p"]) == (0, "not judged", None)
    assert "meter" in croupier("hold", file, "--edition", "md-4cp").out


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
def test_bad_totals_are_refused(text: str, tmp_path: Path, croupier: Callable[..., CliResult]) -> None:
    file = tmp_path / "totals.csv"
    file.write_text(text, encoding="utf-8")
    result = croupier("hold", file, "--edition", EDITION)
    assert (result.code, result.out) == (2, "")
    assert str(file) in result.err
