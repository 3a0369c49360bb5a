"""Runs the command both ways: as the installed console script, and as a function in this process."""

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
class Ran:
    """What a call gave back."""

    code: int
    out: str
    err: str


Run = Callable[..., Ran]


def in_a_shell(*arguments: str | Path, env: dict[str, str] | None = None) -> Ran:
    """The console script, in a process of its own."""
    done = subprocess.run(
        [SCRIPT, *map(str, arguments)],
        capture_output=True,
        check=False,
        env=os.environ | QUIET | (env or {}),
        text=True,
        encoding="utf-8",
        timeout=120,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def in_process(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Ran:
    """`main`, in this process."""
    capsys.readouterr()
    try:
        code = main([str(argument) for argument in arguments])
    except SystemExit as stopped:
        code = stopped.code if isinstance(stopped.code, int) else -1
    captured = capsys.readouterr()
    return Ran(code, captured.out, captured.err)
