"""Runs `croupier` as the installed console script or as a function in this process."""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from croupier.cli.main import main

SCRIPT = shutil.which("croupier", path=str(Path(sys.executable).parent)) or "croupier is not installed"
QUIET = {"PYTHONWARNINGS": "error", "COLUMNS": "100", "NO_COLOR": "1"}
INTERRUPT_INTERVAL_SECONDS = 60
"""Longer than a command needs to end on a busy machine."""


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


def run_in_process(
    capsys: pytest.CaptureFixture[str],
    *arguments: str | Path,
    input_text: str | None = None,
    env: dict[str, str] | None = None,
) -> CliResult:
    """Runs `main` in this process; `input_text` is its standard input."""
    capsys.readouterr()
    with pytest.MonkeyPatch.context() as patch:
        if input_text is not None:
            patch.setattr(sys, "stdin", io.StringIO(input_text))
        for name, value in (env or {}).items():
            patch.setenv(name, value)
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else -1
    captured = capsys.readouterr()
    return CliResult(code, captured.out, captured.err)


@contextmanager
def interrupting(process: subprocess.Popen[Any]) -> Iterator[None]:
    """Sends Ctrl-C, and again at intervals until the process ends or the block is left.

    Python notices a signal that arrives just before a blocking `read` only with the next signal.
    """
    left = threading.Event()

    def send() -> None:
        while process.poll() is None:
            process.send_signal(signal.SIGINT)
            if left.wait(INTERRUPT_INTERVAL_SECONDS):
                return

    thread = threading.Thread(target=send)
    thread.start()
    try:
        yield
    finally:
        left.set()
        thread.join()
