"""Runs `croupier` as the installed console script or as a function in this process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from croupier.cli.main import main

SCRIPT = shutil.which("croupier", path=str(Path(sys.executable).parent)) or "croupier is not installed"
QUIET = {"PYTHONWARNINGS": "error", "COLUMNS": "100", "NO_COLOR": "1"}


@dataclass(frozen=True, slots=True)
class CliResult:
    """Exit code and output of a command."""

    code: int
    out: str
    err: str


CliRunner = Callable[..., CliResult]


def run_script(*arguments: str | Path, env: dict[str, str] | None = None) -> CliResult:
    """Runs the console script in a new process."""
    process = subprocess.run(
        [SCRIPT, *map(str, arguments)],
        capture_output=True,
        check=False,
        env=os.environ | QUIET | (env or {}),
        text=True,
        encoding="utf-8",
        timeout=120,
    )
    return CliResult(process.returncode, process.stdout, process.stderr)


def run_in_process(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> CliResult:
    """Runs `main` in this process."""
    capsys.readouterr()
    try:
        code = main([str(argument) for argument in arguments])
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else -1
    captured = capsys.readouterr()
    return CliResult(code, captured.out, captured.err)
