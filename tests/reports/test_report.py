"""The mathematics report: its figures are those of `croupier analyze`, and a changed one is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from croupier.reports.documents import as_pdf, percent
from croupier.reports.mathematics import Check, mathematics
from croupier.reports.mathematics_page import report_html
from tests.cli.command_runner import Ran, in_process
from tests.reports.papers import APPROVED, pages_of, paper_of, submission_file

EDITION = "pa-679a"
ROUNDS = 20_000


@pytest.fixture
def croupier(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    return partial(in_process, capsys)


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return mathematics(paper_of(EDITION), Check(ROUNDS))


@pytest.fixture(scope="module")
def page(data: dict[str, Any]) -> str:
    return report_html(data)


def test_its_figures_are_those_of_analyze(data: dict[str, Any], croupier: Callable[..., Ran]) -> None:
    elected = [
        part for name, choice in data["identity"]["elections"].items() for part in ("--elect", f"{name}={choice}")
    ]
    analysed = json.loads(croupier("analyze", EDITION, *elected, "--json").out)
    assert data["identity"]["elections"] == analysed["elections"]
    assert data["wagers"] == {name: analysed["wagers"][name] for name in data["wagers"]}
    assert len(data["wagers"]) > 2
    together = json.loads(croupier("analyze", EDITION, *elected, "--covariances", "--json").out)
    pairs = [pair for pair in together["covariances"] if set(pair["wagers"]) <= set(data["wagers"])]
    assert data["covariances"] == pairs
    assert pairs
    assert data["strategy"] == json.loads(croupier("strategy", EDITION, *elected, "--card", "--json").out)
    published = croupier("analyze", EDITION, "--published", "--json")
    assert data["published"] == (json.loads(published.out) if published.code == 0 else [])


def test_the_paper_shows_them(data: dict[str, Any], page: str) -> None:
    pages = pages_of(as_pdf(page))
    whole = " ".join(pages).replace("\xa0", " ")
    for result in data["wagers"].values():
        for figure in (percent(result["house_edge"]), percent(result["hit_frequency"]), f"{result['combinations']:,}"):
            assert figure.replace("\xa0", " ") in whole
    assert data["identity"]["program"]["digest"][:40] in whole.replace(" ", "")
    for number, text in enumerate(pages, 1):
        assert f"Rules Submission version 1, approved {APPROVED.isoformat()}" in text
        assert f"page {number} of {len(pages)}" in text


def test_outcomes_add_up(data: dict[str, Any]) -> None:
    for result in data["wagers"].values():
        rows = result.get("rows") or result["net_results"]
        assert sum(row["combinations"] for row in rows) == result["combinations"]
        assert sum(row["return_float"] for row in rows) == pytest.approx(-result["house_edge_percent"] / 100)


def test_the_page_needs_nothing_else(page: str) -> None:
    assert "http" not in page.replace('xmlns="http://www.w3.org/2000/svg"', "")


def test_a_changed_figure_is_found(
    data: dict[str, Any], page: str, tmp_path: Path, croupier: Callable[..., Ran]
) -> None:
    """In the data each place is named; on the page, too, though its data are untouched."""
    changed = json.loads(json.dumps(data))
    changed["wagers"]["ante"]["house_edge"] = "1/30"
    changed["wagers"]["prime"]["rows"][0]["combinations"] += 1
    changed["bands"]["ante"][2]["to_percent"] += 0.01
    changed["simulation"]["wagers"]["ante"]["exact"]["p"] = 0.5
    changed["identity"]["program"]["digest"] = "0" * 64
    file = tmp_path / "changed.json"
    file.write_text(json.dumps(changed), encoding="utf-8")
    ran = croupier("verify-report", file, "--json")
    answer = json.loads(ran.out)
    assert ran.code == 1
    assert not answer["same_program"]
    assert {entry["place"] for entry in answer["differences"]} == {
        "wagers.ante.house_edge",
        "wagers.prime.rows[0].combinations",
        "bands.ante[2].to_percent",
        "simulation.wagers.ante.exact.p",
    }
    shown = percent(data["wagers"]["prime"]["house_edge"], 6)
    assert page.count(shown) == 1
    file = tmp_path / "changed.html"
    file.write_text(page.replace(shown, "1.000000\xa0%"), encoding="utf-8")
    ran = croupier("verify-report", file)
    assert ran.code == 1
    assert shown.replace("\xa0", " ") in ran.out.replace("\n  ", " ").replace("\xa0", " ")
    assert "1 differ" in ran.out


def test_a_true_report_agrees(tmp_path: Path, croupier: Callable[..., Ran]) -> None:
    submission = submission_file(tmp_path, EDITION)
    html, pdf, figures = (tmp_path / f"report.{kind}" for kind in ("html", "pdf", "json"))
    options = ("--html", html, "--pdf", pdf, "--json", figures, "--rounds", str(ROUNDS))
    assert croupier("report", submission, *options).code == 0
    assert pdf.read_bytes().startswith(b"%PDF")
    assert json.loads(figures.read_text(encoding="utf-8"))["simulation"]["rounds"] == ROUNDS
    ran = croupier("verify-report", html)
    assert (ran.code, ran.err) == (0, "")
    assert "all agree" in " ".join(ran.out.split())


@pytest.mark.parametrize("text", ["", "[]", "{}", "<p>no data</p>", '{"kind": "croupier mathematics report"}'])
def test_what_is_no_report_is_refused(text: str, tmp_path: Path, croupier: Callable[..., Ran]) -> None:
    file = tmp_path / "report"
    file.write_text(text, encoding="utf-8")
    ran = croupier("verify-report", file)
    assert (ran.code, ran.out) == (2, "")
    assert str(file) in ran.err


def test_a_submission_that_is_not_valid_is_refused(tmp_path: Path, croupier: Callable[..., Ran]) -> None:
    file = tmp_path / "bad.toml"
    file.write_text('edition = "pa-679a"\nversion = "1"\n', encoding="utf-8")
    ran = croupier("report", file)
    assert (ran.code, ran.out) == (2, "")
    assert list(tmp_path.iterdir()) == [file]
