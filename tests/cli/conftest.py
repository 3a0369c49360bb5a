"""A fixture that runs the command in this process; test_script.py starts real ones."""

from __future__ import annotations

from functools import partial

import pytest

from tests.cli.command_runner import CliRunner, run_in_process


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> CliRunner:
    """Runs `croupier` with arguments."""
    return partial(run_in_process, capsys)
