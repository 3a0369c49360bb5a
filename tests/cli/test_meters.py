"""`croupier meters`: amounts and books of meters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from croupier.cli.main import main
from tests.audits.test_meters import record_of, write_record
from tests.progressive.rounds import play, setup_with_meters
from tests.progressive.test_links import FOUR_ACES, StackedShuffle


@pytest.fixture
def path(tmp_path: Path) -> Path:
    driver = play(setup_with_meters("pa-641a"), StackedShuffle(FOUR_ACES), 2, seats=1)
    return write_record(record_of(driver), tmp_path / "table.jsonl")


def test_the_books_are_printed_and_reconciled(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["meters", str(path)]) == 0
    text = capsys.readouterr().out
    assert "four_card_progressive: $5,000\n" in text
    assert "won in 2 hits" in text
    assert "-$10,000.5800" in text, "twice $5,000 and 29 cents"
    assert "Reconciled over 2 rounds" in text


def test_json_has_exact_counters(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["meters", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    meter = document["meters"]["four_card_progressive"]
    assert (meter["display_cents"], meter["hits"], meter["conserved"]) == (5_000_00, 2, True)
    assert meter["contributions"] == "58/1"
    assert meter["wins"] == meter["paid_by_attendant"] == "1000058/1"
    assert document["problems"] == []


def test_a_submission_lists_the_meters_of_its_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "s.toml"
    assert main(["init", "pa-641a", "--offer", "aces_up", "four_card_progressive", "--output", str(path)]) == 0
    capsys.readouterr()
    assert main(["meters", str(path)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("four_card_progressive: $5,000\n")
    assert "29 %" in text
    path.write_text(path.read_text().replace("four_card_progressive", "four_card_progress"))
    assert main(["meters", str(path)]) == 2
    assert "four_card_progress" in capsys.readouterr().err


def test_bad_files_get_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["meters", str(tmp_path / "none.jsonl")]) == 2
    (tmp_path / "bad.jsonl").write_text("{}\n")
    assert main(["meters", str(tmp_path / "bad.jsonl")]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert "line 1: is not a record of a table" in lines[1]
