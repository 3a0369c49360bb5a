"""Rulings and errata."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from croupier.core.money import format_signed_money
from croupier.regulations import EDITIONS, readings
from tests.cli.command_runner import Ran, in_process
from tests.reports.papers import pages_in

HERE = Path(__file__).parent.parent.parent
WRONG = HERE / "tests" / "golden" / "pa-682a" / "exposed-before-decisions.toml"
ROUNDS = (WRONG, HERE / "examples" / "two_jackpots.toml", HERE / "examples" / "bad_beat.toml")


@pytest.fixture
def croupier(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    return partial(in_process, capsys)


@pytest.mark.parametrize("scenario", ROUNDS, ids=lambda path: path.stem)
def test_a_ruling_is_one_page_and_owes_what_settle_owes(
    scenario: Path, tmp_path: Path, croupier: Callable[..., Ran]
) -> None:
    settled = json.loads(croupier("settle", scenario, "--json").out)
    paper = tmp_path / "ruling.pdf"
    assert croupier("ruling", scenario, "--pdf", paper).code == 0
    pages = pages_in(paper)
    assert len(pages) == 1
    for seat in settled["seats"]:
        assert format_signed_money(seat["net_cents"]) in pages[0]
    for seat in json.loads(croupier("ruling", scenario, "--json").out)["seats"]:
        assert all("(" in reason for reason in seat["reasons"]), "every reason has its clause"


def test_a_ruling_says_what_went_wrong(croupier: Callable[..., Ran]) -> None:
    data = json.loads(croupier("ruling", WRONG, "--json").out)
    assert data["wrong"] == ["dealer card exposed"]
    assert any("682a.13(d)" in step for step in data["steps"])
    text = croupier("ruling", WRONG).out
    assert "682a.13(d)" in text
    for seat in data["seats"]:
        assert f"Seat {seat['seat']} in total: {format_signed_money(seat['net_cents'])}" in text


@pytest.mark.parametrize("name", [name for name in EDITIONS if name in ("pa-679a", "md-4cp")])
def test_errata_have_every_reading(name: str, tmp_path: Path, croupier: Callable[..., Ran]) -> None:
    paper = tmp_path / "errata.pdf"
    assert croupier("errata", name, "--pdf", paper).code == 0
    text = " ".join(pages_in(paper))
    for reading in readings().values():
        assert (f"{reading.number} " in text) == (name in reading.editions)


def test_errata_say_what_published_figures_say(croupier: Callable[..., Ran]) -> None:
    published = json.loads(croupier("analyze", "pa-683a", "--published", "--json").out)
    data = json.loads(croupier("errata", "pa-683a", "--json").out)
    assert [{key: line[key] for key in published[0]} for line in data["published"]] == published
    for line in data["published"]:
        assert all(f"{reading} = " in line["verdict"] for reading in line["readings"])
    assert any(line["readings"] for line in data["published"])
