"""The static checks beside pytest."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools.checks import Check, main, run_beside, run_check

PASSING = Check("good", "python", ("-c", "print('fine')"))
FAILING = Check("bad", "python", ("-c", "import sys; print('line 7 is wrong'); sys.exit(3)"))


def test_a_check_keeps_its_exit_code_and_output() -> None:
    assert (run_check(PASSING).code, run_check(PASSING).output) == (0, "fine\n")
    assert (run_check(FAILING).code, run_check(FAILING).output) == (3, "line 7 is wrong\n")


def test_a_failed_check_is_named_last_with_the_command_that_repeats_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], [FAILING, PASSING]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("bad FAILED with exit code 3 in ")
    assert lines[1] == "line 7 is wrong"
    assert lines[2].startswith("good passed in ")
    assert lines[-1] == f"bad failed; repeat it with: .venv/bin/{' '.join(['python', *FAILING.arguments])}"


def test_everything_passed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], [PASSING]) == 0
    assert "failed" not in capsys.readouterr().out.lower()


@pytest.mark.parametrize(("statement", "expected"), [("assert 1", 0), ("assert 0", 1)])
def test_pytest_runs_beside_the_checks(statement: str, expected: int, tmp_path: Path) -> None:
    settings, test = tmp_path / "pytest.ini", tmp_path / "test_statement.py"
    settings.write_text("[pytest]\n", encoding="utf-8")
    test.write_text(f"def test_statement():\n    {statement}\n", encoding="utf-8")
    outcomes, code = run_beside([PASSING], ["-q", "-c", str(settings), "--rootdir", str(tmp_path), str(test)])
    assert ([outcome.code for outcome in outcomes], code) == ([0], expected)
