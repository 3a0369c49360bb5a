"""The mathematics report has the figures of `croupier analyze`, and changed figures are detected."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from croupier.reports.documents import format_percent, render_pdf
from croupier.reports.mathematics import SimulationCheck, report_data
from croupier.reports.mathematics_page import report_html
from tests.cli.command_runner import CliResult, run_in_process
from tests.reports.papers import APPROVED, document_subject, pages_of, submission_file

EDITION = "pa-679a"
ROUNDS = 20_000


@pytest.fixture
def croupier(capsys: pytest.CaptureFixture[str]) -> Callable[..., CliResult]:
    return partial(run_in_process, capsys)


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return report_data(document_subject(EDITION), SimulationCheck(ROUNDS))


@pytest.fixture(scope="module")
def page(data: dict[str, Any]) -> str:
    return report_html(data)


def test_the_figures_equal_those_of_analyze(data: dict[str, Any], croupier: Callable[..., CliResult]) -> None:
    options = [
        part for name, choice in data["identity"]["elections"].items() for part in ("--elect", f"{name}={choice}")
    ]
    analysis = json.loads(croupier("analyze", EDITION, *options, "--json").out)
    assert data["identity"]["elections"] == analysis["elections"]
    assert data["wagers"] == {name: analysis["wagers"][name] for name in data["wagers"]}
    assert len(data["wagers"]) > 2
    joint = json.loads(croupier("analyze", EDITION, *options, "--covariances", "--json").out)
    pairs = [pair for pair in joint["covariances"] if set(pair["wagers"]) <= set(data["wagers"])]
    assert data["covariances"] == pairs
    assert pairs
    assert data["strategy"] == json.loads(croupier("strategy", EDITION, *options, "--card", "--json").out)
    published = croupier("analyze", EDITION, "--published", "--json")
    assert data["published"] == (json.loads(published.out) if published.code == 0 else [])


def test_the_pdf_has_the_figures(data: dict[str, Any], page: str) -> None:
    pages = pages_of(render_pdf(page))
    document = " ".join(pages).replace("\xa0", " ")
    for result in data["wagers"].values():
        percentages = [format_percent(result[key]) for key in ("house_edge", "hit_frequency")]
        for figure in (*percentages, f"{result['combinations']:,}"):
            assert figure.replace("\xa0", " ") in document
    assert data["identity"]["program"]["digest"][:40] in document.replace(" ", "")
    for number, text in enumerate(pages, 1):
        assert f"Rules Submission version 1, approved {APPROVED.isoformat()}" in text
        assert f"page {number} of {len(pages)}" in text


def test_outcomes_add_up(data: dict[str, Any]) -> None:
    for result in data["wagers"].values():
        rows = result.get("rows") or result["net_results"]
        assert sum(row["combinations"] for row in rows) == result["combinations"]
        assert sum(row["return_float"] for row in rows) == pytest.approx(-result["house_edge_percent"] / 100)


def test_the_page_loads_no_other_files(page: str) -> None:
    assert "http" not in page.replace('xmlns="http://www.w3.org/2000/svg"', "")


def test_a_changed_figure_is_detected(
    data: dict[str, Any], page: str, tmp_path: Path, croupier: Callable[..., CliResult]
) -> None:
    """Changes in the data are listed by place, and so is a changed figure on a page with unchanged data."""
    changed = json.loads(json.dumps(data))
    changed["wagers"]["ante"]["house_edge"] = "1/30"
    changed["wagers"]["prime"]["rows"][0]["combinations"] += 1
    changed["bands"]["ante"][2]["to_percent"] += 0.01
    changed["simulation"]["wagers"]["ante"]["exact"]["p"] = 0.5
    changed["identity"]["program"]["digest"] = "0" * 64
    file = tmp_path / "changed.json"
    file.write_text(json.dumps(changed), encoding="utf-8")
    result = croupier("verify-report", file, "--json")
    verification = json.loads(result.out)
    assert result.code == 1
    assert not verification["same_program"]
    assert {entry["place"] for entry in verification["differences"]} == {
        "wagers.ante.house_edge",
        "wagers.prime.rows[0].combinations",
        "bands.ante[2].to_percent",
        "simulation.wagers.ante.exact.p",
    }
    figure = format_percent(data["wagers"]["prime"]["house_edge"], 6)
    assert page.count(figure) == 1
    file = tmp_path / "changed.html"
    file.write_text(page.replace(figure, "1.000000\xa0%"), encoding="utf-8")
    result = croupier("verify-report", file)
    assert result.code == 1
    assert figure.replace("\xa0", " ") in result.out.replace("\n  ", " ").replace("\xa0", " ")
    assert "1 differs" in " ".join(result.out.split())


def test_an_unchanged_report_is_verified(tmp_path: Path, croupier: Callable[..., CliResult]) -> None:
    submission = submission_file(tmp_path, EDITION)
    html, pdf, figures = (tmp_path / f"report.{kind}" for kind in ("html", "pdf", "json"))
    options = ("--html", html, "--pdf", pdf, "--json", figures, "--rounds", str(ROUNDS))
    assert croupier("report", submission, *options).code == 0
    assert pdf.read_bytes().startswith(b"%PDF")
    assert json.loads(figures.read_text(encoding="utf-8"))["simulation"]["rounds"] == ROUNDS
    result = croupier("verify-report", html)
    assert (result.code, result.err) == (0, "")
    assert "all agree" in " ".join(result.out.split())


@pytest.mark.parametrize("text", ["", "[]", "{}", "<p>no data</p>", '{"kind": "croupier mathematics report"}'])
def test_a_file_that_is_not_a_report_is_refused(text: str, tmp_path: Path, croupier: Callable[..., CliResult]) -> None:
    file = tmp_path / "report"
    file.write_text(text, encoding="utf-8")
    result = croupier("verify-report", file)
    assert (result.code, result.out) == (2, "")
    assert str(file) in result.err


def test_an_invalid_submission_is_refused(tmp_path: Path, croupier: Callable[..., CliResult]) -> None:
    file = tmp_path / "bad.toml"
    file.write_text('edition = "pa-679a"\nversion = "1"\n', encoding="utf-8")
    result = croupier("report", file)
    assert (result.code, result.out) == (2, "")
    assert list(tmp_path.iterdir()) == [file]
