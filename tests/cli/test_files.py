"""`-` is standard input, and the ending of `-o FILE` decides what is written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.regulations import edition
from croupier.submissions.template import submission_template
from tests.cli.command_runner import CliResult, CliRunner, run_in_process

ROOT = Path(__file__).parents[2]
SCENARIO = ROOT / "examples" / "bad_beat.toml"
Pipe = Callable[..., CliResult]


@pytest.fixture
def pipe(capsys: pytest.CaptureFixture[str]) -> Pipe:
    """Runs a command with this text on standard input."""

    def run_with_input(text: str, *arguments: str | Path) -> CliResult:
        return run_in_process(capsys, *arguments, input_text=text)

    return run_with_input


@pytest.fixture
def submission() -> str:
    return submission_template(edition("pa-682a"))


def test_a_scenario_from_standard_input_is_settled_as_from_its_file(pipe: Pipe, run: CliRunner) -> None:
    text = SCENARIO.read_text(encoding="utf-8")
    assert pipe(text, "settle", "-", "--json") == run("settle", SCENARIO, "--json")
    assert pipe(text, "ruling", "-").out == run("ruling", SCENARIO).out


def test_a_submission_from_standard_input_is_checked(pipe: Pipe, submission: str) -> None:
    result = pipe(submission, "check", "-", "--no-warnings")
    assert (result.code, result.out, result.err) == (0, "standard input: valid\n", "")
    broken = pipe(submission.replace("seats = 6", "seats = 9"), "check", "-", "--no-warnings")
    line = 1 + submission[: submission.index("seats = 6")].count("\n")
    assert broken.code == 1
    assert f"line {line}: " in broken.out
    assert "standard input: NOT VALID, 2 problems" in broken.out


def test_a_record_from_standard_input_is_audited(pipe: Pipe, run: CliRunner, tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    run("settle", SCENARIO, "--record", record)
    text = record.read_text(encoding="utf-8")
    piped, read = (json.loads(r.out) for r in (pipe(text, "audit", "-", "--json"), run("audit", record, "--json")))
    assert (piped.pop("record"), read.pop("record")) == ("standard input", str(record))
    assert piped == read
    assert "standard input: 1 round" in pipe(text, "audit", "-").out


@pytest.mark.parametrize("command", ["check", "settle", "audit", "form", "recall", "verify-report"])
def test_empty_standard_input_is_refused_in_one_sentence(pipe: Pipe, command: str) -> None:
    result = pipe("", command, "-")
    assert result.code == 2
    assert "standard input is empty" in result.err


def test_a_message_about_standard_input_names_no_temporary_file(pipe: Pipe) -> None:
    result = pipe("edition = 'nowhere'\n", "settle", "-")
    assert result.code == 2
    assert "standard input, edition: " in result.err
    assert "croupier-" not in result.err


def test_the_ending_decides_what_is_written(run: CliRunner, tmp_path: Path, submission: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(submission, encoding="utf-8")
    assert run("form", path, "-o", tmp_path / "form.html").code == 0
    assert "<html" in (tmp_path / "form.html").read_text(encoding="utf-8")
    assert run("layout", path, "-o", tmp_path / "felt.svg").code == 0
    assert (tmp_path / "felt.svg").read_text(encoding="utf-8").lstrip().startswith("<svg")
    assert run("form", path, "--html", tmp_path / "older.html").code == 0
    refused = run("form", path, "-o", tmp_path / "form.docx")
    assert refused.code == 2
    assert re.search(r"none of the endings \.pdf, \.html", refused.err)
    assert {each.name for each in tmp_path.iterdir()} == {"table.toml", "form.html", "felt.svg", "older.html"}


def test_a_document_of_standard_input_needs_a_name(pipe: Pipe, submission: str) -> None:
    result = pipe(submission, "form", "-")
    assert result.code == 2
    assert "-o: is missing" in result.err


def test_errata_writes_no_file_unasked(run: CliRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("errata", "md-4cp")
    assert result.code == 0
    assert "AMB-29" in result.out
    assert list(tmp_path.iterdir()) == []
