"""`python -m tools.checks [PYTEST-OPTION…]` runs the static checks, beside pytest if options for it are given.

Pytest's output appears at once; the output of each static check follows whole. If a part fails, the last lines name
it and the command that repeats it alone.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

BIN = Path(sys.executable).parent


@dataclass(frozen=True, slots=True)
class Check:
    """A command that must succeed."""

    name: str
    program: str
    arguments: tuple[str, ...] = ()

    @property
    def command(self) -> list[str]:
        """The command, with the program of this environment if it has one."""
        program = BIN / self.program
        return [str(program) if program.exists() else self.program, *self.arguments]

    @property
    def repeated(self) -> str:
        """The command as somebody would type it in the project's folder."""
        folder = ".venv/bin/" if (BIN / self.program).exists() else ""
        return " ".join([f"{folder}{self.program}", *self.arguments])


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished check."""

    check: Check
    code: int
    seconds: float
    output: str


STATIC_CHECKS = (
    Check("format", "ruff", ("format", "--check", ".")),
    Check("lint", "ruff", ("check", ".")),
    Check("imports", "lint-imports"),
    Check("vocabulary", "python", ("-m", "tools.vocabulary")),
    Check("types", "mypy"),
    Check("web scripts", "make", ("--silent", "web-check")),
)


def run_check(check: Check) -> Outcome:
    """Runs one check and keeps its output."""
    start = time.monotonic()
    process = subprocess.run(check.command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return Outcome(check, process.returncode, time.monotonic() - start, process.stdout)


def run_beside(checks: Sequence[Check], pytest_options: Sequence[str]) -> tuple[list[Outcome], int]:
    """Runs the checks one after another, pytest beside them, and returns their outcomes and pytest's exit code."""
    outcomes: list[Outcome] = []
    thread = threading.Thread(target=lambda: outcomes.extend(map(run_check, checks)), daemon=True)
    thread.start()
    code = 0
    if pytest_options:
        code = subprocess.run([str(BIN / "pytest"), *pytest_options], check=False).returncode
    thread.join()
    return outcomes, code


def main(pytest_options: Sequence[str], checks: Sequence[Check] = STATIC_CHECKS) -> int:
    """Runs everything and reports; 1 if any part failed."""
    outcomes, pytest_code = run_beside(checks, pytest_options)
    for outcome in outcomes:
        passed = "passed" if outcome.code == 0 else f"FAILED with exit code {outcome.code}"
        sys.stdout.write(f"{outcome.check.name} {passed} in {outcome.seconds:.1f} s\n")
        if outcome.code:
            sys.stdout.write(outcome.output)
    for outcome in outcomes:
        if outcome.code:
            sys.stdout.write(f"{outcome.check.name} failed; repeat it with: {outcome.check.repeated}\n")
    if pytest_code:
        sys.stdout.write("tests failed; the commands that repeat them are at the end of pytest's output\n")
    return 1 if pytest_code or any(outcome.code for outcome in outcomes) else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
