"""Rulings and errata."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from croupier.core.money import format_signed_money
from croupier.regulations import readings
from tests.cli.command_runner import CliResult, run_in_process
from tests.reports.papers import pages_in

ROOT = Path(__file__).parent.parent.parent
EXPOSED_CARD = ROOT / "tests" / "golden" / "pa-682a" / "exposed-before-decisions.toml"
ROUNDS = (EXPOSED_CARD, ROOT / "examples" / "two_jackpots.toml", ROOT / "examples" / "bad_beat.toml")


@pytest.fixture
def croupier(capsys: pytest.CaptureFixture[str]) -> Callable[..., CliResult]:
    return partial(run_in_process, capsys)


@pytest.mark.parametrize("scenario", ROUNDS, ids=lambda path: path.stem)
def test_a_ruling_is_one_page_and_agrees_with_settle(
    scenario: Path, tmp_path: Path, croupier: Callable[..., CliResult]
) -> None:
    settlement = json.loads(croupier("settle", scenario, "--json").out)
    pdf = tmp_path / "ruling.pdf"
    assert croupier("ruling", scenario, "--pdf", pdf).code == 0
    pages = pages_in(pdf)
    assert len(pages) == 1
    for seat in settlement["seats"]:
        assert format_signed_money(seat["net_cents"]) in pages[0]
    for seat in json.loads(croupier("ruling", scenario, "--json").out)["seats"]:
        assert all("(" in reason for reason in seat["reasons"]), "every reason has its clause"


def test_a_ruling_names_the_irregularity(croupier: Callable[..., CliResult]) -> None:
    data = json.loads(croupier("ruling", EXPOSED_CARD, "--json").out)
    assert data["wrong"] == ["dealer card exposed"]
    assert any("682a.13(d)" in step for step in data["steps"])
    text = croupier("ruling", EXPOSED_CARD).out
    assert "682a.13(d)" in text
    for seat in data["seats"]:
        assert f"Seat {seat['seat']} in total: {format_signed_money(seat['net_cents'])}" in text


@pytest.mark.parametrize("name", ["pa-679a", pytest.param("md-4cp", marks=pytest.mark.slow)])
def test_errata_list_every_reading(name: str, tmp_path: Path, croupier: Callable[..., CliResult]) -> None:
    pdf = tmp_path / "errata.pdf"
    assert croupier("errata", name, "--pdf", pdf).code == 0
    text = " ".join(pages_in(pdf))
    for reading in readings().values():
        assert (f"{reading.number} " in text) == (name in reading.editions)


def test_errata_compare_published_figures(croupier: Callable[..., CliResult]) -> None:
    published = json.loads(croupier("analyze", "pa-683a", "--published", "--json").out)
    data = json.loads(croupier("errata", "pa-683a", "--json").out)
    assert [{key: line[key] for key in published[0]} for line in data["published"]] == published
    for line in data["published"]:
        assert all(f"{reading} = " in line["verdict"] for reading in line["readings"])
    assert any(line["readings"] for line in data["published"])


def test_641a_2_b_3_a_ruling_on_both_progressives_is_refused_unless_both_are_elected(
    tmp_path: Path, croupier: Callable[..., CliResult]
) -> None:
    """Reading AMB-37, as in `settle`."""
    scenario = tmp_path / "round.toml"
    text = """edition = "pa-641a"
deck = "As Kd Qh Jc 9s"
[elections]
[[seats]]
seat = 1
wagers = { ante = "10.00", four_card_progressive = "1.00", five_card_progressive = "1.00" }
decisions = ["1x"]
"""
    scenario.write_text(text, encoding="utf-8")
    for command in ("ruling", "settle"):
        refused = croupier(command, scenario)
        assert (refused.code, "641a.2(b)(3)" in refused.err) == (2, True), refused.err
    elected = '[elections]\nprogressives_at_one_table = "both"\n'
    scenario.write_text(text.replace("[elections]\n", elected), encoding="utf-8")
    assert croupier("ruling", scenario).code == 0
