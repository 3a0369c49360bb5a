"""`croupier tour`: five steps that fit the terminal, and whose verdicts come from the program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import croupier
from croupier.cli.tour import FORGED_CENTS, forge_payout
from tests.cli.command_runner import CliRunner


@pytest.mark.parametrize("columns", [44, 80])
def test_the_tour_fits_the_terminal_and_shows_every_step(run: CliRunner, columns: int) -> None:
    result = run("tour", env={"COLUMNS": str(columns), "NO_COLOR": "1"})
    assert (result.code, result.err) == (0, "")
    assert max(map(len, result.out.splitlines())) <= columns
    text = " ".join(result.out.split())
    for part in ("1 of 5", "three kings lose to three aces", "+$50", "46.3191 %", "1.1060 %", "exact value", "5 of 5"):
        assert part in text
    assert "no findings" in text
    assert "but the cards give $10" in text


def test_the_forger_repairs_every_hash_so_that_only_the_cards_tell(tmp_path: Path, run: CliRunner) -> None:
    record = tmp_path / "record.jsonl"
    run("settle", Path(__file__).parents[2] / "examples" / "bad_beat.toml", "--record", record)
    assert croupier.audit(record).is_clean
    before, after = forge_payout(record)
    assert after - before == FORGED_CENTS
    assert any(json.loads(line).get("paid") == after for line in record.read_text(encoding="utf-8").splitlines())
    problems = croupier.audit(record).problems
    assert problems
    assert not any("hash" in problem.message for problem in problems)
